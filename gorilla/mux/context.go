package mux

import (
	"context"
	"net/http"
	"sync/atomic"
)

// What handlers can ask about a request is one value in its context, a *entry, *found
// or *given, or it is in the request itself; see delivery. The context is made by
// [context.WithValue], as with gorilla/mux: some programs have tests that check for its
// type. One allocation for the copy of the request with a context of our own would save 20
// of 150 ns. But then a context that is kept would keep the request: 2 kB instead of 0.15
// for a browser's GET, and all of a form that was parsed.

// A contextKey is the key of that value.
type contextKey struct{}

// Vars returns the variables, by name, of the route that serves the request and of the
// routes around it. If there are any, the map is the same for all calls with the
// request, except with [Router.VarsInRequest]. Otherwise it is a new empty map, or nil if
// no route serves the request or the router omits both route and router from the context.
func Vars(r *http.Request) map[string]string {
	e := carried(r)
	if e != nil && e.names > 0 {
		return e.carriedVars(r)
	}
	if vars := contextVars(r); vars != nil || e == nil {
		return vars
	}
	return map[string]string{}
}

// contextVars is Vars for a request whose context has the values.
func contextVars(r *http.Request) map[string]string {
	switch v := r.Context().Value(contextKey{}).(type) {
	case *entry:
		return map[string]string{}
	case *found:
		return v.vars()
	case *given:
		return v.vars
	}
	return nil
}

// CurrentRoute returns the route that serves the request, the innermost one. It returns
// nil in other handlers, and after [Router.OmitRouteFromContext].
func CurrentRoute(r *http.Request) *Route {
	if e := carried(r); e != nil {
		if route := e.currentRoute(); route != nil {
			return route
		}
	}
	switch v := r.Context().Value(contextKey{}).(type) {
	case *entry:
		return v.currentRoute()
	case *found:
		return v.leaf.currentRoute()
	case *given:
		return v.route
	}
	return nil
}

// CurrentRouter returns the router that serves the request, the outermost one of its
// tree. It returns nil in other handlers, and after [Router.OmitRouterFromContext].
func CurrentRouter(r *http.Request) *Router {
	if e := carried(r); e != nil {
		if router := e.currentRouter(); router != nil {
			return router
		}
	}
	switch v := r.Context().Value(contextKey{}).(type) {
	case *entry:
		return v.currentRouter()
	case *found:
		return v.leaf.currentRouter()
	case *given:
		return v.router
	}
	return nil
}

// SetURLVars returns a copy of the request with variables, for tests of handlers.
// Without variables it returns the request itself.
func SetURLVars(r *http.Request, val map[string]string) *http.Request {
	if len(val) == 0 {
		return r
	}
	return with(r, &given{CurrentRoute(r), CurrentRouter(r), val})
}

// with returns a copy of the request with a value in its context.
func with(r *http.Request, value any) *http.Request {
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, value))
	disown(r)
	return r
}

// An entry in a context means its route, which has no variables, and its router.

func (e *entry) currentRoute() *Route {
	if e.plan.top.config.omitRoute {
		return nil
	}
	return e.route
}

func (e *entry) currentRouter() *Router {
	if p := e.plan.top; !p.config.omitRouter {
		return p.router
	}
	return nil
}

// A found is an entry with variables, whose values are extracted when a handler asks
// for them.
type found struct {
	leaf  *entry
	path  string
	other *notInPath   // nil if all variables are in the path
	taken atomic.Value // map[string]string
}

// A notInPath has the texts from which variables that are not in the path are
// extracted.
type notInPath struct{ host, query string }

// vars returns the variables. The first of several calls at a time decides.
func (f *found) vars() map[string]string {
	if vars, ok := f.taken.Load().(map[string]string); ok {
		return vars
	}
	vars := make(map[string]string, f.leaf.names)
	var other notInPath
	if f.other != nil {
		other = *f.other
	}
	for _, t := range f.leaf.sources {
		host := other.host
		if t.anyPort {
			host = withoutPort(host)
		}
		t.addTo(vars, f.path, host, other.query)
	}
	if !f.taken.CompareAndSwap(nil, vars) {
		return f.taken.Load().(map[string]string)
	}
	return vars
}

// A given has all values explicitly.
type given struct {
	route  *Route
	router *Router
	vars   map[string]string
}

// withContext returns the request for the handler.
func (s *search) withContext(p *plan) *http.Request {
	if p.config.inRequest {
		return s.deliver(p)
	}
	lacks := p.config.omitRoute || p.config.omitRouter || s.leaf == nil || s.leaf.names == 0
	if s.general || s.leaf == nil || lacks && (s.req.Context().Value(contextKey{}) != nil || carried(s.req) != nil) {
		return s.withGiven(p)
	}
	switch {
	case s.leaf.names > 0:
		f := &found{leaf: s.leaf, path: s.path.path}
		if s.leaf.elsewhere {
			f.other = &notInPath{s.host, s.req.URL.RawQuery}
		}
		return with(s.req, f)
	case p.config.omitRoute && p.config.omitRouter:
		return s.req
	}
	return with(s.req, s.leaf)
}

// withGiven is withContext for a request that no route matches, for one whose values
// are all known, or for one that comes from a handler of another router. Values of that
// router stay if there are none now.
func (s *search) withGiven(p *plan) *http.Request {
	if !s.general && s.leaf != nil {
		for _, t := range s.leaf.sources {
			s.vars = t.addTo(s.vars, s.path.path, s.hostFor(t), s.req.URL.RawQuery)
		}
		s.route = s.leaf.route
	}
	if p.config.omitRoute && p.config.omitRouter && len(s.vars) == 0 {
		return s.req
	}
	g := &given{s.route, p.router, s.vars}
	if p.config.omitRoute {
		g.route = CurrentRoute(s.req)
	}
	if p.config.omitRouter {
		g.router = CurrentRouter(s.req)
	}
	if outer := Vars(s.req); len(g.vars) == 0 && len(outer) > 0 {
		g.vars = outer
	}
	if g.vars == nil && s.leaf != nil {
		g.vars = map[string]string{}
	}
	return with(s.req, g)
}
