package muxwell

import (
	"net/http"
	"slices"
	"testing"
)

// TestMountRootOrder: at the prefix of a mount the path decides before the method:
// a route around it, then the "/{$}" of the mounted mux, then its catch-all. It is
// the same for ServeHTTP, Explain, ByPrecedence and Check, and whatever was there
// first.
func TestMountRootOrder(t *testing.T) {
	for _, row := range []struct {
		name         string
		outer, child []string
		want         map[string]string // by method, who wins
	}{
		{
			"three that differ in their methods",
			[]string{"GET,POST /ab"},
			[]string{"/{$}", "HEAD /{p...}"},
			map[string]string{"GET": "GET,POST /ab", "HEAD": "GET,POST /ab", "POST": "GET,POST /ab", "PUT": "/{$}"},
		},
		{
			"the end and a catch-all", nil,
			[]string{"/{$}", "HEAD /{p...}", "GET /"},
			map[string]string{"GET": "/{$}", "HEAD": "/{$}", "PUT": "/{$}"},
		},
		{
			"a method of the child",
			[]string{"/ab"},
			[]string{"GET /", "POST /{$}"},
			map[string]string{"GET": "/ab", "HEAD": "/ab", "POST": "/ab"},
		},
		{
			"another method around it",
			[]string{"POST /ab"},
			[]string{"GET /{$}", "HEAD /"},
			map[string]string{"GET": "GET /{$}", "HEAD": "GET /{$}", "POST": "POST /ab"},
		},
	} {
		for order := range 3 {
			m, child := New(), New()
			names := make(map[*Route]string) // of the child's routes, what they are there
			outer := func() {
				for _, pattern := range row.outer {
					m.HandleFunc(pattern, ok)
				}
			}
			if order == 0 {
				outer()
			}
			m.Mount("/ab", child)
			if order == 1 {
				m.publish() // the tables are changed
			}
			for _, pattern := range row.child {
				child.HandleFunc(pattern, ok)
			}
			if order > 0 {
				outer()
			}
			for rt := range m.Routes() {
				if names[rt] = rt.Pattern(); rt.isMounted() {
					names[rt] = rt.info.origin.Pattern()
				}
			}
			sorted := slices.Collect(m.ByPrecedence())
			for method, want := range row.want {
				r := newBenchRequest(method, "/ab")
				e := m.Explain(r)
				if e.Route == nil || names[e.Route] != want {
					t.Fatalf("%s, order %d: %s: Explain has %v, want %s", row.name, order, method, e, want)
				}
				if answerTo(m, r); !safeBuild && m.RouteOf(r) != e.Route { // they share patterns
					t.Errorf("%s, order %d: %s: served by %v, Explain has %v", row.name, order, method, m.RouteOf(r), e)
				}
				before := e.Route
				for _, o := range e.Others {
					if !o.Matched {
						continue
					}
					if slices.Index(sorted, before) > slices.Index(sorted, o.Route) && method != http.MethodHead {
						t.Errorf("%s, order %d: %s: Explain has %s before %s, ByPrecedence %v", row.name, order, method, names[before], names[o.Route], sorted)
					}
					if !slices.ContainsFunc(m.Check().Overlaps, func(lap Overlap) bool { return lap.First == before && lap.Second == o.Route }) {
						t.Errorf("%s, order %d: %s: Explain has %s before %s, Check:\n%v", row.name, order, method, names[before], names[o.Route], m.Check().Overlaps)
					}
					before = o.Route
				}
			}
		}
	}
}

// TestAcceptOrderIsTotal: a route with another matcher keeps its place between two
// with Accept. Which of two wins does not depend on a third one.
func TestAcceptOrderIsTotal(t *testing.T) {
	options := []RouteOption{Accept("text/html"), Headers("X", "1"), Accept("application/json")}
	const wins, second, last = 1, 2, 0 // json is registered later, html is wanted less
	for set := 1; set < 1<<len(options); set++ {
		m := New()
		var routes [3]*Route
		for i, option := range options {
			if set>>i&1 != 0 {
				var err error
				if routes[i], err = m.Add("/a", http.HandlerFunc(ok), option); err != nil {
					t.Fatal(err)
				}
			}
		}
		var want *Route
		for _, i := range []int{wins, second, last} {
			if want == nil {
				want = routes[i]
			}
		}
		r := requestOf("GET /a")
		r.Header.Set("X", "1")
		r.Header.Set("Accept", "text/html;q=0.5, application/json")
		if got := m.Explain(r).Route; got != want {
			t.Errorf("routes %v: Explain has the one with %v, want %v", routes, got.Matchers(), want.Matchers())
		}
	}
}
