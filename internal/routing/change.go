package routing

import (
	"maps"
	"slices"

	"github.com/muxwell/muxwell/internal/trie"
)

// Tables with few changes are made from the existing ones: tables of hosts and methods
// that no changed entry affects are shared, others reuse what they can. The tables are
// the same as if they were built from scratch, except for the seeds of hashes.

// Change returns the tables of entries, which differ from those of t by changed:
// entries that were added, removed or replaced. All others have the same numbers.
func (t *Tables) Change(p Policy, entries, changed []*Entry) *Tables {
	to := newTables(p, entries)
	to.anywhere, to.hosts, to.forms = t.anywhere, t.hosts, t.forms
	if t.shared != nil {
		to.shared = make([]*alternatives, len(entries))
		copy(to.shared, t.shared)
		for _, e := range changed {
			to.shared[e.Number] = nil
		}
	}
	var hosts []string
	for _, e := range changed {
		if !slices.Contains(hosts, e.Pattern.Host) {
			hosts = append(hosts, e.Pattern.Host)
		}
	}
	if len(hosts) > 0 {
		to.hosts, to.forms = maps.Clone(t.hosts), slices.Clone(t.forms)
	}
	for _, host := range hosts {
		var here []*trie.Path
		for _, e := range changed {
			if e.Pattern.Host == host {
				here = append(here, &e.Path)
			}
		}
		to.changeHost(host, t.tablesOf(host), here)
	}
	if len(to.hosts)+len(to.forms) == 0 {
		to.hosts = nil
	}
	to.finish()
	return to
}

// tablesOf returns the tables of a host as patterns write it, or nil.
func (t *Tables) tablesOf(host string) *hostTables {
	if host == "" {
		return &t.anywhere
	}
	if i := slices.IndexFunc(t.forms, func(f *hostMatch) bool { return f.host == host }); i >= 0 {
		return t.forms[i].tables
	}
	return t.hosts[host]
}

// changeHost is changeTables for one host.
func (t *Tables) changeHost(host string, old *hostTables, changed []*trie.Path) {
	delete(t.hosts, host)
	t.forms = slices.DeleteFunc(t.forms, func(f *hostMatch) bool { return f.host == host })
	sorted := t.sortedPaths(host, old, changed)
	if len(sorted) == 0 {
		if host == "" {
			t.anywhere = t.buildHost(nil, nil, nil, true)
		}
		return
	}
	for _, p := range changed {
		from, found := slices.BinarySearchFunc(sorted, p, comparePaths)
		if !found {
			continue
		}
		to := from + 1
		for to < len(sorted) && comparePaths(sorted[to], p) == 0 {
			to++
		}
		t.sharePath(sorted[from:to])
	}
	paths, plain := sorted, old != nil && old.plain && !slices.ContainsFunc(changed, (*trie.Path).Ranks)
	if !plain {
		var ranks bool
		paths, ranks = trie.Ranked(sorted)
		plain = !ranks
	}
	h := t.buildHost(paths, old, changed, plain)
	h.sorted = sorted
	t.setHost(sorted[0], h)
}

// noteChanges is note for paths of which some were changed since old.
func (h *hostTables) noteChanges(old *hostTables, paths, changed []*trie.Path) {
	if slices.ContainsFunc(changed, func(p *trie.Path) bool { return p.Index <= old.first }) {
		h.note(paths)
		return
	}
	h.first = old.first
	methods := slices.Clone(old.methods)
	var doubtful []string
	for _, p := range changed {
		doubtful = append(doubtful, p.Pattern.Methods...)
	}
	methods = append(methods, doubtful...)
	slices.Sort(methods)
	h.methods = slices.DeleteFunc(slices.Compact(methods), func(m string) bool {
		named := func(p *trie.Path) bool { return slices.Contains(p.Pattern.Methods, m) }
		return slices.Contains(doubtful, m) && !slices.ContainsFunc(paths, named)
	})
}

// sortedPaths returns the sorted paths of a host. Those with the same path are in the
// order of registration.
func (t *Tables) sortedPaths(host string, old *hostTables, changed []*trie.Path) []*trie.Path {
	if old == nil || old.sorted == nil {
		var sorted []*trie.Path
		for _, e := range t.entries {
			if e != nil && e.Pattern.Host == host {
				sorted = append(sorted, &e.Path)
			}
		}
		slices.SortFunc(sorted, compareRegistered)
		return sorted
	}
	sorted := make([]*trie.Path, 0, len(old.sorted)+len(changed))
	for _, p := range old.sorted {
		if !slices.Contains(changed, p) {
			sorted = append(sorted, p)
		}
	}
	for _, p := range changed {
		if t.has(p) {
			at, _ := slices.BinarySearchFunc(sorted, p, compareRegistered)
			sorted = slices.Insert(sorted, at, p)
		}
	}
	return sorted
}

// has reports whether a path is one of t.
func (t *Tables) has(p *trie.Path) bool {
	e := t.entries[p.Number]
	return e != nil && &e.Path == p
}
