package mux

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/muxwell/muxwell/internal/refuse"
)

// ServeHTTP answers a request by the handler of the first route that matches; or by
// a redirect to the clean path, if it is not clean; or else by
// MethodNotAllowedHandler if a route matches but for the method, or by
// NotFoundHandler.
//
// The handler is given a copy of the request, whose context has the route, the
// router and the variables; see [CurrentRoute], [CurrentRouter] and [Vars].
func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	p := r.current()
	var s search
	s.start(req, p)
	if !s.path.clean && !p.config.skipClean {
		if to := cleanPath(s.path.path); to != s.path.path {
			w.Header().Set("Location", location(req.URL, to, s.encoded))
			w.WriteHeader(http.StatusMovedPermanently)
			return
		}
	}
	var handler http.Handler
	if s.find(p) {
		if handler = s.handler; s.composed != nil {
			handler = s.composed.compose()
		}
		if handler != nil {
			req = s.withContext(p)
		}
	}
	switch {
	case handler != nil:
		handler.ServeHTTP(w, req)
	case s.err == ErrMethodMismatch:
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		refuse.Write(w, http.StatusNotFound, "404 page not found\n", "") // as http.NotFound does
	}
}

// Match reports whether a route of the router matches, and sets match to the first
// one, its handler in all middleware, and its variables. It also returns true for a
// NotFoundHandler or MethodNotAllowedHandler; MatchErr is set then, as it is where
// nothing matches.
//
// What match has before counts: Handler and Route are kept, Vars added to. Use a new
// one for each request.
func (r *Router) Match(req *http.Request, match *RouteMatch) bool {
	p := r.current()
	var s search
	s.start(req, p)
	s.load(match)
	ok := s.router(p)
	s.store()
	return ok
}

// Match is [Router.Match] for a single route.
func (r *Route) Match(req *http.Request, match *RouteMatch) bool {
	never := false
	if r.read(func() { never = r.never() }); never {
		return false
	}
	e := r.entryAlone()
	var s search
	s.start(req, e.plan)
	s.load(match)
	ok := s.matchEntry(e)
	s.store()
	return ok
}

// methodsFor returns the methods of all routes of the router itself that match a
// request, but maybe for the method. It returns nil if one of these names none.
func (r *Router) methodsFor(req *http.Request) (methods []string) {
	p := r.current()
	var s search
	s.start(req, p)
	for _, i := range s.candidates(p) {
		e := p.entries[i]
		if s.out, s.state = nil, (state{}); !s.matchEntry(e) && s.err != ErrMethodMismatch {
			continue
		}
		list, err := e.route.GetMethods()
		if err != nil {
			return nil
		}
		methods = append(methods, list...)
	}
	return methods
}

// cleanPath returns a path without empty segments, "." and "..", with a slash at
// the beginning, and one at the end if it had one.
func cleanPath(p string) string {
	if p == "" {
		return "/"
	}
	if p[0] != '/' {
		p = "/" + p
	}
	clean := path.Clean(p)
	if clean != "/" && strings.HasSuffix(p, "/") {
		clean += "/"
	}
	return clean
}

// location returns where to redirect a request to another path, which is escaped or
// not, with the query that it has. That never is another site: there is no host in
// it, and it begins with a single slash, which no second slash or backslash follows.
func location(u *url.URL, p string, escaped bool) string {
	if !escaped {
		to := url.URL{Path: p}
		p = to.EscapedPath()
	}
	p = "/" + strings.TrimLeft(p, "/")
	if u.ForceQuery || u.RawQuery != "" {
		p += "?" + u.RawQuery
	}
	return p
}
