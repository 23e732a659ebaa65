package mux

// The tests are in the package, since no file of a module that replaces another one may
// import it by its own path.

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// TestFunctions: the functions are those of gorilla/mux of this repository, for the same
// types.
func TestFunctions(t *testing.T) {
	var r *mux.Router = NewRouter()
	served := false
	route := r.HandleFunc("/users/{id}", func(_ http.ResponseWriter, req *http.Request) {
		served = true
		if got := Vars(req)["id"]; got != "7" {
			t.Errorf("id is %q, want 7", got)
		}
		if got, want := CurrentRoute(req), mux.CurrentRoute(req); got != want || got == nil {
			t.Errorf("the current route is %v, want %v", got, want)
		}
		if got := CurrentRouter(req); got != r {
			t.Errorf("the current router is %v, want %v", got, r)
		}
	}).Methods("GET", "OPTIONS")
	r.Use(CORSMethodMiddleware(r))
	w := httptest.NewRecorder()
	if r.ServeHTTP(w, httptest.NewRequest("GET", "/users/7", nil)); !served {
		t.Errorf("the handler was not called: %d", w.Code)
	}
	if got := w.Header().Get("Access-Control-Allow-Methods"); got != "GET,OPTIONS" {
		t.Errorf("the allowed methods are %q", got)
	}
	req := SetURLVars(httptest.NewRequest("GET", "/", nil), map[string]string{"a": "1"})
	if got := mux.Vars(req)["a"]; got != "1" {
		t.Errorf("SetURLVars sets %q, want 1", got)
	}
	if _, err := route.GetMetadataValue("x"); err != ErrMetadataKeyNotFound {
		t.Errorf("got the error %v", err)
	}
}

// TestRegexpCompileFunc: a program that sets the variable of this package changes how
// regular expressions are compiled, and can restore it.
func TestRegexpCompileFunc(t *testing.T) {
	usual := RegexpCompileFunc
	t.Cleanup(func() { RegexpCompileFunc = usual })
	matches := func() bool {
		r := NewRouter()
		r.HandleFunc("/{word:[a-z]+}/x", func(http.ResponseWriter, *http.Request) {})
		return r.Match(httptest.NewRequest("GET", "/GO/X", nil), &RouteMatch{})
	}
	if matches() {
		t.Error("/GO/X matches before the variable is set")
	}
	RegexpCompileFunc = func(expr string) (*regexp.Regexp, error) { return regexp.Compile("(?i)" + expr) }
	if !matches() {
		t.Error("/GO/X does not match with a function that ignores case")
	}
	RegexpCompileFunc = usual
	if matches() {
		t.Error("/GO/X matches after the variable is restored")
	}
}
