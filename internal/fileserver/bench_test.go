package fileserver

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkServe serves a small file of the disk, which has encodings.
func BenchmarkServe(b *testing.B) {
	dir := b.TempDir()
	for _, name := range []string{"site.css", "site.css.br", "site.css.gz"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []struct {
		name    string
		options Options
		want    string
	}{
		{"none", Options{}, "site.css"},
		{"nolisting", Options{NoListing: true}, "site.css"},
		{"precompressed", Options{Encodings: []Encoding{{"br", ".br"}, {"zstd", ".zst"}, {"gzip", ".gz"}}}, "site.css.br"},
	} {
		b.Run("options="+c.name, func(b *testing.B) {
			s, r := mustNew(b, os.DirFS(dir), c.options), newRequest("/s/site.css")
			r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
			w := httptest.NewRecorder()
			if s.Serve(w, r, 1); w.Body.String() != c.want {
				b.Fatalf("got %d %q, want %s", w.Code, w.Body, c.want)
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
