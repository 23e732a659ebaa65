package trie

import (
	"cmp"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// The routes of a host are sorted before tables are built from them, so that
// those which begin alike stand together, and of two that a path can match both
// the one that wins stands first. It takes two steps: compareSegments looks at
// two routes alone, and orderByRank at what all of them say about constraints.

// A Path is what a table finds: the path of a pattern, with the number that it stands
// for.
type Path struct {
	Pattern *pattern.Pattern
	Index   int64  // the number of its registration, from 0
	Number  uint32 // from 1, less than Conditional
}

// Compare orders paths by the segments of their patterns: 0 if these are the same.
func Compare(p, q *Path) int { return compareSegments(p.Pattern.Order(), q.Pattern.Order()) }

// compareSegments orders patterns' paths by precedence, those with the same
// segments beside each other, a path before its extensions. Among segments that
// are mixed, or constrained, it is an order but not the one of precedence: see
// [orderByRank].
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

// orderByRank brings routes, which are all of one host, sorted by
// compareSegments and agree in their first depth segments, into the order of
// precedence. Mixed segments are ordered by what is written, then as constrained
// ones by rank: the first registration among all the routes that begin alike and
// have that segment there, whatever their methods. Adding routes later does not
// change it.
func orderByRank(routes []*Path, depth int) {
	for len(routes) > 0 && len(routes[0].Pattern.Order()) == depth {
		routes = routes[1:]
	}
	if len(routes) < 2 {
		return
	}
	for _, kind := range []pattern.Kind{pattern.Composite, pattern.Constrained} {
		from := 0
		for from < len(routes) && routes[from].Pattern.Order()[depth].Kind < kind {
			from++
		}
		groups, others := groupsOf(routes[from:], depth, kind)
		if len(groups) > 1 {
			sortByRank(routes[from:len(routes)-len(others)], groups, depth)
		}
	}
	for len(routes) > 0 {
		size := groupSize(routes, depth)
		orderByRank(routes[:size], depth+1)
		routes = routes[size:]
	}
}

// Ranks reports whether a segment of p is mixed or constrained, so that registration
// decides about the order of p and other paths.
func (p *Path) Ranks() bool {
	return slices.ContainsFunc(p.Pattern.Segments, func(g pattern.Segment) bool { return g.Matcher != nil })
}

// Ranked returns paths of one host, which are sorted by Compare, in the order of
// precedence, and whether that may be another order.
func Ranked(sorted []*Path) (paths []*Path, ranks bool) {
	if !slices.ContainsFunc(sorted, (*Path).Ranks) {
		return sorted, false
	}
	sorted = slices.Clone(sorted)
	orderByRank(sorted, 0)
	return sorted, true
}

// sortByRank brings the groups, of which routes is made, into the order of
// precedence.
func sortByRank(routes []*Path, groups [][]*Path, depth int) {
	first := func(group []*Path) int64 {
		return slices.MinFunc(group, func(a, b *Path) int { return cmp.Compare(a.Index, b.Index) }).Index
	}
	slices.SortFunc(groups, func(a, b []*Path) int {
		if c := a[0].Pattern.Order()[depth].Matcher.Compare(b[0].Pattern.Order()[depth].Matcher); c != 0 {
			return c
		}
		return cmp.Compare(first(a), first(b))
	})
	copy(routes, slices.Concat(groups...))
}
