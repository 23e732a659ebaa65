//go:build !race

// The race detector makes pools drop what they hold, at random.

package routers

import (
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/router"
)

// TestAllocations checks what is said of the routers that allocate nothing: then
// neither does the comparison.
func TestAllocations(t *testing.T) {
	routes := parse(t, "GET /users/{id}", "POST /users/{id}/posts/{post}")
	all := templates(requests(t, routes))
	tests := map[router.Task]string{
		router.Nothing: "bunrouter echo gin muxwell-value",
		router.ReadAll: "bunrouter echo gin muxwell-value",
		router.Write:   "gin muxwell-value",
	}
	for task, names := range tests {
		found, err := Find(strings.Fields(names)...)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			pass := load(t, r, routes, task).Passes(all)
			pass(10)
			if n := testing.AllocsPerRun(100, func() { pass(1) }); n != 0 {
				t.Errorf("%s allocates %v times in a pass with task %d, want 0", r.Name, n, task)
			}
		}
	}
}
