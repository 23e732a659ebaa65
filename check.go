package muxwell

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/language"
)

// A Report says how the routes of a mux lie to each other. [Mux.Check] returns it.
type Report struct {
	Overlaps    []Overlap     // by the registration of Second, then of First
	Unreachable []Unreachable // in the order of registration
}

// An Overlap is a pair of routes for the same host that a request can match
// both; the order of precedence decides.
type Overlap struct {
	First, Second *Route // First goes first
	Rule          string // "literal beats parameter at segment 1"
	// Crossing is set unless it is known that one of the two takes all of the
	// other's requests: neither is more specific, and http.ServeMux refuses such
	// a pair, as far as it knows the patterns.
	Crossing bool
	// A request that both match. Path is escaped, and empty if none was found: a
	// constraint that is a function may take no text that was tried.
	Method, Host, Path string
}

// An Unreachable is a route for which no request was found that it takes.
type Unreachable struct {
	Route *Route
	// By is a route that goes first and takes all of Route's requests. It is nil
	// if it is not known whether there are any that reach Route.
	By *Route
}

// Check compares the routes with each other: which of them overlap, and which
// can never take a request. Its time grows with the square of the number of
// routes of which the segments do not differ. It is for tools and tests.
func (m *Mux) Check() *Report {
	s := m.live.Load()
	if s == nil {
		s = m.publish()
	}
	c := checker{snapshot: s, index: make(map[string]*overlaps), before: make(map[*Route][]*Route)}
	report := new(Report)
	for i := range s.records[1:] {
		rt := s.records[1+i].route
		report.Overlaps = append(report.Overlaps, c.overlaps(rt)...)
	}
	for i := range s.records[1:] {
		rt := s.records[1+i].route
		if _, _, _, ok := c.sample(rt); !ok {
			report.Unreachable = append(report.Unreachable, Unreachable{rt, c.coveredBy(rt)})
		}
	}
	return report
}

// Sample returns a request that rt takes, a route of m: its method, which is GET
// if that can be, its host, and its path, escaped. If rt is for every host so is
// the request, and the host returned is one of many. Values of parameters are their names where that fits. It reports false if it found
// none, because other routes take all of rt's requests, or because a constraint
// that is a function takes none of the texts that were tried.
func (m *Mux) Sample(rt *Route) (method, host, path string, ok bool) {
	s := m.live.Load()
	if s == nil {
		s = m.publish()
	}
	c := checker{snapshot: s, before: make(map[*Route][]*Route)}
	if method, host, path, ok = c.sample(rt); ok {
		return method, host, path, true // so it is for most
	}
	for i := range s.records[1:] {
		if q := s.records[1+i].route; q != rt {
			c.relate(q, rt)
		}
	}
	return c.sample(rt)
}

// A checker compares the routes of a snapshot.
type checker struct {
	snapshot *snapshot
	index    map[string]*overlaps // by host: the routes seen so far
	before   map[*Route][]*Route  // those that overlap with a route and go first
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
			if overlap, ok := c.relate(q, rt); ok {
				found = append(found, overlap)
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
			o.Crossing = o.Crossing || r == overlap && !(paths == overlap && c.contains(p, q, pm, qm))
			if ok {
				continue
			}
			ok = true
			o.Method = c.anyMethod(pm, qm)
		}
	}
	if !ok {
		return o, false
	}
	x := explainer{snapshot: c.snapshot, method: o.Method}
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

// contains reports whether one of two routes that overlap by their paths, each
// with one of its methods, is known to take all that the other one does.
func (c *checker) contains(p, q *Route, pm, qm string) bool {
	methods := relateMethods(pm, qm)
	return methods&onlyP == 0 && covers(q.segs, p.segs) || methods&onlyQ == 0 && covers(p.segs, q.segs)
}

// anyMethod returns a method that both p and q take, "" being every one.
func (c *checker) anyMethod(p, q string) string {
	switch {
	case p == "" && q == "":
		return http.MethodGet
	case p == "" || p == http.MethodGet && q == http.MethodHead:
		return q
	}
	return p
}

// sample returns a request that rt takes, and false if none was found.
func (c *checker) sample(rt *Route) (method, host, path string, ok bool) {
	hosts := []string{rt.hostExample()}
	if rt.host == "" {
		hosts = []string{"example.com", "a.b.example.org", "localhost"}
	}
	methods := rt.methods
	if methods == nil {
		methods = []string{http.MethodGet, http.MethodConnect, "ANY-OTHER"}
	}
	if slices.Contains(methods, http.MethodGet) {
		methods = append([]string{http.MethodGet}, methods...)
	}
	for _, method := range methods {
		for path := range c.samplePaths(rt) {
			for _, host := range hosts {
				if c.takes(rt, method, host, path) {
					return method, host, path, true
				}
			}
		}
	}
	return "", "", "", false
}

// takes reports whether a request goes to rt.
func (c *checker) takes(rt *Route, method, host, path string) bool {
	text, err := url.PathUnescape(path)
	if err != nil {
		return false
	}
	r := &http.Request{Method: method, Host: host, URL: &url.URL{Path: text, RawPath: path, Host: host}}
	return c.snapshot.resolve(r).record == rt.record()
}

// samplePaths iterates over paths that rt matches: with its parameters' names,
// then with texts that the routes before it do not take.
func (c *checker) samplePaths(rt *Route) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for n := len(rt.segs); n <= len(rt.segs)+2; n++ {
			segs, ok := ofLength(rt.segs, n)
			if !ok {
				return
			}
			if last := rt.last(); last.kind == rest && last.text != "" {
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
		if g.kind == literal || g.kind == end || g.kind == rest {
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
		b.WriteString("/" + url.PathEscape(texts[i]))
	}
	return yield(b.String())
}

// coveredBy returns a route that goes before rt and takes all of its requests,
// or nil.
func (c *checker) coveredBy(rt *Route) *Route {
	for _, q := range c.before[rt] {
		methods := true
		for _, m := range rt.methodsOrAny() {
			methods = methods && slices.ContainsFunc(q.methodsOrAny(), func(n string) bool {
				r := relateMethods(m, n)
				return r&shared != 0 && r&onlyP == 0
			})
		}
		if methods && covers(q.segs, rt.segs) {
			return q
		}
	}
	return nil
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
