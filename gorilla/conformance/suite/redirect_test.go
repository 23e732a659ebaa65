package suite_test

import (
	"net/http"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestStrictSlash, TestUseEncodedPath, TestMethodsSubrouterStrictSlash,
// Test301Redirect and TestSkipClean of mux_test.go, and for TestRedirectSlash of
// old_test.go.

func TestStrictSlash(t *testing.T) {
	strict := mux.NewRouter().StrictSlash(true)
	tests := []struct {
		name     string
		route    *mux.Route
		target   string
		location string // "" for no redirect
		vars     vars
	}{
		{"slash added", strict.Path("/a/"), "/a", "/a/", nil},
		{"slash kept", strict.Path("/a/"), "/a/", "", nil},
		{"slash taken", strict.Path("/a"), "/a/", "/a", nil},
		{"no slash kept", strict.Path("/a"), "/a", "", nil},
		{"query kept", strict.Path("/a"), "/a/?b=1&c=%2F", "/a?b=1&c=%2F", nil},
		{"variables, slash added", strict.Path("/{x}/{y:[0-9]+}/"), "/a/1", "/a/1/", vars{"x": "a", "y": "1"}},
		{"variables, slash taken", strict.Path("/{x}/{y:[0-9]+}"), "/a/1/", "/a/1", vars{"x": "a", "y": "1"}},
		{"in a subrouter", strict.PathPrefix("/s/").Subrouter().Path("/a/"), "/s/a", "/s/a/", nil},
		{"not for prefixes", strict.PathPrefix("/s/"), "/s/a", "", nil},
	}
	for _, test := range tests {
		test.route.HandlerFunc(says("served"))
		req := request("POST", test.target)
		var match mux.RouteMatch
		if !test.route.Match(req, &match) {
			t.Errorf("%s: %s does not match", test.name, test.target)
			continue
		}
		for name, want := range test.vars {
			if match.Vars[name] != want {
				t.Errorf("%s: %s is %q, want %q", test.name, name, match.Vars[name], want)
			}
		}
		rec := serve(match.Handler, req)
		code := http.StatusOK
		if test.location != "" {
			code = http.StatusMovedPermanently
		}
		if got := rec.Header().Get("Location"); rec.Code != code || got != test.location {
			t.Errorf("%s: %s answers %d to %q, want %d to %q", test.name, test.target, rec.Code, got, code, test.location)
		}
	}
	if mux.NewRouter().Path("/a/").Match(request("GET", "/a"), &mux.RouteMatch{}) {
		t.Error("/a matches /a/ without StrictSlash")
	}
}

// TestStrictSlashMethods has one path with and without a slash, in subrouters with
// methods.
func TestStrictSlashMethods(t *testing.T) {
	r := mux.NewRouter()
	sub := r.PathPrefix("/").Subrouter()
	sub.StrictSlash(true).Path("/a").Methods("GET").Subrouter().HandleFunc("", says("get"))
	sub.StrictSlash(true).Path("/a/").Methods("PUT").Subrouter().HandleFunc("/", says("put"))
	sub.StrictSlash(true).Path("/a/").Methods("POST").Subrouter().HandleFunc("/", says("post"))
	for _, test := range []struct {
		method, path   string
		code           int
		body, location string
	}{
		{"GET", "/a", 200, "get", ""},
		{"PUT", "/a/", 200, "put", ""},
		{"POST", "/a/", 200, "post", ""},
		{"POST", "/a", 301, "", "/a/"},
		{"HEAD", "/a", 405, "", ""},
		{"DELETE", "/a", 405, "", ""},
	} {
		rec := serve(r, request(test.method, test.path))
		if rec.Code != test.code || rec.Body.String() != test.body || rec.Header().Get("Location") != test.location {
			t.Errorf("%s %s answers %d %q to %q, want %d %q to %q", test.method, test.path,
				rec.Code, rec.Body, rec.Header().Get("Location"), test.code, test.body, test.location)
		}
	}
	if rec := serve(r, request("GET", "/a/")); rec.Code != 301 || rec.Header().Get("Location") != "/a" {
		t.Errorf("GET /a/ answers %d to %q", rec.Code, rec.Header().Get("Location"))
	}
}

func TestClean(t *testing.T) {
	clean, as := mux.NewRouter(), mux.NewRouter().SkipClean(true)
	for _, r := range []*mux.Router{clean, as} {
		r.HandleFunc("/api/", says("api"))
		r.HandleFunc("/f/{url:.*}", func(w http.ResponseWriter, r *http.Request) { says(mux.Vars(r)["url"])(w, r) })
		r.HandleFunc("/", says("root"))
	}
	if mux.NewRouter().Path("/").SkipClean() || !as.Path("/").SkipClean() {
		t.Error("SkipClean of a route is not that of the router")
	}
	for target, want := range map[string]string{
		"//api/?a=1": "/api/?a=1", "/api//": "/api/", "/./api/": "/api/", "/x/../api/": "/api/", "/..": "/",
		"/f/http://h/x": "/f/http:/h/x", "/f/a//": "/f/a/",
	} {
		rec := serve(clean, request("PUT", target))
		if got := rec.Header().Get("Location"); rec.Code != http.StatusMovedPermanently || got != want {
			t.Errorf("%s answers %d to %q, want 301 to %q", target, rec.Code, got, want)
		}
		if rec := serve(as, request("PUT", target)); rec.Header().Get("Location") != "" {
			t.Errorf("%s is redirected to %q under SkipClean", target, rec.Header().Get("Location"))
		}
	}
	if got := serve(as, request("GET", "/f/http://h//x")).Body.String(); got != "http://h//x" {
		t.Errorf("the path that is not cleaned gives the variable %q", got)
	}
}

// TestRedirectOfAbsoluteForm has requests that name the host in the request line. It
// is a difference from gorilla/mux, where the Location names the host too.
func TestRedirectOfAbsoluteForm(t *testing.T) {
	r := mux.NewRouter().StrictSlash(true)
	r.HandleFunc("/api/", says("api"))
	for target, want := range map[string]string{
		"http://h.test//api/?a=1": "/api/?a=1",
		"http://h.test/api":       "/api/",
	} {
		rec := serve(r, request("GET", target))
		if got := rec.Header().Get("Location"); rec.Code != http.StatusMovedPermanently || got != want {
			t.Errorf("%s answers %d to %q, want 301 to %q", target, rec.Code, got, want)
		}
	}
}

func TestUseEncodedPath(t *testing.T) {
	plain, encoded := mux.NewRouter(), mux.NewRouter().UseEncodedPath()
	for _, test := range []struct {
		name, template, target string
		router                 *mux.Router
		vars                   vars // nil for a miss
	}{
		{"escaped slash in a variable", "/v1/{x}/v2", "/v1/1%2F2/v2", encoded, vars{"x": "1%2F2"}},
		{"escaped slash is none", "/v1/1/2/v2", "/v1/1%2F2/v2", encoded, nil},
		{"escaped slash is one", "/v1/1/2/v2", "/v1/1%2F2/v2", plain, vars{}},
		{"a variable has no slash", "/v1/{x}/v2", "/v1/1%2F2/v2", plain, nil},
		{"other escapes", "/{x}", "/a%20b", encoded, vars{"x": "a%20b"}},
		{"other escapes, not encoded", "/{x}", "/a%20b", plain, vars{"x": "a b"}},
		{"route from before", "/w/{x}", "/w/1%2F2", mux.NewRouter().NewRoute().Subrouter().UseEncodedPath(), vars{"x": "1%2F2"}},
	} {
		var match mux.RouteMatch
		ok := test.router.Path(test.template).Match(request("GET", test.target), &match)
		if ok != (test.vars != nil) || match.Vars["x"] != test.vars["x"] {
			t.Errorf("%s: %s on %s is %t with %v, want %v", test.name, test.target, test.template, ok, match.Vars, test.vars)
		}
	}
}
