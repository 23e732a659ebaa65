package behavior

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestGuardOfMount: which answers are in the middleware of a mounted mux, as the comment
// of Mount says.
func TestGuardOfMount(t *testing.T) {
	deny := func(http.Handler) http.Handler { return muxtest.Tells(http.StatusForbidden) }
	for _, tt := range []struct {
		name     string
		register func(m, inner *muxwell.Mux)
		path     string
		want     int
	}{
		{"a route", func(m, inner *muxwell.Mux) { inner.Use(deny); m.Mount("/admin", inner) }, "/admin/x", 403},
		{"no route", func(m, inner *muxwell.Mux) { inner.Use(deny); m.Mount("/admin", inner) }, "/admin/nope", 403},
		{"the prefix", func(m, inner *muxwell.Mux) { inner.Use(deny); m.Mount("/admin", inner) }, "/admin", 403},
		{"outside of the prefix", func(m, inner *muxwell.Mux) { inner.Use(deny); m.Mount("/admin", inner) }, "/nope", 404},
		{"a guard of With", func(m, inner *muxwell.Mux) { inner.With(deny).Get("/y", muxtest.OK); m.Mount("/admin", inner) }, "/admin/nope", 404},
		{"mounted at /", func(m, inner *muxwell.Mux) { inner.Use(deny); m.Mount("/", inner) }, "/nope", 404},
		{"a group with the same prefix", func(m, inner *muxwell.Mux) {
			inner.Use(deny)
			m.Mount("/admin", inner)
			m.Route("/admin", func(g *muxwell.Group) { g.Get("/y", muxtest.OK) })
		}, "/admin/nope", 404},
		{"a route outside", func(m, inner *muxwell.Mux) {
			inner.Use(deny)
			m.Mount("/admin", inner)
			m.Get("/", muxtest.OK)
		}, "/admin/nope", 200},

		// The way out.
		{"a guard of With, and a route /", func(m, inner *muxwell.Mux) {
			inner.With(deny).Handle("/", http.NotFoundHandler())
			m.Mount("/admin", inner)
		}, "/admin/nope", 403},
		{"mounted at /, and a route /", func(m, inner *muxwell.Mux) {
			inner.Use(deny)
			inner.Handle("/", http.NotFoundHandler())
			m.Mount("/", inner)
		}, "/nope", 403},
		{"a group with the same prefix, and a route /", func(m, inner *muxwell.Mux) {
			inner.Use(deny)
			inner.Handle("/", http.NotFoundHandler())
			m.Mount("/admin", inner)
			m.Route("/admin", func(g *muxwell.Group) { g.Get("/y", muxtest.OK) })
		}, "/admin/nope", 403},
		{"a route outside, and a route /", func(m, inner *muxwell.Mux) {
			inner.Use(deny)
			inner.Handle("/", http.NotFoundHandler())
			m.Mount("/admin", inner)
			m.Get("/", muxtest.OK)
		}, "/admin/nope", 403},
	} {
		m, inner := muxwell.New(), muxwell.New()
		inner.Get("/x", muxtest.OK)
		tt.register(m, inner)
		if got := muxtest.AnswerTo(m, httptest.NewRequest("GET", tt.path, nil)).Code; got != tt.want {
			t.Errorf("%s: GET %s is answered with %d, want %d", tt.name, tt.path, got, tt.want)
		}
	}
}
