package muxwell

import (
	"iter"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/muxwell/muxwell/internal/overlap"
)

// Mux is an HTTP request multiplexer. It matches each request against the registered
// patterns and calls the handler of the one that matches best. See the package comment
// for patterns and precedence.
//
// The zero Mux is ready to use and behaves like an [http.ServeMux]; [New] takes
// options. A Mux is safe for concurrent use: routes may be registered while requests
// are served, and a request that begins after a registration has returned sees the new
// route. A Mux must not be copied after first use.
type Mux struct {
	live atomic.Pointer[snapshot] // nil while there are unpublished changes

	config config
	root   Group // for what applies to the whole mux

	// The following fields are changed with both registering and mu held, so holding
	// either is enough to read them.
	mu             sync.Mutex
	version        uint64                // counts the changes
	uses           uint64                // counts the changes of groups
	compositions   uint64                // counts the changes of groups that affect all composed handlers
	routes         []*Route              // in registration order
	changed        []*Route              // added or removed since the last snapshot was built; not used if more than maxChanges
	nextIndex      int64                 // of the next route
	numbers        uint32                // the highest number of a route
	free           []uint32              // lower numbers that are free again
	duplicateIndex map[uint64]*Route     // hash of host and path → the last route with it; chained by Route.next
	named          map[string]*Route     // by Name, without those of mounted muxes
	inner          map[string][]*Route   // by Name, of mounted muxes
	lists          map[string]*nameList  // by the names joined with slashes
	overlaps       overlap.Index[*Route] // only under StrictConflicts
	mounts         []*mount              // the mounts in this mux
	parents        []*mount              // the mounts of this mux in others
	claiming       []*Group              // the groups that claim their prefixes; see hold

	claimsVersion uint64 // counts the changes of claiming and mounts

	building sync.Mutex // held while a snapshot is built
	built    *snapshot  // the last one
}

// A serveMux is the interface that a package requires if it registers handlers with an
// [http.ServeMux] or something like it. So the signatures must be exactly these.
type serveMux interface {
	http.Handler
	Handle(pattern string, handler http.Handler)
	HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request))
}

type handlerFinder interface {
	Handler(r *http.Request) (h http.Handler, pattern string)
}

var (
	_, _, _ serveMux      = (*http.ServeMux)(nil), (*Mux)(nil), (*Group)(nil)
	_, _    handlerFinder = (*http.ServeMux)(nil), (*Mux)(nil)
)

// New returns an empty Mux with the given options. Without options it is a drop-in
// replacement for [http.NewServeMux].
func New(options ...Option) *Mux {
	m := new(Mux)
	for _, o := range options {
		if o.apply != nil {
			o.apply(&m.config)
		}
	}
	return m
}

// Handle registers a handler for a pattern, as [http.ServeMux.Handle] does. A
// [ParamsFunc] is called as [Mux.HandleParams] describes, and an [ErrorFunc] as
// [Mux.HandleError] does. Handle panics with the error that [Mux.Add] would return.
func (m *Mux) Handle(pattern string, handler http.Handler) {
	must(m.register(m.own(), "", pattern, handler, nil))
}

// HandleFunc registers a handler function for a pattern, as
// [http.ServeMux.HandleFunc] does. It panics with the error that [Mux.Add]
// would return.
func (m *Mux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), "", pattern, http.HandlerFunc(handler), nil))
}

// HandleParams registers a value handler for a pattern, and returns its route. It does
// what [Mux.Add] does with a [ParamsFunc], and panics with the error that Add would
// return.
//
// The handler gets the parameters as [Params], usually without an allocation. In it
// r.Pattern is set. r.PathValue returns none of the route's parameters, unless
// middleware covers the route.
func (m *Mux) HandleParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params), options ...RouteOption) *Route {
	return must(m.register(m.own(), "", pattern, ParamsFunc(handler), options))
}

// Add registers a handler for a pattern with options, and returns its route. It accepts
// the same handlers as [Mux.Handle].
//
// The error is a [*PatternError], a [*ConflictError], a [*NameError] or an
// [*OptionError]. The PatternError wraps [ErrNilHandler] if there is no handler, and
// [ErrServesItself] if the handler is the mux or a group of it. If Add fails, the mux
// is unchanged.
func (m *Mux) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return m.register(m.own(), "", pattern, handler, options)
}

// Get registers a handler for GET and HEAD requests, and returns its route. The pattern
// is [HOST]/PATH. The method is put before it, also in r.Pattern and in errors. Get
// panics with the error that [Mux.Add] would return. The same applies to the functions
// for the other request methods.
func (m *Mux) Get(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodGet, pattern, http.HandlerFunc(handler), options))
}

// Head registers a handler for HEAD requests, and returns its route. It is needed only
// if the handler for GET does not answer HEAD requests. See [Mux.Get].
func (m *Mux) Head(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodHead, pattern, http.HandlerFunc(handler), options))
}

// Post registers a handler for POST requests, and returns its route. See [Mux.Get].
func (m *Mux) Post(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodPost, pattern, http.HandlerFunc(handler), options))
}

// Put registers a handler for PUT requests, and returns its route. See [Mux.Get].
func (m *Mux) Put(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodPut, pattern, http.HandlerFunc(handler), options))
}

// Patch registers a handler for PATCH requests, and returns its route. See [Mux.Get].
func (m *Mux) Patch(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodPatch, pattern, http.HandlerFunc(handler), options))
}

// Delete registers a handler for DELETE requests, and returns its route. See [Mux.Get].
func (m *Mux) Delete(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodDelete, pattern, http.HandlerFunc(handler), options))
}

// Connect registers a handler for CONNECT requests, and returns its route. Their hosts
// keep the port, and their paths are not cleaned. See [Mux.Get].
func (m *Mux) Connect(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodConnect, pattern, http.HandlerFunc(handler), options))
}

// Options registers a handler for OPTIONS requests, and returns its route. See
// [Mux.Get]. [AutoOptions] answers OPTIONS requests without a handler.
func (m *Mux) Options(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodOptions, pattern, http.HandlerFunc(handler), options))
}

// Trace registers a handler for TRACE requests, and returns its route. See [Mux.Get].
func (m *Mux) Trace(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodTrace, pattern, http.HandlerFunc(handler), options))
}

// Query registers a handler for QUERY requests, and returns its route. They are safe
// and idempotent and have a body (draft-ietf-httpbis-safe-method-w-body). See
// [Mux.Get].
func (m *Mux) Query(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), "QUERY", pattern, http.HandlerFunc(handler), options))
}

// Routes iterates over the routes in the order of registration. It sees the routes that
// existed when the iteration began. Routes may be registered meanwhile.
func (m *Mux) Routes() iter.Seq[*Route] {
	return func(yield func(*Route) bool) {
		m.mu.Lock()
		routes := m.routes // appended to, never changed
		m.mu.Unlock()
		for _, rt := range routes {
			if !yield(rt) {
				return
			}
		}
	}
}

// ByPrecedence iterates over the routes in the order in which they would be tried for a
// request that matches all of them: by host, with hosts without parameters in
// alphabetical order; then by path; then routes that name their methods, those with
// matchers first.
//
// The order of routes with the same path may differ for a HEAD request, which also
// matches routes for GET, and for a request with an Accept header.
//
// It sees the routes that existed when the iteration began. The first iteration after a
// registration sorts all routes.
func (m *Mux) ByPrecedence() iter.Seq[*Route] {
	return func(yield func(*Route) bool) {
		s := m.current()
		for _, number := range s.tables.ByPrecedence() {
			if !yield(s.endpoints.At(number).route) {
				return
			}
		}
	}
}

// must returns the route of a registration, or panics with its error.
func must(rt *Route, err error) *Route {
	if err != nil {
		panic(err)
	}
	return rt
}
