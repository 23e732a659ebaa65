package routing

import (
	"maps"
	"math"
	"slices"

	"github.com/muxwell/muxwell/internal/trie"
)

// Tables with few changes are made from the existing ones: tables of hosts and methods
// that no changed entry affects are shared, others reuse what they can. The tables are
// the same as if they were built from scratch, except for the seeds of hashes.

// Change returns the tables of entries, which differ from those of t by changed:
// entries that were added, removed or replaced. All others have the same numbers.
func (t *Tables) Change(p Policy, entries Entries, changed []*Entry) *Tables {
	to := newTables(p, entries)
	to.anywhere, to.hosts, to.forms = t.anywhere, t.hosts, t.forms
	if t.shared != nil {
		to.shared = make([]*alternatives, entries.Len())
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
	var list pathList
	if old != nil {
		list = old.paths
	}
	list = list.with(changed, t)
	if len(list.blocks) == 0 {
		if host == "" {
			t.anywhere = t.buildHost(nil)
		}
		return
	}
	for _, p := range changed {
		t.sharePath(list.where(func(q *trie.Path) int { return trie.Compare(q, p) }))
	}
	var h hostTables
	if old == nil || len(old.paths.blocks) == 0 {
		h = t.buildHost(list.where(func(*trie.Path) int { return 0 }))
	} else {
		h = t.rebuildHost(list, old, changed)
	}
	t.setHost(list.blocks[0][0], h)
}

// rebuildHost returns the tables for the paths of one host. old has those for the paths
// before some were changed.
func (t *Tables) rebuildHost(list pathList, old *hostTables, changed []*trie.Path) hostTables {
	h := hostTables{first: math.MaxInt64, paths: list}
	h.noteChanges(old, changed)
	h.build(func(method string) *trie.Table {
		concerns := func(p *trie.Path) bool { return p.Pattern.MethodRank(method) > 0 || p.Ranks() } // changed paths may change ranks
		if !slices.ContainsFunc(changed, concerns) {
			return old.of(method)
		}
		return old.of(method).Change(t.config(method), trie.Change{
			Changed: changed,
			Paths: func(p *trie.Path, depth int) []*trie.Path {
				agreeing := list.where(func(q *trie.Path) int { return trie.ComparePrefix(q, p, depth) })
				return t.chosen(trie.Ranked(agreeing, depth), method)
			},
		})
	})
	return h
}

// noteChanges is note for the paths of h, of which some were changed since old.
func (h *hostTables) noteChanges(old *hostTables, changed []*trie.Path) {
	if slices.ContainsFunc(changed, func(p *trie.Path) bool { return p.Index <= old.first }) {
		h.note()
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
		return slices.Contains(doubtful, m) && !h.names(m)
	})
}

// names reports whether a path of h names a method.
func (h *hostTables) names(method string) bool {
	for p := range h.paths.all {
		if slices.Contains(p.Pattern.Methods, method) {
			return true
		}
	}
	return false
}

// has reports whether a path is one of t.
func (t *Tables) has(p *trie.Path) bool {
	e := t.entry(p)
	return e != nil && &e.Path == p
}
