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
	mu        sync.Mutex
	version   uint64                // counts the changes
	uses      uint64                // counts those of groups
	routes    []*Route              // in registration order
	changed   []*Route              // added or removed since the last snapshot was built; too many to use if more than maxChanges
	nextIndex int64                 // the next route's
	numbers   uint32                // the highest number that a route has
	free      []uint32              // numbers below it that are free again
	shapes    map[uint64]*Route     // hash of host and path → the last such route; chained by Route.next
	named     map[string]*Route     // by Name, without those of mounted muxes
	inner     map[string][]*Route   // those of mounted muxes
	lists     map[string]*nameList  // by the names joined with slashes
	overlaps  overlap.Index[*Route] // only under StrictConflicts
	mounts    []*mount              // what is mounted here
	parents   []*mount              // where this is mounted
	claiming  []*Group              // that claim their prefixes; see hold

	claimsVersion uint64 // counts the changes of claiming and mounts

	building sync.Mutex // held while a snapshot is built
	built    *snapshot  // the last one
}

var _ http.Handler = (*Mux)(nil)

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

// Handle registers a handler for a pattern, as [http.ServeMux.Handle] does.
// It panics with the error that [Mux.Add] would return.
func (m *Mux) Handle(pattern string, handler http.Handler) {
	must(m.register(m.own(), "", pattern, handler, nil, nil))
}

// HandleFunc registers a handler function for a pattern, as
// [http.ServeMux.HandleFunc] does. It panics with the error that [Mux.Add]
// would return.
func (m *Mux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), "", pattern, http.HandlerFunc(handler), nil, nil))
}

// HandleParams registers a value handler: it is given its parameters as
// [Params], most often without an allocation. In it r.Pattern is set, and
// r.PathValue has none of the route's parameters, unless middleware covers the
// route. HandleParams panics with the error that [Mux.AddParams] would return.
func (m *Mux) HandleParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params)) {
	must(m.register(m.own(), "", pattern, nil, handler, nil))
}

// Add registers a handler for a pattern with options and returns its route. The
// error is a [*PatternError], which wraps [ErrNilHandler] if there is no handler, a
// [*ConflictError], a [*NameError] or an [*OptionError]; then the mux is as it was.
func (m *Mux) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return m.register(m.own(), "", pattern, handler, nil, options)
}

// AddParams is [Mux.Add] for a value handler; see [Mux.HandleParams].
func (m *Mux) AddParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params), options ...RouteOption) (*Route, error) {
	return m.register(m.own(), "", pattern, nil, handler, options)
}

// Get registers a handler for GET, and so for HEAD, requests. Its pattern is
// [HOST]/PATH; the method is put in front of it, in r.Pattern and in errors too.
// A fault is a panic, as in [Mux.Handle]. The same holds for the methods named
// after the other request methods.
func (m *Mux) Get(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodGet, pattern, http.HandlerFunc(handler), nil, nil))
}

// Head registers a handler for HEAD requests, as [Mux.Get] does for GET. It is
// needed only where HEAD is not answered by the handler of GET.
func (m *Mux) Head(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodHead, pattern, http.HandlerFunc(handler), nil, nil))
}

// Post registers a handler for POST requests; see [Mux.Get].
func (m *Mux) Post(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodPost, pattern, http.HandlerFunc(handler), nil, nil))
}

// Put registers a handler for PUT requests; see [Mux.Get].
func (m *Mux) Put(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodPut, pattern, http.HandlerFunc(handler), nil, nil))
}

// Patch registers a handler for PATCH requests; see [Mux.Get].
func (m *Mux) Patch(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodPatch, pattern, http.HandlerFunc(handler), nil, nil))
}

// Delete registers a handler for DELETE requests; see [Mux.Get].
func (m *Mux) Delete(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodDelete, pattern, http.HandlerFunc(handler), nil, nil))
}

// Connect registers a handler for CONNECT requests; see [Mux.Get]. Their hosts
// keep the port and their paths are not cleaned.
func (m *Mux) Connect(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodConnect, pattern, http.HandlerFunc(handler), nil, nil))
}

// Options registers a handler for OPTIONS requests; see [Mux.Get], and
// [AutoOptions] for answers without one.
func (m *Mux) Options(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodOptions, pattern, http.HandlerFunc(handler), nil, nil))
}

// Trace registers a handler for TRACE requests; see [Mux.Get].
func (m *Mux) Trace(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), http.MethodTrace, pattern, http.HandlerFunc(handler), nil, nil))
}

// Query registers a handler for QUERY requests, which are safe and idempotent
// and have a body (draft-ietf-httpbis-safe-method-w-body); see [Mux.Get].
func (m *Mux) Query(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(m.own(), "QUERY", pattern, http.HandlerFunc(handler), nil, nil))
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
// It sees the routes there were when the iteration began, and costs a sort of all
// routes.
func (m *Mux) ByPrecedence() iter.Seq[*Route] {
	return func(yield func(*Route) bool) {
		s := m.current()
		for _, number := range s.tables.ByPrecedence() {
			if !yield(s.records[number].route) {
				return
			}
		}
	}
}

// must panics with the error of a registration.
func must(_ *Route, err error) {
	if err != nil {
		panic(err)
	}
}
