package muxwell_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/muxwell/muxwell"
)

// GET handlers answer HEAD too. A handler of its own is for answers that are
// dear to make only to throw the body away.
func ExampleMux_Head() {
	m := muxwell.New()
	m.Get("/report", show("a long report"))
	m.Head("/report", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "13") })

	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("HEAD", "/report", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Length"))
	fmt.Println(get(m, "GET", "/report"))
	// Output:
	// 200 13
	// 200 a long report
}

// A CONNECT request is matched by its host with the port, which other requests
// do not have.
func ExampleMux_Connect() {
	m := muxwell.New()
	m.Connect("db.internal:5432/tunnel", show("a tunnel"))

	r := httptest.NewRequest("CONNECT", "/tunnel", nil)
	r.Host = "db.internal:5432"
	_, pattern := m.Handler(r)
	fmt.Println(pattern)
	// Output:
	// CONNECT db.internal:5432/tunnel
}

func ExampleMux_Options() {
	m := muxwell.New()
	m.Get("/notes", show("notes"))
	m.Options("/notes", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	})

	fmt.Println(get(m, "OPTIONS", "/notes"))
	// Output:
	// 204 Allow: GET, HEAD, OPTIONS
}

func ExampleMux_Trace() {
	m := muxwell.New()
	m.Trace("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " ", r.URL.Path) })

	fmt.Println(get(m, "TRACE", "/any/where"))
	// Output:
	// 200 TRACE /any/where
}

// QUERY is a safe request with a body: a search that does not fit a URL.
func ExampleMux_Query() {
	m := muxwell.New()
	m.Query("/notes", func(w http.ResponseWriter, r *http.Request) {
		question, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "notes about %s", question)
	})

	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("QUERY", "/notes", strings.NewReader("gophers")))
	fmt.Println(w.Body)
	// Output:
	// notes about gophers
}

// A mux is an http.Handler: tests serve requests without a connection.
func ExampleMux_ServeHTTP() {
	m := muxwell.New()
	m.Get("/users/{id}", show("user", "id"))

	r, w := httptest.NewRequest("GET", "/users/42", nil), httptest.NewRecorder()
	m.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body, r.Pattern)
	// Output:
	// 200 user 42 GET /users/{id}
}

func ExampleRoute() {
	m := muxwell.New()
	rt, err := m.Add("GET,HEAD API.example.com/users/{id}/files/{path...}", show("file"), muxwell.Name("file"), muxwell.Meta("owner", "storage"))
	if err != nil {
		panic(err)
	}
	owner, _ := rt.Meta("owner")

	fmt.Println(rt.Methods(), rt.Host(), rt.Path())
	fmt.Println(rt.ParamNames(), rt.Name(), owner)
	fmt.Println(rt.Pattern() == rt.String(), strings.Contains(rt.Source(), "example_more_test.go:"))
	// Output:
	// [GET HEAD] api.example.com /users/{id}/files/{path...}
	// [id path] file storage
	// true true
}

// A ParamsFunc is a handler, so that functions can make several, and any mux serves it.
func ExampleParamsFunc() {
	greet := func(greeting string) muxwell.ParamsFunc {
		return func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
			fmt.Fprintf(w, "%s, %s", greeting, p.Get("name"))
		}
	}
	m := muxwell.New()
	m.Handle("GET /hello/{name}", greet("Hello"))
	s := http.NewServeMux()
	s.Handle("GET /bye/{name}", greet("Goodbye"))

	fmt.Println(get(m, "GET", "/hello/Ann"))
	fmt.Println(get(s, "GET", "/bye/Ann"))
	// Output:
	// 200 Hello, Ann
	// 200 Goodbye, Ann
}

// A value handler can be tested without a mux.
func ExampleParamsOf() {
	greet := func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		fmt.Fprintf(w, "Hello, %s", p.Get("name"))
	}
	w := httptest.NewRecorder()
	greet(w, httptest.NewRequest("GET", "/hello/Ann", nil), muxwell.ParamsOf("name", "Ann"))

	fmt.Println(w.Code, w.Body)
	// Output: 200 Hello, Ann
}
