package muxwell

import (
	"fmt"
	"net/http"

	"github.com/muxwell/muxwell/internal/foreign"
)

// A Report says how the routes of a mux relate to each other. [Mux.Check]
// returns it.
type Report struct {
	Overlaps    []Overlap     // by the registration of Second, then of First
	Unreachable []Unreachable // in the order of registration
	Suspicious  []Suspicious  // in the order of registration
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

// A Suspicious is a route whose pattern has a parameter or a method as other routers
// write it: /users/:id, /files/*, /<int:id> or get /x. Here, as in http.ServeMux, that is
// literal text or a method of its own, so it is no error. A segment whose first byte is
// escaped, as in /users/%3Aid, is never suspicious.
type Suspicious struct {
	Route   *Route
	Offset  int    // the byte in Route.Pattern() at which it begins
	Instead string // the pattern to write; "" if no valid pattern says the same
	Reason  string // what it is here, and what to write instead
}

// String returns in a line what is suspicious, and what to write instead:
//
//	routes.txt:1: /users/:id: ":id" is literal text; for a parameter write "/users/{id}"
func (s Suspicious) String() string {
	return fmt.Sprintf("%s: %s: %s", s.Route.Source(), s.Route, s.Reason)
}

// Check compares the routes with each other: which of them overlap, and which
// can never take a request. It also finds patterns that are written as for another
// router. Two routes are compared if their hosts are the same.
// That routes take all of another's requests is known if one of them does, or if
// several do that differ from it in one segment. A route with matchers takes all
// requests of another one only if that asks for the same, option by option, and
// more; of functions it is never known. Where many routes share their literal
// segments the time grows with the square of their number; for most it does not.
// It is for tools and tests.
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

// Sample returns a request that rt takes, a route of m, as a server would hand it
// to m, with the headers, the query and whatever else rt asks for. Its method is
// GET if that can be, and its host is example.com where rt does not name one.
// Values of parameters are their names where that fits. It has no body, though it
// may have a Content-Type. Sample reports false if it found none: rt is no route
// of m, other routes take all of its requests, or a constraint or [MatchFunc]
// takes nothing of what was tried.
func (m *Mux) Sample(rt *Route) (*http.Request, bool) {
	return m.current().inspected().Sample(&rt.entry)
}
