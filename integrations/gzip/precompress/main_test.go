package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzhttp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/gzip"
)

// TestCompressAll serves what compressAll has written, also behind middleware that
// compresses, which leaves it unchanged.
func TestCompressAll(t *testing.T) {
	dir, text := t.TempDir(), strings.Repeat("console.log('muxwell')\n", 500)
	for name, data := range map[string]string{"app.js": text, "short.js": "x()", "short.js.gz": "of an earlier build"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second build changes nothing
		if err := compressAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(files), len([]string{"app.js", "app.js.gz", "app.js.zst", "short.js"}); got != want {
		t.Fatalf("the files are %q, want %d", files, want)
	}

	compress, err := gzip.New()
	if err != nil {
		t.Fatal(err)
	}
	m := muxwell.New()
	m.Files("/plain/", os.DirFS(dir), muxwell.Precompressed("zstd", "gzip"))
	m.With(compress).Files("/compressed/", os.DirFS(dir), muxwell.Precompressed("zstd", "gzip"))
	server := httptest.NewServer(m)
	defer server.Close()
	for _, prefix := range []string{"/plain/", "/compressed/"} {
		for _, accept := range []string{"gzip", "zstd"} {
			whole := filepath.Join(dir, "app.js"+map[string]string{"gzip": ".gz", "zstd": ".zst"}[accept])
			want, err := os.ReadFile(whole)
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.NewRequest(http.MethodGet, server.URL+prefix+"app.js", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", accept)
			resp, err := server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || string(got) != string(want) || resp.Header.Get("Content-Encoding") != accept || strings.Join(resp.Header["Vary"], ", ") != "Accept-Encoding" {
				t.Errorf("%s, Accept-Encoding %s: %d bytes, %v, error %v, want the %d bytes of %s", prefix, accept, len(got), resp.Header, err, len(want), whole)
			}
		}
		client := &http.Client{Transport: gzhttp.Transport(server.Client().Transport)}
		resp, err := client.Get(server.URL + prefix + "app.js")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != text || !resp.Uncompressed {
			t.Errorf("%s: %d bytes, uncompressed %t, error %v, want the text", prefix, len(body), resp.Uncompressed, err)
		}
	}
}
