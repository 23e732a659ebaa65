package muxwell

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/urlpath"
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
		x.host = hostname.StripPort(r.Host)
	}
	e := &Explanation{Method: r.Method, Host: hostname.Fold(x.host)}
	if r.RequestURI == "*" {
		e.Path, e.Status = "*", http.StatusBadRequest
		return e
	}
	a := s.resolve(r)
	x.path, x.escaped = a.Path, a.Escaped
	if a.Number == 0 {
		x.path, x.escaped = routing.SentPath(r)
		if !x.connect && s.config.unclean == PathRedirect {
			x.path = urlpath.Clean(x.path)
		}
		e.Status, e.Location, e.Allow = a.Status, urlpath.EscapeNonASCII(a.Location), slices.Clone(a.Allowed)
	} else {
		e.Route = s.records[a.Number].route
		e.Params = Params{e.Route.layout.Of(r, sourceOf(&a))}
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
	ranks map[rankKey]int // see rank
}

// Split sets the parts of the path.
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
	for i := range matched {
		matched[i].Reason = "the request is redirected first"
		if winner != nil {
			_, matched[i].Reason = x.compare(winner, matched[i].Route)
		}
	}
	return append(matched, near...)
}

// Matches reports whether a route matches, and if it misses by one thing only,
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
	if f := rt.pattern.HostPattern(); rt.pattern.Host != "" && (f == nil && rt.pattern.Host != hostname.Fold(x.host) || f != nil && !f.Matches(x.host, nil)) {
		misses = append(misses, "host: it is for "+rt.Host())
	}
	if rt.pattern.Fit(x.method) == 0 {
		misses = append(misses, "method: it is for "+strings.Join(rt.pattern.Methods, ", "))
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

// Missed says which matchers of a route do not take the request, and why, or "".
func (x *explainer) missed(rt *Route) string {
	var reasons []string
	for _, m := range rt.matchers() {
		if !m.Matches(x.request, x.snapshot.config.proxies) {
			reasons = append(reasons, m.Miss(x.request, x.snapshot.config.proxies))
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
	return "final slash: it matches " + strconv.Quote(excerpt.Abridge(path))
}

// matchesPath reports whether the path of a route matches one of the given
// parts, and if it does not because of a constraint alone, which one refused
// what.
func (x *explainer) matchesPath(rt *Route, parts []string) (ok bool, reason string) {
	segs := rt.pattern.Segments
	// The catch-all takes the parts from here to there, whatever they are.
	from, more := pattern.CatchAllAt(segs), len(parts)-len(segs)
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
		if g.Kind != pattern.Literal && g.Kind != pattern.Dollar && (part == "" || !x.connect && urlpath.IsDots(part)) {
			return false, ""
		}
		if x.escaped {
			part = urlpath.Unescape(part)
		}
		if g.Matches(part) {
			continue
		}
		why := mismatch(*g, part)
		if why == "" || reason != "" {
			return false, ""
		}
		reason = why
	}
	if from >= 0 && segs[from].Kind == pattern.InnerCatchAll && more == 0 && parts[from] == "" {
		return false, ""
	}
	return reason == "", reason
}

// mismatch says which constraint refused what, if the segment would take the text
// without its constraints, and else "".
func mismatch(g pattern.Segment, text string) string {
	if g.Matcher == nil {
		return ""
	}
	free := *g.Matcher
	free.Check, free.Program = nil, nil
	if !free.Matches(text) {
		return ""
	}
	vals := make([]string, len(free.Names))
	free.Split(vals, text)
	for i, c := range g.Matcher.Constraints {
		if c.Check != nil && !c.Check(vals[i]) {
			return fmt.Sprintf("constraint %s refused %q", c.Text, excerpt.Abridge(vals[i]))
		}
	}
	return fmt.Sprintf("constraints of %s refused %q", g.Matcher, excerpt.Abridge(text))
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
	fmt.Fprintf(&b, "%s %s\n", e.Method, excerpt.Printable(excerpt.Abridge(e.target())))
	switch {
	case e.Route != nil:
		fmt.Fprintf(&b, "└─► %s    %s\n", excerpt.Printable(excerpt.Abridge(e.Route.pattern.Text)), excerpt.Printable(e.Route.Source()))
		for name, value := range e.Params.All() {
			fmt.Fprintf(&b, "    %s = %q\n", excerpt.Printable(name), excerpt.Abridge(value))
		}
	case e.Location != "":
		fmt.Fprintf(&b, "└─► %d, redirected to %s\n", e.Status, excerpt.Printable(excerpt.Abridge(e.Location)))
	case len(e.Allow) > 0:
		fmt.Fprintf(&b, "└─► %d %s, allowed: %s\n", e.Status, http.StatusText(e.Status), strings.Join(e.Allow, ", "))
	default:
		fmt.Fprintf(&b, "└─► %d %s\n", e.Status, http.StatusText(e.Status))
	}
	width := 0
	for _, o := range e.Others {
		width = max(width, len([]rune(excerpt.Printable(excerpt.Abridge(o.Route.pattern.Text)))))
	}
	for i, o := range e.Others {
		if i == 0 || o.Matched != e.Others[i-1].Matched {
			b.WriteString(map[bool]string{true: "also matched\n", false: "nearly matched\n"}[o.Matched])
		}
		fmt.Fprintf(&b, "    %-*s  %s\n", width, excerpt.Printable(excerpt.Abridge(o.Route.pattern.Text)), excerpt.Printable(o.Reason))
	}
	return b.String()
}
