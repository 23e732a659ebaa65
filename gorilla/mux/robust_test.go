package mux_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// TestManyRoutes: numbers of routes around those at which the index changes its form,
// and requests that it can say nothing of.
func TestManyRoutes(t *testing.T) {
	for _, size := range []int{0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 300, 4096, 4097} {
		r := mux.NewRouter().SkipClean(true)
		encoded := r.PathPrefix("/x").Subrouter().UseEncodedPath()
		for i := range size {
			r.HandleFunc(fmt.Sprintf("/r%d/{a}", i), say(fmt.Sprint("r", i)))
			encoded.HandleFunc(fmt.Sprintf("/e%d", i), say(fmt.Sprint("e", i)))
		}
		for _, path := range []string{"", "*", "r0", "/x/nope", "/nope", "/x", "//", fmt.Sprintf("/r%d/a", size)} {
			w := httptest.NewRecorder()
			if r.ServeHTTP(w, &http.Request{Method: "OPTIONS", URL: &url.URL{Path: path}}); w.Code != http.StatusNotFound {
				t.Errorf("%d routes: %q has status %d", size, path, w.Code)
			}
			if r.Match(&http.Request{Method: "GET", URL: &url.URL{Path: path}}, new(mux.RouteMatch)) {
				t.Errorf("%d routes: %q matches", size, path)
			}
		}
		for _, i := range []int{0, size / 2, size - 1} {
			if i < 0 || i >= size {
				continue
			}
			if got := get(t, r, "GET", fmt.Sprintf("/r%d/b", i)).Body.String(); got != fmt.Sprint("r", i) {
				t.Errorf("%d routes: route %d answers %q", size, i, got)
			}
			if got := get(t, r, "GET", fmt.Sprintf("/x/e%d", i)).Body.String(); got != fmt.Sprint("e", i) {
				t.Errorf("%d routes: encoded route %d answers %q", size, i, got)
			}
		}
	}
}

// TestPathAfterSubrouter: what a route demands after its Subrouter counts, with its
// variables.
func TestPathAfterSubrouter(t *testing.T) {
	vars := func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, mux.Vars(r)) }
	for _, c := range []struct {
		name, target, want string
		register           func(r *mux.Router)
	}{
		{"a route without a path", "/1", "map[x:1]", func(r *mux.Router) {
			rt := r.NewRoute()
			rt.Subrouter().NewRoute().HandlerFunc(vars)
			rt.Path("/{x}")
		}},
		{"another path", "/1/z", "map[x:1 y:1]", func(r *mux.Router) {
			rt := r.NewRoute()
			rt.Subrouter().HandleFunc("/{y}/z", vars)
			rt.PathPrefix("/{x}")
		}},
		{"a longer prefix", "/1/2", "map[a:1 b:2 y:2]", func(r *mux.Router) {
			rt := r.PathPrefix("/{a}")
			rt.Subrouter().HandleFunc("/{y}", vars)
			rt.PathPrefix("/{b}")
		}},
		{"a name that stands twice", "/a/7/b/x/c", "map[id:7]", func(r *mux.Router) {
			r.PathPrefix("/{id}/{id}/b").Subrouter().HandleFunc("/{id}/c", vars)
		}},
	} {
		r := mux.NewRouter()
		c.register(r)
		if got := get(t, r, "GET", c.target).Body.String(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestSubroutersOfOneRoute: the plan of a route with many subrouters, of which each
// takes over those before it, is not many times as large.
func TestSubroutersOfOneRoute(t *testing.T) {
	r := mux.NewRouter()
	rt := r.PathPrefix("/a")
	for i := range 25 { // 2^25 plans if each were made anew
		s := rt.Subrouter()
		s.HandleFunc("/{x}", say(fmt.Sprint(i)))
		s.HandleFunc("/{x}/y", say(fmt.Sprint(i)))
	}
	if got := get(t, r, "GET", "/a/1/z"); got.Code != http.StatusNotFound {
		t.Errorf("status %d", got.Code)
	}
}

// TestMiddlewareThatServes: a MiddlewareFunc may use the router, also to serve.
func TestMiddlewareThatServes(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/b", say("b")).Name("b")
	inner := ""
	r.HandleFunc("/a", say("a")).Use(func(next http.Handler) http.Handler {
		inner = get(t, r, "GET", "/b").Body.String() + r.Get("b").GetName()
		r.HandleFunc("/c", say("c"))
		return next
	})
	if got := get(t, r, "GET", "/a").Body.String(); got != "a" || inner != "bb" {
		t.Errorf("got %q, and in the middleware %q", got, inner)
	}
	if got := get(t, r, "GET", "/c").Body.String(); got != "c" {
		t.Errorf("got %q", got)
	}
}

// TestMiddlewareThatPanics: the next request tries again.
func TestMiddlewareThatPanics(t *testing.T) {
	r := mux.NewRouter()
	fail := true
	r.Use(func(next http.Handler) http.Handler {
		if fail {
			panic("not yet")
		}
		return next
	})
	r.HandleFunc("/a", say("a"))
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		get(t, r, "GET", "/a")
	}()
	fail = false
	if got := get(t, r, "GET", "/a").Body.String(); got != "a" {
		t.Errorf("got %q", got)
	}
}

// TestRegisteredWhole: a route of HandleFunc is never met without its handler.
func TestRegisteredWhole(t *testing.T) {
	r := mux.NewRouter()
	r.Use(func(next http.Handler) http.Handler {
		if next == nil {
			t.Error("middleware is given no handler")
		}
		return next
	})
	stop := meanwhile(2, func() { get(t, r, "GET", "/none") })
	for i := range 300 {
		r.HandleFunc(fmt.Sprintf("/%d", i), say(""))
		r.Handle(fmt.Sprintf("/%d/x", i), say(""))
	}
	stop()
}

// TestCompileFuncThatUsesTheRouter: no lock is held while it runs.
func TestCompileFuncThatUsesTheRouter(t *testing.T) {
	old := mux.RegexpCompileFunc
	defer func() { mux.RegexpCompileFunc = old }()
	r := mux.NewRouter()
	r.HandleFunc("/a", say("a")).Name("a")
	asked := 0
	mux.RegexpCompileFunc = func(s string) (*regexp.Regexp, error) {
		asked++
		r.Get("a").GetName()
		return regexp.Compile(s)
	}
	r.HandleFunc("/{x:[a-z]+}", say("x")).Headers("A", "").HeadersRegexp("B", ".")
	if asked == 0 {
		t.Error("it was not called")
	}
}

// TestQueryAnchors: a pattern of a query's value that asks for the beginning of the
// text never has it, since the key is in front.
func TestQueryAnchors(t *testing.T) {
	for _, pattern := range []string{"^b$", `\Ab\z`, "(?m)^b$"} {
		r := mux.NewRouter()
		r.Handle("/", say("")).Queries("a", "{x:"+pattern+"}")
		if got := get(t, r, "GET", "/?a=b").Code; got != http.StatusNotFound {
			t.Errorf("%s: status %d", pattern, got)
		}
	}
}

// TestMatcherFuncKeepsMatch: what a MatcherFunc was given has in the end what was
// found.
func TestMatcherFuncKeepsMatch(t *testing.T) {
	r := mux.NewRouter()
	var kept *mux.RouteMatch
	rt := r.HandleFunc("/{x}", say("x")).MatcherFunc(func(_ *http.Request, m *mux.RouteMatch) bool {
		kept = m
		return true
	})
	get(t, r, "GET", "/1")
	if kept.Route != rt || !maps.Equal(kept.Vars, map[string]string{"x": "1"}) || kept.Handler == nil {
		t.Errorf("it has %+v", kept)
	}
}

// TestContextType: programs have tests that ask for the type of the context.
func TestContextType(t *testing.T) {
	r := mux.NewRouter()
	for _, path := range []string{"/static", "/users/{id}"} {
		r.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%T", r.Context()) })
	}
	for _, path := range []string{"/static", "/users/7"} {
		if got := get(t, r, "GET", path).Body.String(); got != "*context.valueCtx" {
			t.Errorf("%s: the context is a %s", path, got)
		}
	}
}

// TestNestedContexts: what an inner router does not set is that of the router around.
func TestNestedContexts(t *testing.T) {
	show := func(w http.ResponseWriter, r *http.Request) {
		name := ""
		if rt := mux.CurrentRoute(r); rt != nil {
			name = rt.GetName()
		}
		fmt.Fprintf(w, "%s %v %v", name, mux.Vars(r), mux.CurrentRouter(r) != nil)
	}
	for _, c := range []struct {
		omitRoute, omitRouter bool
		path, want            string
	}{
		{false, false, "/1/static", "static map[a:1] true"},
		{false, false, "/1/v/2", "v map[b:2] true"},
		{true, false, "/1/static", "outer map[a:1] true"},
		{true, true, "/1/v/2", "outer map[b:2] true"},
		{true, true, "/1/static", "outer map[a:1] true"},
	} {
		inner := mux.NewRouter().OmitRouteFromContext(c.omitRoute).OmitRouterFromContext(c.omitRouter)
		inner.HandleFunc("/{_}/static", show).Name("static").Host("none")
		inner.HandleFunc("/1/static", show).Name("static")
		inner.HandleFunc("/1/v/{b}", show).Name("v")
		outer := mux.NewRouter()
		outer.PathPrefix("/{a}/").Handler(inner).Name("outer")
		if got := get(t, outer, "GET", c.path).Body.String(); got != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}
