package behavior

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestSlabsPinLittle: a value keeps alive no long path but its own, so the
// slabs cannot hold on to gigabytes.
func TestSlabsPinLittle(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("/{a}", func(http.ResponseWriter, *http.Request) {})
	const paths, size = 200, 1 << 20
	for range paths {
		func() {
			r := &http.Request{Method: "GET", URL: &url.URL{Path: "/" + strings.Repeat("x", size)}}
			m.ServeHTTP(muxtest.NewWriter(), r)
		}()
	}
	if got, limit := uint64(muxtest.LiveBytes()), uint64(paths*size/4); got > limit {
		t.Errorf("%d bytes are alive after %d paths of %d bytes were served; want at most %d", got, paths, size, limit)
	}
}

// TestSlabsPinNoRequestLines: what a server reads is one string, of which the
// path may be a small part.
func TestSlabsPinNoRequestLines(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("/{a}", func(http.ResponseWriter, *http.Request) {})
	const requests, size = 400, 200 << 10
	for range requests {
		line := "GET /x?" + strings.Repeat("q", size) + " HTTP/1.1\r\nHost: h\r\n\r\n"
		r, err := http.ReadRequest(bufio.NewReaderSize(strings.NewReader(line), len(line)))
		if err != nil {
			t.Fatal(err)
		}
		m.ServeHTTP(muxtest.NewWriter(), r)
		if r.PathValue("a") != "x" {
			t.Fatalf("the value is %q, want x", r.PathValue("a"))
		}
	}
	if got, limit := uint64(muxtest.LiveBytes()), uint64(requests*size/4); got > limit {
		t.Errorf("%d bytes are alive after %d requests of %d bytes were served; want at most %d", got, requests, size, limit)
	}
}
