package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// metaAndMatchers returns what options said of a route.
func metaAndMatchers(rt *Route) string {
	var list []string
	for _, key := range []string{"a", "b"} {
		if value, ok := rt.Meta(key); ok {
			list = append(list, fmt.Sprintf("%s=%v", key, value))
		}
	}
	return strings.Join(append(list, rt.Matchers()...), " ")
}

// routeAt returns the route of m with a pattern.
func routeAt(t *testing.T, m *Mux, pattern string) *Route {
	t.Helper()
	for rt := range m.Routes() {
		if rt.Pattern() == pattern {
			return rt
		}
	}
	t.Fatalf("there is no route %s", pattern)
	return nil
}

// TestDefaults: a route has the defaults of the groups around it, from the outside,
// then its own options, as they are when it is registered.
func TestDefaults(t *testing.T) {
	x, y := Headers("X", ""), Headers("Y", "")
	m := New()
	m.Get("/before", ok)
	outer := m.Route("/o", nil)
	inner := outer.Route("/i", nil)
	other := m.Route("/other", nil)
	outer.Get("/before", ok)
	m.Defaults(Meta("a", "mux"))
	m.Get("/mux", ok)
	outer.Defaults(Meta("a", "outer"), x)
	inner.Defaults(Meta("b", "inner"), RouteOption{})
	outer.Get("/1", ok)
	outer.Get("/2", ok, Meta("a", "own"), Meta("b", "own"), y)
	outer.Get("/{q}", ok, Queries("k", "{k}"))
	inner.Get("/1", ok)
	inner.Get("/2", ok, Meta("b", "own"))
	inner.With(mark("x")).Get("/with", ok)
	outer.Group(nil).Get("/group", ok)
	other.Get("/1", ok)
	inner.Defaults(Meta("b", "later"), y)
	inner.Get("/3", ok)
	m.Defaults(Meta("a", "no more"), Meta("b", "mux"))
	inner.Get("/4", ok)
	outer.Handle("/handle", http.NotFoundHandler())
	outer.HandleFunc("/func", ok)
	outer.HandleParams("/params", func(http.ResponseWriter, *http.Request, Params) {})
	outer.HandleError("/error", func(http.ResponseWriter, *http.Request) error { return nil })
	outer.Files("/files/", fstest.MapFS{"a": {}})
	outer.Mount("/mount", http.NotFoundHandler())
	if _, err := outer.Add("/add", http.NotFoundHandler()); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"GET /before":   "",
		"GET /o/before": "",
		"GET /mux":      `a=mux`,
		"GET /o/1":      `a=outer Headers("X", "")`,
		"GET /o/2":      `a=own b=own Headers("X", "") Headers("Y", "")`,
		"GET /o/{q}":    `a=outer Headers("X", "") Queries("k", "{k}")`,
		"GET /o/i/1":    `a=outer b=inner Headers("X", "")`,
		"GET /o/i/2":    `a=outer b=own Headers("X", "")`,
		"GET /o/i/with": `a=outer b=inner Headers("X", "")`,
		"GET /o/group":  `a=outer Headers("X", "")`,
		"GET /other/1":  `a=mux`,
		"GET /o/i/3":    `a=outer b=later Headers("X", "") Headers("Y", "")`,
		"GET /o/i/4":    `a=outer b=later Headers("X", "") Headers("Y", "")`,
		"/o/handle":     `a=outer b=mux Headers("X", "")`,
		"/o/func":       `a=outer b=mux Headers("X", "")`,
		"/o/params":     `a=outer b=mux Headers("X", "")`,
		"/o/error":      `a=outer b=mux Headers("X", "")`,
		"/o/add":        `a=outer b=mux Headers("X", "")`,
		"GET /o/files/": `a=outer b=mux Headers("X", "")`,
		"/o/mount":      `a=outer b=mux Headers("X", "")`,
		"/o/mount/":     `a=outer b=mux Headers("X", "")`,
	} {
		if got := metaAndMatchers(routeAt(t, m, pattern)); got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
	for _, header := range []string{"", "X"} {
		r := newBenchRequest("GET", "/o/1")
		want := 404
		if header != "" {
			r.Header.Set(header, "1")
			want = 200
		}
		if got := answerTo(m, r).Code; got != want {
			t.Errorf("GET /o/1 with the header %q: got %d, want %d", header, got, want)
		}
	}
}

// TestDefaultsInUpdate: a transaction gives a route the defaults of its group, also if
// it takes the place of one that had others.
func TestDefaultsInUpdate(t *testing.T) {
	m := New()
	g := m.Route("/g", nil)
	old := g.Get("/old", ok, Meta("b", "old"))
	g.Defaults(Meta("a", "group"))
	err := m.Update(func(tx *Tx) error {
		_, err1 := tx.In(g).Add("GET /new", http.NotFoundHandler())
		_, err2 := tx.Add("GET /mux", http.NotFoundHandler())
		_, err3 := tx.Replace(old, "", http.NotFoundHandler())
		return errors.Join(err1, err2, err3)
	})
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{"GET /g/new": "a=group", "GET /mux": "", "GET /g/old": "a=group"} {
		if got := metaAndMatchers(routeAt(t, m, pattern)); got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
}

// TestDefaultsOfMounts: routes of a mounted mux have the defaults of that mux only.
func TestDefaultsOfMounts(t *testing.T) {
	m, child := New(), New()
	child.Defaults(Meta("b", "child"))
	child.Get("/1", ok)
	g := m.Route("/g", nil)
	g.Defaults(Meta("a", "group"))
	g.Mount("/c", child)
	child.Get("/2", ok, Meta("a", "own"))
	for pattern, want := range map[string]string{"GET /g/c/1": "b=child", "GET /g/c/2": "a=own b=child"} {
		if got := metaAndMatchers(routeAt(t, m, pattern)); got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
	}
}

// TestDefaultsOfEveryKind: any option but Name can be a default of several routes.
func TestDefaultsOfEveryKind(t *testing.T) {
	options := []RouteOption{
		Headers("X", "1"), HeadersRegexp("Y", "[0-9]"), Queries("q", "{q}"), Schemes("http"), Accept("text/html"), ContentType("text/plain"),
		ClientIP([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}), MatchFunc(func(*http.Request) bool { return true }), Meta("a", 1), Source("file", 7),
	}
	m := New()
	g := m.Route("/{tenant}", nil)
	g.Defaults(options...)
	for _, path := range []string{"/1", "/2/{x}"} {
		rt := g.Get(path, ok)
		want, err := New().Add("GET /{tenant}"+path, http.NotFoundHandler(), options...)
		if err != nil {
			t.Fatal(err)
		}
		if metaAndMatchers(rt) != metaAndMatchers(want) || len(rt.Matchers()) != 8 || !slices.Equal(rt.ParamNames(), want.ParamNames()) || rt.Source() != "file:7" {
			t.Errorf("%v: got %s, %q, source %s; want %s, %q", rt, metaAndMatchers(rt), rt.ParamNames(), rt.Source(), metaAndMatchers(want), want.ParamNames())
		}
		r, found := m.Sample(rt)
		if !found {
			t.Fatalf("%v: there is no request for it", rt)
		}
		if w := answerTo(m, r); w.Code != 200 {
			t.Errorf("%v: a request for it is answered with %d", rt, w.Code)
		}
	}
}

// TestDefaultsErrors: Defaults panics with an OptionError and changes nothing.
func TestDefaultsErrors(t *testing.T) {
	m := New()
	g := m.Route("/g/{id}", nil)
	g.Defaults(Schemes("https"), Queries("k", "{k}"))
	for _, row := range []struct {
		name    string
		refuse  func()
		pattern string
		option  string
		reason  string
	}{
		{"Name", func() { g.Defaults(Meta("a", 1), Name("x")) }, "/g/{id}", `Name("x")`, "a name belongs to one route"},
		{"Name of a mux", func() { m.Defaults(Name("x")) }, "/", `Name("x")`, "a name belongs to one route"},
		{"an empty Name", func() { g.Group(nil).Defaults(Name("")) }, "/g/{id}", `Name("")`, "a name belongs to one route"},
		{"an invalid option", func() { g.Defaults(Meta("a", 1), Headers()) }, "/g/{id}", `Headers()`, "no header"},
		{"a second Schemes", func() { g.Defaults(Meta("a", 1), Schemes("http")) }, "/g/{id}", `Schemes("http")`, "already"},
		{"a second Schemes, inside", func() { g.Group(nil).Defaults(Schemes("http")) }, "/g/{id}", `Schemes("http")`, "already"},
		{"a parameter of the prefix", func() { g.Defaults(Queries("other", "{id}")) }, "/g/{id}", `Queries("other", "{id}")`, `"id"`},
	} {
		err, _ := recovered(row.refuse).(error)
		var e *OptionError
		if !errors.As(err, &e) || e.Pattern != row.pattern || e.Option != row.option || !strings.Contains(e.Reason, row.reason) {
			t.Errorf("%s: panicked with %v, want an *OptionError of %q for %s about %s", row.name, err, row.pattern, row.option, row.reason)
		}
	}
	if got, want := metaAndMatchers(g.Get("/after", ok)), `Schemes("https") Queries("k", "{k}")`; got != want {
		t.Errorf("after Defaults that were refused a route has %s, want %s", got, want)
	}
	for what, register := range map[string]func(){
		"a route": func() { g.Get("/{k}", ok) },
		"a mount": func() { g.Mount("/{k}", http.NotFoundHandler()) },
		"Schemes": func() { g.Get("/s", ok, Schemes("http")) },
		"in a Tx": func() {
			must(nil, m.Update(func(tx *Tx) error { _, err := tx.In(g).Add("/{k}", http.NotFoundHandler()); return err }))
		},
		"by Files": func() { g.Files("/{k...}", fstest.MapFS{"a": {}}) },
	} {
		before := stateOf(m)
		err, _ := recovered(register).(error)
		var e *OptionError
		if !errors.As(err, &e) || !strings.Contains(e.Pattern, "/g/{id}/") {
			t.Errorf("%s that cannot have the defaults: panicked with %v, want an *OptionError", what, err)
		}
		if got := stateOf(m); got != before {
			t.Errorf("%s that cannot have the defaults: the mux is now\n%s\nwas\n%s", what, got, before)
		}
	}
}
