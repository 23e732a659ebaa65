package muxwell

import (
	"iter"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/muxwell/muxwell/internal/overlap"
)

// Mux is an HTTP request multiplexer. It matches each request against the
// registered patterns and calls the handler of the one that matches best; see
// the package comment for patterns and precedence.
//
// The zero Mux is ready to use and behaves like an [http.ServeMux]; [New] takes
// options. A Mux is safe for concurrent use: routes may be registered while
// requests are served, and a request that begins after a registration returned
// sees the new route. It must not be copied after first use.
type Mux struct {
	live atomic.Pointer[snapshot] // nil while there are changes that wait to be published

	config config
	root   Group // what Use and the options say about the whole mux

	// What follows is changed with registering and mu held, and so may be read with
	// either.
	mu             sync.Mutex
	version        uint64                // counts the changes
	uses           uint64                // counts those of groups
	routes         []*Route              // in registration order
	changed        []*Route              // added or removed since the last snapshot was built; too many to use if more than maxChanges
	nextIndex      int64                 // the next route's
	numbers        uint32                // the highest number that a route has
	free           []uint32              // numbers below it that are free again
	duplicateIndex map[uint64]*Route     // hash of host and path → the last such route; chained by Route.next
	named          map[string]*Route     // by Name, without those of mounted muxes
	inner          map[string][]*Route   // those of mounted muxes
	lists          map[string]*nameList  // by the names joined with slashes
	overlaps       overlap.Index[*Route] // only under StrictConflicts
	mounts         []*mount              // what is mounted here
	parents        []*mount              // where this is mounted
	claiming       []*Group              // that claim their prefixes; see hold

	claimsVersion uint64 // counts the changes of claiming and mounts

	building sync.Mutex // held while a snapshot is built
	built    *snapshot  // the last one
}

// A serveMux is what a package requires that registers handlers with an
// [http.ServeMux] or something like it. So the signatures are exactly these.
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

// New returns an empty Mux with the given options. Without options it is a
// drop-in for [http.NewServeMux].
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

// HandleParams registers a value handler for a pattern, and returns its route. It
// does what [Mux.Add] does with a [ParamsFunc], and panics with the error that Add
// would return.
//
// The handler is given its parameters as [Params], most often without an allocation.
// In it r.Pattern is set, and r.PathValue has none of the route's parameters, unless
// middleware covers the route.
func (m *Mux) HandleParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params), options ...RouteOption) *Route {
	return must(m.register(m.own(), "", pattern, ParamsFunc(handler), options))
}

// Add registers a handler for a pattern with options, and returns its route. It
// accepts the handlers that [Mux.Handle] does. The error is a [*PatternError], which
// wraps [ErrNilHandler] if there is no handler and [ErrServesItself] if the handler is
// the mux or a group of it, a [*ConflictError], a [*NameError] or an [*OptionError];
// then the mux is as it was.
func (m *Mux) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return m.register(m.own(), "", pattern, handler, options)
}

// Get registers a handler for GET, and so for HEAD, requests, and returns its route.
// Its pattern is [HOST]/PATH. The method is put in front of it, in r.Pattern and in
// errors too. Get panics with the error that [Mux.Add] would return. The same holds for
// the methods that are named after other request methods.
func (m *Mux) Get(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodGet, pattern, http.HandlerFunc(handler), options))
}

// Head registers a handler for HEAD requests, and returns its route. It is needed only
// where HEAD is not answered by the handler of GET. See [Mux.Get].
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
// keep the port and their paths are not cleaned. See [Mux.Get].
func (m *Mux) Connect(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(m.register(m.own(), http.MethodConnect, pattern, http.HandlerFunc(handler), options))
}

// Options registers a handler for OPTIONS requests, and returns its route. See
// [Mux.Get], and [AutoOptions] for answers without a handler.
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

// Routes iterates over the routes in the order of registration. It sees the
// routes there were when the iteration began; registering routes meanwhile is
// safe.
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

// ByPrecedence iterates over the routes as a request would try them if all
// matched it: first by host, those without parameters in alphabetical order;
// then by path; then routes that name their methods, those with matchers first.
// For a HEAD request, which routes of GET match too, and by an Accept header, the
// order of routes with the same path may be another one.
// It sees the routes there were when the iteration began. The first iteration after a
// registration sorts all routes.
func (m *Mux) ByPrecedence() iter.Seq[*Route] {
	return func(yield func(*Route) bool) {
		s := m.current()
		for _, number := range s.tables.ByPrecedence() {
			if !yield(s.endpoints[number].route) {
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
