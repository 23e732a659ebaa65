package api

import "net/http"

func Mux() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /users/{id}", nil)
	return m
}

func More(f func(*http.ServeMux)) http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /users/{id}", nil)
	f(m)
	return m
}
