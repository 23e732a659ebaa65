package muxwell

import (
	"sync"

	"github.com/muxwell/muxwell/internal/pages"
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
	endpoints     pages.Table[endpoint] // indexed by the numbers of routes; endpoint 0 is unused, and those of removed routes are empty
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
	}
	size := int(m.numbers) + 1
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
	s.fill(old, changed, size)
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

// shares reports whether s shares the endpoints of old that have not changed.
func (s *snapshot) shares(old *snapshot) bool {
	return old != nil && old.version != 0 && old.uses == s.uses
}

// fill sets endpoints and tables of s, which have size numbers. Whatever the changed
// routes do not affect is shared with old. old may be nil, and may have no tables.
func (s *snapshot) fill(old *snapshot, changed []*Route, size int) {
	numbers := make([]uint32, len(changed))
	for i, rt := range changed {
		numbers[i] = rt.entry.Number
	}
	if s.shares(old) {
		s.endpoints = old.endpoints.Changed(size, numbers)
	} else {
		s.endpoints = pages.New[endpoint](size)
	}
	s.fillEndpoints(old, changed)
	if old == nil || old.tables == nil {
		s.tables = routing.Build(s.config.policy(), s)
	} else {
		entries := make([]*routing.Entry, len(changed))
		for i, rt := range changed {
			entries[i] = &rt.entry
		}
		s.tables = old.tables.Change(s.config.policy(), s, entries)
	}
	s.get = s.tables.Get
}

// Len returns one more than the highest number of a route.
func (s *snapshot) Len() int { return s.endpoints.Len() }

// Entry returns the entry of a number, or nil if no route has it.
func (s *snapshot) Entry(number uint32) *routing.Entry {
	if rt := s.endpoints.At(number).route; rt != nil {
		return &rt.entry
	}
	return nil
}
