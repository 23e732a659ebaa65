package inspect

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// A comparer compares two entries that match the same request in the order of
// precedence, one rule after another, and puts the rule that decides into words.
type comparer struct {
	routes  *Routes
	request *http.Request // nil where entries are compared without one
	method  string
	ranks   map[rankKey]int64 // of rank, once they were needed
}

type rankKey struct {
	entry *routing.Entry
	i     int
}

// Compare compares two entries that match a request in the order of precedence for it.
// The reason is the rule by which the first one wins.
func (rs *Routes) Compare(r *http.Request, a, b *routing.Entry) (c int, reason string) {
	x := comparer{routes: rs, request: r, method: r.Method}
	return x.compare(a, b)
}

// compare compares two entries that match. The reason is the rule by which the first one
// wins.
func (x *comparer) compare(a, b *routing.Entry) (c int, reason string) {
	if a.Pattern.Host != b.Pattern.Host {
		return x.compareHosts(a.Pattern, b.Pattern)
	}
	as, bs := a.Pattern.Order(), b.Pattern.Order()
	for i := range min(len(as), len(bs)) {
		if g, h := as[i], bs[i]; !g.Same(h) {
			c, reason := x.compareSegments(a, b, i)
			return c, reason + where(a.Pattern, i)
		}
	}
	if c := len(bs) - len(as); c != 0 {
		return c, "more segments behind the catch-all beat fewer"
	}
	if c := cmp.Compare(a.Rank, b.Rank); c != 0 {
		return c, fmt.Sprintf("%v beats %v at the root of the mounted mux", a.Rank, b.Rank)
	}
	if c := b.Pattern.Fit(x.method) - a.Pattern.Fit(x.method); c != 0 {
		methods := map[int]string{3: x.method, 2: "GET", 1: "any method"}
		return c, fmt.Sprintf("method: %s beats %s", methods[a.Pattern.Fit(x.method)], methods[b.Pattern.Fit(x.method)])
	}
	if hasMatchers(a) == hasMatchers(b) {
		c = x.quality(b) - x.quality(a)
	}
	return cmp.Or(c, routing.CompareMatchers(a, b)), x.preference(a, b)
}

// preference says why the first of two entries that differ in their matchers only wins;
// see [routing.Tables.Choose].
func (x *comparer) preference(a, b *routing.Entry) string {
	if !hasMatchers(b) {
		return "a matcher beats none"
	}
	switch p, q := x.quality(a), x.quality(b); {
	case p > q && hasAccept(a):
		return fmt.Sprintf("the client prefers it (Accept q=%s, not q=%s)", formatQuality(p), formatQuality(q))
	case p > q:
		return fmt.Sprintf("the client wants the other one less (Accept q=%s)", formatQuality(q))
	}
	return "registered first among those with matchers"
}

// quality returns how much the client wants what an entry that matches the request has,
// from 1 to [matcher.MaxQuality], which is also the answer without a request.
func (x *comparer) quality(e *routing.Entry) int {
	if x.request == nil {
		return matcher.MaxQuality
	}
	quality, _ := e.Matchers.Quality(x.request, x.routes.Tables.Policy().Proxies)
	return quality
}

func formatQuality(q int) string { return strconv.FormatFloat(float64(q)/1000, 'f', -1, 64) }

// compareSegments is compare for entries that differ in segment i first, in the
// order of matching.
func (x *comparer) compareSegments(a, b *routing.Entry, i int) (c int, reason string) {
	g, h := a.Pattern.Order()[i], b.Pattern.Order()[i]
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
	return cmp.Compare(x.rank(a, i), x.rank(b, i)), fmt.Sprintf("%s was registered before %s", roleOf(g.Matcher), roleOf(h.Matcher))
}

// roleOf returns what a segment requires, without the name of its parameter if it has
// no more than a constraint.
func roleOf(f *pattern.SegmentMatcher) string {
	if len(f.Names) == 1 && f.Literals == 0 {
		return "constraint " + f.Constraints[0].Text
	}
	return f.String()
}

// rank returns the first registration that begins as e does, up to segment i in the
// order of matching.
func (x *comparer) rank(e *routing.Entry, i int) int64 {
	key := rankKey{e, i}
	if rank, ok := x.ranks[key]; ok {
		return rank
	}
	begins := e.Pattern.Order()[:i+1]
	rank := e.Index
	for q := range x.routes.Entries {
		segs := q.Pattern.Order()
		if q.Pattern.Host == e.Pattern.Host && len(segs) > i && slices.EqualFunc(segs[:i+1], begins, pattern.Segment.Same) {
			rank = q.Index
			break
		}
	}
	if x.ranks == nil {
		x.ranks = make(map[rankKey]int64)
	}
	x.ranks[key] = rank
	return rank
}

// where says which segment of a pattern's path is compared at place i in the order of
// matching.
func where(p *pattern.Pattern, i int) string {
	at := pattern.InnerCatchAllAt(p.Segments)
	switch {
	case at < 0 || i <= at:
		return fmt.Sprintf(" at segment %d", i+1)
	case i == at+1:
		return " at the last segment"
	}
	return fmt.Sprintf(" at segment %d from the end", i-at)
}

// compareHosts is compare for entries with other hosts.
func (x *comparer) compareHosts(a, b *pattern.Pattern) (c int, reason string) {
	f, g := a.HostPattern(), b.HostPattern()
	switch {
	case b.Host == "":
		return -1, "host " + a.HostText() + " beats every host"
	case a.Host == "":
		return 1, ""
	case f == nil:
		return -1, "host " + a.HostText() + " beats " + b.HostText() + ", which has parameters"
	case g == nil:
		return 1, ""
	}
	c = x.routes.Tables.HostRank(a.Host) - x.routes.Tables.HostRank(b.Host)
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
	return c, fmt.Sprintf("host %s beats %s: %s", a.HostText(), b.HostText(), reason)
}
