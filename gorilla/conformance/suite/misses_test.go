package suite_test

import (
	"net/http"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces the tests of 404 and 405 in mux_test.go: TestNoMatchMethodErrorHandler,
// TestMultipleDefinitionOfSamePathWithDifferentMethods, TestErrMatchNotFound,
// TestMethodsSubrouter…, TestMethodNotAllowed…, TestSubrouterCustomMethodNotAllowed,
// TestSubrouterErrorHandling and TestSubrouterNotFound.

// fails returns a handler that answers with a status and a text.
func fails(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		says(text)(w, nil)
	}
}

func TestMethodMismatch(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/", says("")).Methods("GET", "POST")
	r.HandleFunc("/other", says("")).Methods("GET")
	var match mux.RouteMatch
	if r.Match(request("PUT", "/"), &match) || match.MatchErr != mux.ErrMethodMismatch {
		t.Errorf("Match has the error %v, want ErrMethodMismatch", match.MatchErr)
	}
	rec := serve(r, request("PUT", "/"))
	if rec.Code != http.StatusMethodNotAllowed || rec.Body.Len() != 0 || len(rec.Header()) != 0 {
		t.Errorf("the response is %d with the header %v and body %q", rec.Code, rec.Header(), rec.Body)
	}

	r.HandleFunc("/", says("put")).Methods("PUT")
	match = mux.RouteMatch{}
	if !r.Match(request("PUT", "/"), &match) || match.MatchErr != nil {
		t.Errorf("with a route for the method, Match has the error %v", match.MatchErr)
	}
}

// TestMissErrors has one path with several methods and queries.
func TestMissErrors(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/api", says("")).Methods("POST")
	r.HandleFunc("/api", says("")).Queries("time", "{time:[0-9]+}").Methods("GET")
	sub := r.PathPrefix("/sub/").Subrouter()
	sub.HandleFunc("/", says(""))
	for _, test := range []struct {
		method, target string
		want           error
		ok             bool
	}{
		{"POST", "/api", nil, true},
		{"GET", "/api?time=4", nil, true},
		{"GET", "/api?time=-4", mux.ErrNotFound, false},
		{"PUT", "/api?time=4", mux.ErrMethodMismatch, false},
		{"GET", "/other", mux.ErrNotFound, false},
		{"GET", "/sub/", nil, true},
		{"GET", "/sub/other", mux.ErrNotFound, false},
	} {
		var match mux.RouteMatch
		if ok := r.Match(request(test.method, test.target), &match); ok != test.ok || match.MatchErr != test.want {
			t.Errorf("%s %s: Match is %t with %v, want %t with %v",
				test.method, test.target, ok, match.MatchErr, test.ok, test.want)
		}
	}

	sub.NotFoundHandler = http.NotFoundHandler()
	for name, router := range map[string]*mux.Router{"subrouter": sub, "router": r} {
		var match mux.RouteMatch
		if !router.Match(request("GET", "/sub/other"), &match) || match.MatchErr != mux.ErrNotFound {
			t.Errorf("%s: with a handler for misses, Match has the error %v, want a match with ErrNotFound",
				name, match.MatchErr)
		}
	}
}

// TestMethodsInSubrouters has the methods of one path in several subrouters.
func TestMethodsInSubrouters(t *testing.T) {
	type target struct{ method, path, want string } // want is a body, "" for 405
	tests := []struct {
		name    string
		setUp   func(*mux.Router)
		targets []target
	}{
		{
			"next to one for all paths",
			func(r *mux.Router) {
				r.Methods("PATCH").Subrouter().PathPrefix("/").HandlerFunc(says("all"))
				r.Methods("GET").Subrouter().HandleFunc("/a", says("get"))
				r.Methods("POST").Subrouter().HandleFunc("/a", says("post"))
			},
			[]target{{"GET", "/a", "get"}, {"POST", "/a", "post"}, {"PATCH", "/a", "all"}, {"PUT", "/a", ""}},
		},
		{
			"after a prefix, two for one method",
			func(r *mux.Router) {
				r.PathPrefix("/p").Methods("POST").Subrouter().HandleFunc("/a", says("post"))
				r.PathPrefix("/p").Methods("DELETE").Subrouter().HandleFunc("/a", says("delete"))
				r.PathPrefix("/p").Methods("POST").Subrouter().HandleFunc("/a", says("post again"))
			},
			[]target{{"POST", "/p/a", "post"}, {"DELETE", "/p/a", "delete"}, {"PATCH", "/p/a", ""}},
		},
		{
			"in a subrouter, one with a handler and a subrouter",
			func(r *mux.Router) {
				sub := r.PathPrefix("/p").Subrouter()
				sub.Methods("POST").Subrouter().HandleFunc("/a", says("post"))
				sub.Methods("GET").Subrouter().HandleFunc("/a", says("get"))
				sub.HandleFunc("/a", says("put")).Subrouter().Methods("PUT")
				sub.HandleFunc("/a", says("post again")).Subrouter().Methods("POST")
			},
			[]target{{"POST", "/p/a", "post"}, {"GET", "/p/a", "get"}, {"PUT", "/p/a", "put"}, {"DELETE", "/p/a", ""}},
		},
		{
			"with variables",
			func(r *mux.Router) {
				r.Methods("GET").Subrouter().HandleFunc("/a", says("get"))
				r.Methods("POST").Subrouter().HandleFunc("/{x}", says("post"))
				r.Methods("DELETE").Subrouter().HandleFunc("/1/{x}", says("delete"))
				r.Methods("PUT").Subrouter().HandleFunc("/1/{x}", says("put"))
			},
			[]target{
				{"GET", "/a", "get"},
				{"POST", "/a", "post"},
				{"DELETE", "/1/a", "delete"},
				{"PUT", "/1/a", "put"},
				{"PATCH", "/1/a", ""},
				{"PUT", "/a", ""},
			},
		},
		{
			"two routes of one subrouter",
			func(r *mux.Router) {
				sub := r.PathPrefix("/v1").Subrouter()
				sub.HandleFunc("/api", says("list")).Methods("GET")
				sub.HandleFunc("/api/{id}", says("one")).Methods("GET")
			},
			[]target{{"GET", "/v1/api", "list"}, {"GET", "/v1/api/7", "one"}, {"PUT", "/v1/api", ""}, {"PUT", "/v1/api/7", ""}},
		},
	}
	for _, test := range tests {
		r := mux.NewRouter()
		test.setUp(r)
		for _, target := range test.targets {
			rec := serve(r, request(target.method, target.path))
			code := http.StatusOK
			if target.want == "" {
				code = http.StatusMethodNotAllowed
			}
			if rec.Code != code || rec.Body.String() != target.want {
				t.Errorf("%s: %s %s answers %d %q, want %d %q",
					test.name, target.method, target.path, rec.Code, rec.Body, code, target.want)
			}
		}
	}
}

// TestMissHandlers gives routers handlers for misses of their own.
func TestMissHandlers(t *testing.T) {
	r := mux.NewRouter()
	r.NotFoundHandler = fails(404, "router 404")
	r.MethodNotAllowedHandler = fails(405, "router 405")
	r.HandleFunc("/a", says("a")).Methods("GET")
	sub := r.PathPrefix("/sub").Subrouter()
	sub.NotFoundHandler = fails(404, "sub 404")
	sub.MethodNotAllowedHandler = fails(405, "sub 405")
	sub.HandleFunc("/a", says("sub a")).Methods("GET")
	r.HandleFunc("/sub/b", says("hidden"))
	r.Path("/c").Subrouter().HandleFunc("/d", says("d"))
	for _, test := range []struct {
		method, path string
		code         int
		body         string
	}{
		{"GET", "/a", 200, "a"},
		{"PUT", "/a", 405, "router 405"},
		{"GET", "/other", 404, "router 404"},
		{"GET", "/sub/a", 200, "sub a"},
		{"PUT", "/sub/a", 405, "sub 405"},
		{"GET", "/sub/other", 404, "sub 404"},
		{"GET", "/sub/b", 404, "sub 404"},
		{"GET", "/c", 404, "router 404"},
		{"PUT", "/c/d", 404, "router 404"},
	} {
		if rec := serve(r, request(test.method, test.path)); rec.Code != test.code || rec.Body.String() != test.body {
			t.Errorf("%s %s answers %d %q, want %d %q", test.method, test.path, rec.Code, rec.Body, test.code, test.body)
		}
	}
}

func TestNotFoundByDefault(t *testing.T) {
	r := mux.NewRouter()
	r.Path("/a").Subrouter().HandleFunc("/b", says("")).Methods("GET")
	if rec := serve(r, request("PUT", "/other")); rec.Code != 404 || rec.Body.String() != "404 page not found\n" {
		t.Errorf("the response is %d %q", rec.Code, rec.Body)
	}
}
