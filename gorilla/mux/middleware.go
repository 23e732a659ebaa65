package mux

import (
	"net/http"
	"slices"
	"strings"
)

// A MiddlewareFunc returns a handler that wraps another one, which it usually calls. It
// is called when a route is first served, and again after routes or middleware were
// added. It is also called for each call of [Router.Match] and each redirect of
// StrictSlash. It is called for all requests if the tree of routers has a
// [MatcherFunc], a route with several subrouters, or routes both with and without
// UseEncodedPath.
type MiddlewareFunc func(http.Handler) http.Handler

// Middleware calls mw.
func (mw MiddlewareFunc) Middleware(handler http.Handler) http.Handler { return mw(handler) }

// Use appends middleware. The first one is the outermost. It runs around the handlers
// of all matching routes of the router and its subrouters, but not if no route matches.
// It is inside the middleware of the router around this one, and outside that of
// [Route.Use].
func (r *Router) Use(mwf ...MiddlewareFunc) {
	r.shared.tree().change(func() { r.middlewares = append(r.middlewares, mwf...) })
}

// Use appends middleware, which runs around the route's handler, inside that of the
// routers.
func (r *Route) Use(mwf ...MiddlewareFunc) *Route {
	return r.change(func() { r.middlewares = append(r.middlewares, mwf...) })
}

// wrap returns a handler in middleware. The first one becomes the outermost.
func wrap(h http.Handler, middlewares []MiddlewareFunc) http.Handler {
	for _, mw := range slices.Backward(middlewares) {
		h = mw(h)
	}
	return h
}

// CORSMethodMiddleware returns middleware that sets the response header
// Access-Control-Allow-Methods to the methods of the router's own routes that match the
// request if the method is ignored. It does so only if OPTIONS is among them and all of
// these routes name methods. Use it with the same router:
//
//	r.Use(mux.CORSMethodMiddleware(r))
func CORSMethodMiddleware(r *Router) MiddlewareFunc {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if methods := r.methodsFor(req); slices.Contains(methods, http.MethodOptions) {
				w.Header().Set("Access-Control-Allow-Methods", strings.Join(methods, ","))
			}
			next.ServeHTTP(w, req)
		})
	}
}
