package explorer_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/explorer"
)

// The explorer shows what could be attacked, so protect it with a check of who
// asks. With a page of its own a browser asks for the password.
func ExampleHandler() {
	auth := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if user, password, _ := r.BasicAuth(); user != "ops" || !isPassword(password) {
				w.Header().Set("WWW-Authenticate", `Basic realm="routes"`)
				http.Error(w, "who are you?", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", func(http.ResponseWriter, *http.Request) {})
	o := explorer.Observe(m)
	m.With(auth).Mount("/_routes", explorer.Handler(m, explorer.Counts(o), explorer.MetaKeys("owner")))

	r := httptest.NewRequest(http.MethodGet, "/_routes/match?method=GET&url=/users/7", nil)
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r) // as the server does
	fmt.Println(w.Code)
	r.SetBasicAuth("ops", "correct horse")
	w = httptest.NewRecorder()
	o.ServeHTTP(w, r)
	fmt.Println(w.Code)
	// Output:
	// 401
	// 200
}

func isPassword(s string) bool { return s == "correct horse" }

// The statistics are there for programs, too.
func ExampleObserver_Routes() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", func(http.ResponseWriter, *http.Request) {})
	o := explorer.Observe(m)
	for range 3 {
		o.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/users/7", nil))
	}
	o.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/none", nil))
	for rt, s := range o.Routes() {
		fmt.Println(rt.Pattern(), s.Requests, s.Timed)
	}
	fmt.Println("no route:", o.Other().Requests)
	// Output:
	// GET /users/{id} 3 3
	// no route: 1
}

// A document that is embedded in the program is a [json.RawMessage].
func ExampleSpec() {
	document := []byte(`{
		"openapi": "3.1.0",
		"info": {"title": "Users", "version": "1.0.0"},
		"paths": {"/users/{id}": {"get": {
			"summary": "Read a user",
			"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "example": 7}}],
			"responses": {"200": {"description": "The user"}}
		}}}
	}`)
	m := muxwell.New()
	m.HandleFunc("GET /users/{id:int}", func(http.ResponseWriter, *http.Request) {})
	h := explorer.Handler(m, explorer.Spec(json.RawMessage(document)))

	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/operation?method=GET&path=/users/{id}", nil))
	fmt.Println(w.Code, strings.Contains(w.Body.String(), "/users/7"))
	// Output:
	// 200 true
}
