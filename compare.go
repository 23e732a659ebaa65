package muxwell

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// Two routes that match the same request are compared in the order of precedence,
// one rule after another, and the rule that decides is put into words.

type rankKey struct {
	route *Route
	i     int
}

// Compare compares two routes that match, and says by which rule the first one
// goes before the second.
func (x *explainer) compare(a, b *Route) (c int, reason string) {
	if a.pattern.Host != b.pattern.Host {
		return x.compareHosts(a, b)
	}
	as, bs := a.pattern.Order(), b.pattern.Order()
	for i := range min(len(as), len(bs)) {
		if g, h := as[i], bs[i]; !g.Same(h) {
			c, reason := x.compareSegments(a, b, i)
			return c, reason + x.where(a, i)
		}
	}
	if c := len(bs) - len(as); c != 0 {
		return c, "more segments behind the catch-all beat fewer"
	}
	if c := cmp.Compare(a.entry.Rank, b.entry.Rank); c != 0 {
		return c, fmt.Sprintf("%v beats %v at the root of the mounted mux", a.entry.Rank, b.entry.Rank)
	}
	if c := b.pattern.Fit(x.method) - a.pattern.Fit(x.method); c != 0 {
		methods := map[int]string{3: x.method, 2: "GET", 1: "any method"}
		return c, fmt.Sprintf("method: %s beats %s", methods[a.pattern.Fit(x.method)], methods[b.pattern.Fit(x.method)])
	}
	if (len(a.matchers()) == 0) == (len(b.matchers()) == 0) {
		c = x.quality(b) - x.quality(a)
	}
	return cmp.Or(c, routing.CompareMatchers(&a.entry, &b.entry)), x.preference(a, b)
}

// preference says why the first of two routes that differ in their matchers only
// goes before the second; see [routing.Tables.Choose].
func (x *explainer) preference(a, b *Route) string {
	if len(b.matchers()) == 0 {
		return "a matcher beats none"
	}
	switch p, q := x.quality(a), x.quality(b); {
	case p > q && a.hasAccept():
		return fmt.Sprintf("the client prefers it (Accept q=%s, not q=%s)", formatQuality(p), formatQuality(q))
	case p > q:
		return fmt.Sprintf("the client wants the other one less (Accept q=%s)", formatQuality(q))
	}
	return "registered first among those with matchers"
}

// hasAccept reports whether one of the route's matchers is Accept.
func (rt *Route) hasAccept() bool {
	return slices.ContainsFunc(rt.matchers(), func(m matcher.Matcher) bool { return m.Accept != nil })
}

// Quality returns how much the client wants what a route has that takes the
// request, from 1 to [MaxQuality], which is also the answer without a request.
func (x *explainer) quality(rt *Route) int {
	if x.request == nil {
		return matcher.MaxQuality
	}
	quality, _ := rt.set().Quality(x.request, x.snapshot.config.proxies)
	return quality
}

func formatQuality(q int) string { return strconv.FormatFloat(float64(q)/1000, 'f', -1, 64) }

// compareSegments is compare for routes that differ in segment i first, in the
// order of matching.
func (x *explainer) compareSegments(a, b *Route, i int) (c int, reason string) {
	g, h := a.pattern.Order()[i], b.pattern.Order()[i]
	if g.Kind != h.Kind {
		return cmp.Compare(g.Kind, h.Kind), fmt.Sprintf("%v beats %v", g.Kind, h.Kind)
	}
	if g.Kind == pattern.Literal {
		return strings.Compare(g.Text, h.Text), "the texts differ" // no path has both
	}
	if c := g.Matcher.Compare(h.Matcher); c != 0 {
		switch {
		case g.Matcher.Literals != h.Matcher.Literals:
			return c, "more text beats less"
		case len(g.Matcher.Prefix) != len(h.Matcher.Prefix):
			return c, "more text in front beats less"
		}
		return c, "more constraints beat fewer"
	}
	return x.rank(a, i) - x.rank(b, i), fmt.Sprintf("%s was registered before %s", roleOf(g.Matcher), roleOf(h.Matcher))
}

// roleOf returns what a form does, without the name if that does not matter.
func roleOf(f *pattern.SegmentMatcher) string {
	if len(f.Names) == 1 && f.Literals == 0 {
		return "constraint " + f.Constraints[0].Text
	}
	return f.String()
}

// rank returns the first registration that begins as rt does, up to segment i in
// the order of matching.
func (x *explainer) rank(rt *Route, i int) int {
	key := rankKey{rt, i}
	if rank, ok := x.ranks[key]; ok {
		return rank
	}
	begins := rt.pattern.Order()[:i+1]
	rank := slices.IndexFunc(x.snapshot.routes, func(q *Route) bool {
		segs := q.pattern.Order()
		return q.pattern.Host == rt.pattern.Host && len(segs) > i && slices.EqualFunc(segs[:i+1], begins, pattern.Segment.Same)
	})
	if x.ranks == nil {
		x.ranks = make(map[rankKey]int)
	}
	x.ranks[key] = rank
	return rank
}

// where says which segment of rt's path is compared at place i in the order of
// matching.
func (x *explainer) where(rt *Route, i int) string {
	at := pattern.InnerCatchAllAt(rt.pattern.Segments)
	switch {
	case at < 0 || i <= at:
		return fmt.Sprintf(" at segment %d", i+1)
	case i == at+1:
		return " at the last segment"
	}
	return fmt.Sprintf(" at segment %d from the end", i-at)
}

func (x *explainer) compareHosts(a, b *Route) (c int, reason string) {
	f, g := a.pattern.HostPattern(), b.pattern.HostPattern()
	switch {
	case b.pattern.Host == "":
		return -1, "host " + a.Host() + " beats every host"
	case a.pattern.Host == "":
		return 1, ""
	case f == nil:
		return -1, "host " + a.Host() + " beats " + b.Host() + ", which has parameters"
	case g == nil:
		return 1, ""
	}
	c = x.snapshot.tables.HostRank(a.pattern.Host) - x.snapshot.tables.HostRank(b.pattern.Host)
	switch {
	case f.Literals != g.Literals:
		reason = "more text beats less"
	case (f.CatchAll < 0) != (g.CatchAll < 0):
		reason = "labels that are counted beat any number of them"
	case f.Constraints != g.Constraints:
		reason = "more constraints beat fewer"
	default:
		reason = "it was registered first"
	}
	return c, fmt.Sprintf("host %s beats %s: %s", a.Host(), b.Host(), reason)
}
