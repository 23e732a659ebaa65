package muxwell

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// The routes of a host are sorted before tables are built from them, so that
// those which begin alike stand together, and of two that a path can match both
// the one that wins stands first. It takes two steps: compareSegments looks at
// two routes alone, and orderByRank at what all of them say about constraints.

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
func orderByRank(routes []*Route, depth int) {
	for len(routes) > 0 && len(routes[0].pattern.Order()) == depth {
		routes = routes[1:]
	}
	if len(routes) < 2 {
		return
	}
	for _, kind := range []pattern.Kind{pattern.Composite, pattern.Constrained} {
		from := 0
		for from < len(routes) && routes[from].pattern.Order()[depth].Kind < kind {
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

// byPrecedence returns all routes in the order of precedence.
func (s *snapshot) byPrecedence() []*Route {
	sorted := slices.Clone(s.routes)
	slices.SortStableFunc(sorted, compareRoutes)
	hosts := make(map[string][]*Route)
	for len(sorted) > 0 {
		host, size := sorted[0].pattern.Host, 1
		for size < len(sorted) && sorted[size].pattern.Host == host {
			size++
		}
		hosts[host], _ = ranked(sorted[:size])
		sorted = sorted[size:]
	}
	order := slices.Sorted(maps.Keys(s.hosts))
	for _, f := range s.forms {
		order = append(order, f.host)
	}
	var routes []*Route
	for _, host := range append(order, "") {
		routes = append(routes, hosts[host]...)
	}
	for from := 0; from < len(routes); {
		to := from + 1
		for to < len(routes) && compareRoutes(routes[from], routes[to]) == 0 {
			to++
		}
		slices.SortStableFunc(routes[from:to], func(a, b *Route) int {
			if c := cmp.Compare(a.root(), b.root()); c != 0 {
				return c
			}
			if (a.pattern.Methods == nil) != (b.pattern.Methods == nil) {
				return len(b.pattern.Methods) - len(a.pattern.Methods)
			}
			return compareShared(a, b)
		})
		from = to
	}
	return routes
}

// hasForm reports whether a segment of rt is mixed or constrained.
func hasForm(rt *Route) bool {
	return slices.ContainsFunc(rt.pattern.Segments, func(g pattern.Segment) bool { return g.Matcher != nil })
}

// sortByRank brings the groups, of which routes is made, into the order of
// precedence.
func sortByRank(routes []*Route, groups [][]*Route, depth int) {
	first := func(group []*Route) int64 {
		return slices.MinFunc(group, func(a, b *Route) int { return cmp.Compare(a.index, b.index) }).index
	}
	slices.SortFunc(groups, func(a, b []*Route) int {
		if c := a[0].pattern.Order()[depth].Matcher.Compare(b[0].pattern.Order()[depth].Matcher); c != 0 {
			return c
		}
		return cmp.Compare(first(a), first(b))
	})
	copy(routes, slices.Concat(groups...))
}
