package muxwell

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/inspect"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// An Explanation is the result of routing a request, and its reasons: the route that
// matches, and the other routes that matched or nearly did, each with the rule that
// decided against it. [Mux.Explain] returns it.
type Explanation struct {
	Method string
	Host   string // as it is compared with patterns
	Path   string // as it is compared with patterns: clean, unless the request is CONNECT or paths are served as sent; escaped if it was sent so

	Route  *Route // the route that matches the request; nil if none does
	Params Params // of Route

	// What the mux answers itself if Route is nil.
	Status   int      // 204, 307, 400, 404, 405, 406 or 415; 0 if a route matches
	Location string   // of a redirect
	Allow    []string // of a 204 or 405

	Others []Candidate // those that matched, by precedence; then those that nearly did, in order of registration
}

// A Candidate is a route that did not get the request.
type Candidate struct {
	Route *Route
	// Matched is set if the route matches but another one wins. Otherwise the request
	// failed exactly one of its requirements; the matchers together count as one.
	Matched bool
	// Reason is the rule that decided, "literal beats parameter at segment 2", or the
	// requirement that failed: `constraint int refused "x"`, "header X-Beta is
	// missing". It is for people to read; its wording may change.
	Reason string
}

// Explain reports which route matches r, with its parameters, and why the other routes
// do not. It checks every route and names them with their source lines. It is for
// tools, tests and error pages during development, not for every request and not for
// the public. It does not change r. It calls no handler, but it calls the functions of
// [MatchFunc] and [Constraint].
func (m *Mux) Explain(r *http.Request) *Explanation {
	s := m.current()
	x := s.inspected().Explain(r)
	e := &Explanation{Method: r.Method, Host: x.Host, Path: x.Path}
	if x.Number == 0 {
		e.Status, e.Location, e.Allow = x.Status, urlpath.EscapeNonASCII(x.Location), slices.Clone(x.Allowed)
	} else {
		e.Route = s.endpoints.At(x.Number).route
		e.Params = Params{e.Route.layout.Of(r, sourceOf(&x.Answer))}
	}
	for _, c := range x.Others {
		e.Others = append(e.Others, Candidate{s.routeOf(c.Entry), c.Matched, c.Reason})
	}
	return e
}

// inspected returns the routes of s for package inspect, which sees them as entries.
func (s *snapshot) inspected() *inspect.Routes {
	return &inspect.Routes{
		Tables: s.tables,
		Entries: func(yield func(*routing.Entry) bool) {
			for _, rt := range s.routes {
				if !yield(&rt.entry) {
					return
				}
			}
		},
		Source:          func(e *routing.Entry) string { return s.routeOf(e).Source() },
		SameConstraints: func(p, q *routing.Entry) bool { return s.routeOf(p).home() == s.routeOf(q).home() },
	}
}

// routeOf returns the route of an entry, or nil for nil.
func (s *snapshot) routeOf(e *routing.Entry) *Route {
	if e == nil {
		return nil
	}
	return s.endpoints.At(e.Number).route
}

// home returns the mux that a route was registered with.
func (rt *Route) home() *Mux {
	for rt.info != nil && rt.info.origin != nil {
		rt = rt.info.origin
	}
	return rt.group.mux
}

// target returns the request target.
func (e *Explanation) target() string {
	if e.Path == "*" {
		return e.Path
	}
	return e.Host + e.Path
}

// String returns the explanation as a small diagram of several lines, for terminals and
// test logs.
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
