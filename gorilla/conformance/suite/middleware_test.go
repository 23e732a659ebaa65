package suite_test

import (
	"net/http"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces the tests of middleware_test.go but those of
// CORSMethodMiddleware, and for the example of an authentication middleware.

// A counter is middleware that counts its calls, and writes its name.
type counter struct {
	name  string
	calls int
}

func (c *counter) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.calls++
		says(c.name+" ")(w, r)
		next.ServeHTTP(w, r)
	})
}

// A step is a request and the response that it gets.
type step struct {
	method, path string
	code         int
	body         string
}

func (s step) check(t *testing.T, h http.Handler) {
	t.Helper()
	if rec := serve(h, request(s.method, s.path)); rec.Code != s.code || rec.Body.String() != s.body {
		t.Errorf("%s %s answers %d %q, want %d %q", s.method, s.path, rec.Code, rec.Body, s.code, s.body)
	}
}

func TestMiddleware(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/", says("root")).Methods("GET")
	step{"GET", "/", 200, "root"}.check(t, r)

	one, two, three := &counter{name: "one"}, &counter{name: "two"}, &counter{name: "three"}
	r.Use(one.Middleware)
	step{"GET", "/", 200, "one root"}.check(t, r)
	step{"GET", "/other", 404, "404 page not found\n"}.check(t, r)
	step{"POST", "/", 405, ""}.check(t, r)
	if one.calls != 1 {
		t.Errorf("the middleware is called %d times, want once", one.calls)
	}

	r.Use(two.Middleware, one.Middleware)
	step{"GET", "/", 200, "one two one root"}.check(t, r)
	if one.calls != 3 || two.calls != 1 {
		t.Errorf("the middleware is called %d and %d times, want 3 and 1", one.calls, two.calls)
	}

	r.HandleFunc("/route", says("route")).Use(three.Middleware).Use(two.Middleware)
	step{"GET", "/route", 200, "one two one three two route"}.check(t, r)
	step{"GET", "/", 200, "one two one root"}.check(t, r)

	r.Use(func(next http.Handler) http.Handler { return next })
	step{"GET", "/", 200, "one two one root"}.check(t, r)
}

// TestMiddlewareOfSubrouters has middleware on a subrouter, and then on the router.
func TestMiddlewareOfSubrouters(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/", says("root"))
	sub := r.PathPrefix("/sub").Subrouter()
	sub.HandleFunc("/a", says("a")).Methods("GET")
	inner, outer := &counter{name: "inner"}, &counter{name: "outer"}
	sub.Use(inner.Middleware)
	for _, s := range []step{
		{"GET", "/", 200, "root"},
		{"GET", "/sub/", 404, "404 page not found\n"},
		{"GET", "/sub/a", 200, "inner a"},
		{"GET", "/sub/other", 404, "404 page not found\n"},
		{"POST", "/sub/a", 405, ""},
	} {
		s.check(t, r)
	}
	r.Use(outer.Middleware)
	step{"GET", "/", 200, "outer root"}.check(t, r)
	step{"GET", "/sub/a", 200, "outer inner a"}.check(t, r)
	step{"POST", "/sub/a", 405, ""}.check(t, r)
}

// TestMiddlewareAndMisses gives routers handlers for misses: no middleware runs for
// them.
func TestMiddlewareAndMisses(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/", says("root")).Methods("GET")
	sub := r.PathPrefix("/sub/").Subrouter()
	sub.HandleFunc("/", says("sub")).Methods("GET")
	r.Use((&counter{name: "outer"}).Middleware)
	sub.Use((&counter{name: "inner"}).Middleware)
	r.NotFoundHandler, r.MethodNotAllowedHandler = fails(404, "r404"), fails(405, "r405")
	steps := []step{
		{"GET", "/", 200, "outer root"},
		{"GET", "/sub/", 200, "outer inner sub"},
		{"GET", "/other", 404, "r404"},
		{"POST", "/", 405, "r405"},
		{"GET", "/sub/other", 404, "r404"},
		{"POST", "/sub/", 405, "r405"},
	}
	for _, s := range steps {
		s.check(t, r)
	}
	sub.NotFoundHandler, sub.MethodNotAllowedHandler = fails(404, "s404"), fails(405, "s405")
	steps[4].body, steps[5].body = "s404", "s405"
	for _, s := range steps {
		s.check(t, r)
	}
}

// TestMiddlewareOfSiblings has two subrouters with one prefix.
func TestMiddlewareOfSiblings(t *testing.T) {
	r := mux.NewRouter()
	first, second := r.PathPrefix("/").Subrouter(), r.PathPrefix("/").Subrouter()
	r.NotFoundHandler = fails(404, "none")
	first.HandleFunc("/first", says(""))
	second.HandleFunc("/second", says(""))
	first.Use((&counter{name: "1"}).Middleware)
	second.Use((&counter{name: "2"}).Middleware)
	for _, s := range []step{
		{"GET", "/first", 200, "1 "},
		{"GET", "/second", 200, "2 "},
		{"GET", "/second/other", 404, "none"},
	} {
		s.check(t, r)
	}
}

// TestMiddlewareAnswers has middleware that does not call the next.
func TestMiddlewareAnswers(t *testing.T) {
	users := map[string]string{"1234": "ann"}
	r := mux.NewRouter()
	r.HandleFunc("/", says("in"))
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if users[r.Header.Get("X-Token")] == "" {
				http.Error(w, "forbidden", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	if rec := serve(r, request("GET", "/")); rec.Code != http.StatusForbidden {
		t.Errorf("without a token the response is %d %q", rec.Code, rec.Body)
	}
	if rec := serve(r, request("GET", "/", "X-Token", "1234")); rec.Body.String() != "in" {
		t.Errorf("with a token the response is %d %q", rec.Code, rec.Body)
	}
}

// TestHandlerWithMiddlewares calls what the getters return.
func TestHandlerWithMiddlewares(t *testing.T) {
	r := mux.NewRouter()
	r.Use((&counter{name: "router"}).Middleware)
	route := r.HandleFunc("/", says("root"))
	if got := serve(route.GetHandlerWithMiddlewares(), request("GET", "/")).Body.String(); got != "root" {
		t.Errorf("without middleware of the route the handler answers %q", got)
	}
	route.Use((&counter{name: "a"}).Middleware, (&counter{name: "b"}).Middleware)
	if got := serve(route.GetHandler(), request("GET", "/")).Body.String(); got != "root" {
		t.Errorf("GetHandler answers %q", got)
	}
	if got := serve(route.GetHandlerWithMiddlewares(), request("GET", "/")).Body.String(); got != "a b root" {
		t.Errorf("GetHandlerWithMiddlewares answers %q", got)
	}
	none := r.NewRoute().Use((&counter{name: "a"}).Middleware)
	if none.GetHandler() != nil || none.GetHandlerWithMiddlewares() != nil {
		t.Error("a route without a handler has one")
	}
}
