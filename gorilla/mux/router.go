package mux

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
)

// NewRouter returns a new router.
func NewRouter() *Router { return new(Router) }

// A Router dispatches requests to the handler of the first matching route, in the order
// of registration. It is an [http.Handler]. The zero Router is ready to use.
//
// Routes may be registered, and options set, while it serves: a request sees everything
// that was done before it. A route exists from the call of the Router's method that
// makes it, so a request may see it before a matcher or a handler that follows in the
// same line of code. If that matters, make a new Router and replace the old one. Every
// request reads NotFoundHandler and MethodNotAllowedHandler; set them before serving.
type Router struct {
	// NotFoundHandler answers requests that no route matches. If it is nil,
	// [http.NotFoundHandler] does. A subrouter with its own NotFoundHandler answers all
	// requests that match its route's matchers: later routes are not tried.
	NotFoundHandler http.Handler

	// MethodNotAllowedHandler answers requests that match a route except for the
	// method. If it is nil, the answer is 405 with neither a body nor an Allow header.
	MethodNotAllowedHandler http.Handler

	// KeepContext does nothing.
	//
	// Deprecated: each request has its own context, which need not be cleared.
	KeepContext bool

	shared      shared
	routes      []*Route
	middlewares []MiddlewareFunc
	config      config
	plan        atomic.Pointer[plan]
}

// A config is what routes and subrouters inherit when they are made. Later changes do
// not affect them.
type config struct {
	encodedPath bool
	strictSlash bool
	skipClean   bool
	omitRoute   bool
	omitRouter  bool
	inRequest   bool

	host, path *template
	queries    []*template // the empty list is not the same as none: see Route.GetQueriesTemplates
	matchers   []matcher

	buildScheme string
	buildVars   BuildVarsFunc
}

// copied returns a copy that shares nothing that changes.
func (c *config) copied() config {
	to := *c
	to.queries = append(make([]*template, 0, len(c.queries)), c.queries...)
	to.matchers = slices.Clone(c.matchers)
	return to
}

// A tree is shared by a router and all its subrouters and routes.
type tree struct {
	mu       sync.RWMutex // guards all their unexported fields
	version  atomic.Uint64
	names    map[string]*Route
	planning sync.Mutex
}

// A shared points to the tree, which is made when it is needed.
type shared struct{ pointer atomic.Pointer[tree] }

func (s *shared) tree() *tree {
	if t := s.pointer.Load(); t != nil {
		return t
	}
	s.pointer.CompareAndSwap(nil, &tree{names: make(map[string]*Route)})
	return s.pointer.Load()
}

// change calls f with the tree locked. All existing plans are then out of date.
func (t *tree) change(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.version.Add(1)
	f()
}

// Get returns the route with a name, of this router or any other of the same tree, or
// nil.
func (r *Router) Get(name string) *Route {
	t := r.shared.tree()
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.names[name]
}

// GetRoute is the old name of [Router.Get].
func (r *Router) GetRoute(name string) *Route { return r.Get(name) }

// set changes an option.
func (r *Router) set(f func(c *config)) *Router {
	r.shared.tree().change(func() { f(&r.config) })
	return r
}

// StrictSlash sets how to treat paths that differ from a route's path by a final slash.
// If value is true, they match, and are redirected to the path of the route with status
// 301: most clients then send GET, whatever the method was. If it is false, which is
// the default, they do not match. It applies to routes and subrouters that are made
// afterwards, but not to path prefixes.
func (r *Router) StrictSlash(value bool) *Router {
	return r.set(func(c *config) { c.strictSlash = value })
}

// SkipClean sets whether paths are matched without cleaning. If value is false, which
// is the default, a request for a path with empty segments, "." or ".." is redirected
// to the clean path with status 301, before any route is tried. The router that serves
// the request decides; [Route.SkipClean] returns what a route has inherited.
func (r *Router) SkipClean(value bool) *Router {
	return r.set(func(c *config) { c.skipClean = value })
}

// OmitRouteFromContext sets whether the current route is omitted from the context. Then
// [CurrentRoute] returns nil, or the route of an outer router that has this one as a
// handler, and requests cost less. The router that serves the request decides.
func (r *Router) OmitRouteFromContext(value bool) *Router {
	return r.set(func(c *config) { c.omitRoute = value })
}

// OmitRouterFromContext sets whether the router is omitted from the context. Then
// [CurrentRouter] returns nil, and requests cost less. If the route is omitted too,
// requests without variables do not allocate.
func (r *Router) OmitRouterFromContext(value bool) *Router {
	return r.set(func(c *config) { c.omitRouter = value })
}

// VarsInRequest sets whether the route and the variables travel in the request itself, as
// path values do with [http.ServeMux]. Then handlers get the request that the router got,
// not a copy, without a context of its own. Requests cost less: without variables they do
// not allocate. [http.Request.PathValue] returns the variables too, and costs less than
// [Vars], which returns a new map each time. The router that serves the request decides.
//
// The package documentation lists what this changes for handlers and middleware.
func (r *Router) VarsInRequest(value bool) *Router {
	return r.set(func(c *config) { c.inRequest = value })
}

// UseEncodedPath makes routes match the path as it was sent: /path/foo%2Fbar/to then
// matches /path/{var}/to, and the variable stays escaped. Without it they match the
// unescaped path, /path/foo/bar/to. It applies to routes and subrouters that are made
// afterwards.
func (r *Router) UseEncodedPath() *Router {
	return r.set(func(c *config) { c.encodedPath = true })
}

// NewRoute registers a route that matches every request until matchers are added.
func (r *Router) NewRoute() *Route { return r.register(func(*Route) {}) }

// register registers a route that f configures.
func (r *Router) register(f func(*Route)) *Route {
	t := r.shared.tree()
	rt := &Route{draft: true}
	rt.shared.pointer.Store(t)
	t.mu.RLock()
	rt.config = r.config.copied()
	t.mu.RUnlock()
	defer t.change(func() { // also if f panics, as it does with gorilla/mux
		rt.draft = false
		r.routes = append(r.routes, rt)
	})
	f(rt)
	return rt
}

// Name registers a route with a name; see [Route.Name].
func (r *Router) Name(name string) *Route {
	return r.register(func(rt *Route) { rt.Name(name) })
}

// Handle registers a route for a path; see [Route.Path] and [Route.Handler].
func (r *Router) Handle(path string, handler http.Handler) *Route {
	return r.register(func(rt *Route) { rt.Path(path).Handler(handler) })
}

// HandleFunc registers a route for a path; see [Route.Path] and
// [Route.HandlerFunc].
func (r *Router) HandleFunc(path string, f func(http.ResponseWriter, *http.Request)) *Route {
	return r.register(func(rt *Route) { rt.Path(path).HandlerFunc(f) })
}

// Headers registers a route that matches headers; see [Route.Headers].
func (r *Router) Headers(pairs ...string) *Route {
	return r.register(func(rt *Route) { rt.Headers(pairs...) })
}

// Host registers a route that matches the host; see [Route.Host].
func (r *Router) Host(tpl string) *Route {
	return r.register(func(rt *Route) { rt.Host(tpl) })
}

// MatcherFunc registers a route with a custom matcher; see [Route.MatcherFunc].
func (r *Router) MatcherFunc(f MatcherFunc) *Route {
	return r.register(func(rt *Route) { rt.MatcherFunc(f) })
}

// Methods registers a route that matches methods; see [Route.Methods].
func (r *Router) Methods(methods ...string) *Route {
	return r.register(func(rt *Route) { rt.Methods(methods...) })
}

// Path registers a route for a path; see [Route.Path].
func (r *Router) Path(tpl string) *Route {
	return r.register(func(rt *Route) { rt.Path(tpl) })
}

// PathPrefix registers a route for paths with a prefix; see [Route.PathPrefix].
func (r *Router) PathPrefix(tpl string) *Route {
	return r.register(func(rt *Route) { rt.PathPrefix(tpl) })
}

// Queries registers a route that matches the query; see [Route.Queries]. It returns nil
// if a value is missing.
func (r *Router) Queries(pairs ...string) *Route {
	rt := r.register(func(rt *Route) { rt.Queries(pairs...) })
	if len(pairs)%2 != 0 {
		return nil
	}
	return rt
}

// Schemes registers a route that matches schemes; see [Route.Schemes].
func (r *Router) Schemes(schemes ...string) *Route {
	return r.register(func(rt *Route) { rt.Schemes(schemes...) })
}

// BuildVarsFunc registers a route with a function that changes variables before a
// URL is built; see [Route.BuildVarsFunc].
func (r *Router) BuildVarsFunc(f BuildVarsFunc) *Route {
	return r.register(func(rt *Route) { rt.BuildVarsFunc(f) })
}

// SkipRouter is what a [WalkFunc] returns so that the routers below a route are
// left out.
//
//lint:ignore ST1012 the name is gorilla/mux's
var SkipRouter = errors.New("skip this router")

// A WalkFunc is called by [Router.Walk] with a route, the router with which it is
// registered, and the routes that lead to it, the outermost first.
type WalkFunc func(route *Route, router *Router, ancestors []*Route) error

// Walk calls f for every route of the router in the order of registration; after each
// route, for those of its subrouters and of a router that is its handler. It stops at
// the first error of f that is not [SkipRouter], and returns it.
func (r *Router) Walk(f WalkFunc) error { return r.walk(f, []*Route{}) }

func (r *Router) walk(f WalkFunc, ancestors []*Route) error {
	t := r.shared.tree()
	t.mu.RLock()
	routes := slices.Clone(r.routes)
	t.mu.RUnlock()
	for _, rt := range routes {
		switch err := f(rt, r, ancestors); {
		case err == SkipRouter:
			continue
		case err != nil:
			return err
		}
		for _, sub := range rt.routers() {
			if err := sub.walk(f, append(ancestors, rt)); err != nil {
				return err
			}
		}
	}
	return nil
}
