package muxwell

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/pattern"
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
	records     []record // by number; record 0 is none, and those of removed routes are empty
	refusals    *refusals
	ids         identities // for RouteOf
	idsOnce     sync.Once

	// What the next snapshot goes by, and tools.
	routes  []*Route // in registration order
	parents []*mount // where the mux is mounted
	version uint64
	uses    uint64
	claims  uint64 // claimsVersions
}

// A hostTables has a table for each method. Methods that no route names share
// one, and so do GET and HEAD unless a route names HEAD.
type hostTables struct {
	get     *table
	std     [standardMethods]*table // by methodIndex
	others  map[string]*table       // of further methods that routes name
	any     *table                  // of methods that no route names
	methods []string                // that routes name, sorted
	named   []*table                // of methods
	allowed *methodSets
	first   int64    // the first registration
	sorted  []*Route // the routes in the order of compareSegments, once a change needed it
	plain   bool     // none of sorted has forms
}

// A hostMatch has the tables of a host with parameters.
type hostMatch struct {
	host   string
	form   *pattern.HostPattern
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

// current returns the current snapshot, for all but serving.
func (m *Mux) current() *snapshot {
	if s := m.live.Load(); s != nil {
		return s
	}
	return m.publish()
}

// publish returns the current snapshot, and builds it first if there is none. It
// has all that was registered before.
func (m *Mux) publish() *snapshot {
	m.building.Lock()
	defer m.building.Unlock()
	if s := m.live.Load(); s != nil {
		return s // somebody else was faster
	}
	return m.build(true)
}

// build builds a snapshot, and if publish is set publishes it, unless it is stale
// by then. No lock is held meanwhile but building: middleware, which is made now,
// may register routes.
func (m *Mux) build(publish bool) *snapshot {
	m.mu.Lock()
	s := &snapshot{
		config: m.config, routes: m.routes, parents: m.parents, version: m.version, uses: m.uses,
		records: make([]record, m.slots+1),
	}
	changed, grouped := m.changed, m.root.mux != nil
	m.changed = nil
	m.mu.Unlock()
	s.claims = m.claimsVersions()

	built := false
	defer func() {
		if !built { // middleware panicked: the next snapshot begins where this one did
			m.mu.Lock()
			defer m.mu.Unlock()
			later := m.changed
			m.changed = changed
			for _, rt := range later {
				m.noteChange(rt)
			}
		}
	}()
	old := m.built
	if old != nil && len(changed) > maxChanges {
		old = &snapshot{records: old.records, uses: old.uses, claims: old.claims, refusals: old.refusals} // what was composed stays
	}
	s.fill(old, changed)
	switch {
	case !grouped: // nothing was registered
	case old == nil:
		s.refusals = m.newRefusals(m.claims(), nil)
	case old.uses == s.uses && old.claims == s.claims:
		s.refusals = old.refusals
	default:
		s.refusals = m.newRefusals(m.claims(), old.refusals)
	}

	built = true
	m.mu.Lock()
	defer m.mu.Unlock()
	m.built = s
	if publish && m.version == s.version {
		m.live.Store(s)
	}
	return s
}

// fill sets records and tables of s. What old has and the changed routes do not
// concern is taken from it; old may be nil, and without tables.
func (s *snapshot) fill(old *snapshot, changed []*Route) {
	s.recheckHost = [...]recheck{SlashRedirect: slashless, SlashStrict: never, SlashIgnore: everything}[s.config.slash]
	s.fillRecords(old, changed)
	if old == nil || old.version == 0 {
		s.buildTables(s.routes)
		return
	}
	s.changeTables(old, changed)
}

// buildTables sets the tables of s, whose records are there, for routes in the
// order of registration.
func (s *snapshot) buildTables(routes []*Route) {
	sorted := slices.Clone(routes)
	slices.SortStableFunc(sorted, compareRoutes)
	for i := range s.records {
		if rec := &s.records[i]; rec.shared != nil {
			rec.share(nil)
		}
	}
	s.anywhere = s.buildHost(nil, nil, nil, true)
	for len(sorted) > 0 {
		host, size := sorted[0].pattern.Host, 1
		for size < len(sorted) && sorted[size].pattern.Host == host {
			size++
		}
		s.sharePaths(sorted[:size])
		ranked, ranks := ranked(sorted[:size])
		s.setHost(sorted[0], s.buildHost(ranked, nil, nil, !ranks))
		sorted = sorted[size:]
	}
	s.finish()
}

// compareRoutes orders routes by host, then by compareSegments.
func compareRoutes(a, b *Route) int {
	if a.pattern.Host != b.pattern.Host {
		return strings.Compare(a.pattern.Host, b.pattern.Host)
	}
	return compareSegments(a.pattern.Order(), b.pattern.Order())
}

// ranked returns routes of one host, which are sorted by compareSegments, in the
// order of precedence, and whether that is another order for some.
func ranked(sorted []*Route) (routes []*Route, ranks bool) {
	if !slices.ContainsFunc(sorted, hasForm) {
		return sorted, false
	}
	sorted = slices.Clone(sorted)
	orderByRank(sorted, 0)
	return sorted, true
}

// setHost sets the tables of a host, of which rt is a route.
func (s *snapshot) setHost(rt *Route, h hostTables) {
	form := rt.pattern.HostPattern()
	switch {
	case rt.pattern.Host == "":
		s.anywhere = h
	case form != nil:
		s.forms = append(s.forms, hostMatch{rt.pattern.Host, form, &h})
	default:
		if s.hosts == nil {
			s.hosts = make(map[string]*hostTables)
		}
		s.hosts[rt.pattern.Host] = &h
	}
}

// finish sets what follows from the tables of all hosts.
func (s *snapshot) finish() {
	slices.SortFunc(s.forms, compareHosts)
	if s.hosts == nil && s.forms != nil {
		s.hosts = make(map[string]*hostTables)
	}
	for host := range s.hosts {
		s.longest = max(s.longest, len(host))
	}
	if s.hosts == nil && !s.config.fold {
		s.get = s.anywhere.get
	}
}

// compareHosts orders hosts with parameters by precedence: more text first, then
// those without a catch-all, then those with more constraints, then by first
// registration.
func compareHosts(a, b hostMatch) int {
	return cmp.Or(
		cmp.Compare(b.form.Literals, a.form.Literals),
		cmp.Compare(min(a.form.CatchAll, 0), min(b.form.CatchAll, 0)),
		cmp.Compare(b.form.Constraints, a.form.Constraints),
		cmp.Compare(a.tables.first, b.tables.first))
}

// buildHost returns the tables for the routes of one host, which are in order.
// If old is not nil, it has the tables for routes as they were before some were
// changed; plain says that none of routes has forms.
func (s *snapshot) buildHost(routes []*Route, old *hostTables, changed []*Route, plain bool) hostTables {
	h := hostTables{first: math.MaxInt64, plain: plain}
	build := func(method string) *table {
		if old == nil {
			return s.buildTable(method, routes, nil, nil, false)
		}
		concerns := func(rt *Route) bool { return rt.fit(method) > 0 || hasForm(rt) } // that may change ranks
		if !slices.ContainsFunc(changed, concerns) {
			return old.of(method)
		}
		return s.buildTable(method, routes, old.of(method), changed, plain)
	}
	if old == nil {
		h.note(routes)
	} else {
		h.noteChanges(old, routes, changed)
	}
	h.allowed = new(methodSets)
	h.any = build("")
	h.get = h.any
	for i := range h.std {
		h.std[i] = h.any
	}
	for _, m := range h.methods {
		t := build(m)
		h.named = append(h.named, t)
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

// note sets what routes say about the methods and the first registration.
func (h *hostTables) note(routes []*Route) {
	for _, rt := range routes {
		h.first = min(h.first, rt.index)
		for _, m := range rt.pattern.Methods {
			if !slices.Contains(h.methods, m) {
				h.methods = append(h.methods, m)
			}
		}
	}
	slices.Sort(h.methods)
}

// A hostCursor goes through the tables that apply to a host, in the order of
// precedence: of the host itself, of those with parameters that match, of every
// host.
type hostCursor struct {
	snapshot *snapshot
	host     string // folded or not, without a port unless the request is a CONNECT
	at       int
}

// maxHost is the longest host that is matched with parameters, a name with a final
// dot and a port: what a longer one would cost could be much.
const maxHost = hostname.MaxLen + len(".:65535")

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
		if f := &s.forms[c.at-1]; f.form.Matches(c.host, nil) {
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

// Host returns the tables of the host, in folded form or not, or nil.
func (s *snapshot) host(h string) *hostTables {
	if len(s.hosts) == 0 || h == "" {
		return nil
	}
	if !hostname.NeedsFolding(h) {
		return s.hosts[h]
	}
	if len(h) > s.longest+len("[.]") {
		return nil // folding takes away three bytes at most
	}
	var space [128]byte
	return s.hosts[string(hostname.AppendFolded(space[:0], h))]
}
