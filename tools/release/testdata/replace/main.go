// Command replace imports gorilla/mux, and so does a package that it imports. Its go.mod
// replaces gorilla/mux by a version of this repository's module, as users do.
package main

import (
	"fmt"
	"net/http"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/gorilla/mux"
)

const text = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"},
	"servers": [{"url": "http://localhost:{port}", "variables": {"port": {"default": "80"}}}],
	"paths": {"/users": {"get": {"responses": {"200": {"description": "users"}}}}}}`

func newFinder() (routers.Router, error) {
	spec, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(spec)
}

func newRouter() *mux.Router {
	r := mux.NewRouter()
	r.HandleFunc("/users/{id:[0-9]+}", func(w http.ResponseWriter, r *http.Request) {
		template, _ := mux.CurrentRoute(r).GetPathTemplate()
		fmt.Fprint(w, template, " ", mux.Vars(r)["id"])
	}).Methods("GET")
	return r
}

func main() {
	if _, err := newFinder(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(newRouter().Match(&http.Request{Method: "GET"}, &mux.RouteMatch{}))
}
