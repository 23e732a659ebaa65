package migrate

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gorilla "github.com/minio/mux"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/gorilla/mux"
)

// fromPackage is what a package does that is written against gorilla/mux.
func fromPackage(r *http.Request) string { return gorilla.Vars(r)["id"] }

// TestVarsForOtherPackages runs the guide's middleware for packages that read
// gorilla/mux's variables.
func TestVarsForOtherPackages(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/users/{id}", show(fromPackage))
	if got, want := send(t, r, "GET /users/7"), "200"; got != want {
		t.Errorf("without the middleware: %q, want %q", got, want)
	}

	r = mux.NewRouter()
	r.HandleFunc("/users/{id}", show(fromPackage))
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(w, gorilla.SetURLVars(r, mux.Vars(r)))
		})
	})
	if got, want := send(t, r, "GET /users/7"), "200 7"; got != want {
		t.Errorf("with the middleware: %q, want %q", got, want)
	}
}

// TestSwapBlocks checks that the guide's code about gorilla's variables is in this file.
func TestSwapBlocks(t *testing.T) {
	source := dense(readFile(t, "swap_test.go"))
	text := readFile(t, filepath.Join("..", "..", "docs", "migrate-from-gorilla.md"))
	found := false
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "gorilla.") {
			continue
		}
		found = true
		if !strings.Contains(source, dense(m[1])) {
			t.Errorf("this code of the guide is not tested:\n%s", m[1])
		}
	}
	if !found {
		t.Error("the guide has no code about gorilla's variables")
	}
}

// TestSideBySide tests a router of gorilla's API in a mux, as the guide shows it.
func TestSideBySide(t *testing.T) {
	router := mux.NewRouter()
	router.HandleFunc("/users/{id}", show(func(r *http.Request) string { return "old " + mux.Vars(r)["id"] }))
	m := muxwell.New()
	m.HandleFunc("/items/{id}", show(func(r *http.Request) string { return "new " + r.PathValue("id") }))
	m.Mount("/old", router)
	m.Handle("/", router)
	for request, want := range map[string]string{
		"GET /items/1":     "200 new 1",
		"GET /users/2":     "200 old 2",
		"GET /old/users/3": "200 old 3",
		"GET /x":           "404",
	} {
		if got := send(t, m, request); got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
}
