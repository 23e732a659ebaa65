package fileserver

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkServe serves a small file of the disk, with every option that the file needs
// none of.
func BenchmarkServe(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "site.css"), []byte("body {}"), 0o600); err != nil {
		b.Fatal(err)
	}
	for name, o := range map[string]Options{"options=none": {}, "options=nolisting": {NoListing: true}} {
		b.Run(name, func(b *testing.B) {
			s, r := mustNew(b, os.DirFS(dir), o), newRequest("/s/site.css")
			w := httptest.NewRecorder()
			if s.Serve(w, r, 1); w.Body.String() != "body {}" {
				b.Fatalf("got %d %q", w.Code, w.Body)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Serve(discard{http.Header{}}, r, 1)
			}
		})
	}
}

// A discard is a response writer that keeps nothing.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
