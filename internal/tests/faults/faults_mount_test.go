package faults

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

func TestMountedHandlerInMountedMux(t *testing.T) {
	inner, middle, outer := muxwell.New(), muxwell.New(), muxwell.New()
	path := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.EscapedPath()) })
	inner.Mount("/files", path)
	inner.Mount("/{a}/b", path)
	middle.Mount("/{v}/api", inner)
	outer.Mount("example.com/x%2Fy", middle)
	for _, c := range []struct {
		mux          *muxwell.Mux
		target, want string
	}{
		{inner, "/files/z", "/z"},
		{middle, "/1/api/files", "/"},
		{middle, "/1/api/files/z/", "/z/"},
		{middle, "/1/api/q%2Fq/b/z%2F", "/z%2F"},
		{outer, "http://example.com/x%2Fy/1/api/files/z", "/z"},
		{outer, "http://example.com/x%2Fy/1/api/files", "/"},
	} {
		w := httptest.NewRecorder()
		c.mux.ServeHTTP(w, httptest.NewRequest("GET", c.target, nil))
		if got := w.Body.String(); got != c.want {
			t.Errorf("%s: the handler got the path %q, want %q", c.target, got, c.want)
		}
	}
}

// TestMountRootWithMatchers: at the prefix of a mount a route around it wins over
// the "/{$}" of the mounted mux, and that over its "/", whether or not a route with
// that path has matchers.
func TestMountRootWithMatchers(t *testing.T) {
	answer := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
	}
	for _, matchers := range []bool{false, true} {
		inner, outer := muxwell.New(), muxwell.New()
		outer.Handle("PUT,PATCH /p", answer("outer"))
		inner.Handle("GET /", answer("subtree"))
		inner.Handle("POST /{$}", answer("end"))
		inner.Handle("POST /", answer("posts"))
		inner.Handle("PURGE /", answer("purges"))
		inner.Handle("/", answer("subtree of any method"))
		must(inner.Add("/{$}", answer("end of any method"), muxwell.MatchFunc(func(r *http.Request) bool { return r.Method != "GET" && r.Method != "POST" })))
		outer.Mount("/p", inner)
		if matchers {
			must(outer.Add("PURGE /p", answer("matcher"), muxwell.Headers("X", "1"))) // which no request has
		}
		for method, want := range map[string]string{"GET": "subtree", "POST": "end", "PUT": "outer", "PURGE": "end of any method"} {
			w := httptest.NewRecorder()
			outer.ServeHTTP(w, httptest.NewRequest(method, "/p", nil))
			if got := w.Body.String(); got != want {
				t.Errorf("%s with matchers %v: %s, want %s", method, matchers, got, want)
			}
		}
	}
}

func TestMiddlewareServesAnotherMux(t *testing.T) {
	other, m := muxwell.New(), muxwell.New(muxwell.AutoOptions())
	other.Use(func(next http.Handler) http.Handler { return next })
	other.Post("/{x...}", func(http.ResponseWriter, *http.Request) {})
	m.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			other.ServeHTTP(httptest.NewRecorder(), r)
			next.ServeHTTP(w, r)
		})
	})
	m.Get("/a", func(http.ResponseWriter, *http.Request) {})
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/b", "404 []"},
		{"PUT", "/a", "405 [GET, HEAD, OPTIONS]"},
		{"OPTIONS", "/a", "204 [GET, HEAD, OPTIONS]"},
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if got := fmt.Sprint(w.Code, w.Header()["Allow"]); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
	}
}

// TestFaultMountBelowCatchAll: a mux with "/{$}" could not be mounted at a prefix
// with a catch-all: the index was out of range.
func TestFaultMountBelowCatchAll(t *testing.T) {
	m, child := muxwell.New(), muxwell.New(muxwell.NotFound(muxtest.Tells(444)))
	child.HandleFunc("GET /{$}", muxtest.OK)
	child.HandleFunc("GET /a", muxtest.OK)
	m.Mount("/x/{p...}", child)
	for target, want := range map[string]int{"/x/1/2": 307, "/x/1/2/a": 200, "/x/1/2/": 200, "/x": 404} {
		if got := muxtest.AnswerTo(m, muxtest.NewRequest("GET", target)).Code; got != want {
			t.Errorf("GET %s: got %d, want %d", target, got, want)
		}
	}
}
