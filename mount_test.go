package muxwell

import (
	"net/http"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestMountedMux: what a mux answers in another one, by what is mounted where.
// tellAll registers patterns whose handlers tell the values of all parameters.
func tellAll(m *Mux, patterns []string) {
	for _, pattern := range patterns {
		m.HandleFunc(pattern, muxtest.TellAll)
	}
}

func TestMountedMux(t *testing.T) {
	for _, row := range []struct {
		prefix  string
		child   []string
		outer   []string
		answers map[string]string
	}{
		{"/api", []string{"GET /x", "GET /{x}", "GET /", "POST /y/{$}"}, []string{"GET /api/v2", "GET /other", "/api2/"}, map[string]string{
			"GET /api": "200 GET /api", "GET /api/": "200 GET /api/", "GET /api/x": "200 GET /api/x", "GET /api/7": "200 GET /api/{x} x=7", "GET /api/v2": "200 GET /api/v2",
			"GET /api/a/b": "200 GET /api/", "GET /apix": "404", "GET /api2/": "200 /api2/", "GET /other": "200 GET /other", "GET /": "404", "GET /x": "404",
			"POST /api/y": "307 /api/y/ POST /api/y/{$}", "POST /api/y/": "200 POST /api/y/{$}", "PUT /api": "405 GET, HEAD", "GET /api/a%2Fb": "200 GET /api/{x} x=a/b",
		}},
		{"/api", []string{"/{$}"}, nil, map[string]string{"GET /api": "200 /api", "GET /api/": "200 /api/{$}", "GET /api/x": "404"}},
		{"/api", []string{"/{p...}"}, nil, map[string]string{"GET /api": "200 /api", "GET /api/": "200 /api/{p...}", "GET /api/x/y": "200 /api/{p...} p=x/y"}},
		{"/api", []string{"/x"}, nil, map[string]string{"GET /api": "404", "GET /api/": "404", "GET /api/x": "200 /api/x"}},
		{"/api", []string{"GET /", "GET /{$}"}, nil, map[string]string{"GET /api": "200 GET /api", "GET /api/": "200 GET /api/{$}", "GET /api/x": "200 GET /api/"}},
		{"/api", []string{"GET /{$}", "POST /{p...}"}, nil, map[string]string{"GET /api": "200 GET /api", "POST /api": "200 POST /api", "PUT /api": "405 GET, HEAD, POST"}},
		{"/", []string{"/", "/x/{x}", "h.com/{$}"}, []string{"/y"}, map[string]string{
			"GET /": "200 /", "GET /x/1": "200 /x/{x} x=1", "GET /y": "200 /y", "GET h.com/": "200 h.com/{$}", "GET /z": "200 /",
		}},
		{"", []string{"GET /x"}, nil, map[string]string{"GET /x": "200 GET /x", "GET /": "404"}},
		{"/t/{tenant}", []string{"GET /u/{id}", "GET /{$}"}, []string{"/t/acme/u/me"}, map[string]string{
			"GET /t/a/u/7": "200 GET /t/{tenant}/u/{id} tenant=a id=7", "GET /t/a%2Fb/u/7": "200 GET /t/{tenant}/u/{id} tenant=a/b id=7",
			"GET /t/a": "200 GET /t/{tenant} tenant=a", "GET /t/a/": "200 GET /t/{tenant}/{$} tenant=a", "GET /t//u/7": "307 /t/u/7", "GET /t": "404",
			"GET /t/acme/u/me": "200 /t/acme/u/me",
		}},
		{"/t/{tenant:int}", []string{"/{id:int}"}, nil, map[string]string{"GET /t/1/2": "200 /t/{tenant:int}/{id:int} tenant=1 id=2", "GET /t/x/2": "404"}},
		{"/r/{p...}", []string{"/raw/{x}"}, nil, map[string]string{"GET /r/a/b/raw/c": "200 /r/{p...}/raw/{x} x=c p=a/b"}},
		{"h.com", []string{"/x", "/"}, []string{"/x"}, map[string]string{"GET h.com/x": "200 h.com/x", "GET h.com/": "200 h.com/", "GET /x": "200 /x", "GET i.com/z": "404"}},
		{"h.com/api", []string{"GET h.com/x", "GET H.com./y", "/"}, nil, map[string]string{
			"GET h.com/api/x": "200 GET h.com/api/x", "GET h.com/api/y": "200 GET h.com/api/y", "GET h.com/api": "200 h.com/api", "GET /api": "404",
		}},
		{"/api", []string{"h.com/x", "{t}.h.com/x", "localhost/", "{h}.org/{$}"}, nil, map[string]string{
			"GET h.com/api/x": "200 h.com/api/x", "GET a.h.com/api/x": "200 {t}.h.com/api/x t=a", "GET localhost:80/api": "200 localhost/api", "GET /api": "404",
			"GET localhost/api/z": "200 localhost/api/", "GET a.org/api": "200 {h}.org/api h=a", "GET h.com/x": "404",
		}},
		{"{h}.com/a/{t}", []string{"/{x}"}, nil, map[string]string{"GET a.com/a/b/c": "200 {h}.com/a/{t}/{x} t=b x=c h=a"}},
		{"/Api", []string{"/%78", "/a%2Fb/"}, nil, map[string]string{"GET /Api/x": "200 /Api/%78", "GET /Api/a%2Fb": "307 /Api/a%2Fb/ /Api/a%2Fb/", "GET /api/x": "404"}},
	} {
		for _, late := range []bool{false, true} {
			m, child := New(), New()
			if late {
				m.Mount(row.prefix, child)
				answerTo(m, requestOf("GET /")) // the tables are there
			}
			tellAll(m, row.outer)
			tellAll(child, row.child)
			if !late {
				m.Mount(row.prefix, child)
			}
			for request, want := range row.answers {
				if got := answerLine(t, m, requestOf(request)); got != want {
					t.Errorf("%q at %q next to %q (late: %v): %s: got %q, want %q", row.child, row.prefix, row.outer, late, request, got, want)
				}
			}
			for rt := range m.Routes() {
				alone, err := New().Add(rt.Pattern(), http.HandlerFunc(ok))
				if err != nil {
					t.Errorf("%q at %q: pattern %q cannot be registered: %v", row.child, row.prefix, rt, err)
				} else if alone.Path() != rt.Path() || alone.Host() != rt.Host() || !slices.Equal(alone.ParamNames(), rt.ParamNames()) || alone.layout.Plain != rt.layout.Plain {
					t.Errorf("%q at %q: %q has path %q, host %q, names %q", row.child, row.prefix, rt, rt.Path(), rt.Host(), rt.ParamNames())
				}
			}
			if got := slices.Collect(child.Routes()); len(got) != len(row.child) {
				t.Errorf("%q at %q: the child has the routes %v", row.child, row.prefix, got)
			}
			m.Check()
		}
	}
}

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
