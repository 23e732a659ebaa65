package order

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
)

func log(next http.Handler) http.Handler { return next }

func routes(debug bool) {
	r := chi.NewRouter()
	r.Use(log)
	r.Get("/users/{id:[0-9]+}", user)
	r.Use(log) // want `Use after a route`
	r.Route("/files", func(r chi.Router) {
		r.Use(log)
		r.Get("/*", user)
	})
	s := chi.NewRouter()
	if debug {
		s.Get("/debug", user)
	}
	s.Use(log)
	m := mux.NewRouter()
	m.HandleFunc("/g/{id}", user).Methods("GET", "HEAD")
	m.HandleFunc("/q", user).Queries("a", "b")
	r.Mount("/s", s)
}

// user is no handler of a mux whose path values are known.
func user(w http.ResponseWriter, r *http.Request) { r.PathValue("idd") }
