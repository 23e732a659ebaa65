package muxwell

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A snapshot is all that serving needs, built from the routes once and never
// changed. Requests find it by one atomic load; a registration takes it away,
// and the next request builds another.
//
//	snapshot ─ host ─► hostTables ─ method ─► table ─ path ─► record ─► handler
type snapshot struct {
	config   config
	get      *table                 // anywhere.get if no route has a host, else nil
	anywhere hostTables             // of the routes without a host
	hosts    map[string]*hostTables // of those whose host has no parameters, by folded host; nil if no route has a host
	longest  int                    // the length of the longest of hosts
	forms    []hostMatch            // of the hosts with parameters, in the order of precedence
	// recheckHost says for which paths that go to a catch-all a host before may
	// have another answer.
	recheckHost recheck
	records     []record   // by number; record 0 is none
	ids         identities // for RouteOf
	idsOnce     sync.Once
}

// A hostTables has a table for each method. Methods that no route names share
// one, and so do GET and HEAD unless a route names HEAD.
type hostTables struct {
	get     *table
	std     [standardMethods]*table // by methodIndex
	others  map[string]*table       // of further methods that routes name
	any     *table                  // of methods that no route names
	methods []string                // that routes name, sorted
}

// A hostMatch has the tables of a host with parameters.
type hostMatch struct {
	form   *hostForm
	first  int32 // the first registration with it
	tables *hostTables
}

// The methods that methodIndex knows.
const (
	methodHEAD = iota
	methodPOST
	methodPUT
	methodPATCH
	methodDELETE
	methodOPTIONS
	standardMethods
)

// methodIndex returns the index of a method in hostTables.std, or -1. GET, the
// most frequent, has a field of its own.
func methodIndex(method string) int {
	switch method {
	case "HEAD":
		return methodHEAD
	case "POST":
		return methodPOST
	case "PUT":
		return methodPUT
	case "PATCH":
		return methodPATCH
	case "DELETE":
		return methodDELETE
	case "OPTIONS":
		return methodOPTIONS
	}
	return -1
}

// of returns the table for a method.
func (h *hostTables) of(method string) *table {
	if method == "GET" {
		return h.get
	}
	if i := methodIndex(method); i >= 0 {
		return h.std[i]
	}
	if t := h.others[method]; t != nil {
		return t
	}
	return h.any
}

// A record is what a request needs of its route, in one cache line.
type record struct {
	pattern string
	serve   func(http.ResponseWriter, *http.Request) // nil for a value handler
	value   ParamsFunc
	shape   requestShape // of the parameters' names
	route   *Route
	params  int32 // their number
	plain   bool  // as Route.plain
	// direct says that the handler can be called at once: it has no parameters,
	// or is given them by value and not packed.
	direct bool
}

// current returns the current snapshot, for all but serving.
func (m *Mux) current() *snapshot {
	if s := m.live.Load(); s != nil {
		return s
	}
	return m.publish()
}

// publish returns the current snapshot, and builds it first if there is none.
func (m *Mux) publish() *snapshot {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.live.Load(); s != nil {
		return s // somebody else was faster
	}
	s := buildSnapshot(m.routes, m.config)
	m.live.Store(s)
	return s
}

// buildSnapshot returns a snapshot of routes, which are in registration order.
func buildSnapshot(routes []*Route, c config) *snapshot {
	s := &snapshot{config: c, records: make([]record, len(routes)+1)}
	for _, rt := range routes {
		s.records[rt.record()] = newRecord(rt)
	}
	sorted := slices.Clone(routes)
	slices.SortStableFunc(sorted, func(a, b *Route) int {
		if a.host != b.host {
			return strings.Compare(a.host, b.host)
		}
		return compareSegments(a.order(), b.order())
	})
	s.anywhere = buildHost(nil, c.slash)
	for len(sorted) > 0 {
		host, size := sorted[0].host, 1
		for size < len(sorted) && sorted[size].host == host {
			size++
		}
		if slices.ContainsFunc(sorted[:size], hasForm) {
			orderByRank(sorted[:size], 0)
		}
		s.addHost(sorted[:size], buildHost(sorted[:size], c.slash))
		sorted = sorted[size:]
	}
	slices.SortFunc(s.forms, compareHosts)
	if s.hosts == nil {
		s.get = s.anywhere.get
	}
	s.recheckHost = [...]recheck{SlashRedirect: slashless, SlashStrict: never, SlashIgnore: everything}[c.slash]
	return s
}

// addHost adds the tables of a host to s, which were built from routes.
func (s *snapshot) addHost(routes []*Route, h hostTables) {
	host := routes[0].host
	if host == "" {
		s.anywhere = h
		return
	}
	if s.hosts == nil {
		s.hosts = make(map[string]*hostTables)
	}
	form := routes[0].hostForm()
	if form == nil {
		s.hosts[host] = &h
		s.longest = max(s.longest, len(host))
		return
	}
	first := slices.MinFunc(routes, func(a, b *Route) int { return cmp.Compare(a.index, b.index) }).index
	s.forms = append(s.forms, hostMatch{form, first, &h})
}

// compareHosts orders hosts with parameters by precedence: more text first, then
// those without a catch-all, then those with more constraints, then by first
// registration.
func compareHosts(a, b hostMatch) int {
	return cmp.Or(
		cmp.Compare(b.form.literals, a.form.literals),
		cmp.Compare(min(a.form.catchAll, 0), min(b.form.catchAll, 0)),
		cmp.Compare(b.form.constraints, a.form.constraints),
		cmp.Compare(a.first, b.first))
}

func newRecord(rt *Route) record {
	rec := record{pattern: rt.str, value: rt.value, route: rt, params: int32(len(rt.params.names)), plain: rt.plain}
	if rec.params > 0 {
		rec.shape = rt.params.shape
	}
	rec.direct = rec.params == 0 || rt.value != nil && !rt.inHost
	if f, ok := rt.handler.(http.HandlerFunc); ok {
		rec.serve = f
	} else if rt.handler != nil {
		rec.serve = rt.handler.ServeHTTP
	}
	return rec
}

// buildHost returns the tables for the routes of one host, which are in order.
func buildHost(routes []*Route, policy SlashPolicy) hostTables {
	var h hostTables
	for _, rt := range routes {
		for _, m := range rt.methods {
			if !slices.Contains(h.methods, m) {
				h.methods = append(h.methods, m)
			}
		}
	}
	slices.Sort(h.methods)
	h.any = buildTable("", routes, policy)
	h.get = h.any
	for i := range h.std {
		h.std[i] = h.any
	}
	for _, m := range h.methods {
		t := buildTable(m, routes, policy)
		switch i := methodIndex(m); {
		case m == "GET":
			h.get = t
			if !slices.Contains(h.methods, "HEAD") {
				h.std[methodHEAD] = t
			}
		case i >= 0:
			h.std[i] = t
		default:
			if h.others == nil {
				h.others = make(map[string]*table)
			}
			h.others[m] = t
		}
	}
	return h
}

// A hostCursor goes through the tables that apply to a host, in the order of
// precedence: of the host itself, of those with parameters that match, of every
// host.
type hostCursor struct {
	snapshot *snapshot
	host     string // folded or not, without a port unless the request is a CONNECT
	at       int
}

// maxName is the longest name that DNS has, and maxHost the same with a final dot
// and a port. A host that is longer does not match one with parameters: what it
// would cost could be much.
const (
	maxName = 255
	maxHost = maxName + len(".:65535")
)

// next returns the next tables, or nil.
func (c *hostCursor) next() *hostTables {
	s := c.snapshot
	if c.at == 0 {
		c.at++
		if h := s.host(c.host); h != nil {
			return h
		}
	}
	for ; c.at <= len(s.forms) && c.host != "" && len(c.host) <= maxHost; c.at++ {
		if f := &s.forms[c.at-1]; f.form.matches(c.host, nil) {
			c.at++
			return f.tables
		}
	}
	if c.at <= len(s.forms)+1 {
		c.at = len(s.forms) + 2
		return &s.anywhere
	}
	return nil
}

// host returns the tables of the host, in folded form or not, or nil.
func (s *snapshot) host(h string) *hostTables {
	if len(s.hosts) == 0 || h == "" {
		return nil
	}
	if !needsFolding(h) {
		return s.hosts[h]
	}
	if len(h) > s.longest+len("[.]") {
		return nil // folding takes away three bytes at most
	}
	var space [128]byte
	return s.hosts[string(appendFolded(space[:0], h))]
}
