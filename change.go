package muxwell

import (
	"maps"
	"slices"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A snapshot with few changes is made of the one before: tables of hosts and
// methods that no changed route concerns are taken as they are; of the others all
// that stands beside the way to a changed route is copied, node by node, which
// asks no route. The tables are the same as if they were built anew, but that a
// hash may have another seed.

// changeTables sets the tables of s to those of old with some routes added, or
// removed.
func (s *snapshot) changeTables(old *snapshot, changed []*Route) {
	s.anywhere, s.hosts, s.forms = old.anywhere, old.hosts, old.forms
	var hosts []string
	for _, rt := range changed {
		if !slices.Contains(hosts, rt.pattern.Host) {
			hosts = append(hosts, rt.pattern.Host)
		}
	}
	if len(hosts) > 0 {
		s.hosts, s.forms = maps.Clone(old.hosts), slices.Clone(old.forms)
	}
	for _, host := range hosts {
		here := slices.Clone(changed)
		here = slices.DeleteFunc(here, func(rt *Route) bool { return rt.pattern.Host != host })
		s.changeHost(host, old.tablesOf(host), here)
	}
	if len(s.hosts)+len(s.forms) == 0 {
		s.hosts = nil
	}
	s.finish()
}

// tablesOf returns the tables of a host, as patterns have it, or nil.
func (s *snapshot) tablesOf(host string) *hostTables {
	if host == "" {
		return &s.anywhere
	}
	if i := slices.IndexFunc(s.forms, func(f hostMatch) bool { return f.host == host }); i >= 0 {
		return s.forms[i].tables
	}
	return s.hosts[host]
}

// changeHost is changeTables for one host.
func (s *snapshot) changeHost(host string, old *hostTables, changed []*Route) {
	delete(s.hosts, host)
	s.forms = slices.DeleteFunc(s.forms, func(f hostMatch) bool { return f.host == host })
	sorted := s.sortedRoutes(host, old, changed)
	if len(sorted) == 0 {
		if host == "" {
			s.anywhere = s.buildHost(nil, nil, nil, true)
		}
		return
	}
	for _, rt := range changed {
		from, found := slices.BinarySearchFunc(sorted, rt, compareRoutes)
		if !found {
			continue
		}
		to := from + 1
		for to < len(sorted) && compareRoutes(sorted[to], rt) == 0 {
			to++
		}
		s.sharePath(sorted[from:to])
	}
	routes, plain := sorted, old != nil && old.plain && !slices.ContainsFunc(changed, hasForm)
	if !plain {
		var ranks bool
		routes, ranks = ranked(sorted)
		plain = !ranks
	}
	h := s.buildHost(routes, old, changed, plain)
	h.sorted = sorted
	s.setHost(sorted[0], h)
}

// noteChanges is note for routes of which some were changed since old.
func (h *hostTables) noteChanges(old *hostTables, routes, changed []*Route) {
	if slices.ContainsFunc(changed, func(rt *Route) bool { return rt.index <= old.first }) {
		h.note(routes)
		return
	}
	h.first = old.first
	methods := slices.Clone(old.methods)
	var doubtful []string
	for _, rt := range changed {
		doubtful = append(doubtful, rt.pattern.Methods...)
	}
	methods = append(methods, doubtful...)
	slices.Sort(methods)
	h.methods = slices.DeleteFunc(slices.Compact(methods), func(m string) bool {
		named := func(rt *Route) bool { return slices.Contains(rt.pattern.Methods, m) }
		return slices.Contains(doubtful, m) && !slices.ContainsFunc(routes, named)
	})
}

// sortedRoutes returns the routes of a host in the order of compareRoutes, those
// with the same path in the order of registration.
func (s *snapshot) sortedRoutes(host string, old *hostTables, changed []*Route) []*Route {
	if old == nil || old.sorted == nil {
		var sorted []*Route
		for _, rt := range s.routes {
			if rt.pattern.Host == host {
				sorted = append(sorted, rt)
			}
		}
		slices.SortStableFunc(sorted, compareRoutes)
		return sorted
	}
	sorted := make([]*Route, 0, len(old.sorted)+len(changed))
	for _, rt := range old.sorted {
		if !slices.Contains(changed, rt) {
			sorted = append(sorted, rt)
		}
	}
	for _, rt := range changed {
		if s.has(rt) {
			at, _ := slices.BinarySearchFunc(sorted, rt, func(a, b *Route) int {
				if c := compareRoutes(a, b); c != 0 {
					return c
				}
				return byRegistration(a, b)
			})
			sorted = slices.Insert(sorted, at, rt)
		}
	}
	return sorted
}

// with returns the source for routes that are sorted, of which some were changed;
// none has forms.
func (src *tableSource) with(changed, routes []*Route, method string) tableSource {
	to := tableSource{routes: slices.Clone(src.routes), rooted: slices.Clone(src.rooted), slashes: src.slashes}
	for _, rt := range changed {
		var best *Route // that has rt's path now
		from, _ := slices.BinarySearchFunc(routes, rt, compareRoutes)
		for _, q := range routes[from:] {
			if compareRoutes(q, rt) != 0 {
				break
			}
			if q.fit(method) > 0 && (best == nil || q.winsAtPath(best, method)) {
				best = q
			}
		}
		to.routes = spliced(to.routes, rt, best)
		if _, only := rt.staticPath(); !only {
			to.rooted = spliced(to.rooted, rt, best)
		}
		to.slashes = max(to.slashes, rt.slashes())
	}
	return to
}

// spliced returns sorted with best in the place of the route that has rt's path,
// or without it if best is nil.
func spliced(sorted []*Route, rt, best *Route) []*Route {
	at, found := slices.BinarySearchFunc(sorted, rt, compareRoutes)
	switch {
	case found && best != nil:
		sorted[at] = best
	case found:
		return slices.Delete(sorted, at, at+1)
	case best != nil:
		return slices.Insert(sorted, at, best)
	}
	return sorted
}

// takeOver takes from the base what is as good for the new table, and makes room
// for what will be.
func (b *tableBuilder) takeOver(base *table) {
	b.odd, b.widest, b.slashy = base.odd, base.widest, base.slashy // or less, if routes were removed
	b.nodes = make([]node, 0, len(base.nodes)+len(base.nodes)/64+8)
	b.kids = make([]kid, 0, len(base.kids)+len(base.kids)/64+16)
	b.text = make([]byte, 0, len(base.text)+len(base.text)/64+64)
}

// A way leads to a node of the base table that a new one is made of, behind the
// same segments, and has the changed routes that begin with these.
type way struct {
	node    uint32
	known   bool // there is such a node
	changed []*Route
}

// behind returns those of the changed routes whose segment at depth is g.
func (w *way) behind(g pattern.Segment, depth int) []*Route {
	var those []*Route
	for _, rt := range w.changed {
		if order := rt.pattern.Order(); len(order) > depth && order[depth].Same(g) {
			those = append(those, rt)
		}
	}
	return those
}

// to returns the way to what a node of the base leads to.
func wayTo(to uint32, changed []*Route) way {
	return way{node: to, known: to != 0 && to&leafOnly == 0, changed: changed}
}

// middleBelow returns the node behind the catch-alls in the middle of the node at
// the end of w, or 0.
func (t *table) middleBelow(w way) uint32 {
	if !w.known {
		return 0
	}
	return t.middleOf(&t.nodes[w.node])
}

// copied appends the node of the base that to leads to, with all below it, and
// returns what leads to it now.
func (b *tableBuilder) copied(to uint32) uint32 {
	if to == 0 || to&leafOnly != 0 {
		return to
	}
	base, index := b.base, uint32(len(b.nodes))
	n := base.nodes[to]
	b.nodes = append(b.nodes, node{})
	if from := n.kids; n.slots > 0 {
		n.kids = uint32(len(b.kids))
		b.kids = append(b.kids, base.kids[from:from+n.slots]...)
		for i := range n.slots {
			if k := base.kids[from+i]; k.to != 0 {
				b.kids[n.kids+i] = b.copiedKid(k)
			}
		}
	}
	n.param = b.copied(n.param)
	if n.rest&isFork != 0 {
		f := base.forks[n.rest&^isFork]
		alts := slices.Clone(base.alts[f.alts : f.alts+f.size])
		for i := range alts {
			alts[i].to = b.copied(alts[i].to)
		}
		f.middle = b.copied(f.middle)
		f.alts = uint32(len(b.alts))
		b.alts = append(b.alts, alts...)
		n.rest = isFork | uint32(len(b.forks))
		b.forks = append(b.forks, f)
	}
	if rest := b.restOf(&n); rest != 0 && b.slashed {
		n.recheck = b.recheck(b.records[rest].route)
	}
	b.nodes[index] = n
	return index
}

// copiedKid returns a kid of the base, with its label and all below it appended.
func (b *tableBuilder) copiedKid(k kid) kid {
	label := b.base.label(&k)
	k.text = uint32(len(b.text))
	b.text = append(b.text, label...)
	k.to = b.copied(k.to)
	return k
}
