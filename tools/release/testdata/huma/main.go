// Huma is a program of a user: it imports the module humamuxwell.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
)

type input struct {
	ID int `path:"id"`
}

type output struct {
	Body struct {
		ID int `json:"id"`
	}
}

func main() {
	log.Fatal(http.ListenAndServe("localhost:8080", newMux()))
}

func newMux() *muxwell.Mux {
	m := muxwell.New()
	api := humamuxwell.New(m, huma.DefaultConfig("Numbers", "1.0.0"))
	huma.Get(api, "/numbers/{id:int}", func(_ context.Context, in *input) (*output, error) {
		var out output
		out.Body.ID = in.ID
		return &out, nil
	})
	return m
}
