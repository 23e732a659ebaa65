package muxwell

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// An Explanation says what becomes of a request and why: the route that takes
// it, and the other routes that matched or nearly did, each with the rule that
// decided against it. [Mux.Explain] returns it.
type Explanation struct {
	Method string
	Host   string // as it is compared with patterns
	Path   string // as it is compared with patterns: clean, unless the request is CONNECT or paths are served as sent; escaped if it was sent so

	Route  *Route // that takes the request; nil if none does
	Params Params // of Route

	// What the mux answers itself if Route is nil.
	Status   int      // 204, 307, 400, 404, 405, 406 or 415; 0 if a route takes the request
	Location string   // of a redirect
	Allow    []string // of a 204 or 405

	Others []Candidate // those that matched by precedence, then those that nearly did in the order of registration
}

// A Candidate is a route that did not get a request.
type Candidate struct {
	Route *Route
	// Matched is set if it matches, and another goes first. Else it misses by one
	// thing, of which its matchers together are one.
	Matched bool
	// Reason is the rule that decided: "literal beats parameter at segment 2", or
	// what is amiss: `constraint int refused "x"`, "header X-Beta is missing". It is
	// for people to read; its wording may change.
	Reason string
}

// Explain returns which route takes a request, with its parameters, and why the
// others do not. It looks at every route and names them with their source lines:
// it is for tools, tests and a developer's error page, neither for each request
// nor for the eyes of strangers. It does not change r and calls no handler, but
// the functions of [MatchFunc] and [Constraint].
func (m *Mux) Explain(r *http.Request) *Explanation {
	s := m.current()
	x := explainer{snapshot: s, request: r, method: r.Method, host: r.Host, connect: r.Method == http.MethodConnect}
	if !x.connect {
		x.host = stripPort(r.Host)
	}
	e := &Explanation{Method: r.Method, Host: foldHost(x.host)}
	if r.RequestURI == "*" {
		e.Path, e.Status = "*", http.StatusBadRequest
		return e
	}
	a := s.resolve(r)
	x.path, x.escaped = a.path, a.escaped
	if a.record == 0 {
		q := s.query(r, r.Host)
		x.path, x.escaped = q.path, q.escaped
		if !x.connect && s.config.unclean == PathRedirect {
			x.path = cleanPath(x.path)
		}
		e.Status, e.Location, e.Allow = a.status, escapeBeyondASCII(a.location), a.allowed
	} else {
		e.Route = s.records[a.record].route
		e.Params = e.Route.paramsOf(r, a.place())
	}
	e.Path = x.path
	x.split()
	e.Others = x.others(e.Route)
	return e
}

// An explainer compares one request with every route, without the tables.
type explainer struct {
	snapshot *snapshot
	request  *http.Request // nil where routes are compared without one
	method   string
	host     string // as it was sent, without a port unless the request is a CONNECT
	connect  bool
	path     string
	escaped  bool
	parts    []string // the path, split at its slashes; nil if it begins with none
	slashed  []string // the same with a final slash more, or less
	// What several comparisons need, once it was needed.
	hosts map[string]int  // where a host with parameters is in snapshot.forms
	ranks map[rankKey]int // see rank
}

type rankKey struct {
	route *Route
	i     int
}

// split sets the parts of the path.
func (x *explainer) split() {
	if x.path == "" || x.path[0] != '/' {
		return
	}
	x.parts = strings.Split(x.path[1:], "/")
	n := len(x.parts)
	switch {
	case x.parts[n-1] != "":
		x.slashed = append(x.parts[:n:n], "")
	case n > 1:
		x.slashed = x.parts[:n-1]
	}
}

// others returns the routes besides the winner that match or nearly do.
func (x *explainer) others(winner *Route) []Candidate {
	var matched, near []Candidate
	for _, rt := range x.snapshot.routes {
		if rt == winner {
			continue
		}
		switch ok, reason := x.matches(rt); {
		case ok:
			matched = append(matched, Candidate{Route: rt, Matched: true})
		case reason != "":
			near = append(near, Candidate{Route: rt, Reason: reason})
		}
	}
	slices.SortFunc(matched, func(a, b Candidate) int {
		c, _ := x.compare(a.Route, b.Route)
		return c
	})
	for from := 0; from < len(matched); {
		to := from + 1
		for to < len(matched) && x.share(matched[from].Route, matched[to].Route) {
			to++
		}
		x.sortByQuality(matched[from:to])
		from = to
	}
	for i := range matched {
		matched[i].Reason = "the request is redirected first"
		if winner != nil {
			_, matched[i].Reason = x.compare(winner, matched[i].Route)
		}
	}
	return append(matched, near...)
}

// matches reports whether a route matches, and if it misses by one thing only,
// by which.
func (x *explainer) matches(rt *Route) (ok bool, reason string) {
	var misses []string
	ok, reason = x.matchesPath(rt, x.parts)
	switch {
	case ok:
	case reason != "":
		misses = append(misses, reason)
	default:
		if reason = x.otherSlash(rt); reason == "" {
			return false, ""
		}
		misses = append(misses, reason)
	}
	if f := rt.hostForm(); rt.host != "" && (f == nil && rt.host != foldHost(x.host) || f != nil && !f.matches(x.host, nil)) {
		misses = append(misses, "host: it is for "+rt.Host())
	}
	if rt.fit(x.method) == 0 {
		misses = append(misses, "method: it is for "+strings.Join(rt.methods, ", "))
	}
	if len(misses) < 2 {
		if reason = x.missed(rt); reason != "" {
			misses = append(misses, reason)
		}
	}
	switch len(misses) {
	case 0:
		return true, ""
	case 1:
		return false, misses[0]
	}
	return false, ""
}

// missed says which matchers of a route do not take the request, and why, or "".
func (x *explainer) missed(rt *Route) string {
	var reasons []string
	for _, m := range rt.matchers() {
		if !m.takes(x.request, &x.snapshot.config) {
			reasons = append(reasons, m.miss(x.request, &x.snapshot.config))
		}
	}
	return strings.Join(reasons, "; ")
}

// otherSlash says if the route would match with a final slash more or less.
func (x *explainer) otherSlash(rt *Route) (reason string) {
	if ok, _ := x.matchesPath(rt, x.slashed); !ok {
		return ""
	}
	path, cut := strings.CutSuffix(x.path, "/")
	if !cut {
		path += "/"
	}
	return "final slash: it matches " + strconv.Quote(abridge(path))
}

// matchesPath reports whether the path of a route matches one of the given
// parts, and if it does not because of a constraint alone, which one refused
// what.
func (x *explainer) matchesPath(rt *Route, parts []string) (ok bool, reason string) {
	segs := rt.segs
	// The catch-all takes the parts from here to there, whatever they are.
	from, more := catchAllAt(segs), len(parts)-len(segs)
	if more < 0 || more > 0 && from < 0 {
		return false, ""
	}
	for i := range segs {
		if i == from {
			continue
		}
		g, part := &segs[i], ""
		if from < 0 || i < from {
			part = parts[i]
		} else {
			part = parts[i+more]
		}
		if g.kind != literal && g.kind != end && (part == "" || !x.connect && isDots(part)) {
			return false, ""
		}
		if x.escaped {
			part = unescapePart(part)
		}
		if g.takes(part) {
			continue
		}
		why := g.refusal(part)
		if why == "" || reason != "" {
			return false, ""
		}
		reason = why
	}
	if from >= 0 && segs[from].kind == middle && more == 0 && parts[from] == "" {
		return false, ""
	}
	return reason == "", reason
}

// refusal says which constraint refused what, if the segment would take the text
// without its constraints, and else "".
func (g segment) refusal(text string) string {
	if g.form == nil {
		return ""
	}
	free := *g.form
	free.check, free.program = nil, nil
	if !free.matches(text) {
		return ""
	}
	vals := make([]string, len(free.names))
	free.split(vals, text)
	for i, c := range g.form.constraints {
		if c.check != nil && !c.check(vals[i]) {
			return fmt.Sprintf("constraint %s refused %q", c.text, abridge(vals[i]))
		}
	}
	return fmt.Sprintf("constraints of %s refused %q", g.form, abridge(text))
}

// compare compares two routes that match, and says by which rule the first one
// goes before the second.
func (x *explainer) compare(a, b *Route) (c int, reason string) {
	if a.host != b.host {
		return x.compareHosts(a, b)
	}
	as, bs := a.order(), b.order()
	for i := range min(len(as), len(bs)) {
		if g, h := as[i], bs[i]; !g.same(h) {
			c, reason := x.compareSegments(a, b, i)
			return c, reason + x.where(a, i)
		}
	}
	if c := len(bs) - len(as); c != 0 {
		return c, "more segments behind the catch-all beat fewer"
	}
	switch {
	case b.yieldsTo(a):
		return -1, "{$} beats catch-all in the mounted mux"
	case a.yieldsTo(b):
		return 1, ""
	}
	if c := b.fit(x.method) - a.fit(x.method); c != 0 {
		methods := map[int]string{3: x.method, 2: "GET", 1: "any method"}
		return c, fmt.Sprintf("method: %s beats %s", methods[a.fit(x.method)], methods[b.fit(x.method)])
	}
	return compareShared(a, b), x.preference(a, b)
}

// share reports whether two routes differ in their matchers at most, as far as the
// request goes.
func (x *explainer) share(a, b *Route) bool {
	return a.host == b.host && samePath(a.order(), b.order()) && a.fit(x.method) == b.fit(x.method)
}

// preference says why the first of two routes that differ in their matchers only
// goes before the second; see [sharedPath.choose].
func (x *explainer) preference(a, b *Route) string {
	if len(b.matchers()) == 0 {
		return "a matcher beats none"
	}
	switch p, q := x.quality(a), x.quality(b); {
	case p > q && q > 0:
		return fmt.Sprintf("the client prefers it (Accept q=%s, not q=%s)", formatQuality(p), formatQuality(q))
	case p > q && a.index > b.index:
		return fmt.Sprintf("the client prefers it (Accept q=%s) to what was registered first", formatQuality(p))
	}
	return "registered first among those with matchers"
}

// quality returns how much the client wants what a route has that takes the
// request, from 1 to 1000, or 0 if it is not asked.
func (x *explainer) quality(rt *Route) int {
	if x.request == nil {
		return 0
	}
	quality, _ := rt.wanted(x.request, &x.snapshot.config)
	return quality
}

func formatQuality(q int) string { return strconv.FormatFloat(float64(q)/1000, 'f', -1, 64) }

// sortByQuality sorts candidates that share a path and a method, which are in the
// order of compareShared, as choose would take one after the other.
func (x *explainer) sortByQuality(those []Candidate) {
	for i := range those {
		best, quality := i, x.quality(those[i].Route)
		for j := i + 1; j < len(those) && quality > 0; j++ {
			if q := x.quality(those[j].Route); q > quality {
				best, quality = j, q
			}
		}
		chosen := those[best]
		copy(those[i+1:best+1], those[i:best])
		those[i] = chosen
	}
}

// compareSegments is compare for routes that differ in segment i first, in the
// order of matching.
func (x *explainer) compareSegments(a, b *Route, i int) (c int, reason string) {
	g, h := a.order()[i], b.order()[i]
	if g.kind != h.kind {
		return cmp.Compare(g.kind, h.kind), fmt.Sprintf("%v beats %v", g.kind, h.kind)
	}
	if g.kind == literal {
		return strings.Compare(g.text, h.text), "the texts differ" // no path has both
	}
	if c := g.form.compare(h.form); c != 0 {
		switch {
		case g.form.literals != h.form.literals:
			return c, "more text beats less"
		case len(g.form.prefix) != len(h.form.prefix):
			return c, "more text in front beats less"
		}
		return c, "more constraints beat fewer"
	}
	return x.rank(a, i) - x.rank(b, i), fmt.Sprintf("%s was registered before %s", g.form.role(), h.form.role())
}

// role returns what a form does, without the name if that does not matter.
func (f *form) role() string {
	if len(f.names) == 1 && f.literals == 0 {
		return "constraint " + f.constraints[0].text
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
	begins := rt.order()[:i+1]
	rank := slices.IndexFunc(x.snapshot.routes, func(q *Route) bool {
		segs := q.order()
		return q.host == rt.host && len(segs) > i && slices.EqualFunc(segs[:i+1], begins, segment.same)
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
	at := middleAt(rt.segs)
	switch {
	case at < 0 || i <= at:
		return fmt.Sprintf(" at segment %d", i+1)
	case i == at+1:
		return " at the last segment"
	}
	return fmt.Sprintf(" at segment %d from the end", i-at)
}

func (x *explainer) compareHosts(a, b *Route) (c int, reason string) {
	f, g := a.hostForm(), b.hostForm()
	switch {
	case b.host == "":
		return -1, "host " + a.Host() + " beats every host"
	case a.host == "":
		return 1, ""
	case f == nil:
		return -1, "host " + a.Host() + " beats " + b.Host() + ", which has parameters"
	case g == nil:
		return 1, ""
	}
	if x.hosts == nil {
		x.hosts = make(map[string]int)
		for i := range x.snapshot.forms {
			x.hosts[x.snapshot.forms[i].form.key()] = i
		}
	}
	c = x.hosts[a.host] - x.hosts[b.host]
	switch {
	case f.literals != g.literals:
		reason = "more text beats less"
	case (f.catchAll < 0) != (g.catchAll < 0):
		reason = "labels that are counted beat any number of them"
	case f.constraints != g.constraints:
		reason = "more constraints beat fewer"
	default:
		reason = "it was registered first"
	}
	return c, fmt.Sprintf("host %s beats %s: %s", a.Host(), b.Host(), reason)
}

// String returns the kind as messages name it.
func (k segmentKind) String() string {
	return [...]string{
		literal: "literal", mixed: "literal with parameters", constrained: "constrained parameter", param: "parameter",
		end: "{$}", middle: "catch-all in the middle", rest: "catch-all",
	}[k]
}

// target returns what was asked for.
func (e *Explanation) target() string {
	if e.Path == "*" {
		return e.Path
	}
	return e.Host + e.Path
}

// String returns the explanation as a small picture of several lines, for
// terminals and test logs.
func (e *Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", e.Method, printable(abridge(e.target())))
	switch {
	case e.Route != nil:
		fmt.Fprintf(&b, "└─► %s    %s\n", printable(abridge(e.Route.str)), printable(e.Route.Source()))
		for name, value := range e.Params.All() {
			fmt.Fprintf(&b, "    %s = %q\n", printable(name), abridge(value))
		}
	case e.Location != "":
		fmt.Fprintf(&b, "└─► %d, redirected to %s\n", e.Status, printable(abridge(e.Location)))
	case len(e.Allow) > 0:
		fmt.Fprintf(&b, "└─► %d %s, allowed: %s\n", e.Status, http.StatusText(e.Status), strings.Join(e.Allow, ", "))
	default:
		fmt.Fprintf(&b, "└─► %d %s\n", e.Status, http.StatusText(e.Status))
	}
	width := 0
	for _, o := range e.Others {
		width = max(width, len([]rune(printable(abridge(o.Route.str)))))
	}
	for i, o := range e.Others {
		if i == 0 || o.Matched != e.Others[i-1].Matched {
			b.WriteString(map[bool]string{true: "also matched\n", false: "nearly matched\n"}[o.Matched])
		}
		fmt.Fprintf(&b, "    %-*s  %s\n", width, printable(abridge(o.Route.str)), printable(o.Reason))
	}
	return b.String()
}
