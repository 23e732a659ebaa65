package routing

import (
	"cmp"
	"maps"
	"slices"

	"github.com/muxwell/muxwell/internal/trie"
)

// ByPrecedence returns the numbers of all entries in the order of precedence. The
// caller must not modify them. The first call sorts all of them.
func (t *Tables) ByPrecedence() []uint32 {
	t.orderOnce.Do(func() { t.order = t.byPrecedence() })
	return t.order
}

func (t *Tables) byPrecedence() []uint32 {
	sorted := t.paths()
	hosts := make(map[string][]*trie.Path)
	for len(sorted) > 0 {
		host, size := sorted[0].Pattern.Host, 1
		for size < len(sorted) && sorted[size].Pattern.Host == host {
			size++
		}
		hosts[host] = trie.Ranked(sorted[:size], 0)
		sorted = sorted[size:]
	}
	order := slices.Sorted(maps.Keys(t.hosts))
	for _, f := range t.forms {
		order = append(order, f.host)
	}
	var paths []*trie.Path
	for _, host := range append(order, "") {
		paths = append(paths, hosts[host]...)
	}
	for from := 0; from < len(paths); {
		to := from + 1
		for to < len(paths) && comparePaths(paths[from], paths[to]) == 0 {
			to++
		}
		slices.SortStableFunc(paths[from:to], t.compareShared)
		from = to
	}
	numbers := make([]uint32, len(paths))
	for i, p := range paths {
		numbers[i] = p.Number
	}
	return numbers
}

// compareShared orders paths with the same segments.
func (t *Tables) compareShared(p, q *trie.Path) int {
	a, b := t.entry(p), t.entry(q)
	if c := cmp.Compare(a.Rank, b.Rank); c != 0 {
		return c
	}
	if (a.Pattern.Methods == nil) != (b.Pattern.Methods == nil) {
		return len(b.Pattern.Methods) - len(a.Pattern.Methods)
	}
	return CompareMatchers(a, b)
}
