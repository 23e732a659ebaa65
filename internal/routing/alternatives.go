package routing

import (
	"cmp"
	"net/http"
	"net/netip"
	"slices"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/trie"
)

// alternatives are the entries that share a host and a path if at least one of them has
// matchers. A table leads to any of them, and marks its number; choose selects one.
// They are ordered by Rank; within a rank, those with matchers come first, in the order
// of registration.
type alternatives struct {
	entries []*Entry
	tiers   []int // where the entries of each Rank stop
}

// newAlternatives returns the alternatives of entries, or nil if none has matchers.
func newAlternatives(entries []*Entry) *alternatives {
	if !slices.ContainsFunc(entries, (*Entry).hasMatchers) {
		return nil
	}
	p := &alternatives{entries: slices.SortedFunc(slices.Values(entries), func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), CompareMatchers(a, b))
	})}
	for i, e := range p.entries {
		if i == len(p.entries)-1 || p.entries[i+1].Rank != e.Rank {
			p.tiers = append(p.tiers, i+1)
		}
	}
	return p
}

func (e *Entry) hasMatchers() bool { return len(e.Matchers.Matchers) > 0 }

// CompareMatchers orders entries that share a path: those with matchers first, then by
// registration.
func CompareMatchers(a, b *Entry) int {
	if n, m := len(a.Matchers.Matchers), len(b.Matchers.Matchers); min(n, m) == 0 && n != m {
		return cmp.Compare(m, n)
	}
	return cmp.Compare(a.Index, b.Index)
}

// conditional reports whether an entry that matches a method has matchers. Otherwise a
// table can decide which entry it is.
func (p *alternatives) conditional(method string) bool {
	return slices.ContainsFunc(p.entries, func(e *Entry) bool { return e.hasMatchers() && e.Pattern.MethodRank(method) > 0 })
}

// alternatives returns the alternatives at the path of an entry, or nil.
func (t *Tables) alternatives(number uint32) *alternatives {
	if t.shared == nil {
		return nil
	}
	return t.shared[number]
}

// sharePaths finds the alternatives among the paths of one host, which are sorted.
func (t *Tables) sharePaths(sorted []*trie.Path) {
	for from, p := range sorted {
		if !t.entry(p).hasMatchers() || t.alternatives(p.Number) != nil {
			continue
		}
		same := func(i int) bool { return trie.Compare(sorted[i], p) == 0 }
		to := from + 1
		for from > 0 && same(from-1) {
			from--
		}
		for to < len(sorted) && same(to) {
			to++
		}
		t.sharePath(sorted[from:to])
	}
}

// sharePath is sharePaths for the paths that are the same.
func (t *Tables) sharePath(paths []*trie.Path) {
	entries := make([]*Entry, len(paths))
	for i, p := range paths {
		entries[i] = t.entry(p)
	}
	shared := newAlternatives(entries)
	if t.shared == nil {
		if shared == nil {
			return
		}
		t.shared = make([]*alternatives, t.entries.Len())
	}
	for _, p := range paths {
		t.shared[p.Number] = shared
	}
}

// ContentTypes returns the media types that the entries at the path of an entry accept
// for a method, in the order of registration.
func (t *Tables) ContentTypes(number uint32, method string) (types []string) {
	entries := []*Entry{t.entries.Entry(number)}
	if p := t.alternatives(number); p != nil {
		entries = p.entries
	}
	for _, e := range entries {
		for _, m := range e.Matchers.Matchers {
			for _, name := range m.MediaTypes {
				if e.Pattern.MethodRank(method) > 0 && !slices.Contains(types, name) {
					types = append(types, name)
				}
			}
		}
	}
	return types
}

// Choose returns the number of the entry that wins a request, among those that share
// the path of an entry whose number a table marks. It returns 0 if none matches the
// request; an entry with another path may match then. It records in st what it read.
func (t *Tables) Choose(r *http.Request, number uint32, st *matcher.State) uint32 {
	chosen := t.shared[number&^trie.Conditional].choose(r, t.policy.Proxies, st, r.Method, false)
	st.Missed = 0 // Resolve tries again
	return chosen
}

// choose returns the number of the entry of p that matches a request, for the given
// method instead of the request's; if named is set, only of entries that name their
// methods. The Rank decides first. Then the request's own method wins over GET for
// HEAD, which wins over no method. Then entries with matchers win over those without.
// Then the client's preference according to its Accept header decides, then the order
// of registration. It returns 0 if there is none, and records the reason in st.
func (p *alternatives) choose(r *http.Request, proxies []netip.Prefix, st *matcher.State, method string, named bool) (number uint32) {
	from := 0
	for _, to := range p.tiers {
		for fit := 3; fit > 0; fit-- {
			if named && fit == 1 {
				break
			}
			if number = p.best(from, to, fit, r, proxies, st, method); number != 0 {
				return number
			}
		}
		from = to
	}
	return 0
}

// best is choose among the entries from one index to another whose method rank is fit.
func (p *alternatives) best(from, to, fit int, r *http.Request, proxies []netip.Prefix, st *matcher.State, method string) (number uint32) {
	bestQuality := 0
	for i := from; i < to; i++ {
		e := p.entries[i]
		if e.Pattern.MethodRank(method) != fit {
			continue
		}
		if number != 0 && !e.hasMatchers() {
			break // an entry with matchers wins over those without, whatever its quality
		}
		quality, status := e.Matchers.Ask(r, proxies, st)
		if status != 0 {
			st.Miss(status, e.Number)
		} else if quality > bestQuality {
			number, bestQuality = e.Number, quality
		}
		if bestQuality == matcher.MaxQuality {
			break
		}
	}
	return number
}
