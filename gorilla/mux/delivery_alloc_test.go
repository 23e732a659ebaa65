//go:build !race && !muxwell_safe

package mux_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// TestAllocationsInRequest: with VarsInRequest a request costs nothing, except for its part
// of a slab for the values of variables, less than one allocation.
func TestAllocationsInRequest(t *testing.T) {
	r := mux.NewRouter().VarsInRequest(true)
	h := func(_ http.ResponseWriter, req *http.Request) {
		if mux.CurrentRoute(req) == nil {
			t.Error("no route")
		}
		req.PathValue("id")
	}
	r.HandleFunc("/static", h).Methods("GET")
	r.HandleFunc("/users/{id}", h).Methods("GET")
	r.HandleFunc("/{a}/{b}/{c}/{d}/{e}", h)
	r.HandleFunc("/version/{v:[0-9]+}", h)
	r.HandleFunc("/search", h).Queries("page", "{page:[0-9]+}", "q", "{q}")
	r.PathPrefix("/api/{tenant}").Subrouter().HandleFunc("/users/{id}", h)
	for target, most := range map[string]float64{
		"/static": 0, "/users/7": 1, "/1/2/3/4/5": 1, "/version/12": 1, "/search?page=3&q=x": 1, "/api/t/users/7": 1,
	} {
		w := quietWriter{make(http.Header)}
		req := httptest.NewRequest("GET", target, nil)
		if got := testing.AllocsPerRun(1000, func() { r.ServeHTTP(w, req) }); got > most {
			t.Errorf("%s: %v allocations, want %v at the most", target, got, most)
		}
	}
}
