// Router is a program of a user: it imports every package of the root module.
package main

import (
	"log"
	"log/slog"
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/bytereplace"
	"github.com/muxwell/muxwell/explorer"
	"github.com/muxwell/muxwell/gorilla/mux"
	"github.com/muxwell/muxwell/middleware"
)

var upper = bytereplace.Must(bytereplace.New("a", "A", "b", "B"))

func main() {
	log.Fatal(http.ListenAndServe("localhost:8080", handler()))
}

func handler() http.Handler {
	m := muxwell.New()
	m.Use(middleware.Recover(slog.Default()))
	m.HandleFunc("GET /hello/{name}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(upper.Replace(r.PathValue("name"))))
	})
	m.Handle("GET /_routes/", explorer.Handler(m))

	old := mux.NewRouter()
	old.HandleFunc("/things/{id:[0-9]+}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("thing " + mux.Vars(r)["id"]))
	})
	m.Mount("/old", old)
	return m
}
