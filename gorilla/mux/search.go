package mux

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
)

var (
	// ErrMethodMismatch is [RouteMatch.MatchErr] if a route matches but for the
	// method.
	ErrMethodMismatch = errors.New("method is not allowed")
	// ErrNotFound is [RouteMatch.MatchErr] if no route matches.
	ErrNotFound = errors.New("no matching route was found")
)

// A RouteMatch is what matching a request gives.
type RouteMatch struct {
	Route   *Route            // the innermost route that matches
	Handler http.Handler      // in its middleware
	Vars    map[string]string // nil if there are none

	// MatchErr tells why nothing matches: [ErrMethodMismatch] or [ErrNotFound]. With
	// a handler for that, it is set although Match returns true.
	MatchErr error
}

// A search finds out what becomes of a request. It goes through the routes that may
// match in the order of registration, and through those of subrouters. What it knows
// so far is the request's RouteMatch, but that in most plans variables and
// middleware come later, when it is known what is needed:
//
//   - leaf stands for the route, and for the variables that it and the routes around
//     it have;
//   - composed stands for the handler, in its middleware.
//
// In general plans all is done at once.
type search struct {
	req     *http.Request
	general bool
	// A quick search looks only at routes that have the request's method, and tells
	// only of a match. It is unsure where that may not be what comes out.
	quick, unsure bool
	out           *RouteMatch // what functions are given; made when it is needed

	path      segments
	encoded   bool   // path is the escaped one
	host      string // of the request
	seen      bool   // path is that of a URL with the next two
	sent, raw string

	state
}

// A state is what a search has found.
type state struct {
	route    *Route
	handler  http.Handler
	vars     map[string]string
	err      error
	leaf     *entry
	composed *entry
}

// start prepares a search for a request.
func (s *search) start(req *http.Request, p *plan) {
	s.req, s.general, s.encoded = req, p.general, p.config.encodedPath
	s.look()
}

// look notes the request's path and host, unless it knows them.
func (s *search) look() {
	s.host = hostOf(s.req)
	if u := s.req.URL; !s.seen || u.Path != s.sent || u.RawPath != s.raw {
		s.seen, s.sent, s.raw = true, u.Path, u.RawPath
		if s.encoded {
			s.path.split(u.EscapedPath())
		} else {
			s.path.split(u.Path)
		}
	}
}

// hostOf returns the host that a request is for, with its port if it has one.
func hostOf(req *http.Request) string {
	if req.URL.Scheme != "" {
		return req.URL.Host
	}
	return req.Host
}

// pathFor returns the path as a template wants it.
func (s *search) pathFor(encoded bool) string {
	switch {
	case s.general && encoded, encoded && !s.encoded:
		return s.req.URL.EscapedPath()
	case s.general, encoded != s.encoded:
		return s.req.URL.Path
	}
	return s.path.path
}

// hostFor returns the host as a template wants it.
func (s *search) hostFor(t *template) string {
	host := s.host
	if s.general {
		host = hostOf(s.req)
	}
	if t.anyPort {
		host = withoutPort(host)
	}
	return host
}

// withoutPort returns a host up to the first colon.
func withoutPort(host string) string {
	host, _, _ = strings.Cut(host, ":")
	return host
}

// find finds what becomes of the request, and reports whether there is a handler for
// it.
func (s *search) find(p *plan) bool {
	if s.general {
		ok := s.router(p)
		if s.out != nil {
			s.store() // a function may have kept it
		}
		return ok
	}
	s.quick = true
	if s.router(p) {
		return true
	}
	sure := !s.unsure && !p.methods
	s.quick, s.unsure, s.state = false, false, state{}
	if sure {
		return s.refuse(p, false)
	}
	return s.router(p)
}

// router finds the first of a plan's routes that matches.
func (s *search) router(p *plan) bool {
	if !p.index.hasFew() {
		return s.routerOfMany(p)
	}
	var f few
	p.index.few(&f, s.query(p))
	behind := 0 // the entry that was not looked at yet
	for i := f.next(0); i >= 0; i = f.next(i + 1) {
		switch s.try(p, i, &behind) {
		case taken:
			return true
		case unknown:
			return false
		case elsewhere:
			p.index.few(&f, s.query(p))
		}
	}
	return s.end(p, behind)
}

// routerOfMany is router for a plan whose index has many routes.
func (s *search) routerOfMany(p *plan) bool {
	var space [maxUnions]union
	unions := p.index.unions(space[:0], s.query(p))
	behind := 0
	for i := nextOf(unions, p.index.size, 0); i >= 0; i = nextOf(unions, p.index.size, i+1) {
		switch s.try(p, i, &behind) {
		case taken:
			return true
		case unknown:
			return false
		case elsewhere:
			unions = p.index.unions(space[:0], s.query(p))
		}
	}
	return s.end(p, behind)
}

// An outcome is what comes of trying a route.
type outcome uint8

const (
	passed    outcome = iota // it does not match
	taken                    // it does
	unknown                  // a quick search does not know
	elsewhere                // it does not, and a function made the request one for another path or host
)

// try tries route i of a plan. behind is the one behind the last that was tried.
func (s *search) try(p *plan, i int, behind *int) outcome {
	e := p.entries[i]
	if s.quick && e.direct {
		if e.path.matches(s.path.path) && (e.directMethod == nil || slices.Contains(e.directMethod, s.req.Method)) {
			s.leaf, s.composed, s.err = e, e, nil
			return taken
		}
		return passed
	}
	if i > *behind {
		s.missed()
	}
	*behind = i + 1
	path, host := s.path.path, s.host
	ok := s.matchEntry(e)
	switch {
	case s.unsure:
		return unknown
	case ok:
		if s.err == nil && s.composed == nil {
			s.handler = wrap(s.handler, p.middlewares)
		}
		return taken
	case s.general:
		if s.look(); s.path.path != path || s.host != host {
			return elsewhere
		}
	}
	return passed
}

// end is what comes where no route matches.
func (s *search) end(p *plan, behind int) bool {
	return !s.quick && s.refuse(p, behind < len(p.entries))
}

// query returns what a plan's index is asked.
func (s *search) query(p *plan) query {
	q := query{path: &s.path, host: s.host}
	if s.quick {
		q.method = s.req.Method
	}
	if p.index.encoded != s.encoded {
		q.path = &unknownPath
	}
	return q
}

// unknownPath is the path if an index wants it in another form than the search.
var unknownPath segments

// refuse is what router ends with where no route matches; left says that the index
// left out the last ones. It reports whether there is a handler for that.
func (s *search) refuse(p *plan, left bool) bool {
	if left {
		s.missed()
	}
	switch {
	case s.err == ErrMethodMismatch:
		if h := p.router.MethodNotAllowedHandler; h != nil {
			s.handler, s.composed = h, nil
			return true
		}
		return false
	case p.router.NotFoundHandler != nil:
		s.handler, s.composed, s.err = p.router.NotFoundHandler, nil, ErrNotFound
		return true
	}
	s.err = ErrNotFound
	return false
}

// missed notes that a route does not match, be it one that the index left out: that
// nothing was found below an earlier one no longer counts.
func (s *search) missed() {
	if s.err == ErrNotFound {
		s.err = nil
	}
}

// matchEntry reports whether a route matches, and takes it if it does.
func (s *search) matchEntry(e *entry) bool {
	var err error
	ok := false
	if e.around {
		ok, err = s.matchAround(e)
	} else {
		ok, err = s.pass(e, nil)
	}
	if err != nil {
		s.err = err
		return false
	}
	return ok && s.take(e)
}

// matchAround is pass for an entry with a subrouter. If that matched, and the entry
// does not, all but the error is taken back.
func (s *search) matchAround(e *entry) (ok bool, err error) {
	var before saved
	if ok, err = s.pass(e, &before); (!ok || err != nil) && before.done {
		before.state.err = s.err
		s.state = before.state
	}
	return ok, err
}

// A saved is a state to which a search may return.
type saved struct {
	state
	done bool
}

// pass reports whether an entry's steps let the request pass; err is what stands in
// the way of one that passes otherwise. It sets before, if a subrouter matches.
func (s *search) pass(e *entry, before *saved) (ok bool, err error) {
	for i := range e.steps {
		t := &e.steps[i]
		if t.kind == byRouter && !before.done {
			before.state = s.state
			before.vars = maps.Clone(s.vars)
		}
		if s.takes(t) {
			if t.kind == byRouter {
				before.done = true
			}
			continue
		}
		switch {
		case t.kind == byMethods:
			err = ErrMethodMismatch
			if s.err == err && e.plain {
				return false, err // whatever the others say, nothing changes
			}
		case t.kind == byTemplate && t.template.kind == queryTemplate:
			return false, ErrNotFound
		default:
			s.missed()
			return false, nil
		}
	}
	return true, err
}

// take takes an entry that matches, and says so.
func (s *search) take(e *entry) bool {
	if s.err != nil && e.handler != nil {
		s.err, s.handler, s.composed = nil, nil, nil
	}
	if s.route == nil {
		s.route = e.route
	}
	if s.leaf == nil {
		s.leaf = e
	}
	if s.handler == nil && s.composed == nil {
		switch {
		case e.handler == nil:
			s.unsure = s.quick
		case s.general:
			s.handler = wrap(e.handler, e.middlewares)
		default:
			s.composed = e
		}
	}
	if s.general {
		s.addVars(e)
	}
	if e.path != nil && e.path.strict {
		s.redirect(e)
	}
	return true
}

// takes reports whether a step lets the request pass.
func (s *search) takes(t *step) bool {
	switch t.kind {
	case byTemplate:
		switch t.template.kind {
		case hostTemplate:
			return t.template.matches(s.hostFor(t.template))
		case queryTemplate:
			return t.template.matchesQuery(s.req.URL.RawQuery)
		}
		return t.template.matches(s.pathFor(t.template.encoded))
	case byMethods:
		return slices.Contains(t.list, s.req.Method)
	case bySchemes:
		return slices.Contains(t.list, schemeOf(s.req))
	case byHeaders, byHeadersRegexp:
		return matchesHeader(t.headers, s.req.Header)
	case byRouter:
		if r := t.sub.router; s.quick && (r.NotFoundHandler != nil || r.MethodNotAllowedHandler != nil) {
			s.unsure = true
			return false
		}
		return s.router(t.sub)
	}
	return s.call(t.f)
}

// schemeOf returns the scheme that a request was made with.
func schemeOf(req *http.Request) string {
	switch {
	case req.URL.Scheme != "":
		return req.URL.Scheme
	case req.TLS != nil:
		return "https"
	}
	return "http"
}

// call calls a function with what is known so far, and takes over what it leaves.
func (s *search) call(f MatcherFunc) bool {
	s.store()
	ok := f(s.req, s.out)
	s.route, s.handler, s.vars, s.err = s.out.Route, s.out.Handler, s.out.Vars, s.out.MatchErr
	return ok
}

// store sets out.
func (s *search) store() {
	if s.out == nil {
		s.out = new(RouteMatch)
	}
	*s.out = RouteMatch{Route: s.route, Handler: s.handler, Vars: s.vars, MatchErr: s.err}
}

// redirect sets the handler to one that redirects, if the path differs by a final
// slash from that of the entry, which is strict about it.
func (s *search) redirect(e *entry) {
	path := s.pathFor(e.encoded)
	has, wants := strings.HasSuffix(path, "/"), strings.HasSuffix(e.path.text, "/")
	if has == wants {
		return
	}
	if !e.encoded {
		path = s.req.URL.Path
	}
	if has {
		path = path[:len(path)-1]
	} else {
		path += "/"
	}
	s.handler = http.RedirectHandler(location(s.req.URL, path, e.encoded), http.StatusMovedPermanently)
	s.composed = nil
}

// addVars adds an entry's variables to those that are known.
func (s *search) addVars(e *entry) {
	add := func(t *template) {
		if t != nil && len(t.vars) > 0 {
			s.vars = t.addTo(s.vars, s.pathFor(e.encoded), s.hostFor(t), s.req.URL.RawQuery)
		}
	}
	add(e.host)
	add(e.path)
	for _, t := range e.queries {
		add(t)
	}
}
