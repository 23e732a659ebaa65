package main

import (
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/vet/testdata/params/remote/handlers"
)

func main() {
	m := http.NewServeMux()
	m.HandleFunc("GET /a/{userid}", handlers.Get) // want `the handler reads a parameter "user_id" \(handlers.go:10\), which its pattern does not have: GET /a/{userid}; did you mean "userid"\?`
	m.HandleFunc("GET /b/{user}", handlers.Either)
	m.HandleFunc("GET /c/{users}", handlers.Either)
	m.HandleFunc("GET /d/{id}", handlers.Far)

	s := new(handlers.Server)
	m.HandleFunc("GET /e/{userId}", s.Get)                                  // want `did you mean "userId"`
	m.Handle("GET /f/{userId}", handlers.New())                             // want `did you mean "userId"`
	m.Handle("GET /g/{uesr_id}", handlers.Logged(http.HandlerFunc(s.Get2))) // want `did you mean "uesr_id"`
	m.Handle("GET /h/{userId}", handlers.Resource{})                        // want `did you mean "userId"`

	x := muxwell.New()
	x.HandleParams("/a/{userId}", handlers.Params) // want `did you mean "userId"`
	x.Get("/b/{n:int}", func(w http.ResponseWriter, r *http.Request) { handlers.Number(r, "m") })
}
