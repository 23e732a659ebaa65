package users

import (
	"net/http"

	"github.com/muxwell/muxwell"
)

func Register(m *http.ServeMux, h http.HandlerFunc) {
	m.HandleFunc("GET /users/{id}", h)
}

func RegisterSome(m *http.ServeMux, h http.HandlerFunc, debug bool) {
	if debug {
		m.HandleFunc("GET /users/{id}", h)
	}
}

func Group(g *muxwell.Group, h http.HandlerFunc) {
	g.Get("/{id}", h)
}

// New returns a mux to mount.
func New(h http.HandlerFunc) *muxwell.Mux {
	m := muxwell.New()
	m.Get("/users/{id}", h)
	return m
}

// Mux returns a mux to which more routes may be added.
func Mux(h http.HandlerFunc) *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /users/{id}", h)
	return m
}

// Mounted mounts a mux.
func Mounted(m *muxwell.Mux, h http.HandlerFunc) {
	inner := muxwell.New()
	inner.Get("/users/{id}", h)
	m.Mount("/in", inner)
}

// Below's routes depend on its argument.
func Below(prefix string, h http.HandlerFunc) *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc(prefix+"/users", h)
	return m
}

var below = Below("/v1", nil)
