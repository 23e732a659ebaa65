package main

import (
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/gorilla/mux"
)

func TestReplaced(t *testing.T) {
	const want = "github.com/muxwell/muxwell/gorilla/mux"
	if got := reflect.TypeFor[mux.Router]().PkgPath(); got != want {
		t.Errorf("the router is of %s, want %s", got, want)
	}
	w := httptest.NewRecorder()
	newRouter().ServeHTTP(w, httptest.NewRequest("GET", "/users/7", nil))
	if got := w.Body.String(); got != "/users/{id:[0-9]+} 7" {
		t.Errorf("got %q", got)
	}
}

// TestDependency: kin-openapi writes to the variables of a route that has none.
func TestDependency(t *testing.T) {
	finder, err := newFinder()
	if err != nil {
		t.Fatal(err)
	}
	route, vars, err := finder.FindRoute(httptest.NewRequest("GET", "http://localhost:80/users", nil))
	if err != nil || route.Path != "/users" || vars["port"] != "80" {
		t.Errorf("got the route %v, variables %v, error %v", route, vars, err)
	}
}
