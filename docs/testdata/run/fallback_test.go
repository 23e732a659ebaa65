package page

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/muxwell/muxwell"
)

// The page is no answer below /api, and what is there is in the group's middleware.
func TestFallback(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("dist", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("dist/index.html", []byte("the page"), 0o600); err != nil {
		t.Fatal(err)
	}
	m = muxwell.New()
	listUsers = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "users") }
	auth = func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Auth", "asked")
			next.ServeHTTP(w, r)
		})
	}
	register()
	for _, tt := range []struct {
		path   string
		status int
		body   string
		auth   string
	}{
		{"/api/users", http.StatusOK, "users", "asked"},
		{"/api/nope", http.StatusNotFound, "404 page not found\n", "asked"},
		{"/orders/7", http.StatusOK, "the page", ""},
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", tt.path, nil))
		if w.Code != tt.status || w.Body.String() != tt.body || w.Header().Get("X-Auth") != tt.auth {
			t.Errorf("GET %s: %d %q, X-Auth %q, want %+v", tt.path, w.Code, w.Body, w.Header().Get("X-Auth"), tt)
		}
	}
}
