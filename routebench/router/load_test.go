package router

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
)

// parse returns the routes of patterns.
func parse(t *testing.T, patterns ...string) []*route.Route {
	t.Helper()
	var routes []*route.Route
	for _, p := range patterns {
		r, err := route.Parse(p)
		if err != nil {
			t.Fatal(err)
		}
		routes = append(routes, r)
	}
	return routes
}

// request returns a request that the route with the index must answer.
func request(t *testing.T, method, target string, index int, values ...string) *route.Request {
	t.Helper()
	q, err := route.NewRequest(method, "", target)
	if err != nil {
		t.Fatal(err)
	}
	if q.Route, q.Values = index, values; index >= 0 {
		q.Status = http.StatusOK
	}
	return q
}

// literal is a router that knows literal paths. It refuses those with "error" or
// "panic" in them, and is spoiled by that: nothing is found any more.
func literal() *Router {
	return &Router{Name: "literal", Syntax: route.Syntax{Param: "{%s}"}, New: func() Mux {
		handlers, spoiled := make(map[string]http.Handler), false
		return Mux{
			Add: func(r *route.Route, path string, work *Work) error {
				switch {
				case strings.Contains(path, "error"):
					spoiled = true
					return errors.New("no errors")
				case strings.Contains(path, "panic"):
					spoiled = true
					panic("  no panics\nand a stack")
				}
				handlers[r.Method+" "+path] = work.HandlerFunc((*http.Request).PathValue)
				return nil
			},
			Ready: NetHTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if h := handlers[r.Method+" "+r.URL.Path]; h != nil && !spoiled {
					h.ServeHTTP(w, r)
					return
				}
				http.NotFound(w, r)
			})),
		}
	}}
}

func TestLoad(t *testing.T) {
	routes := parse(t, "GET /a", "GET /error", "GET /{x:int}", "GET /b", "GET /panic", "GET /error/2", "GET /c")
	l, err := literal().Load(routes, Answer)
	if err != nil {
		t.Fatal(err)
	}
	want := []Fault{
		{Route: 1, Reason: "no errors"},
		{Route: 2, Reason: "it has no expressions or constraints"},
		{Route: 4, Reason: "no panics"},
		{Route: 5, Reason: "no errors"},
	}
	if !slices.Equal(l.Faults, want) {
		t.Errorf("faults %+v, want %+v", l.Faults, want)
	}
	var requests []*route.Request
	for i, r := range routes {
		requests = append(requests, request(t, "GET", strings.TrimPrefix(r.Text, "GET "), i))
	}
	if faults := l.Prove(requests); len(faults) > 0 {
		t.Errorf("the routes that were taken have the faults %+v", faults)
	}
	for i, want := range []bool{true, false, false, true, false, false, true} {
		if got := l.Takes(i); got != want {
			t.Errorf("Takes(%d) = %t, want %t", i, got, want)
		}
	}
	if !l.Takes(-1) {
		t.Error("Takes(-1) = false: requests of no route are left out")
	}
}

// TestLoadManyRefused checks that routes beyond the number of restarts are refused
// too, and that nothing of it is left.
func TestLoadManyRefused(t *testing.T) {
	var patterns []string
	for i := range 3 * restarts {
		patterns = append(patterns, fmt.Sprintf("GET /a/%d", i), fmt.Sprintf("GET /error/%d", i))
	}
	routes := parse(t, patterns...)
	l, err := literal().Load(routes, Answer)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Faults) != len(routes)/2 {
		t.Errorf("%d routes are refused, want %d", len(l.Faults), len(routes)/2)
	}
	for i, f := range l.Faults {
		if f.Route != 2*i+1 {
			t.Fatalf("fault %d is that of %s, want %s", i, routes[f.Route], routes[2*i+1])
		}
	}
	for i := 0; i < len(routes); i += 2 {
		q := request(t, "GET", strings.TrimPrefix(routes[i].Text, "GET "), i)
		if faults := l.Prove([]*route.Request{q}); len(faults) > 0 {
			t.Errorf("%s: %s", q, faults[0].Reason)
		}
	}
}

func TestLoadReady(t *testing.T) {
	for _, ready := range []func() (Stack, error){
		func() (Stack, error) { return nil, errors.New("not ready") },
		func() (Stack, error) { panic("not ready") },
	} {
		r := literal()
		r.New = func() Mux { return Mux{Ready: ready} }
		if _, err := r.Load(nil, Answer); err == nil || err.Error() != "not ready" {
			t.Errorf("error %v, want not ready", err)
		}
	}
}

func TestProve(t *testing.T) {
	r := &Router{Name: "wrong", Syntax: route.Syntax{Native: true}, New: func() Mux {
		m := http.NewServeMux()
		return Mux{
			Add: func(r *route.Route, path string, work *Work) error {
				m.HandleFunc(r.Method+" "+path, work.HandlerFunc(func(r *http.Request, name string) string {
					if r.URL.Path == "/panic/x" {
						panic(fmt.Sprintf("no %s\n", name))
					}
					return r.PathValue(name)
				}))
				return nil
			},
			Ready: NetHTTP(m),
		}
	}}
	routes := parse(t, "GET /a/{x}", "GET /panic/{x}", "GET /dir/")
	l, err := r.Load(routes, Answer)
	if err != nil {
		t.Fatal(err)
	}
	head := request(t, "HEAD", "/a/x", 0, "y")
	tests := []struct {
		request *route.Request
		want    string
	}{
		{request(t, "GET", "/a/x", 0, "x"), ""},
		{request(t, "GET", "/a/x", 0, "y"), `route and values 0 "x", want 0 "y"`},
		{request(t, "GET", "/a/x", 2), `route and values 0 "x", want 2`},
		{request(t, "GET", "/b", 0, "x"), "status 404, want 200"},
		{request(t, "GET", "/dir", 2), "status 307, want 200, a redirect to /dir/"},
		{request(t, "GET", "/panic/x", 1, "x"), "panics: no x"},
		{request(t, "GET", "/b", -1), ""},
		{request(t, "GET", "/a/x", -1), "status 200, want 404"},
		{head, `route and values 0 "x", want 0 "y"`},
	}
	for _, tt := range tests {
		got := ""
		if faults := l.Prove([]*route.Request{tt.request}); len(faults) > 0 {
			got = faults[0].Reason
			if faults[0].Request != tt.request.String() || faults[0].Route != tt.request.Route {
				t.Errorf("%s: the fault is that of %q, route %d", tt.request, faults[0].Request, faults[0].Route)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.request, got, tt.want)
		}
	}
	l.Stack = HandlerStack(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	if faults := l.Prove([]*route.Request{head}); len(faults) > 0 {
		t.Errorf("%s without a body: %+v, want no fault", head, faults)
	}
}

func TestFirstLine(t *testing.T) {
	tests := []struct{ message, want string }{
		{"", ""},
		{"  no panics \nand a stack", "no panics"},
		{`pattern "/a" (registered at /src/x/file.go:20) conflicts with /a/b`, `pattern "/a" conflicts with /a/b`},
		{`at C:\me\x\file.go:20, /srv/other.go:7:`, `at file.go:20, other.go:7`},
		{"conflict in /a/b/c: /d/e.go", "conflict in /a/b/c: /d/e.go"},
	}
	for _, tt := range tests {
		if got := firstLine(tt.message); got != tt.want {
			t.Errorf("firstLine(%q) = %q, want %q", tt.message, got, tt.want)
		}
	}
}
