package muxwell

import (
	"fmt"
	"net/http"

	"github.com/muxwell/muxwell/internal/foreign"
)

// A Report describes how the routes of a mux relate to each other. [Mux.Check] returns
// it.
type Report struct {
	Overlaps    []Overlap     // ordered by the registration of Second, then of First
	Unreachable []Unreachable // in the order of registration
	Suspicious  []Suspicious  // in the order of registration
}

// An Overlap is a pair of routes for the same host that can both match the same
// request. Matchers are not compared: if both routes have some, no request may satisfy
// both.
type Overlap struct {
	First, Second *Route // First takes precedence
	Rule          string // "literal beats parameter at segment 1"
	// Crossing is set unless one of the two is known to match all of the other's
	// requests. Then neither is more specific, and http.ServeMux rejects such a pair if
	// it supports both patterns. Two routes that differ only in their matchers are not
	// crossing.
	Crossing bool
	// A request that both match if their matchers are ignored. Host is "" for every
	// host. Path is escaped. It is empty if none was found: a constraint that is a
	// function may reject every text that was tried.
	Method, Host, Path string
}

// String returns two lines: which route wins and by which rule, and a request that both
// match.
//
//	routes.txt:1: GET /a/{x} crosses GET /{y}/b (routes.txt:2) and wins
//		literal beats parameter at segment 1; both match GET /a/b
func (o Overlap) String() string {
	relation := "%s: %s wins over %s (%s)"
	if o.Crossing {
		relation = "%s: %s crosses %s (%s) and wins"
	}
	request := "no request that both match was found"
	if o.Path != "" {
		request = fmt.Sprintf("both match %s %s%s", o.Method, o.Host, o.Path)
	}
	return fmt.Sprintf(relation+"\n\t%s; %s", o.First.Source(), o.First, o.Second, o.Second.Source(), o.Rule, request)
}

// An Unreachable is a route for which no request was found that it wins.
type Unreachable struct {
	Route  *Route
	By     *Route // takes precedence and matches all of Route's requests; may be nil
	Reason string // why no request reaches Route; "" if one may
}

// String returns one line: the route that never wins, and why.
func (u Unreachable) String() string {
	if u.Reason == "" {
		return fmt.Sprintf("%s: %s may be unreachable: no request was found that it matches", u.Route.Source(), u.Route)
	}
	return fmt.Sprintf("%s: %s is unreachable: %s", u.Route.Source(), u.Route, u.Reason)
}

// A Suspicious is a route whose pattern has a parameter or a method in the syntax of another
// router: /users/:id, /files/*, /<int:id> or get /x. Here, as in http.ServeMux, that is
// literal text or a method of its own, so it is not an error. A segment whose first byte is
// escaped, as in /users/%3Aid, is never suspicious.
type Suspicious struct {
	Route   *Route
	Offset  int    // the byte in Route.Pattern() at which it begins
	Instead string // the pattern to write; "" if no valid pattern is equivalent
	Reason  string // what it is here, and what to write instead
}

// String returns one line: what is suspicious, and what to write instead.
//
//	routes.txt:1: /users/:id: ":id" is literal text; for a parameter write "/users/{id}"
func (s Suspicious) String() string {
	return fmt.Sprintf("%s: %s: %s", s.Route.Source(), s.Route, s.Reason)
}

// Check compares the routes with each other. It reports which of them overlap and which
// are unreachable. It also finds patterns in the syntax of other routers. Two routes are
// compared if their hosts are the same.
//
// A route is known to be unreachable if one other route matches all of its requests, or
// if several routes together do that differ from it in one segment. A route with
// matchers is known to match all requests of another only if the other has the same
// matchers, option by option, and possibly more. Functions are never known to be the
// same.
//
// Check is for tools and tests. If many routes share their literal segments, the time
// grows with the square of their number; usually it does not.
func (m *Mux) Check() *Report {
	s := m.current()
	overlaps, unreachable := s.inspected().Check()
	report := new(Report)
	for _, o := range overlaps {
		report.Overlaps = append(report.Overlaps, Overlap{s.routeOf(o.First), s.routeOf(o.Second), o.Rule, o.Crossing, o.Method, o.Host, o.Path})
	}
	for _, u := range unreachable {
		report.Unreachable = append(report.Unreachable, Unreachable{s.routeOf(u.Entry), s.routeOf(u.By), u.Reason})
	}
	for _, rt := range s.routes {
		if h, ok := foreign.Find(&rt.pattern, s.config.rules()); ok {
			report.Suspicious = append(report.Suspicious, Suspicious{rt, h.Offset, h.Instead, h.Reason})
		}
	}
	return report
}

// Sample returns a request that rt, a route of m, matches, as a server would pass it to
// m, with the headers, the query and everything else that rt requires. Its method is
// GET if possible. Its host is example.com if rt does not name one. The values of
// parameters are their names where these match. The request has no body, though it may
// have a Content-Type.
//
// Sample returns false if it found none: rt is not a route of m, other routes match all
// of its requests, or a constraint or [MatchFunc] rejected everything that was tried.
func (m *Mux) Sample(rt *Route) (*http.Request, bool) {
	return m.current().inspected().Sample(&rt.entry)
}
