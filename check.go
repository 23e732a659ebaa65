package muxwell

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// A Report says how the routes of a mux relate to each other. [Mux.Check]
// returns it.
type Report struct {
	Overlaps    []Overlap     // by the registration of Second, then of First
	Unreachable []Unreachable // in the order of registration
}

// An Overlap is a pair of routes for the same host that a request can match
// both; the order of precedence decides. Matchers are not compared: those of the
// two may have no request in common.
type Overlap struct {
	First, Second *Route // First goes first
	Rule          string // "literal beats parameter at segment 1"
	// Crossing is set unless it is known that one of the two takes all of the
	// other's requests: neither is more specific, and http.ServeMux refuses such
	// a pair, as far as it knows the patterns. Two that differ in their matchers only
	// are not crossing.
	Crossing bool
	// A request that both match but for matchers, where Host is "" for every host.
	// Path is escaped, and empty if none was found: a constraint that is a function
	// may take no text that was tried.
	Method, Host, Path string
}

// String returns in two lines which route goes first, by which rule, and for
// which request:
//
//	routes.txt:1: GET /a/{x} crosses GET /{y}/b (routes.txt:2) and goes first
//		literal beats parameter at segment 1; both match GET /a/b
func (o Overlap) String() string {
	relation := "%s: %s goes before %s (%s)"
	if o.Crossing {
		relation = "%s: %s crosses %s (%s) and goes first"
	}
	request := "a request that both match is unknown"
	if o.Path != "" {
		request = fmt.Sprintf("both match %s %s%s", o.Method, o.Host, o.Path)
	}
	return fmt.Sprintf(relation+"\n\t%s; %s", o.First.Source(), o.First, o.Second, o.Second.Source(), o.Rule, request)
}

// An Unreachable is a route for which no request was found that it takes.
type Unreachable struct {
	Route  *Route
	By     *Route // that goes first and takes all of Route's requests, or nil
	Reason string // why no request reaches Route; "" if it is not known whether one does
}

// String returns in a line which route never wins, and why.
func (u Unreachable) String() string {
	if u.Reason == "" {
		return fmt.Sprintf("%s: %s: unknown if it ever wins; no request was found that it takes", u.Route.Source(), u.Route)
	}
	return fmt.Sprintf("%s: %s can never win: %s", u.Route.Source(), u.Route, u.Reason)
}

// Check compares the routes with each other: which of them overlap, and which
// can never take a request. Two routes are compared if their hosts are the same.
// That routes take all of another's requests is known if one of them does, or if
// several do that differ from it in one segment. A route with matchers takes all
// requests of another one only if that asks for the same, option by option, and
// more; of functions it is never known. Where many routes share their literal
// segments the time grows with the square of their number; for most it does not.
// It is for tools and tests.
func (m *Mux) Check() *Report {
	c := newChecker(m.current())
	report := new(Report)
	for _, rt := range c.snapshot.routes {
		report.Overlaps = append(report.Overlaps, c.overlaps(rt)...)
	}
	for _, rt := range c.snapshot.routes {
		if _, ok := c.sample(rt); !ok {
			by, reason := c.whyUnreachable(rt)
			if rt.entry.Rank > routing.Itself && slices.ContainsFunc(c.snapshot.routes, func(q *Route) bool {
				return q.entry.Rank < rt.entry.Rank && q.pattern.Host == rt.pattern.Host && pattern.SamePath(q.pattern.Segments, rt.pattern.Segments)
			}) {
				continue // it is at the prefix of a mount for what no other route there matches
			}
			report.Unreachable = append(report.Unreachable, Unreachable{rt, by, reason})
		}
	}
	return report
}

func newChecker(s *snapshot) *checker {
	return &checker{snapshot: s, explainer: explainer{snapshot: s}, before: make(map[*Route][]*Route)}
}

// A checker compares the routes of a snapshot.
type checker struct {
	snapshot *snapshot
	index    overlap.Index[*Route] // the routes seen so far
	before   map[*Route][]*Route   // those that overlap with a route and go first

	explainer explainer // that compares two routes
}

// overlaps returns the overlaps of rt with the routes seen before it.
func (c *checker) overlaps(rt *Route) []Overlap {
	var found []Overlap
	for q := range c.index.Candidates(&rt.pattern) {
		if both, ok := c.relate(q, rt); ok {
			found = append(found, both)
		}
	}
	c.index.Add(&rt.pattern, rt)
	slices.SortFunc(found, func(a, b Overlap) int {
		return cmp.Compare(min(a.First.entry.Index, a.Second.entry.Index), min(b.First.entry.Index, b.Second.entry.Index))
	})
	return found
}

// relate returns the overlap of two routes, and false if they have none.
func (c *checker) relate(p, q *Route) (o Overlap, ok bool) {
	if p.pattern.Host != q.pattern.Host {
		return o, false
	}
	paths := overlap.Paths(p.pattern.Segments, q.pattern.Segments)
	if paths == overlap.Disjoint {
		return o, false
	}
	for _, pm := range p.methodsOrAny() {
		for _, qm := range q.methodsOrAny() {
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
	x := &c.explainer
	x.method = o.Method
	o.First, o.Second = p, q
	if first, _ := x.compare(p, q); first > 0 {
		o.First, o.Second = q, p
	}
	_, o.Rule = x.compare(o.First, o.Second)
	o.Host = overlap.Host(&o.First.pattern)
	if path, ok := overlap.Common(p.pattern.Segments, q.pattern.Segments); ok {
		o.Path = path
	}
	c.before[o.Second] = append(c.before[o.Second], o.First)
	return o, true
}

// nested reports whether one of two routes that overlap by their paths, each
// with one of its methods, is known to take all that the other one does.
func nested(p, q *Route, pm, qm string) bool {
	methods := overlap.Methods(pm, qm)
	return methods&overlap.OnlyP == 0 && covers(q.pattern.Segments, p.pattern.Segments) || methods&overlap.OnlyQ == 0 && covers(p.pattern.Segments, q.pattern.Segments)
}

// commonOf returns a method that both p and q take, "" being every one.
func commonOf(p, q string) string {
	switch {
	case p == "" && q == "":
		return http.MethodGet
	case p == "" || p == http.MethodGet && q == http.MethodHead:
		return q
	}
	return p
}

// whyUnreachable returns why no request reaches rt, and the route that takes all
// of its requests if there is one.
func (c *checker) whyUnreachable(rt *Route) (by *Route, reason string) {
	_, port := hostname.Trim(rt.Host())
	if port != "" && rt.pattern.Methods != nil && !slices.ContainsFunc(rt.pattern.Methods, pattern.IsConnect) {
		return nil, "only CONNECT requests have a port in their host; leave out " + port
	}
	var before []*Route // that take rt's methods
	for _, q := range c.before[rt] {
		if !takesMethods(q, rt) || !asksLess(q, rt) {
			continue
		}
		if covers(q.pattern.Segments, rt.pattern.Segments) {
			if texts := rt.Matchers(); len(texts) > 0 && len(texts) == len(q.matchers()) {
				return q, fmt.Sprintf("%s (%s) has the same matchers, %s, and goes first", q, q.Source(), strings.Join(texts, ", "))
			}
			return q, fmt.Sprintf("%s (%s) takes all of its requests", q, q.Source())
		}
		before = append(before, q)
	}
	for i, g := range rt.pattern.Segments {
		if together := coverAt(before, rt, i); len(together) > 0 {
			return nil, fmt.Sprintf("%d routes together take all that %s does, as %s (%s) does some of it", len(together), g, together[0], together[0].Source())
		}
	}
	return nil, ""
}

// asksLess reports whether the matchers of p, which goes before q, are known to
// take all requests that those of q take: q has them too. Where both have the same
// path, q must not fit a method better, nor give the client more to wish for.
func asksLess(p, q *Route) bool {
	for _, m := range p.matchers() {
		if m.Satisfy == nil || !hasMatcher(q, m.Text) {
			return false
		}
	}
	if p.info != nil && len(p.info.Queries) > 0 && p.home() != q.home() {
		return false // whose constraints of the same name may be others
	}
	if len(p.matchers()) == 0 || !pattern.SamePath(p.pattern.Segments, q.pattern.Segments) || p.entry.Rank != q.entry.Rank {
		return true
	}
	return !slices.ContainsFunc(q.pattern.Methods, func(m string) bool { return p.pattern.Fit(m) < q.pattern.Fit(m) }) &&
		!slices.ContainsFunc(q.matchers(), func(m matcher.Matcher) bool { return m.Accept != nil && !hasMatcher(p, m.Text) })
}

func hasMatcher(rt *Route, text string) bool {
	return slices.ContainsFunc(rt.matchers(), func(m matcher.Matcher) bool { return m.Text == text })
}

// home returns the mux that a route was registered with.
func (rt *Route) home() *Mux {
	for rt.info != nil && rt.info.origin != nil {
		rt = rt.info.origin
	}
	return rt.group.mux
}

// takesMethods reports whether p takes every method that q does.
func takesMethods(p, q *Route) bool {
	for _, m := range q.methodsOrAny() {
		if !slices.ContainsFunc(p.methodsOrAny(), func(n string) bool {
			r := overlap.Methods(m, n)
			return r&overlap.Shared != 0 && r&overlap.OnlyP == 0
		}) {
			return false
		}
	}
	return true
}

// coverAt returns those of routes that differ from rt in segment i alone, or take
// more, if together they are known to take all that rt does, and else nil.
func coverAt(routes []*Route, rt *Route, i int) []*Route {
	if k := rt.pattern.Segments[i].Kind; k != pattern.Composite && k != pattern.Constrained && k != pattern.Param || pattern.CatchAllAt(rt.pattern.Segments) >= 0 {
		return nil
	}
	var together []*Route
	var out []pattern.Segment
	for _, q := range routes {
		segs, ok := overlap.OfLength(q.pattern.Segments, len(rt.pattern.Segments))
		if !ok {
			continue
		}
		g := segs[i]
		segs[i] = rt.pattern.Segments[i]
		if g.Kind != pattern.CatchAll && covers(segs, rt.pattern.Segments) {
			together, out = append(together, q), append(out, g)
		}
	}
	if len(out) == 0 {
		return nil
	}
	if _, answer := overlap.Find(rt.pattern.Segments[i:i+1], out); answer != language.None {
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
