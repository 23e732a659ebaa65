package mux

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync/atomic"
)

// ErrMetadataKeyNotFound is the error of [Route.GetMetadataValue] for a key for which
// the route has no value.
var ErrMetadataKeyNotFound = errors.New("key not found in metadata")

// A Route matches requests and builds URLs. A router makes it, and methods that return
// it modify it, one after the other:
//
//	r.HandleFunc("/articles/{id:[0-9]+}", getArticle).Methods("GET").Name("article")
//
// If a method fails, such as Path with an invalid template, the route never matches and
// builds no URL, and GetError returns the error.
type Route struct {
	shared      shared
	handler     http.Handler
	buildOnly   bool
	name        string
	err         error
	metadata    map[any]any
	middlewares []MiddlewareFunc
	config      config
	draft       bool // not in a router yet
	alone       atomic.Pointer[aloneEntry]
}

// change calls f with the tree locked, and returns the route. All existing plans are
// then out of date.
func (r *Route) change(f func()) *Route {
	t := r.shared.tree()
	t.mu.Lock()
	defer t.mu.Unlock()
	if f(); !r.draft {
		t.version.Add(1)
	}
	return r
}

// note is change for fields that plans do not use.
func (r *Route) note(f func()) *Route {
	t := r.shared.tree()
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
	return r
}

// read calls f with the tree locked for reading.
func (r *Route) read(f func()) {
	t := r.shared.tree()
	t.mu.RLock()
	defer t.mu.RUnlock()
	f()
}

// SkipClean returns the value of [Router.SkipClean] when the route was made.
func (r *Route) SkipClean() (skips bool) {
	r.read(func() { skips = r.config.skipClean })
	return skips
}

// GetError returns the error of a method that configured the route, or nil.
func (r *Route) GetError() (err error) {
	r.read(func() { err = r.err })
	return err
}

// BuildOnly makes a route that never matches and only builds URLs.
func (r *Route) BuildOnly() *Route {
	return r.change(func() { r.buildOnly = true })
}

// Metadata sets the value of a key, which may be anything comparable. It is for
// programs that attach information to a route.
func (r *Route) Metadata(key, value any) *Route {
	return r.note(func() {
		if r.metadata == nil {
			r.metadata = make(map[any]any)
		}
		r.metadata[key] = value
	})
}

// GetMetadata returns a copy of all keys and values, or nil if there are none.
func (r *Route) GetMetadata() (all map[any]any) {
	r.read(func() { all = maps.Clone(r.metadata) })
	return all
}

// MetadataContains reports whether a key has a value.
func (r *Route) MetadataContains(key any) (ok bool) {
	r.read(func() { _, ok = r.metadata[key] })
	return ok
}

// GetMetadataValue returns the value of a key, or [ErrMetadataKeyNotFound].
func (r *Route) GetMetadataValue(key any) (value any, err error) {
	ok := false
	if r.read(func() { value, ok = r.metadata[key] }); !ok {
		return nil, ErrMetadataKeyNotFound
	}
	return value, nil
}

// GetMetadataValueOr returns the value of a key, or fallbackValue if it has none.
func (r *Route) GetMetadataValueOr(key, fallbackValue any) any {
	if value, err := r.GetMetadataValue(key); err == nil {
		return value
	}
	return fallbackValue
}

// Handler sets the handler. If a route without one matches, the answer is 404, and
// later routes are not tried. Below a router with middleware, the middleware is called
// with nil instead of a handler. So give a route its handler before it may serve
// requests, as [Router.HandleFunc] does in one step.
func (r *Route) Handler(handler http.Handler) *Route {
	return r.change(func() {
		if r.err == nil {
			r.handler = handler
		}
	})
}

// HandlerFunc is like [Route.Handler] for a function.
func (r *Route) HandlerFunc(f func(http.ResponseWriter, *http.Request)) *Route {
	return r.Handler(http.HandlerFunc(f))
}

// GetHandler returns the handler as it was set, or nil.
func (r *Route) GetHandler() (h http.Handler) {
	r.read(func() { h = r.handler })
	return h
}

// GetHandlerWithMiddlewares returns the handler in the middleware of [Route.Use],
// composed for this call, or nil if there is no handler. The middleware of routers is
// not included.
func (r *Route) GetHandlerWithMiddlewares() http.Handler {
	var h http.Handler
	var middlewares []MiddlewareFunc
	r.read(func() { h, middlewares = r.handler, r.middlewares })
	if h == nil {
		return nil
	}
	return wrap(h, middlewares)
}

// Name sets the name by which [Router.Get] finds the route, replacing an earlier route
// with that name. A route can have only one name: a second one is an error.
func (r *Route) Name(name string) *Route {
	t := r.shared.tree()
	return r.change(func() {
		if r.name != "" {
			r.err = fmt.Errorf("mux: route already has name %q, can't set %q", r.name, name)
		}
		if r.err == nil {
			r.name = name
			t.names[name] = r
		}
	})
}

// GetName returns the name, or "".
func (r *Route) GetName() (name string) {
	r.read(func() { name = r.name })
	return name
}

// routers returns the routers below the route: its subrouters, and its handler if
// that is a router.
func (r *Route) routers() (routers []*Router) {
	r.read(func() {
		for _, m := range r.config.matchers {
			if m.kind == byRouter {
				routers = append(routers, m.router)
			}
		}
		if h, ok := r.handler.(*Router); ok {
			routers = append(routers, h)
		}
	})
	return routers
}
