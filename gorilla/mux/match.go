package mux

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// How a search tries a single route: whether the request has everything that the route
// requires, and what it then takes over from the route.

// matchEntry reports whether a route matches. If it does, it is the result.
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
// does not, everything except the error is undone.
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

// pass reports whether the request passes an entry's steps. err is the error of a
// request that passes otherwise. It sets before if a subrouter matches.
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
				return false, err // the other steps cannot change the result
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

// take makes an entry that matches the result, and reports that.
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
		if s.vars == nil {
			s.vars = make(map[string]string) // users of RouteMatch may write to it
		}
		s.addVars(e)
	}
	if e.path != nil && e.path.strict {
		s.redirect(e)
	}
	return true
}

// takes reports whether the request passes a step.
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

// call calls a function with the result so far, and takes over its changes.
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

// load makes the search continue from match.
func (s *search) load(match *RouteMatch) {
	s.general, s.out = true, match
	s.route, s.handler, s.vars, s.err = match.Route, match.Handler, match.Vars, match.MatchErr
}

// redirect sets the handler to a redirect, if the path differs by a final slash from
// that of the entry, whose option StrictSlash is set.
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

// addVars adds an entry's variables to the known ones.
func (s *search) addVars(e *entry) {
	for _, t := range e.templates {
		s.vars = t.addTo(s.vars, s.pathFor(e.encoded), s.hostFor(t), s.req.URL.RawQuery)
	}
}

// pathFor returns the path in the form that a template matches.
func (s *search) pathFor(encoded bool) string {
	switch {
	case s.general && encoded, encoded && !s.encoded:
		return s.req.URL.EscapedPath()
	case s.general, encoded != s.encoded:
		return s.req.URL.Path
	}
	return s.path.path
}

// hostFor returns the host in the form that a template matches.
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
