package mux

import (
	"context"
	"net/http"
	"sync/atomic"
)

// A contextKey is a key of what the context of a request has.
type contextKey int

const (
	varsKey contextKey = iota
	routeKey
	routerKey
)

// Vars returns the variables of the route that serves the request, and of those
// around it, by name; nil if there are none. The map is the same for all calls with
// the request.
func Vars(r *http.Request) map[string]string {
	ctx := r.Context()
	if c, ok := ctx.(*varsContext); ok {
		return c.vars()
	}
	vars, _ := ctx.Value(varsKey).(map[string]string)
	return vars
}

// CurrentRoute returns the route that serves the request, the innermost one; nil in
// other handlers, and after [Router.OmitRouteFromContext].
func CurrentRoute(r *http.Request) *Route {
	rt, _ := r.Context().Value(routeKey).(*Route)
	return rt
}

// CurrentRouter returns the router that serves the request, the outermost one of its
// tree; nil in other handlers, and after [Router.OmitRouterFromContext].
func CurrentRouter(r *http.Request) *Router {
	router, _ := r.Context().Value(routerKey).(*Router)
	return router
}

// SetURLVars returns a copy of the request with variables, for tests of handlers.
// Without variables it returns the request itself.
func SetURLVars(r *http.Request, val map[string]string) *http.Request {
	if len(val) == 0 {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), varsKey, val))
}

// A matchContext has what a request's context is to have, in one, where a route
// matches. What is not there is that of the context around.
type matchContext struct {
	context.Context
	leaf *entry // of the route
}

// Value returns what the context or those around it have for a key.
func (c *matchContext) Value(key any) any {
	if k, ok := key.(contextKey); ok {
		switch p := c.leaf.plan.top; {
		case k == routerKey && !p.config.omitRouter:
			return p.router
		case k == routeKey && !p.config.omitRoute:
			return c.leaf.route
		}
	}
	return c.Context.Value(key)
}

// A varsContext is a matchContext with variables. They are taken from where they
// stand when they are asked for.
type varsContext struct {
	matchContext
	path  string
	other *elsewhere   // nil if all are in the path
	taken atomic.Value // map[string]string
}

// Elsewhere has what variables are taken from besides the path.
type elsewhere struct{ host, query string }

// Value returns what the context or those around it have for a key.
func (c *varsContext) Value(key any) any {
	if key == any(varsKey) {
		return c.vars()
	}
	return c.matchContext.Value(key)
}

// vars returns the variables. The first of several calls at a time decides.
func (c *varsContext) vars() map[string]string {
	if vars, ok := c.taken.Load().(map[string]string); ok {
		return vars
	}
	vars := make(map[string]string, c.leaf.names)
	var other elsewhere
	if c.other != nil {
		other = *c.other
	}
	for _, t := range c.leaf.sources {
		host := other.host
		if t.anyPort {
			host = withoutPort(host)
		}
		t.addTo(vars, c.path, host, other.query)
	}
	if !c.taken.CompareAndSwap(nil, vars) {
		return c.taken.Load().(map[string]string)
	}
	return vars
}

// withContext returns the request as its handler is given it.
func (s *search) withContext(p *plan) *http.Request {
	switch {
	case s.general, s.leaf == nil:
		return s.withValues(p)
	case s.leaf.names > 0:
		with := &varsContext{matchContext: matchContext{s.req.Context(), s.leaf}, path: s.path.path}
		if s.leaf.elsewhere {
			with.other = &elsewhere{s.host, s.req.URL.RawQuery}
		}
		return s.req.WithContext(with)
	case p.config.omitRoute && p.config.omitRouter:
		return s.req
	}
	return s.req.WithContext(&matchContext{s.req.Context(), s.leaf})
}

// withValues is withContext for a request of which all is known, or that no route
// matches.
func (s *search) withValues(p *plan) *http.Request {
	ctx := s.req.Context()
	if !p.config.omitRoute {
		ctx = context.WithValue(ctx, routeKey, s.route)
	}
	if len(s.vars) > 0 {
		ctx = context.WithValue(ctx, varsKey, s.vars)
	}
	if !p.config.omitRouter {
		ctx = context.WithValue(ctx, routerKey, p.router)
	}
	if ctx == s.req.Context() {
		return s.req
	}
	return s.req.WithContext(ctx)
}
