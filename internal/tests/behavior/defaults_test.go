package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// metaAndMatchers returns what options said of a route.
func metaAndMatchers(rt *muxwell.Route) string {
	var list []string
	for _, key := range []string{"a", "b", "c"} {
		if value, ok := rt.Meta(key); ok {
			list = append(list, fmt.Sprintf("%s=%v", key, value))
		}
	}
	return strings.Join(append(list, rt.Matchers()...), " ")
}

// routeAt returns the route of m with a pattern.
func routeAt(t *testing.T, m *muxwell.Mux, pattern string) *muxwell.Route {
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
	x, y := muxwell.Headers("X", ""), muxwell.Headers("Y", "")
	m := muxwell.New()
	m.Get("/before", muxtest.OK)
	outer := m.Route("/o", nil)
	inner := outer.Route("/i", nil)
	other := m.Route("/other", nil)
	outer.Get("/before", muxtest.OK)
	m.Defaults(muxwell.Meta("a", "mux"))
	m.Get("/mux", muxtest.OK)
	outer.Defaults(muxwell.Meta("a", "outer"), x)
	inner.Defaults(muxwell.Meta("b", "inner"), muxwell.RouteOption{})
	outer.Get("/1", muxtest.OK)
	outer.Get("/2", muxtest.OK, muxwell.Meta("a", "own"), muxwell.Meta("b", "own"), y)
	outer.Get("/{q}", muxtest.OK, muxwell.Queries("k", "{k}"))
	inner.Get("/1", muxtest.OK)
	inner.Get("/2", muxtest.OK, muxwell.Meta("b", "own"))
	inner.With(muxtest.Mark("x")).Get("/with", muxtest.OK)
	outer.Group(nil).Get("/group", muxtest.OK)
	other.Get("/1", muxtest.OK)
	inner.Defaults(muxwell.Meta("b", "later"), y)
	inner.Get("/3", muxtest.OK)
	m.Defaults(muxwell.Meta("a", "no more"), muxwell.Meta("b", "mux"))
	inner.Get("/4", muxtest.OK)
	outer.Handle("/handle", http.NotFoundHandler())
	outer.HandleFunc("/func", muxtest.OK)
	outer.HandleParams("/params", func(http.ResponseWriter, *http.Request, muxwell.Params) {})
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
		r := muxtest.NewRequest("GET", "/o/1")
		want := 404
		if header != "" {
			r.Header.Set(header, "1")
			want = 200
		}
		if got := muxtest.AnswerTo(m, r).Code; got != want {
			t.Errorf("GET /o/1 with the header %q: got %d, want %d", header, got, want)
		}
	}
}

// TestDefaultsInUpdate: a transaction gives a route the defaults of its group, also if
// it replaces one that had others.
func TestDefaultsInUpdate(t *testing.T) {
	m := muxwell.New()
	g := m.Route("/g", nil)
	old := g.Get("/old", muxtest.OK, muxwell.Meta("b", "old"))
	g.Defaults(muxwell.Meta("a", "group"))
	err := m.Update(func(tx *muxwell.Tx) error {
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

// TestDefaultsOfMounts: the routes of a mounted mux get the defaults around the mount,
// as they are when a route appears there, and then those of their own mux. In that mux
// they do not change.
func TestDefaultsOfMounts(t *testing.T) {
	m := muxwell.New()
	middle := muxwell.New()
	child := muxwell.New(muxwell.Constraint("even", func(s string) bool { return strings.HasSuffix(s, "2") }))
	child.Defaults(muxwell.Meta("b", "child"))
	child.Get("/1", muxtest.OK)
	g := m.Route("/g", nil)
	g.Defaults(muxwell.Meta("a", "group"), muxwell.Meta("b", "group"), muxwell.Headers("X", ""), muxwell.Source("defaults.txt", 1))
	middle.Defaults(muxwell.Headers("Y", ""))
	middle.Mount("/c", child)
	g.Mount("/m", middle)
	child.Get("/2", muxtest.OK, muxwell.Meta("a", "own"), muxwell.Queries("q", "{q:even}"))
	g.Defaults(muxwell.Meta("c", "later"))
	child.Get("/3", muxtest.OK)
	if err := child.Update(func(tx *muxwell.Tx) error {
		_, err := tx.Add("GET /4", http.NotFoundHandler())
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"GET /g/m/c/1": `a=group b=child Headers("X", "") Headers("Y", "")`,
		"GET /g/m/c/2": `a=own b=child Headers("X", "") Headers("Y", "") Queries("q", "{q:even}")`,
		"GET /g/m/c/3": `a=group b=child c=later Headers("X", "") Headers("Y", "")`,
		"GET /g/m/c/4": `a=group b=child c=later Headers("X", "") Headers("Y", "")`,
	} {
		rt := routeAt(t, m, pattern)
		if got := metaAndMatchers(rt); got != want {
			t.Errorf("%s: got %s, want %s", pattern, got, want)
		}
		if !strings.Contains(rt.Source(), "defaults_test.go") {
			t.Errorf("%s: the source is %s", pattern, rt.Source())
		}
	}
	for pattern, want := range map[string]string{"GET /1": "b=child", "GET /2": `a=own b=child Queries("q", "{q:even}")`} {
		if got := metaAndMatchers(routeAt(t, child, pattern)); got != want {
			t.Errorf("%s in its own mux: got %s, want %s", pattern, got, want)
		}
	}
	r := muxtest.NewRequest("GET", "/g/m/c/2?q=12")
	r.Header.Set("X", "")
	r.Header.Set("Y", "")
	if got := muxtest.AnswerTo(m, r).Code; got != 200 {
		t.Errorf("a request that satisfies all matchers: got %d", got)
	}
	r.Header.Del("X")
	if got := muxtest.AnswerTo(m, r).Code; got != 404 {
		t.Errorf("a request without the header of the outer group: got %d", got)
	}
}

// TestDefaultsThatCannotBeCombined: a mount whose routes cannot have the defaults around
// it is refused, and changes nothing.
func TestDefaultsThatCannotBeCombined(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	g := m.Route("/g", nil)
	g.Defaults(muxwell.Queries("q", "{x}"))
	child.Get("/{x}", muxtest.OK)
	if v := muxtest.Recovered(func() { g.Mount("/c", child) }); v == nil {
		t.Error("two parameters with one name were mounted")
	}
	for rt := range m.Routes() {
		t.Errorf("the mux has %v", rt)
	}
}

// TestDefaultsOfEveryKind: any option but Name can be a default of several routes.
func TestDefaultsOfEveryKind(t *testing.T) {
	options := []muxwell.RouteOption{
		muxwell.Headers("X", "1"), muxwell.HeadersRegexp("Y", "[0-9]"), muxwell.Queries("q", "{q}"), muxwell.Schemes("http"), muxwell.Accept("text/html"), muxwell.ContentType("text/plain"),
		muxwell.ClientIP([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}), muxwell.MatchFunc(func(*http.Request) bool { return true }), muxwell.Meta("a", 1), muxwell.Source("file", 7),
	}
	m := muxwell.New()
	g := m.Route("/{tenant}", nil)
	g.Defaults(options...)
	for _, path := range []string{"/1", "/2/{x}"} {
		rt := g.Get(path, muxtest.OK)
		want, err := muxwell.New().Add("GET /{tenant}"+path, http.NotFoundHandler(), options...)
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
		if w := muxtest.AnswerTo(m, r); w.Code != 200 {
			t.Errorf("%v: a request for it is answered with %d", rt, w.Code)
		}
	}
}
