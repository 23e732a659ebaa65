package muxwell

import (
	"sync"

	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/trie"
)

// A snapshot has everything that serving needs. It is built from the routes once and
// never changed. Requests find it by one atomic load. A registration discards it, and
// the next request builds another.
//
//	snapshot ─ tables ─► number ─► endpoint ─► handler
type snapshot struct {
	config        config
	get           *trie.Table // tables.Get
	tables        *routing.Tables
	endpoints     []endpoint // indexed by the numbers of routes; endpoint 0 is unused, and those of removed routes are empty
	refusals      *refusals
	byPattern     map[pathvalue.Identity]*Route // for RouteOf
	byPatternOnce sync.Once

	// For building the next snapshot, and for tools.
	routes  []*Route // in registration order
	parents []*mount // where the mux is mounted
	version uint64
	uses    uint64
	// compositions is that of the mux.
	compositions uint64
	claims       uint64 // claimsVersions
}

// current returns the current snapshot, for everything except serving.
func (m *Mux) current() *snapshot {
	if s := m.live.Load(); s != nil {
		return s
	}
	return m.publish()
}

// publish returns the current snapshot. If there is none, it builds one, which has
// everything that was registered before.
func (m *Mux) publish() *snapshot {
	m.building.Lock()
	defer m.building.Unlock()
	if s := m.live.Load(); s != nil {
		return s // another goroutine was faster
	}
	return m.build(true)
}

// build builds a snapshot. If publish is set, it publishes the snapshot unless that is
// stale by then. Meanwhile no lock is held except building: middleware functions, which
// are called now, may register routes.
func (m *Mux) build(publish bool) *snapshot {
	m.mu.Lock()
	s := &snapshot{
		config: m.config, routes: m.routes, parents: m.parents, version: m.version, uses: m.uses, compositions: m.compositions,
		endpoints: make([]endpoint, m.numbers+1),
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
		old = &snapshot{endpoints: old.endpoints, uses: old.uses, compositions: old.compositions, claims: old.claims, refusals: old.refusals} // keep what was composed
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

// fill sets endpoints and tables of s. Whatever the changed routes do not affect is
// copied from old. old may be nil, and may have no tables.
func (s *snapshot) fill(old *snapshot, changed []*Route) {
	s.fillEndpoints(old, changed)
	entries := make([]*routing.Entry, len(s.endpoints))
	if old == nil || old.tables == nil {
		for _, rt := range s.routes {
			entries[rt.entry.Number] = &rt.entry
		}
		s.tables = routing.Build(s.config.policy(), entries)
	} else {
		copy(entries, old.tables.Entries())
		these := make([]*routing.Entry, len(changed))
		for i, rt := range changed {
			these[i] = &rt.entry
			entries[rt.entry.Number] = nil
		}
		for _, rt := range changed {
			if s.has(rt) {
				entries[rt.entry.Number] = &rt.entry
			}
		}
		s.tables = old.tables.Change(s.config.policy(), entries, these)
	}
	s.get = s.tables.Get
}
