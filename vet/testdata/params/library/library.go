package library

import (
	"net/http"

	"github.com/muxwell/muxwell"
)

// Another package may register User too.
func User(w http.ResponseWriter, r *http.Request) {
	r.PathValue("user_id")
	r.PathValue("user_di") // want `did you mean "user_id"`
	r.PathValue("page")
}

// Elsewhere is registered by other packages only.
func Elsewhere(w http.ResponseWriter, r *http.Request) { id(r) }

func id(r *http.Request) string { return r.PathValue("id") }

// New's mux may be mounted below a prefix with parameters.
func New() *muxwell.Mux {
	m := muxwell.New()
	m.Get("/users/{user_id}", User)
	m.Get("/ids/{idx}", func(w http.ResponseWriter, r *http.Request) { id(r) })
	m.Get("/x/{x}", func(w http.ResponseWriter, r *http.Request) { r.PathValue("tenant") })
	return m
}
