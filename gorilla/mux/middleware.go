package mux

import (
	"net/http"
	"slices"
	"strings"
)

// A MiddlewareFunc returns a handler around another one, which it usually calls.
// It is called when a route is first served, and again after routes or middleware
// were added. It is called for each call of [Router.Match] and each redirect of
// StrictSlash, and for all requests if a [MatcherFunc], a route with several
// subrouters or a mix of routes with and without UseEncodedPath is in the same tree of
// routers.
type MiddlewareFunc func(http.Handler) http.Handler

// Middleware calls mw.
func (mw MiddlewareFunc) Middleware(handler http.Handler) http.Handler { return mw(handler) }

// Use appends middleware, the first of which is the outermost. It runs around the
// handlers of all routes of the router and its subrouters that match, and not where
// none does. That of the router around is outside of it, and that of [Route.Use]
// inside.
func (r *Router) Use(mwf ...MiddlewareFunc) {
	r.shared.tree().change(func() { r.middlewares = append(r.middlewares, mwf...) })
}

// Use appends middleware, which runs around the route's handler, inside that of the
// routers.
func (r *Route) Use(mwf ...MiddlewareFunc) *Route {
	return r.change(func() { r.middlewares = append(r.middlewares, mwf...) })
}

// wrap returns a handler in middleware, the first of which is the outermost.
func wrap(h http.Handler, middlewares []MiddlewareFunc) http.Handler {
	for _, mw := range slices.Backward(middlewares) {
		h = mw(h)
	}
	return h
}

// CORSMethodMiddleware returns middleware that sets the response header
// Access-Control-Allow-Methods, to the methods of those of the router's own routes
// that match the request but for the method. It does so only if OPTIONS is among
// them, and all of them name methods. It is meant for the router it is used with:
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
