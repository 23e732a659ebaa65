package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/vet/testdata/params/remote/handlers"
)

type server struct{ last *http.Request }

func main() {
	m := http.NewServeMux()
	s := new(server)
	m.HandleFunc("GET /orgs/{org}/users/{id}", user)                               // want `the handler never reads the parameter "org"`
	m.Handle("GET /m/{id}/{x}", logged(http.HandlerFunc(s.method)))                // want `never reads the parameter "x"`
	m.Handle("GET /r/{id}/{x}", s.returned())                                      // want `never reads the parameter "x"`
	m.HandleFunc("GET /n/{id}/{x}", func(w http.ResponseWriter, r *http.Request) { // want `never reads the parameter "x"`
		defer func() { fmt.Fprint(w, number(r, "id")) }()
		handlers.Number(r, "id")
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	m.Handle("GET /loaded/{id}/{x}", loaded(http.HandlerFunc(user)))
	m.HandleFunc("GET /remote/{user_id}/{x}", handlers.Get)                 // want `never reads the parameter "x"`
	m.Handle("GET /wrapped/{user_id}/{x}", handlers.Logged(handlers.New())) // want `never reads the parameter "x"`

	// These may read anything.
	m.HandleFunc("GET /path/{x}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.Path) })
	m.HandleFunc("GET /stored/{x}", func(w http.ResponseWriter, r *http.Request) { s.last = r })
	m.HandleFunc("GET /given/{x}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r) })
	m.HandleFunc("GET /named/{x}", func(w http.ResponseWriter, r *http.Request) { r.PathValue(r.FormValue("name")) })
	m.HandleFunc("GET /remote2/{x}", handlers.Store)
	m.Handle("GET /files/{x}", http.FileServer(http.Dir(".")))
	m.HandleFunc("GET /all/{path...}", user)

	x := muxwell.New()
	x.HandleParams("/{id:int}/{x}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) { // want `never reads the parameter "x"`
		muxwell.Param[int](p, "id")
	})
	x.HandleParams("/all/{x}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
		for range p.All() {
		}
	})
	x.With(loaded).Get("/with/{x}/{y}", user) // want `never reads the parameter "y"`
	x.Route("/t/{tenant}", func(g *muxwell.Group) {
		g.Use(loaded)
		g.Get("/{x}/{y}", user) // want `never reads the parameter "y"`
	})
	y := muxwell.New()
	y.Use(somewhere)
	y.Get("/{y}", user)
}

var somewhere func(http.Handler) http.Handler

func user(w http.ResponseWriter, r *http.Request) { r.PathValue("id") }

func (s *server) method(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, number(r, "id")) }

func (s *server) returned() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(r.Context())
		fmt.Fprint(w, number(r, "id"))
	}
}

func number(r *http.Request, name string) string { return r.PathValue(name) }

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

func loaded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), http.ServerContextKey, r.PathValue("x"))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}
