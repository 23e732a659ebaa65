package muxwell

import (
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
	hosts    map[string]*hostTables // of the others, by folded host; nil if there are none
	longest  int                    // the length of the longest of hosts
	// recheckHost says for which paths that go to a catch-all without a host
	// the request's host may have another answer.
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
	params  int // their number
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
		return compareSegments(a.segs, b.segs)
	})
	s.anywhere = buildHost(nil, c.slash)
	for len(sorted) > 0 {
		host, size := sorted[0].host, 1
		for size < len(sorted) && sorted[size].host == host {
			size++
		}
		h := buildHost(sorted[:size], c.slash)
		if host == "" {
			s.anywhere = h
		} else {
			if s.hosts == nil {
				s.hosts = make(map[string]*hostTables)
			}
			s.hosts[host] = &h
			s.longest = max(s.longest, len(host))
		}
		sorted = sorted[size:]
	}
	if s.hosts == nil {
		s.get = s.anywhere.get
	}
	s.recheckHost = [...]recheck{SlashRedirect: slashless, SlashStrict: never, SlashIgnore: everything}[c.slash]
	return s
}

func newRecord(rt *Route) record {
	rec := record{pattern: rt.str, value: rt.value, route: rt, params: len(rt.params.names)}
	if rec.params > 0 {
		rec.shape = rt.params.shape
	}
	if f, ok := rt.handler.(http.HandlerFunc); ok {
		rec.serve = f
	} else if rt.handler != nil {
		rec.serve = rt.handler.ServeHTTP
	}
	return rec
}

// buildHost returns the tables for the routes of one host, which are sorted by
// compareSegments.
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

// host returns the tables of the host, in folded form or not, or nil.
func (s *snapshot) host(h string) *hostTables {
	if s.hosts == nil || h == "" {
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
