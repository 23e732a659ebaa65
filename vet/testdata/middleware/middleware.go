package main

import (
	"context"
	"log"
	"net/http"

	"github.com/muxwell/muxwell/vet/testdata/middleware/api"
)

func main() {
	outer := http.NewServeMux()
	local := http.NewServeMux()
	local.HandleFunc("GET /users/{id}", nil)
	outer.Handle("/api/", local) // want `the mux gets whole paths, which begin with "/api", and has no such pattern, only ones like "GET /users/{id}"; use http.StripPrefix`

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

	outer.Handle("/of/", api.Mux()) // want `the mux gets whole paths, which begin with "/of"`
	outer.Handle("/of2/", api.More(register))

	outer.Handle("/x/", both(http.NotFoundHandler()))
	go http.ListenAndServe("", both(outer))
	serve(outer)
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

func serve(m *http.ServeMux) {
	server := &http.Server{Handler: deferred(traced(replaced(m)))}
	server.ListenAndServe()
	http.ListenAndServe("", failing(helped(named(m))))
}

func replaced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r2 := r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, 1))
		next.ServeHTTP(w, r2)
		log.Print(r.Pattern) // want `r.Pattern is empty here: the mux sets it in the copy of the request that ServeHTTP got`
		log.Print(r2.Pattern)
	})
}

func deferred(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			log.Print(r.Pattern) // want `r.Pattern is empty here: the mux sets it in the copy`
		}()
		next.ServeHTTP(w, r.Clone(r.Context()))
	})
}

// The request is replaced for all.
func traced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.Print(r.Pattern) // want `r.Pattern is empty here: .* which comes later`
		r = r.WithContext(r.Context())
		next.ServeHTTP(w, r)
		log.Print(r.Pattern)
	})
}

// Sometimes the request itself is served.
func failing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Trace") == "" {
			next.ServeHTTP(w, r)
		} else {
			next.ServeHTTP(w, r.WithContext(r.Context()))
		}
		log.Print(r.Pattern)
	})
}

func helped(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(r.Context()))
		fallback(next, w, r)
		log.Print(r.Pattern)
	})
}

func fallback(next http.Handler, w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) }

// The middleware sets the pattern itself.
func named(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, r.Pattern = mux.Handler(r)
		log.Print(r.Pattern)
		http.Handler(mux).ServeHTTP(w, r)
	})
}
