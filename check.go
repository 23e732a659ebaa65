package muxwell

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/language"
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
			if slices.ContainsFunc(c.snapshot.routes, rt.yieldsTo) {
				continue // it takes the prefix of a mount only if nothing else does
			}
			report.Unreachable = append(report.Unreachable, Unreachable{rt, by, reason})
		}
	}
	return report
}

// Sample returns a request that rt takes, a route of m, as a server would hand it
// to m, with the headers, the query and whatever else rt asks for. Its method is
// GET if that can be, and its host is example.com where rt does not name one.
// Values of parameters are their names where that fits. It has no body, though it
// may have a Content-Type. Sample reports false if it found none: rt is no route
// of m, other routes take all of its requests, or a constraint or [MatchFunc]
// takes nothing of what was tried.
func (m *Mux) Sample(rt *Route) (*http.Request, bool) {
	c := newChecker(m.current())
	if r, ok := c.sample(rt); ok {
		return r, true // so it is for most
	}
	for _, q := range c.snapshot.routes {
		if q != rt {
			c.relate(q, rt)
		}
	}
	return c.sample(rt)
}

func newChecker(s *snapshot) *checker {
	return &checker{snapshot: s, explainer: explainer{snapshot: s}, index: make(map[string]*overlaps), before: make(map[*Route][]*Route)}
}

// A checker compares the routes of a snapshot.
type checker struct {
	snapshot *snapshot
	index    map[string]*overlaps // by host: the routes seen so far
	before   map[*Route][]*Route  // those that overlap with a route and go first

	explainer explainer // that compares two routes
}

// overlaps returns the overlaps of rt with the routes seen before it.
func (c *checker) overlaps(rt *Route) []Overlap {
	o := c.index[rt.host]
	if o == nil {
		o = newOverlaps()
		c.index[rt.host] = o
	}
	var found []Overlap
	for _, routes := range o.candidates(rt) {
		for _, q := range routes {
			if both, ok := c.relate(q, rt); ok {
				found = append(found, both)
			}
		}
	}
	o.add(rt)
	slices.SortFunc(found, func(a, b Overlap) int {
		return cmp.Compare(min(a.First.index, a.Second.index), min(b.First.index, b.Second.index))
	})
	return found
}

// relate returns the overlap of two routes, and false if they have none.
func (c *checker) relate(p, q *Route) (o Overlap, ok bool) {
	if p.host != q.host {
		return o, false
	}
	paths := relatePaths(p.segs, q.segs)
	if paths == disjoint {
		return o, false
	}
	for _, pm := range p.methodsOrAny() {
		for _, qm := range q.methodsOrAny() {
			r := relateMethods(pm, qm).and(paths)
			if r == disjoint {
				continue
			}
			o.Crossing = o.Crossing || r == overlap && !(paths == overlap && nested(p, q, pm, qm))
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
	o.Host = o.First.hostExample()
	if path, ok := witness(p.segs, q.segs); ok {
		o.Path = path
	}
	c.before[o.Second] = append(c.before[o.Second], o.First)
	return o, true
}

// nested reports whether one of two routes that overlap by their paths, each
// with one of its methods, is known to take all that the other one does.
func nested(p, q *Route, pm, qm string) bool {
	methods := relateMethods(pm, qm)
	return methods&onlyP == 0 && covers(q.segs, p.segs) || methods&onlyQ == 0 && covers(p.segs, q.segs)
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

// sample returns a request that rt takes, and false if none was found.
func (c *checker) sample(rt *Route) (*http.Request, bool) {
	hosts := []string{rt.hostExample()}
	if rt.host == "" {
		hosts = []string{"example.com", "a.b.example.org", "localhost"}
	}
	methods := slices.Clone(rt.methods)
	if methods == nil {
		methods = []string{http.MethodGet, http.MethodConnect, "ANY-OTHER"}
	}
	if i := slices.Index(methods, http.MethodGet); i > 0 {
		methods[0], methods[i] = methods[i], methods[0]
	}
	ways := c.sampleWays(rt)
	for _, method := range methods {
		for path := range c.samplePaths(rt) {
			for _, host := range hosts {
				for way := range ways {
					r := newSample(method, host, path)
					if r == nil {
						break
					}
					rt.meet(r, way)
					if c.snapshot.records[c.snapshot.resolve(r).record].route == rt {
						return r, true
					}
				}
			}
		}
	}
	return nil, false
}

// A request is sampled in several ways if matchers are about: with each of the
// settings of what they ask for that is there in every request, and with each of
// the first alternatives that the route's own have.
const (
	wayTLS = 1 << iota
	wayAccept
	wayContentType
	waySettings
	wayAlternatives = 4
)

// sampleWays returns in how many ways requests for rt are sampled.
func (c *checker) sampleWays(rt *Route) int {
	asks := func(q *Route) bool { return len(q.matchers()) > 0 }
	if asks(rt) || slices.ContainsFunc(c.before[rt], asks) {
		return waySettings * wayAlternatives
	}
	return 1
}

// meet makes a sample meet the matchers of rt, in the given way, and as few others
// as it may.
func (rt *Route) meet(r *http.Request, way int) {
	if way&wayTLS != 0 {
		r.TLS = new(tls.ConnectionState)
	}
	for _, m := range rt.matchers() {
		if m.meet != nil {
			m.meet(r, way/waySettings)
		}
	}
	const none = "application/x-none" // that no route has
	if way&wayAccept != 0 && r.Header["Accept"] == nil {
		r.Header.Set("Accept", none)
	}
	if way&wayContentType != 0 && r.Header["Content-Type"] == nil {
		r.Header.Set("Content-Type", none)
	}
	if r.URL.RawQuery != "" {
		r.RequestURI += "?" + r.URL.RawQuery
	}
}

// newSample returns a request as a server reads it from a connection, or nil if
// the path is none.
func newSample(method, host, path string) *http.Request {
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return nil
	}
	if method == http.MethodConnect {
		u.Host = host
	}
	return &http.Request{
		Method: method, Host: host, URL: u, RequestURI: path, Header: make(http.Header), Body: http.NoBody,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

// samplePaths iterates over paths that rt matches: with its parameters' names,
// then with texts that the routes before it do not take.
func (c *checker) samplePaths(rt *Route) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		most := len(rt.segs)
		for _, q := range c.before[rt] {
			most = max(most, len(q.segs))
		}
		for n := len(rt.segs); n <= most+2; n++ {
			segs, ok := ofLength(rt.segs, n)
			if !ok {
				return
			}
			if last := rt.last(); last.kind == rest && (last.text != "" || n > len(rt.segs)) {
				if path, ok := examplePath(segs, n-1, last.hints()[0]); ok && !yield(path) {
					return
				}
			}
			if path, ok := examplePath(segs, -1, ""); ok && !yield(path) {
				return
			}
			if !c.avoid(rt, segs, yield) {
				return
			}
		}
	}
}

// avoid yields paths of segs in which one segment, and then each, is a text that
// the routes before rt do not take there.
func (c *checker) avoid(rt *Route, segs []segment, yield func(string) bool) bool {
	before := c.before[rt]
	if len(before) == 0 {
		return true
	}
	texts := make([]string, len(segs))
	for i, g := range segs {
		texts[i], _ = g.example()
		if g.kind == literal && !g.fold || g.kind == end || g.kind == rest {
			continue
		}
		var out []segment
		for _, q := range before {
			if qs, ok := ofLength(q.segs, len(segs)); ok && qs[i].kind != param && qs[i].kind != rest {
				out = append(out, qs[i])
			}
		}
		text, answer := findText([]segment{g}, out)
		if answer != language.Found {
			continue
		}
		texts[i] = text
		if path, ok := examplePath(segs, i, text); ok && !yield(path) {
			return false
		}
	}
	var b strings.Builder
	for i, g := range segs {
		if g.kind == end || g.kind == rest {
			texts[i] = ""
		}
		b.WriteString("/" + escapeSegment(texts[i]))
	}
	return yield(b.String())
}

// whyUnreachable returns why no request reaches rt, and the route that takes all
// of its requests if there is one.
func (c *checker) whyUnreachable(rt *Route) (by *Route, reason string) {
	_, port := trimHost(rt.Host())
	if port != "" && rt.methods != nil && !slices.ContainsFunc(rt.methods, isConnect) {
		return nil, "only CONNECT requests have a port in their host; leave out " + port
	}
	var before []*Route // that take rt's methods
	for _, q := range c.before[rt] {
		if !takesMethods(q, rt) || !asksLess(q, rt) {
			continue
		}
		if covers(q.segs, rt.segs) {
			if texts := rt.Matchers(); len(texts) > 0 && len(texts) == len(q.matchers()) {
				return q, fmt.Sprintf("%s (%s) has the same matchers, %s, and goes first", q, q.Source(), strings.Join(texts, ", "))
			}
			return q, fmt.Sprintf("%s (%s) takes all of its requests", q, q.Source())
		}
		before = append(before, q)
	}
	for i, g := range rt.segs {
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
		if m.meet == nil || !hasMatcher(q, m.text) {
			return false
		}
	}
	if p.info != nil && len(p.info.queries) > 0 && p.home() != q.home() {
		return false // whose constraints of the same name may be others
	}
	if len(p.matchers()) == 0 || !samePath(p.segs, q.segs) {
		return true
	}
	return !slices.ContainsFunc(q.methods, func(m string) bool { return p.fit(m) < q.fit(m) }) &&
		!slices.ContainsFunc(q.matchers(), func(m matcher) bool { return m.quality != nil && !hasMatcher(p, m.text) })
}

func hasMatcher(rt *Route, text string) bool {
	return slices.ContainsFunc(rt.matchers(), func(m matcher) bool { return m.text == text })
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
			r := relateMethods(m, n)
			return r&shared != 0 && r&onlyP == 0
		}) {
			return false
		}
	}
	return true
}

// coverAt returns those of routes that differ from rt in segment i alone, or take
// more, if together they are known to take all that rt does, and else nil.
func coverAt(routes []*Route, rt *Route, i int) []*Route {
	if k := rt.segs[i].kind; k != mixed && k != constrained && k != param || catchAllAt(rt.segs) >= 0 {
		return nil
	}
	var together []*Route
	var out []segment
	for _, q := range routes {
		segs, ok := ofLength(q.segs, len(rt.segs))
		if !ok {
			continue
		}
		g := segs[i]
		segs[i] = rt.segs[i]
		if g.kind != rest && covers(segs, rt.segs) {
			together, out = append(together, q), append(out, g)
		}
	}
	if len(out) == 0 {
		return nil
	}
	if _, answer := findText(rt.segs[i:i+1], out); answer != language.None {
		return nil
	}
	return together
}

// covers reports whether p is known to match every path that q matches.
func covers(p, q []segment) bool {
	for n := len(q); n <= len(p)+len(q)+1; n++ {
		qs, ok := ofLength(q, n)
		if !ok {
			continue
		}
		ps, ok := ofLength(p, n)
		if !ok {
			return false
		}
		for i, g := range qs {
			switch h := ps[i]; {
			case h.kind == rest:
			case g.kind == rest:
				return false
			case g.same(h):
			default:
				if _, answer := findText([]segment{g}, []segment{h}); answer != language.None {
					return false
				}
			}
		}
	}
	return true
}
