package inspect

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// A comparer compares two entries that match the same request in the order of
// precedence, and describes the rule that decides.
type comparer struct {
	routes    *Routes
	request   *http.Request // nil where entries are compared without one
	method    string
	positions []int // in [routing.Tables.ByPrecedence], by number, once they were needed
}

// Compare compares two entries that match a request in the order of precedence for it.
// If the first one wins, the reason is the rule by which it does.
func (rs *Routes) Compare(r *http.Request, a, b *routing.Entry) (c int, reason string) {
	x := comparer{routes: rs, request: r, method: r.Method}
	return x.compare(a, b)
}

// compare compares two entries that match. If the first one wins, the reason is the rule
// by which it does.
func (x *comparer) compare(a, b *routing.Entry) (c int, reason string) {
	if a.Pattern.Host != b.Pattern.Host {
		return x.position(a) - x.position(b), hostRule(a.Pattern, b.Pattern)
	}
	as, bs := a.Pattern.Order(), b.Pattern.Order()
	for i := range min(len(as), len(bs)) {
		if g, h := as[i], bs[i]; !g.Same(h) {
			return x.position(a) - x.position(b), segmentRule(g, h) + where(a.Pattern, i)
		}
	}
	if c := len(bs) - len(as); c != 0 {
		return c, "more segments after the catch-all beat fewer"
	}
	if c := cmp.Compare(a.Rank, b.Rank); c != 0 {
		return c, fmt.Sprintf("%v beats %v at the root of the mounted mux", a.Rank, b.Rank)
	}
	if c := b.Pattern.MethodRank(x.method) - a.Pattern.MethodRank(x.method); c != 0 {
		methods := map[int]string{3: x.method, 2: "GET", 1: "any method"}
		return c, fmt.Sprintf("method: %s beats %s", methods[a.Pattern.MethodRank(x.method)], methods[b.Pattern.MethodRank(x.method)])
	}
	if hasMatchers(a) == hasMatchers(b) {
		c = x.quality(b) - x.quality(a)
	}
	return cmp.Or(c, routing.CompareMatchers(a, b)), x.preference(a, b)
}

// preference returns why the first of two entries that differ only in their matchers
// wins; see [routing.Tables.Choose].
func (x *comparer) preference(a, b *routing.Entry) string {
	if !hasMatchers(b) {
		return "a matcher beats none"
	}
	switch p, q := x.quality(a), x.quality(b); {
	case p > q && hasAccept(a):
		return fmt.Sprintf("the client prefers it (Accept q=%s, not q=%s)", formatQuality(p), formatQuality(q))
	case p > q:
		return fmt.Sprintf("the client prefers it (the other has Accept q=%s)", formatQuality(q))
	}
	return "registered first among those with matchers"
}

// quality returns the client's preference for an entry that matches the request, from 1
// to [matcher.MaxQuality], which is also the result without a request.
func (x *comparer) quality(e *routing.Entry) int {
	if x.request == nil {
		return matcher.MaxQuality
	}
	quality, _ := e.Matchers.Quality(x.request, x.routes.Tables.Policy().Proxies)
	return quality
}

func formatQuality(q int) string { return strconv.FormatFloat(float64(q)/1000, 'f', -1, 64) }

// position returns the place of an entry in the order of precedence. It is valid for
// all requests if hosts or segments differ, except that if one path begins with the
// other, the longer one wins.
func (x *comparer) position(e *routing.Entry) int {
	if x.positions == nil {
		x.positions = make([]int, x.routes.Tables.Len())
		for i, number := range x.routes.Tables.ByPrecedence() {
			x.positions[number] = i
		}
	}
	return x.positions[e.Number]
}

// segmentRule returns the rule by which the first of two segments wins.
func segmentRule(g, h pattern.Segment) string {
	switch m, n := g.Matcher, h.Matcher; {
	case g.Kind != h.Kind:
		return fmt.Sprintf("%v beats %v", g.Kind, h.Kind)
	case g.Kind == pattern.Literal:
		return "the texts differ" // no path has both
	case m.Literals != n.Literals:
		return "more text beats less"
	case len(m.Prefix) != len(n.Prefix):
		return "more text in front beats less"
	case m.Compare(n) != 0:
		return "more constraints beat fewer"
	default:
		return fmt.Sprintf("%s was registered before %s", roleOf(m), roleOf(n))
	}
}

// roleOf returns what a segment requires, without the name of its parameter if the
// segment is only a constraint.
func roleOf(f *pattern.SegmentMatcher) string {
	if len(f.Names) == 1 && f.Literals == 0 {
		return "constraint " + f.Constraints[0].Text
	}
	return f.String()
}

// where describes which segment of a pattern's path is compared at place i in the order
// of matching.
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

// hostRule returns the rule by which the first of two hosts wins.
func hostRule(a, b *pattern.Pattern) string {
	f, g, rule := a.HostPattern(), b.HostPattern(), ""
	switch {
	case b.Host == "":
		return "host " + a.HostText() + " beats every host"
	case f == nil || g == nil:
		return "host " + a.HostText() + " beats " + b.HostText() + ", which has parameters"
	case f.Literals != g.Literals:
		rule = "more text beats less"
	case (f.CatchAll < 0) != (g.CatchAll < 0):
		rule = "a fixed number of labels beats any number"
	case f.Constraints != g.Constraints:
		rule = "more constraints beat fewer"
	default:
		rule = "it was registered first"
	}
	return fmt.Sprintf("host %s beats %s: %s", a.HostText(), b.HostText(), rule)
}
