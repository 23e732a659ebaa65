package inspect

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// An Overlap is a pair of entries for the same host that can both match the same
// request. Matchers are not compared.
type Overlap struct {
	First, Second *routing.Entry // First wins
	Rule          string         // the rule by which it wins
	// Crossing is set unless one of the two is known to match all of the other's
	// requests, or they differ only in their matchers.
	Crossing bool
	// A request that both match if their matchers are ignored. Host is "" for every
	// host. Path is escaped, and empty if none was found.
	Method, Host, Path string
}

// An Unreachable is an entry for which no request was found that it wins.
type Unreachable struct {
	Entry  *routing.Entry
	By     *routing.Entry // wins, and matches all of Entry's requests; nil if there is none
	Reason string         // why no request reaches Entry; "" if one may
}

// Check returns the entries that overlap, ordered by the registration of the second,
// then of the first, and the entries that win no request, in the order of registration.
// Its time may grow with the square of the number of entries that share their literals.
func (rs *Routes) Check() (overlaps []Overlap, unreachable []Unreachable) {
	c := newChecker(rs)
	for e := range rs.Entries {
		overlaps = append(overlaps, c.overlaps(e)...)
	}
	for e := range rs.Entries {
		if _, ok := c.sample(e); ok || rs.atPrefix(e) {
			continue
		}
		by, reason := c.whyUnreachable(e)
		unreachable = append(unreachable, Unreachable{e, by, reason})
	}
	return overlaps, unreachable
}

// atPrefix reports whether an entry at the prefix of a mount wins requests that no
// other entry there matches.
func (rs *Routes) atPrefix(e *routing.Entry) bool {
	if e.Rank == routing.Itself {
		return false
	}
	for q := range rs.Entries {
		if q.Rank < e.Rank && q.Pattern.Host == e.Pattern.Host && pattern.SamePath(q.Pattern.Segments, e.Pattern.Segments) {
			return true
		}
	}
	return false
}

// A checker compares the entries with each other.
type checker struct {
	comparer
	index  overlap.Index[*routing.Entry]       // the entries seen so far
	before map[*routing.Entry][]*routing.Entry // those that overlap with an entry and win
}

func newChecker(rs *Routes) *checker {
	return &checker{comparer: comparer{routes: rs}, before: make(map[*routing.Entry][]*routing.Entry)}
}

// overlaps returns the overlaps of e with the entries seen before it.
func (c *checker) overlaps(e *routing.Entry) []Overlap {
	var found []Overlap
	for q := range c.index.Candidates(e.Pattern) {
		if both, ok := c.relate(q, e); ok {
			found = append(found, both)
		}
	}
	c.index.Add(e.Pattern, e)
	slices.SortFunc(found, func(a, b Overlap) int {
		return cmp.Compare(min(a.First.Index, a.Second.Index), min(b.First.Index, b.Second.Index))
	})
	return found
}

// relate returns the overlap of two entries, and false if they have none.
func (c *checker) relate(p, q *routing.Entry) (o Overlap, ok bool) {
	if p.Pattern.Host != q.Pattern.Host {
		return o, false
	}
	paths := overlap.Paths(p.Pattern.Segments, q.Pattern.Segments)
	if paths == overlap.Disjoint {
		return o, false
	}
	for _, pm := range p.Pattern.MethodsOrAny() {
		for _, qm := range q.Pattern.MethodsOrAny() {
			r := overlap.Methods(pm, qm).And(paths)
			if r == overlap.Disjoint {
				continue
			}
			o.Crossing = o.Crossing || r == overlap.Partial && !(paths == overlap.Partial && nested(p, q, pm, qm))
			if ok {
				continue
			}
			ok = true
			o.Method = commonOf(pm, qm)
		}
	}
	if !ok {
		return o, false
	}
	c.method = o.Method
	o.First, o.Second = p, q
	if first, _ := c.compare(p, q); first > 0 {
		o.First, o.Second = q, p
	}
	_, o.Rule = c.compare(o.First, o.Second)
	o.Host = overlap.Host(o.First.Pattern)
	if path, ok := overlap.Common(p.Pattern.Segments, q.Pattern.Segments); ok {
		o.Path = path
	}
	c.before[o.Second] = append(c.before[o.Second], o.First)
	return o, true
}

// nested reports whether one of two entries whose paths overlap, each with one of its
// methods, is known to match all requests of the other.
func nested(p, q *routing.Entry, pm, qm string) bool {
	methods := overlap.Methods(pm, qm)
	return methods&overlap.OnlyP == 0 && covers(q.Pattern.Segments, p.Pattern.Segments) || methods&overlap.OnlyQ == 0 && covers(p.Pattern.Segments, q.Pattern.Segments)
}

// commonOf returns a method that both p and q include; "" is every method.
func commonOf(p, q string) string {
	switch {
	case p == "" && q == "":
		return http.MethodGet
	case p == "" || p == http.MethodGet && q == http.MethodHead:
		return q
	}
	return p
}

// whyUnreachable returns why no request reaches e, and the entry that matches all of
// its requests if there is one.
func (c *checker) whyUnreachable(e *routing.Entry) (by *routing.Entry, reason string) {
	_, port := hostname.Trim(e.Pattern.HostText())
	if port != "" && e.Pattern.Methods != nil && !slices.ContainsFunc(e.Pattern.Methods, pattern.IsConnect) {
		return nil, "only CONNECT requests have a port in their host; omit " + port
	}
	var before []*routing.Entry // those with e's methods
	for _, q := range c.before[e] {
		if !hasMethods(q, e) || !c.asksLess(q, e) {
			continue
		}
		if covers(q.Pattern.Segments, e.Pattern.Segments) {
			if hasMatchers(e) && len(e.Matchers.Matchers) == len(q.Matchers.Matchers) {
				return q, fmt.Sprintf("%s (%s) has the same matchers, %s, and takes precedence", q.Pattern.Text, c.routes.Source(q), matcherTexts(e))
			}
			return q, fmt.Sprintf("%s (%s) matches all of its requests", q.Pattern.Text, c.routes.Source(q))
		}
		before = append(before, q)
	}
	for i, g := range e.Pattern.Segments {
		if together := coverAt(before, e, i); len(together) > 0 {
			return nil, fmt.Sprintf("%d routes together match all that %s does, such as %s (%s)", len(together), g, together[0].Pattern.Text, c.routes.Source(together[0]))
		}
	}
	return nil, ""
}

// asksLess reports whether the matchers of p, which wins over q, are known to match all
// requests that those of q match: q has them too, with the same constraints. If both
// have the same path, q must neither fit a method better nor have media types that the
// client may prefer.
func (c *checker) asksLess(p, q *routing.Entry) bool {
	for _, m := range p.Matchers.Matchers {
		if m.Satisfy == nil || !hasMatcher(q, m.Text) {
			return false
		}
	}
	if len(p.Matchers.Queries) > 0 && !c.routes.SameConstraints(p, q) {
		return false
	}
	if !hasMatchers(p) || !pattern.SamePath(p.Pattern.Segments, q.Pattern.Segments) || p.Rank != q.Rank {
		return true
	}
	return !slices.ContainsFunc(q.Pattern.Methods, func(m string) bool { return p.Pattern.MethodRank(m) < q.Pattern.MethodRank(m) }) &&
		!slices.ContainsFunc(q.Matchers.Matchers, func(m matcher.Matcher) bool { return m.Accept != nil && !hasMatcher(p, m.Text) })
}

// hasMethods reports whether p has every method that q has.
func hasMethods(p, q *routing.Entry) bool {
	for _, m := range q.Pattern.MethodsOrAny() {
		if !slices.ContainsFunc(p.Pattern.MethodsOrAny(), func(n string) bool {
			r := overlap.Methods(m, n)
			return r&overlap.Shared != 0 && r&overlap.OnlyP == 0
		}) {
			return false
		}
	}
	return true
}

// coverAt returns those entries that differ from e only in segment i, or match more, if
// together they are known to match everything that e does. Otherwise it returns nil.
func coverAt(entries []*routing.Entry, e *routing.Entry, i int) []*routing.Entry {
	if k := e.Pattern.Segments[i].Kind; k != pattern.Composite && k != pattern.Constrained && k != pattern.Param || pattern.CatchAllAt(e.Pattern.Segments) >= 0 {
		return nil
	}
	var together []*routing.Entry
	var out []pattern.Segment
	for _, q := range entries {
		segs, ok := overlap.OfLength(q.Pattern.Segments, len(e.Pattern.Segments))
		if !ok {
			continue
		}
		g := segs[i]
		segs[i] = e.Pattern.Segments[i]
		if g.Kind != pattern.CatchAll && covers(segs, e.Pattern.Segments) {
			together, out = append(together, q), append(out, g)
		}
	}
	if len(out) == 0 {
		return nil
	}
	if _, answer := overlap.Find(e.Pattern.Segments[i:i+1], out); answer != language.None {
		return nil
	}
	return together
}

// covers reports whether p is known to match every path that q matches.
func covers(p, q []pattern.Segment) bool {
	for n := len(q); n <= len(p)+len(q)+1; n++ {
		qs, ok := overlap.OfLength(q, n)
		if !ok {
			continue
		}
		ps, ok := overlap.OfLength(p, n)
		if !ok {
			return false
		}
		for i, g := range qs {
			switch h := ps[i]; {
			case h.Kind == pattern.CatchAll:
			case g.Kind == pattern.CatchAll:
				return false
			case g.Same(h):
			default:
				if _, answer := overlap.Find([]pattern.Segment{g}, []pattern.Segment{h}); answer != language.None {
					return false
				}
			}
		}
	}
	return true
}
