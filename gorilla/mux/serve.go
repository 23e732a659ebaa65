package mux

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/muxwell/muxwell/internal/refuse"
)

// ServeHTTP answers a request with the handler of the first route that matches. If the
// path is not clean, it redirects to the clean path instead. If no route matches, it
// calls MethodNotAllowedHandler if a route matches except for the method, and otherwise
// NotFoundHandler.
//
// The handler is called with a copy of the request, whose context has the route, the
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

// Match reports whether a route of the router matches. It sets match to the first one
// that does, its handler in all middleware, and its variables. It also returns true for
// a NotFoundHandler or MethodNotAllowedHandler. Then, and if nothing matches, MatchErr
// is set.
//
// Existing values of match are used: Handler and Route are kept, and variables are
// added to Vars. Use a new RouteMatch for each request.
func (r *Router) Match(req *http.Request, match *RouteMatch) bool {
	p := r.current()
	var s search
	s.start(req, p)
	s.load(match)
	ok := s.router(p)
	s.store()
	return ok
}

// Match is like [Router.Match] for a single route.
func (r *Route) Match(req *http.Request, match *RouteMatch) bool {
	a := r.matchedAlone()
	if a.entry == nil {
		return false
	}
	if !strings.HasPrefix(req.URL.Path, a.prefix) {
		if match.MatchErr == ErrNotFound {
			match.MatchErr = nil // as search.missed does
		}
		return false
	}
	var s search
	s.start(req, a.entry.plan)
	s.load(match)
	ok := s.matchEntry(a.entry)
	s.store()
	return ok
}

// methodsFor returns the methods of all routes of the router itself that match a
// request if the method is ignored. It returns nil if one of these routes names no
// methods.
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

// cleanPath returns a path without empty segments, "." and "..", with a slash at the
// beginning, and with one at the end if it had one.
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

// location returns the Location of a redirect to another path, which is escaped or not,
// with the query of u. It never leads to another site: it has no host, and it begins
// with a single slash, which is not followed by another slash or a backslash.
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
