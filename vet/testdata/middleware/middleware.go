package main

import (
	"log"
	"net/http"
)

func main() {
	outer := http.NewServeMux()
	api := http.NewServeMux()
	api.HandleFunc("GET /users/{id}", nil)
	outer.Handle("/api/", api) // want `the mux gets whole paths, which begin with "/api", and has no such pattern, only ones like "GET /users/{id}"; use http.StripPrefix`

	stripped := http.NewServeMux()
	stripped.HandleFunc("GET /users/{id}", nil)
	outer.Handle("/stripped/", http.StripPrefix("/stripped", stripped))

	whole := http.NewServeMux()
	whole.HandleFunc("GET /whole/users/{id}", nil)
	outer.Handle("/whole/", whole)

	wild := http.NewServeMux()
	wild.HandleFunc("GET /{any}/users/{id}", nil)
	outer.Handle("/wild/", wild)

	more := http.NewServeMux()
	more.HandleFunc("GET /users/{id}", nil)
	register(more)
	outer.Handle("/more/", more)

	outer.Handle("/x/", both(http.NotFoundHandler()))
	go http.ListenAndServe("", both(outer))
	http.ListenAndServe("", logged(outer))
}

func register(m *http.ServeMux) { m.HandleFunc("/more/x", nil) }

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Print(r.Pattern) // want `r.Pattern is empty here`
		next.ServeHTTP(w, r)
		log.Print(r.Pattern)
	})
}

func both(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Print(r.Pattern)
		next.ServeHTTP(w, r)
	})
}
