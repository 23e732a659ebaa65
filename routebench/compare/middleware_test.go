package compare

import (
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// TestMiddleware: every router that is given routes, to prove itself or to be measured,
// has the scenario's number of middleware.
func TestMiddleware(t *testing.T) {
	rs := routesOf(t, "GET /a/{x}", "GET /b")
	whole := fake("whole", "", "")
	newMux := whole.New
	used := map[int]int{} // how many routers were given routes by their number of middleware
	whole.New = func() router.Mux {
		m, n, counted := newMux(), 0, false
		add := m.Add
		m.Use = func() { n++ }
		m.Add = func(r *route.Route, path string, work *router.Work) error {
			if !counted {
				used[n]++
				counted = true
			}
			return add(r, path, work)
		}
		return m
	}
	for _, kind := range []result.Kind{result.Speed, result.Memory, result.Growth, result.Server} {
		for _, n := range []int{0, 3} {
			s := scenario(t, string(kind), kind, rs, "GET /a/1", "GET /b")
			s.Middleware = n
			clear(used)
			compareAll(t, Plan{Routers: []router.Router{whole}, Scenarios: []suite.Scenario{s}, Settings: settings})
			if len(used) != 1 || used[n] < 2 {
				t.Errorf("%s with %d middleware: routers by their middleware are %v, want two or more with %d and no others", kind, n, used, n)
			}
		}
	}
}
