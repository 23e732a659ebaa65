package routers

import (
	"net/http"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/router"
)

// TestMiddleware counts the functions of adapters and of package router that run when
// a handler is called: each middleware adds one. A request is served alone, in a pass
// and over a connection.
func TestMiddleware(t *testing.T) {
	routes, requests := few(t)
	requests = requests[1:2]
	const ways = 3
	for _, r := range All() {
		var without [ways]int
		for _, n := range []int{0, 1, 5} {
			l := load(t, *r.With(n), routes, router.Keep)
			l.Reply(requests[0].HTTP)
			l.Passes([]*http.Request{requests[0].HTTP})(1)
			if err := serve(l, requests); err != nil {
				t.Errorf("%s with %d middleware: %v", r.Name, n, err)
			}
			if got := l.Kept.Len(); got != ways {
				t.Fatalf("%s with %d middleware: handlers were called %d times, want %d", r.Name, n, got, ways)
			}
			for way := range ways {
				running := 0
				for _, name := range l.Kept.Callers(way) {
					if strings.HasPrefix(name, "github.com/muxwell/muxwell/routebench/router") {
						running++
					}
				}
				if n == 0 {
					without[way] = running
				} else if got := running - without[way]; got != n {
					t.Errorf("%s, request %d: %d middleware ran, want %d", r.Name, way, got, n)
				}
			}
		}
	}
}

// TestMiddlewareAnswers has every router answer the routes of GitHub's API behind five
// middleware.
func TestMiddlewareAnswers(t *testing.T) {
	list := list(t, "github.txt")
	requests := requests(t, list)
	for _, r := range All() {
		for _, f := range load(t, *r.With(5), list, router.Answer).Prove(requests) {
			t.Errorf("%s: %s: %s", r.Name, f.Request, f.Reason)
		}
	}
}

// TestWithoutMiddleware names the routers that have no middleware, around which it is
// wrapped.
func TestWithoutMiddleware(t *testing.T) {
	var without []string
	for _, r := range All() {
		if r.New().Use == nil {
			without = append(without, r.Name)
		}
	}
	if got, want := strings.Join(without, " "), "fasthttp-router httprouter pat ServeMux"; got != want {
		t.Errorf("without middleware are %s, want %s", got, want)
	}
}
