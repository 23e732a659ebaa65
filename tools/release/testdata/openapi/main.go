// Command openapi requires the module by version, as users do.
package main

import (
	"fmt"
	"net/http"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/openapi"
)

const text = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
	"/users/{id}": {"get": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
		"responses": {"200": {"description": "a user"}}}}}}`

func newMux() (*muxwell.Mux, *openapi3.T, error) {
	spec, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		return nil, nil, err
	}
	m := muxwell.New()
	m.Use(openapi.Validate(m, spec, nil))
	m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("id")) })
	return m, spec, nil
}

func main() {
	m, spec, err := newMux()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(openapi.Differences(m, spec))
}
