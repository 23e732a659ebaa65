package main

import (
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/vet/testdata/conflict/users"
)

func main() {
	m := newMux(http.NotFound, true)
	http.ListenAndServe("", m)
}

func newMux(h http.HandlerFunc, debug bool) *muxwell.Mux {
	m := muxwell.New()
	m.Use(first, second)
	m.Get("/a", h)
	m.With(third).Get("/b", h)
	m.Route("/c", func(g *muxwell.Group) {
		g.Get("/d", h)
		g.Use(third)
		g.With(fourth("x")).Post("/e", h)
		g.Group(func(g *muxwell.Group) {
			g.Use(fifth)
			g.Get("/f", h)
		})
	})
	register(m.With(fourth("y")), h)

	inner := muxwell.New()
	inner.Use(fourth("z"))
	inner.Get("/g", h)
	m.With(fifth).Mount("/inner", inner)
	m.Mount("/users", users.New(h))
	other := users.Mux(h)
	other.HandleFunc("GET /other", h)
	if debug {
		m.Use(fifth)
		m.Get("/debug", h)
	}
	return m
}

func register(g *muxwell.Group, h http.HandlerFunc) {
	g.Use(fifth)
	g.Get("/r", h)
}

func first(next http.Handler) http.Handler  { return next }
func second(next http.Handler) http.Handler { return next }
func third(next http.Handler) http.Handler  { return next }
func fifth(next http.Handler) http.Handler  { return next }

func fourth(string) muxwell.Middleware { return first }
