package router

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/valyala/fasthttp"

	"github.com/muxwell/muxwell/routebench/route"
)

// TestWith: Use is called once for each middleware of every mux, before the first route,
// also when the load begins again.
func TestWith(t *testing.T) {
	r := literal()
	newMux := r.New
	var used []int // of each mux
	r.New = func() Mux {
		m := newMux()
		used = append(used, 0)
		add := m.Add
		m.Add = func(rt *route.Route, path string, work *Work) error {
			if got := used[len(used)-1]; got != 3 {
				t.Errorf("%s is added after %d calls of Use, want 3", path, got)
			}
			return add(rt, path, work)
		}
		m.Use = func() { used[len(used)-1]++ }
		return m
	}
	if _, err := r.With(3).Load(parse(t, "GET /a", "GET /error", "GET /b"), Answer); err != nil {
		t.Fatal(err)
	}
	if len(used) != 2 {
		t.Errorf("%d routers were made, want 2", len(used))
	}
	for _, got := range used {
		if got != 3 {
			t.Errorf("Use was called %d times, want 3", got)
		}
	}
}

// TestWithoutUse: the middleware of a router that has none is around its handler, and a
// server that cannot be wrapped is an error.
func TestWithoutUse(t *testing.T) {
	callers := func(ready func() (Stack, error), kept *Kept, n int) int {
		r := &Router{New: func() Mux { return Mux{Ready: ready} }}
		l, err := r.With(n).Load(nil, Nothing)
		if err != nil {
			t.Fatal(err)
		}
		l.Reply(request(t, "GET", "/", 0).HTTP)
		ran := 0
		for _, name := range kept.Callers(kept.Len() - 1) {
			if strings.Contains(name, "PassThrough") || strings.Contains(name, ".wrapped.") {
				ran++
			}
		}
		return ran
	}
	work := &Work{Task: Keep, kept: new(Kept)}
	none := func(any, string) string { return "" }
	for _, n := range []int{0, 1, 4} {
		onNetHTTP := func() (Stack, error) {
			return HandlerStack(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { Do(work, w, any(nil), none) })), nil
		}
		if got := callers(onNetHTTP, work.kept, n); got != n {
			t.Errorf("net/http: %d middleware ran, want %d", got, n)
		}
		onFastHTTP := FastHTTP(&fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) { Do(work, c, any(nil), none) }})
		if got := callers(onFastHTTP, work.kept, n); got != n {
			t.Errorf("fasthttp: %d middleware ran, want %d", got, n)
		}
	}
	r := &Router{New: func() Mux { return Mux{Ready: Hertz(server.New(server.WithDisablePrintRoute(true)))} }}
	if _, err := r.With(1).Load(nil, Nothing); err == nil || !strings.Contains(err.Error(), "hertz") {
		t.Errorf("hertz without Use: error %v, want one", err)
	}
	if _, err := r.Load(nil, Nothing); err != nil {
		t.Errorf("hertz without middleware: %v", err)
	}
}

// TestUsePanics: a panic of the router's own Use is the error of Load.
func TestUsePanics(t *testing.T) {
	r := literal()
	newMux := r.New
	r.New = func() Mux {
		m := newMux()
		m.Use = func() { panic("no middleware\nand a stack") }
		return m
	}
	if _, err := r.With(1).Load(parse(t, "GET /a"), Answer); err == nil || err.Error() != "no middleware" {
		t.Errorf("error %v, want no middleware", err)
	}
}
