package behavior

import (
	"net/http"
	"slices"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestUpdateTakenBackKeepsTheOrder: a removal that is taken back puts the route in
// its place again, and it can be removed later.
func TestUpdateTakenBackKeepsTheOrder(t *testing.T) {
	m := muxwell.New()
	routes := []*muxwell.Route{m.Get("/a", muxtest.Says("a").ServeHTTP), m.Get("/b", muxtest.Says("b").ServeHTTP), m.Get("/c", muxtest.Says("c").ServeHTTP)}
	bad := true
	m.Use(func(next http.Handler) http.Handler {
		if bad {
			panic("bad middleware")
		}
		return next
	})
	remove := func(tx *muxwell.Tx) error { return tx.Remove(routes[1]) }
	func() {
		defer func() { recover() }()
		m.Update(remove)
	}()
	if got := slices.Collect(m.Routes()); !slices.Equal(got, routes) {
		t.Errorf("taken back: got %v, want %v", got, routes)
	}
	bad = false
	if err := m.Update(remove); err != nil {
		t.Errorf("remove again: %v", err)
	}
	if got := muxtest.Bodies(m, "/a", "/b", "/c"); got != "a 404 c" {
		t.Errorf("got %s, want a 404 c", got)
	}
}
