package suite_test

import (
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestCORSMethodMiddleware and TestCORSMethodMiddlewareSubrouter
// of middleware_test.go, and for the example of CORSMethodMiddleware.

func TestCORSMethodMiddleware(t *testing.T) {
	type add = func(*mux.Router)
	route := func(path, body string, methods ...string) add {
		return func(r *mux.Router) {
			route := r.HandleFunc(path, says(body))
			if methods != nil {
				route.Methods(methods...)
			}
		}
	}
	preflight := []string{"Origin", "http://h.test", "Access-Control-Request-Method", "GET"}
	tests := []struct {
		name         string
		routes       []add
		method, path string
		header       []string
		want, body   string
	}{
		{"no route for OPTIONS", []add{route("/a", "a", "GET", "PUT")}, "GET", "/a", nil, "", "a"},
		{"another method", []add{route("/a", "a", "GET", "PUT"), route("/a", "b", "OPTIONS")}, "GET", "/a", nil, "GET,PUT,OPTIONS", "a"},
		{"OPTIONS", []add{route("/a", "a", "GET", "PUT"), route("/a", "b", "OPTIONS")}, "OPTIONS", "/a", nil, "GET,PUT,OPTIONS", "b"},
		{"preflight", []add{route("/a", "a", "GET", "PUT"), route("/a", "b", "OPTIONS")}, "OPTIONS", "/a", preflight, "GET,PUT,OPTIONS", "b"},
		{"one route for all", []add{route("/a", "a", "GET", "OPTIONS")}, "GET", "/a", nil, "GET,OPTIONS", "a"},
		{"a route without methods", []add{route("/a", "a")}, "OPTIONS", "/a", nil, "", "a"},
		{"a route without methods next to others", []add{route("/a", "a", "GET", "OPTIONS"), route("/a", "b")}, "GET", "/a", nil, "", "a"},
		{
			"other paths",
			[]add{
				route("/a", "c", "DELETE"), route("/a/b", "a", "GET", "PUT"), route("/a/b", "b", "OPTIONS"),
			},
			"OPTIONS", "/a/b", preflight, "GET,PUT,OPTIONS", "b",
		},
	}
	for _, test := range tests {
		r := mux.NewRouter()
		for _, add := range test.routes {
			add(r)
		}
		r.Use(mux.CORSMethodMiddleware(r))
		rec := serve(r, request(test.method, test.path, test.header...))
		if got := rec.Header().Get("Access-Control-Allow-Methods"); got != test.want || rec.Body.String() != test.body {
			t.Errorf("%s: the methods are %q with the body %q, want %q with %q", test.name, got, rec.Body, test.want, test.body)
		}
	}
}

func TestCORSMethodMiddlewareOfSubrouter(t *testing.T) {
	r := mux.NewRouter().StrictSlash(true)
	sub := r.PathPrefix("/sub").Subrouter()
	sub.HandleFunc("/a", says("a")).Methods("GET", "OPTIONS", "POST")
	sub.HandleFunc("/a/{name}", says("b")).Methods("GET", "OPTIONS")
	sub.Use(mux.CORSMethodMiddleware(sub))
	for path, want := range map[string]string{"/sub/a": "GET,OPTIONS,POST", "/sub/a/b": "GET,OPTIONS"} {
		if got := serve(r, request("GET", path)).Header().Get("Access-Control-Allow-Methods"); got != want {
			t.Errorf("%s: the methods are %q, want %q", path, got, want)
		}
	}
}
