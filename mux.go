package muxwell

import (
	"hash/maphash"
	"iter"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
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
	live atomic.Pointer[snapshot] // nil while routes wait to be published

	config config

	// adding is held while a route is checked and added: a constraint's function,
	// which may be called meanwhile, finds mu free. What mu guards is changed with
	// both locks held, and so may be read with either.
	adding   sync.Mutex
	mu       sync.Mutex             // guards what follows
	routes   []*Route               // in registration order
	shapes   map[uint64]*Route      // hash of host and path → the last such route; chained by Route.next
	named    map[string]*Route      // by Name
	lists    map[string]*paramNames // by the names joined with slashes
	overlaps map[string]*overlaps   // by host; only under StrictConflicts
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
	must(m.register("", pattern, handler, nil, nil))
}

// HandleFunc registers a handler function for a pattern, as
// [http.ServeMux.HandleFunc] does. It panics with the error that [Mux.Add]
// would return.
func (m *Mux) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register("", pattern, http.HandlerFunc(handler), nil, nil))
}

// HandleParams registers a value handler: it is given its parameters as
// [Params], most often without an allocation. In it r.Pattern is set, and r.PathValue
// has none of the route's parameters. HandleParams panics with the error that
// [Mux.AddParams] would return.
func (m *Mux) HandleParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params)) {
	must(m.register("", pattern, nil, handler, nil))
}

// Add registers a handler for a pattern with options and returns its route. The
// error is a [*PatternError], a [*ConflictError], a [*NameError] or wraps
// [ErrNilHandler]; then the mux is as it was.
func (m *Mux) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return m.register("", pattern, handler, nil, options)
}

// AddParams is [Mux.Add] for a value handler; see [Mux.HandleParams].
func (m *Mux) AddParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params), options ...RouteOption) (*Route, error) {
	return m.register("", pattern, nil, handler, options)
}

// Get registers a handler for GET, and so for HEAD, requests. Its pattern is
// [HOST]/PATH; the method is put in front of it, in r.Pattern and in errors too.
// A fault is a panic, as in [Mux.Handle]. The same holds for the methods named
// after the other request methods.
func (m *Mux) Get(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodGet, pattern, http.HandlerFunc(handler), nil, nil))
}

// Head registers a handler for HEAD requests, as [Mux.Get] does for GET. It is
// needed only where HEAD is not answered by the handler of GET.
func (m *Mux) Head(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodHead, pattern, http.HandlerFunc(handler), nil, nil))
}

// Post registers a handler for POST requests; see [Mux.Get].
func (m *Mux) Post(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodPost, pattern, http.HandlerFunc(handler), nil, nil))
}

// Put registers a handler for PUT requests; see [Mux.Get].
func (m *Mux) Put(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodPut, pattern, http.HandlerFunc(handler), nil, nil))
}

// Patch registers a handler for PATCH requests; see [Mux.Get].
func (m *Mux) Patch(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodPatch, pattern, http.HandlerFunc(handler), nil, nil))
}

// Delete registers a handler for DELETE requests; see [Mux.Get].
func (m *Mux) Delete(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodDelete, pattern, http.HandlerFunc(handler), nil, nil))
}

// Connect registers a handler for CONNECT requests; see [Mux.Get]. Their hosts
// keep the port and their paths are not cleaned.
func (m *Mux) Connect(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodConnect, pattern, http.HandlerFunc(handler), nil, nil))
}

// Options registers a handler for OPTIONS requests; see [Mux.Get], and
// [AutoOptions] for answers without one.
func (m *Mux) Options(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodOptions, pattern, http.HandlerFunc(handler), nil, nil))
}

// Trace registers a handler for TRACE requests; see [Mux.Get].
func (m *Mux) Trace(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register(http.MethodTrace, pattern, http.HandlerFunc(handler), nil, nil))
}

// Query registers a handler for QUERY requests, which are safe and idempotent
// and have a body (draft-ietf-httpbis-safe-method-w-body); see [Mux.Get].
func (m *Mux) Query(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(m.register("QUERY", pattern, http.HandlerFunc(handler), nil, nil))
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

// must panics with the error of a registration.
func must(_ *Route, err error) {
	if err != nil {
		panic(err)
	}
}

// register is the way of a route: parse, check, append, and mark the snapshot
// stale. Every exported function that registers calls it directly, since it
// takes the place of the registration from the caller of its caller. Nothing is
// changed before everything is checked.
func (m *Mux) register(method, text string, handler http.Handler, value ParamsFunc, options []RouteOption) (*Route, error) {
	rt := &Route{handler: handler, value: value}
	if _, file, line, ok := runtime.Caller(2); ok {
		rt.file, rt.line = file, int32(line)
	}
	if method != "" {
		if i := strings.IndexAny(text, " \t/{"); i > 0 && text[i] != '/' && text[i] != '{' {
			return nil, &PatternError{Pattern: method + " " + text, Offset: len(method) + 1, Reason: "the method is in the function's name already; leave it out, or call Handle"}
		}
		text = method + " " + text
	}
	if value == nil && isNil(handler) {
		return nil, &PatternError{Pattern: text, Reason: "the handler is nil; pass a handler", Err: ErrNilHandler}
	}
	// Each route has a copy of its pattern: RouteOf knows it by its address.
	p, err := parsePattern(strings.Clone(text), m.config.rules())
	if err != nil {
		return nil, err
	}
	rt.pattern = *p
	if err := rt.measure(); err != nil {
		return nil, err
	}
	if err := rt.apply(options, m.config.rules()); err != nil {
		return nil, err
	}

	m.adding.Lock()
	defer m.adding.Unlock()
	if err := m.checkName(rt); err != nil {
		return nil, err
	}
	shape := rt.hash()
	for q := m.shapes[shape]; q != nil; q = q.next {
		if q.host == rt.host && samePath(q.segs, rt.segs) {
			if _, ok := commonMethod(&q.pattern, &rt.pattern); ok {
				return nil, duplicate(rt, q)
			}
		}
	}
	if m.config.strict {
		if err := m.checkOverlaps(rt); err != nil {
			return nil, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.append(rt, shape)
	return rt, nil
}

// checkName checks the route's name, if it was given one.
func (m *Mux) checkName(rt *Route) error {
	if rt.info == nil || !rt.info.named {
		return nil
	}
	name := rt.info.name
	if name == "" {
		return &NameError{Pattern: rt.str, Reason: "a name is not empty; leave out Name"}
	}
	if q := m.named[name]; q != nil {
		return &NameError{
			Name: name, Pattern: rt.str, Other: q.str, OtherSource: q.Source(),
			Reason: "pattern " + strconv.Quote(abridge(q.str)) + ", registered at " + q.Source() + ", has it already; choose another",
		}
	}
	return nil
}

// append adds a checked route and marks the snapshot stale.
func (m *Mux) append(rt *Route, shape uint64) {
	if m.shapes == nil {
		m.shapes = make(map[uint64]*Route)
		m.named = make(map[string]*Route)
		m.lists = make(map[string]*paramNames)
	}
	names := rt.paramNames()
	key := strings.Join(names, "/")
	if m.lists[key] == nil {
		m.lists[key] = &paramNames{names, newShape(names)}
	}
	rt.params = m.lists[key]
	rt.index = int32(len(m.routes))
	rt.next = m.shapes[shape]
	m.shapes[shape] = rt
	if name := rt.Name(); name != "" {
		m.named[name] = rt
	}
	if m.config.strict {
		m.noteOverlaps(rt)
	}
	m.routes = append(m.routes, rt)
	m.live.Store(nil)
}

var shapeSeed = maphash.MakeSeed()

// hash returns a hash of host and path in which the names of parameters do not
// count.
func (p *pattern) hash() uint64 {
	var h maphash.Hash
	h.SetSeed(shapeSeed)
	h.WriteString(p.host)
	for _, g := range p.segs {
		h.WriteByte(byte(g.kind))
		switch {
		case g.kind == literal:
			h.WriteString(g.text)
		case g.form != nil:
			h.WriteString(g.form.key)
		}
	}
	return h.Sum64()
}
