package mux_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// TestVarsOfMatch: callers of Match may write to the variables of a match, as with
// v1.8.1 of gorilla/mux, and no two matches share them.
func TestVarsOfMatch(t *testing.T) {
	plain, general := mux.NewRouter(), mux.NewRouter()
	general.MatcherFunc(func(*http.Request, *mux.RouteMatch) bool { return false })
	for name, r := range map[string]*mux.Router{"plain": plain, "general": general} {
		route := r.HandleFunc("/static", func(http.ResponseWriter, *http.Request) {})
		for _, match := range []func(*http.Request, *mux.RouteMatch) bool{r.Match, route.Match} {
			for range 2 {
				var m mux.RouteMatch
				if !match(httptest.NewRequest("GET", "/static", nil), &m) || m.Vars == nil || len(m.Vars) > 0 {
					t.Fatalf("%s: got %v, want a match with an empty map", name, m.Vars)
				}
				m.Vars["x"] = "1"
			}
			var m mux.RouteMatch
			if match(httptest.NewRequest("GET", "/other", nil), &m) || m.Vars != nil {
				t.Errorf("%s: /other has the variables %v, want no match and nil", name, m.Vars)
			}
		}
	}
}

// TestVarsOfStaticRoute: handlers of routes without variables get an empty map of their
// own, and those of no route nil.
func TestVarsOfStaticRoute(t *testing.T) {
	for _, general := range []bool{false, true} {
		r := mux.NewRouter()
		if general {
			r.MatcherFunc(func(*http.Request, *mux.RouteMatch) bool { return false })
		}
		r.HandleFunc("/static", func(_ http.ResponseWriter, req *http.Request) {
			vars := mux.Vars(req)
			if vars == nil || len(vars) > 0 {
				t.Fatalf("general %v: got %v, want an empty map", general, vars)
			}
			vars["x"] = "1"
		})
		r.NotFoundHandler = http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			if vars := mux.Vars(req); vars != nil {
				t.Errorf("general %v: no route has the variables %v, want nil", general, vars)
			}
		})
		for _, path := range []string{"/static", "/static", "/other"} {
			r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
		}
	}
	if vars := mux.Vars(httptest.NewRequest("GET", "/", nil)); vars != nil {
		t.Errorf("without a router there are the variables %v, want nil", vars)
	}
}

// TestVarsAroundARouter: a router without variables that is a handler keeps those of
// the router around it.
func TestVarsAroundARouter(t *testing.T) {
	for _, omit := range []bool{false, true} {
		inner := mux.NewRouter().OmitRouteFromContext(omit)
		inner.HandleFunc("/users/7/keys", func(_ http.ResponseWriter, req *http.Request) {
			if vars := mux.Vars(req); vars["id"] != "7" {
				t.Errorf("omit %v: got %v, want the outer router's variables", omit, vars)
			}
		})
		outer := mux.NewRouter()
		outer.PathPrefix("/users/{id}").Handler(inner)
		outer.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/users/7/keys", nil))
	}
}

// TestRouteMatchPrefix: the literal prefix that Route.Match compares before anything else
// is that of the path in the form in which the template matches it.
func TestRouteMatchPrefix(t *testing.T) {
	for _, c := range []struct {
		template string
		encoded  bool
		url      string
		want     bool
	}{
		{"/a b/{x}", false, "/a%20b/1", true},
		{"/a%20b/{x}", false, "/a%20b/1", false},
		{"/a%20b/{x}", false, "/a%2520b/1", true},
		{"/a%20b/{x}", true, "/a%20b/1", true},
		{"/a b/{x}", true, "/a%20b/1", false},
		{"/a%2Fb/{x}", true, "/a%2Fb/1", true},
		{"/a%2Fb/{x}", true, "/a/b/1", false},
		{"/ab/{x}", true, "/%61b/1", false},
		{"/%61b/{x}", true, "/%61b/1", true},
		{"/a+b/{x}", true, "/a+b/1", true},
		{"/\uFFFD/{x}", false, "/%FF/1", true}, // package regexp treats the byte as U+FFFD
		{"/a/", false, "/a", false},
	} {
		r := mux.NewRouter()
		if c.encoded {
			r.UseEncodedPath()
		}
		route := r.Path(c.template)
		for _, matchErr := range []error{nil, mux.ErrNotFound, mux.ErrMethodMismatch} {
			match := mux.RouteMatch{MatchErr: matchErr}
			if got := route.Match(httptest.NewRequest("GET", c.url, nil), &match); got != c.want {
				t.Errorf("%s, encoded %v: %s matches: %v, want %v", c.template, c.encoded, c.url, got, c.want)
			}
			if want := matchErr; !c.want && want != mux.ErrNotFound && match.MatchErr != want {
				t.Errorf("%s: the error %v became %v", c.template, want, match.MatchErr)
			}
		}
	}
	strict := mux.NewRouter().StrictSlash(true).Path("/a/")
	if !strict.Match(httptest.NewRequest("GET", "/a", nil), &mux.RouteMatch{}) {
		t.Error("/a/ does not match /a under StrictSlash")
	}
}
