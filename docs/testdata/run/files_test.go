package page

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/muxwell/muxwell"
)

// The headers of files are those that the comments say.
func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"index.html", "assets/app-1a2b.js", "assets/app-1a2b.js.br", "assets/app-1a2b.js.gz"} {
		name = filepath.Join("dist", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(filepath.Base(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m = muxwell.New()
	register()
	for _, tt := range []struct {
		path, accept       string
		status             int
		body, cacheControl string
	}{
		{"/assets/app-1a2b.js", "br, gzip", http.StatusOK, "app-1a2b.js.br", "public, max-age=31536000, immutable"},
		{"/assets/app-1a2b.js", "gzip", http.StatusOK, "app-1a2b.js.gz", "public, max-age=31536000, immutable"},
		{"/assets/app-1a2b.js", "", http.StatusOK, "app-1a2b.js", "public, max-age=31536000, immutable"},
		{"/orders/7", "gzip", http.StatusOK, "index.html", "max-age=60"},
		{"/api/nope", "gzip", http.StatusNotFound, "404 page not found\n", ""},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", tt.path, nil)
		r.Header.Set("Accept-Encoding", tt.accept)
		m.ServeHTTP(w, r)
		if w.Code != tt.status || w.Body.String() != tt.body || w.Header().Get("Cache-Control") != tt.cacheControl {
			t.Errorf("GET %s, Accept-Encoding %q: %d %q, Cache-Control %q, want %+v", tt.path, tt.accept, w.Code, w.Body, w.Header().Get("Cache-Control"), tt)
		}
	}
}
