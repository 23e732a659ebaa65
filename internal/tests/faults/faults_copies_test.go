package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// net/http keeps the values of SetPathValue in a map, which copies of a request by
// WithContext or assignment share. A mux that writes to it ends the process with
// "concurrent map writes" when copies are served at the same time, and changes the
// values of other copies. These programs are clean with http.ServeMux; they are
// meant for the race detector.

// through returns middleware that calls next.
func through(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

// copyFor returns a copy of a request by WithContext that asks for another path.
func copyFor(r *http.Request, path string) *http.Request {
	c := r.WithContext(r.Context())
	c.URL = &url.URL{Path: path}
	return c
}

// serveCopies serves copies of r with the given paths, each in a goroutine, and
// returns the statuses.
func serveCopies(h http.Handler, r *http.Request, paths []string) []int {
	codes := make([]int, len(paths))
	var wg sync.WaitGroup
	for i, path := range paths {
		wg.Go(func() { codes[i] = muxtest.AnswerTo(h, copyFor(r, path)).Code })
	}
	wg.Wait()
	return codes
}

// TestFaultCopiesOfMisses: a handler serves copies of its request, whose paths are
// missing, on the mux that it is in. What middleware in front set is in a map that
// the copies share.
func TestFaultCopiesOfMisses(t *testing.T) {
	m := muxwell.New()
	m.Use(through)
	paths := make([]string, 8)
	for i := range paths {
		paths[i] = fmt.Sprint("/missing/", i)
	}
	var codes []int
	m.HandleFunc("GET /batch", func(_ http.ResponseWriter, r *http.Request) { codes = serveCopies(m, r, paths) })
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.SetPathValue("user", "anna")
		m.ServeHTTP(w, r)
		if got := r.PathValue("user"); got != "anna" {
			t.Errorf("after the mux: got user %q, want anna", got)
		}
	})
	for range 20 {
		muxtest.AnswerTo(h, muxtest.NewRequest("GET", "/batch"))
		for i, code := range codes {
			if code != http.StatusNotFound {
				t.Errorf("copy %d: got status %d, want 404", i, code)
			}
		}
	}
}

// slowMisses serves a mux whose NotFound is a timeout around another mux to 16
// clients, and reads the request's values behind it, as an access log does.
func slowMisses(t *testing.T, newMux func(notFound http.Handler) *muxwell.Mux, name string) {
	t.Helper()
	inner := newMux(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Millisecond)
		w.WriteHeader(http.StatusNotFound)
	}))
	m := newMux(http.TimeoutHandler(inner, 500*time.Microsecond, "late"))
	log := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.ServeHTTP(w, r)
		r.PathValue(name)
	})
	srv := httptest.NewServer(log)
	defer srv.Close()
	muxtest.AskForMissing(t, srv.URL)
}

// TestFaultMissBehindTimeout: a NotFound handler runs on in a goroutine of its own,
// with a copy of the request, after the access log has gone on.
func TestFaultMissBehindTimeout(t *testing.T) {
	slowMisses(t, func(notFound http.Handler) *muxwell.Mux {
		m := muxwell.New(muxwell.NotFound(notFound))
		m.Use(through)
		return m
	}, "id")
}

// TestFaultGroupMissBehindTimeout: the same with a group's handler, which can read
// the parameters of the prefix.
func TestFaultGroupMissBehindTimeout(t *testing.T) {
	slowMisses(t, func(notFound http.Handler) *muxwell.Mux {
		m := muxwell.New()
		m.Route("/{tenant}", nil).NotFound(notFound)
		return m
	}, "tenant")
}

// TestFaultCopyInAnotherMux: a handler serves a copy of its request with another
// path on a second mux, and then its own request has the values of the copy.
func TestFaultCopyInAnotherMux(t *testing.T) {
	keep := func(_ http.ResponseWriter, _ *http.Request) {}
	second := muxwell.New()
	second.Use(through)
	second.HandleFunc("GET /{tenant}/route", keep)
	second.HandleFunc("GET /{tenant}/escaped/{rest...}", keep)
	second.HandleParams("GET /{tenant}/value", func(http.ResponseWriter, *http.Request, muxwell.Params) {})
	second.HandleFunc("GET /{tenant}/tree/", keep)
	second.Route("/{tenant}/group", func(g *muxwell.Group) {
		g.Use(through)
		g.Get("/x", keep)
	})
	second.Route("/{tenant}/missing", nil).NotFound(http.HandlerFunc(keep))
	second.Mount("/{tenant}/mount", func() *muxwell.Mux {
		child := muxwell.New()
		child.HandleFunc("GET /{id}", keep)
		return child
	}())
	second.Mount("/{tenant}/handler", http.HandlerFunc(keep))
	first := muxwell.New()
	called := 0
	check := func(_ http.ResponseWriter, r *http.Request) {
		called++
		r.SetPathValue("user", "anna")
		for path, values := range map[string]string{
			"/b/route": "b anna", "/b/escaped/x%2Fy": "b anna", "/b/value": "b anna", "/b/group/none": "b anna", "/b/group/x": "b anna", "/b/missing/x": "b anna",
			"/b/mount/1": "b anna", "/b/mount/1/2": "b anna", "/b/handler/1": "b anna", "/b/tree": "", "/b/none/at/all": "",
		} {
			c := r.WithContext(context.Background())
			c.URL, _ = url.Parse(path)
			muxtest.AnswerTo(second, c)
			if r.PathValue("tenant") != "a" || r.PathValue("user") != "anna" {
				t.Errorf("after a copy was served at %s: got tenant %q, user %q, want a, anna", path, r.PathValue("tenant"), r.PathValue("user"))
			}
			if got := c.PathValue("tenant") + " " + c.PathValue("user"); values != "" && got != values {
				t.Errorf("the copy that was served at %s has values %q, want %q", path, got, values)
			}
		}
	}
	first.Route("/{tenant}", func(g *muxwell.Group) {
		g.Get("/x", check)
		g.Get("/esc/{y}", check)
		g.NotFound(http.HandlerFunc(check))
	})
	for _, target := range []string{"/a/none", "/a/x", "/a/esc/a%2Fb"} {
		muxtest.AnswerTo(first, muxtest.NewRequest("GET", target))
	}
	if called != 3 {
		t.Errorf("called %d times, want 3", called)
	}
}

// TestFaultCopiesInGoroutines: copies of a request are served at the same time, in
// all the ways in which a mux delivers values, on the mux they come from and on
// another one. Each has its own values, and the request keeps its own.
func TestFaultCopiesInGoroutines(t *testing.T) {
	newTarget := func() *muxwell.Mux {
		m := muxwell.New()
		m.Use(through)
		for _, pattern := range []string{"GET /route/{id}", "GET /long/{id}/{x}/{y}/{z}", "GET {host}.example.com/host/{id}"} {
			m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) })
		}
		value := func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) { fmt.Fprint(w, p.Get("id")) }
		m.HandleParams("GET /value/{id}", value)
		m.Route("/group/{id}", func(g *muxwell.Group) {
			g.HandleParams("GET /value", value)
			g.NotFound(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) }))
		})
		child := muxwell.New()
		child.HandleFunc("GET /{x}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) })
		m.Mount("/mount/{id}", child)
		return m
	}
	other := newTarget()
	m := newTarget()
	check := func(_ http.ResponseWriter, r *http.Request) {
		var wg sync.WaitGroup
		for _, h := range []*muxwell.Mux{m, other} {
			for i := range 4 {
				for _, format := range []string{"/route/%d", "/route/%d%%2F", "/value/%d", "/value/%d%%2F", "/long/%d/1/2/3", "/group/%d/value", "/group/%d/none", "/mount/%d/x", "/host/%d"} {
					target := fmt.Sprintf(format, i)
					wg.Go(func() {
						c := r.WithContext(r.Context())
						c.URL, _ = url.Parse(target)
						c.Host = "h.example.com"
						w := muxtest.AnswerTo(h, c)
						if body := w.Body.String(); len(body) == 0 || body[0] != byte('0'+i) {
							t.Errorf("%s: got %q, want %d", target, body, i)
						}
					})
				}
			}
		}
		wg.Wait()
		if r.PathValue("outer") != "1" || r.PathValue("user") != "anna" {
			t.Errorf("afterwards the request has outer %q, user %q", r.PathValue("outer"), r.PathValue("user"))
		}
	}
	m.HandleFunc("GET /start/{outer}", check)
	m.Route("/startgroup/{outer}", func(g *muxwell.Group) { g.NotFound(http.HandlerFunc(check)) })
	for _, path := range []string{"/start/1", "/startgroup/1/none"} {
		r := muxtest.NewRequest("GET", path)
		r.SetPathValue("user", "anna")
		muxtest.AnswerTo(m, r)
	}
}

// TestFaultServeMuxCopies: a mux serves copies of a request that http.ServeMux gave
// values to, with the same names.
func TestFaultServeMuxCopies(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /inner/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) })
	outer := http.NewServeMux()
	outer.HandleFunc("GET /outer/{id}", func(_ http.ResponseWriter, r *http.Request) {
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if got := muxtest.AnswerTo(m, copyFor(r, fmt.Sprint("/inner/", i))).Body.String(); got != fmt.Sprint(i) {
					t.Errorf("copy %d: got %q", i, got)
				}
			})
		}
		wg.Wait()
		if got := r.PathValue("id"); got != "own" {
			t.Errorf("afterwards: got %q, want own", got)
		}
	})
	muxtest.AnswerTo(outer, muxtest.NewRequest("GET", "/outer/own"))
}

// TestFaultBlankedValues: a value handler was given the URL's value again for a
// parameter that middleware had set to "".
func TestFaultBlankedValues(t *testing.T) {
	blank := func(names ...string) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request {
			for _, name := range names {
				r.SetPathValue(name, "")
			}
			return r
		}
	}
	relabel := func(label string, then func(*http.Request) *http.Request) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request {
			r = r.Clone(r.Context())
			r.Pattern = label
			return then(r)
		}
	}
	for _, row := range []struct {
		what, pattern, target, want string
		change                      func(*http.Request) *http.Request
	}{
		{"one", "/as/{user}", "/as/eve", `""`, blank("user")},
		{"one, escaped", "/as/{user}", "/as/e%2Fve", `""`, blank("user")},
		{"the first of two", "/as/{user}/{role}", "/as/eve/root", `"" "root"`, blank("user")},
		{"both", "/as/{user}/{role}", "/as/eve/root", `"" ""`, blank("user", "role")},
		{"both, in the query too", "/as/{user}/{role}", "/as/eve/root?v=1", `"" "" ""`, blank("user", "role", "v")},
		{"a clone", "/as/{user}", "/as/eve", `""`, relabel("/as/{user}", blank("user"))},
		{"a clone with a label", "/as/{user}", "/as/eve", `""`, relabel("label", blank("user"))},
		{"a clone without a pattern", "/as/{user}", "/as/eve", `""`, relabel("", blank("user"))},
		{"a label, nothing blank", "/as/{user}", "/as/eve", `"eve"`, relabel("label", blank())},
		{"replaced", "/as/{user}/{role}", "/as/eve/root", `"anna" ""`, func(r *http.Request) *http.Request {
			r.SetPathValue("user", "anna")
			return blank("role")(r)
		}},
		{"a new request with a value", "/as/{user}/{role}", "/as/eve/root", `"anna" ""`, func(r *http.Request) *http.Request {
			r = muxtest.NewRequest("GET", r.URL.Path)
			r.SetPathValue("user", "anna")
			return r
		}},
		{"a new request with an empty value", "/as/{user}", "/as/eve", `""`, func(r *http.Request) *http.Request {
			return blank("user")(muxtest.NewRequest("GET", r.URL.Path))
		}},
		{"a new request with another value", "/as/{user}", "/as/eve", `"eve"`, func(r *http.Request) *http.Request {
			r = muxtest.NewRequest("GET", r.URL.Path)
			r.SetPathValue("request", "7")
			return r
		}},
		{"a new request", "/as/{user}/{role}", "/as/eve/root", `"eve" "root"`, func(r *http.Request) *http.Request {
			return muxtest.NewRequest("GET", r.URL.Path)
		}},
	} {
		m := muxwell.New()
		m.Use(muxtest.Replacing(row.change))
		var got, byName string
		var options []muxwell.RouteOption
		if row.what == "both, in the query too" {
			options = append(options, muxwell.Queries("v", "{v}"))
		}
		_, err := m.Add(row.pattern, muxwell.ParamsFunc(func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
			var values, named []string
			for name, value := range p.All() {
				values, named = append(values, fmt.Sprintf("%q", value)), append(named, fmt.Sprintf("%q", r.PathValue(name)))
			}
			got, byName = joined(values), joined(named)
		}), options...)
		if err != nil {
			t.Fatal(err)
		}
		muxtest.AnswerTo(m, muxtest.NewRequest("GET", row.target))
		if got != row.want {
			t.Errorf("%s: Params are %s, want %s", row.what, got, row.want)
		}
		if got != byName && row.what[:5] != "a new" {
			t.Errorf("%s: Params are %s, r.PathValue returns %s", row.what, got, byName)
		}
	}
}

func joined(texts []string) string {
	s := fmt.Sprint(texts)
	return s[1 : len(s)-1]
}
