package trie

import (
	"cmp"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// The paths of a host are sorted before tables are built from them, so that those with
// the same beginning are next to each other, and of two that match the same request
// path the winner comes first. There are two steps: compareSegments compares two paths,
// and orderByRank uses the registration of constraints in all of them.

// A Path is an item of a table: the path of a pattern, with its number.
type Path struct {
	Pattern *pattern.Pattern
	Index   int64  // the number of its registration, from 0
	Number  uint32 // from 1, less than Conditional
}

// Compare orders paths by the segments of their patterns: 0 if these are the same.
func Compare(p, q *Path) int { return compareSegments(p.Pattern.Order(), q.Pattern.Order()) }

// compareSegments orders patterns' paths by precedence, those with the same segments
// next to each other, a path before its extensions. For composite and constrained
// segments it is an order but not that of precedence: see [orderByRank].
func compareSegments(a, b []pattern.Segment) int {
	for i := range min(len(a), len(b)) {
		if a[i].Kind != b[i].Kind {
			return cmp.Compare(a[i].Kind, b[i].Kind)
		}
		switch {
		case a[i].Matcher != nil:
			if a[i].Matcher.Key != b[i].Matcher.Key {
				return strings.Compare(a[i].Matcher.Key, b[i].Matcher.Key)
			}
		case a[i].Kind == pattern.Literal && a[i].Text != b[i].Text:
			return strings.Compare(a[i].Text, b[i].Text)
		}
	}
	return len(a) - len(b)
}

// orderByRank sorts paths by precedence. They are all of one host, sorted by
// compareSegments, and agree in their first depth segments. Composite segments are
// ordered by their text, then, like constrained ones, by rank: the first registration
// among all paths with the same beginning and that segment, whatever their methods.
// Adding paths later does not change it.
func orderByRank(paths []*Path, depth int) {
	for len(paths) > 0 && len(paths[0].Pattern.Order()) == depth {
		paths = paths[1:]
	}
	if len(paths) < 2 {
		return
	}
	for _, kind := range []pattern.Kind{pattern.Composite, pattern.Constrained} {
		from := 0
		for from < len(paths) && paths[from].Pattern.Order()[depth].Kind < kind {
			from++
		}
		groups, others := groupsOf(paths[from:], depth, kind)
		if len(groups) > 1 {
			sortByRank(paths[from:len(paths)-len(others)], groups, depth)
		}
	}
	for len(paths) > 0 {
		size := groupSize(paths, depth)
		orderByRank(paths[:size], depth+1)
		paths = paths[size:]
	}
}

// Ranks reports whether a segment of p is composite or constrained, so that the order
// of p and other paths depends on registration.
func (p *Path) Ranks() bool {
	return slices.ContainsFunc(p.Pattern.Segments, func(g pattern.Segment) bool { return g.Matcher != nil })
}

// Ranked returns paths of one host, which are sorted by Compare, in the order of
// precedence. They are all that agree in their first depth segments.
func Ranked(sorted []*Path, depth int) []*Path {
	if !slices.ContainsFunc(sorted, (*Path).Ranks) {
		return sorted
	}
	sorted = slices.Clone(sorted)
	orderByRank(sorted, depth)
	return sorted
}

// ComparePrefix compares the first depth segments of p, as Compare does, with those of
// q, which has as many.
func ComparePrefix(p, q *Path, depth int) int {
	if depth == 0 {
		return 0
	}
	order := p.Pattern.Order()
	return compareSegments(order[:min(depth, len(order))], q.Pattern.Order()[:depth])
}

// sortByRank sorts the groups, of which paths is made, by precedence.
func sortByRank(paths []*Path, groups [][]*Path, depth int) {
	first := func(group []*Path) int64 {
		return slices.MinFunc(group, func(a, b *Path) int { return cmp.Compare(a.Index, b.Index) }).Index
	}
	sorted := make([]*[]*Path, len(groups)) // sorting slices themselves would be linked as another function
	for i := range groups {
		sorted[i] = &groups[i]
	}
	slices.SortFunc(sorted, func(p, q *[]*Path) int {
		a, b := *p, *q
		if c := a[0].Pattern.Order()[depth].Matcher.Compare(b[0].Pattern.Order()[depth].Matcher); c != 0 {
			return c
		}
		return cmp.Compare(first(a), first(b))
	})
	var all []*Path
	for _, group := range sorted {
		all = append(all, *group...)
	}
	copy(paths, all)
}
