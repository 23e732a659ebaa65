package page

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell"
)

// The dashboard is one path, not all that no other route matches.
func TestMount(t *testing.T) {
	m = muxwell.New()
	dashboard = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "dashboard") }
	adminUser = func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) }
	later = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "later") }
	legacy = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.URL.Path) })
	register()
	for path, want := range map[string]string{
		"/admin":         "dashboard",
		"/admin/":        "dashboard",
		"/admin/users/7": "7",
		"/admin/later":   "later",
		"/admin/nope":    "404 page not found\n",
		"/legacy/a/b":    "/a/b",
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Body.String(); got != want {
			t.Errorf("GET %s: got %q, want %q", path, got, want)
		}
	}
}
