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
