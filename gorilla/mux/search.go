package mux

import (
	"errors"
	"net/http"
	"slices"
)

var (
	// ErrMethodMismatch is the value of [RouteMatch.MatchErr] if a route matches except
	// for the method.
	ErrMethodMismatch = errors.New("method is not allowed")
	// ErrNotFound is the value of [RouteMatch.MatchErr] if no route matches.
	ErrNotFound = errors.New("no matching route was found")
)

// A RouteMatch is the result of matching a request.
type RouteMatch struct {
	Route   *Route            // the innermost route that matches
	Handler http.Handler      // in its middleware
	Vars    map[string]string // nil if no route matches

	// MatchErr is the reason why nothing matches: [ErrMethodMismatch] or [ErrNotFound].
	// If there is a handler for that, it is set although Match returns true.
	MatchErr error
}

// A search determines the result for a request. It goes through the routes that may
// match in the order of registration, and through those of subrouters. The result so
// far is the request's RouteMatch, except that in most plans variables and middleware
// are added later, when it is known what is needed:
//
//   - leaf represents the route, and the variables of it and of the routes around it;
//   - composed represents the handler, in its middleware.
//
// In general plans everything is set immediately.
type search struct {
	req     *http.Request
	general bool
	// A quick search looks only at routes that have the request's method, and only
	// finds a match. It is unsure if the full search may give another result.
	quick, unsure bool
	out           *RouteMatch // the argument of functions; made when it is needed

	path      segments
	encoded   bool   // path is escaped
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

// look sets the request's path and host, unless they are set.
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

// find determines the result for the request, and reports whether there is a handler
// for it.
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
	behind := 0 // the first entry that was not tried yet
	for i := f.next(0); i >= 0; i = f.next(i + 1) {
		switch s.try(p, i, &behind) {
		case matched:
			return true
		case unsure:
			return false
		case moved:
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
		case matched:
			return true
		case unsure:
			return false
		case moved:
			unions = p.index.unions(space[:0], s.query(p))
		}
	}
	return s.end(p, behind)
}

// An outcome is the result of trying a route.
type outcome uint8

const (
	missed  outcome = iota // it does not match
	matched                // it does
	unsure                 // a quick search does not know
	moved                  // it does not, and a function changed the path or the host of the request
)

// try tries route i of a plan. behind is the index after the last route that was tried.
func (s *search) try(p *plan, i int, behind *int) outcome {
	e := p.entries[i]
	if s.quick && e.direct {
		if e.path.matchesPath(&s.path) && (e.directMethod == nil || slices.Contains(e.directMethod, s.req.Method)) {
			s.leaf, s.composed, s.err = e, e, nil
			return matched
		}
		return missed
	}
	if i > *behind {
		s.missed()
	}
	*behind = i + 1
	path, host := s.path.path, s.host
	ok := s.matchEntry(e)
	switch {
	case s.unsure:
		return unsure
	case ok:
		if s.err == nil && s.composed == nil {
			s.handler = wrap(s.handler, p.middlewares)
		}
		return matched
	case s.general:
		if s.look(); s.path.path != path || s.host != host {
			return moved
		}
	}
	return missed
}

// candidates returns the routes of a plan that its index returns.
func (s *search) candidates(p *plan) (list []int) {
	if p.index.hasFew() {
		var f few
		p.index.few(&f, s.query(p))
		for i := f.next(0); i >= 0; i = f.next(i + 1) {
			list = append(list, i)
		}
		return list
	}
	unions := p.index.unions(nil, s.query(p))
	for i := nextOf(unions, p.index.size, 0); i >= 0; i = nextOf(unions, p.index.size, i+1) {
		list = append(list, i)
	}
	return list
}

// end returns the result if no route matches.
func (s *search) end(p *plan, behind int) bool {
	return !s.quick && s.refuse(p, behind < len(p.entries))
}

// query returns the query for a plan's index.
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

// unknownPath is the path if an index needs it in another form than the search.
var unknownPath segments

// refuse returns the result of router if no route matches. left is set if the index
// excluded the last routes. It reports whether there is a handler for that.
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

// missed records that a route does not match, including one that the index excluded:
// that nothing was found below an earlier route is then forgotten.
func (s *search) missed() {
	if s.err == ErrNotFound {
		s.err = nil
	}
}
