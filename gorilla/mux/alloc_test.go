//go:build !race

package mux_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// A quietWriter throws away what is written.
type quietWriter struct{ header http.Header }

func (w quietWriter) Header() http.Header         { return w.header }
func (w quietWriter) Write(b []byte) (int, error) { return len(b), nil }
func (w quietWriter) WriteHeader(int)             {}

// TestAllocations: a request costs the copy of it that has the context, the context,
// and what variables are taken from; nothing if there is nothing to tell the handler.
// The race detector would add its own.
func TestAllocations(t *testing.T) {
	for _, c := range []struct {
		name    string
		omit    bool
		request string
		read    bool
		want    float64
	}{
		{"static", false, "/static", false, 2},
		{"static, omitted", true, "/static", false, 0},
		{"regexp, omitted", true, "/version/12", false, 3},
		{"variable", false, "/users/7", false, 3},
		{"variable, omitted", true, "/users/7", false, 3},
		{"five variables", false, "/1/2/3/4/5", false, 3},
		{"several in a segment", false, "/files/a.txt", false, 3},
		{"variable, read", false, "/users/7", true, 5}, // a map and its table
		{"subrouter", false, "/api/v1/users/7", false, 3},
		{"subrouter, omitted, without variables", true, "/api/v1/users", false, 0},
		{"query", false, "/search?page=3&q=x", false, 4}, // and where the query is
		{"header, omitted", true, "/header", false, 0},
		{"not found", true, "/nothing/here", false, 2}, // header values, and what the writer gets
		{"wrong method", true, "/post", false, 0},
	} {
		r := mux.NewRouter().OmitRouteFromContext(c.omit).OmitRouterFromContext(c.omit)
		served := false
		h := func(_ http.ResponseWriter, req *http.Request) {
			if served = true; c.read && mux.Vars(req) == nil {
				t.Error("no variables")
			}
		}
		r.HandleFunc("/static", h).Methods("GET")
		r.HandleFunc("/post", h).Methods("POST")
		r.HandleFunc("/users/{id}", h).Methods("GET")
		r.HandleFunc("/version/{v:[0-9]+}", h)
		r.HandleFunc("/{a}/{b}/{c}/{d}/{e}", h)
		r.HandleFunc("/files/{name:[a-z]+}.{ext:[a-z]+}", h)
		r.HandleFunc("/search", h).Queries("page", "{page:[0-9]+}", "q", "{q}")
		r.HandleFunc("/header", h).Headers("X-A", "1").Host("example.com").Schemes("http")
		api := r.PathPrefix("/api").Subrouter().PathPrefix("/v1").Subrouter()
		api.Use(func(next http.Handler) http.Handler { return next })
		api.HandleFunc("/users", h)
		api.HandleFunc("/users/{id}", h).Methods("GET")
		req := httptest.NewRequest("GET", c.request, nil)
		req.Header.Set("X-A", "1")
		w := quietWriter{make(http.Header)}
		if r.ServeHTTP(w, req); served != (c.name != "not found" && c.name != "wrong method") {
			t.Errorf("%s: served is %v", c.name, served)
		}
		got := testing.AllocsPerRun(100, func() {
			clear(w.header)
			r.ServeHTTP(w, req)
		})
		if got != c.want {
			t.Errorf("%s: %v allocations, want %v", c.name, got, c.want)
		}
	}
}
