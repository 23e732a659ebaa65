package gzip_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/gzip"
)

var (
	long     = strings.Repeat("muxwell routes without allocating\n", 1000)
	modified = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
)

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, body)
	}
}

// newServer returns a server whose event stream sends an event for each value of
// events, and a client that accepts what the library compresses to.
func newServer(t *testing.T, events <-chan string) (url string, client *http.Client) {
	t.Helper()
	compress, err := gzip.New()
	if err != nil {
		t.Fatal(err)
	}
	m := muxwell.New()
	m.Use(compress)
	m.Get("/long", text(long))
	m.Get("/short", text("hello"))
	m.Get("/secret", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(gzhttp.HeaderNoCompression, "1")
		text(long)(w, r)
	})
	m.Get("/weak", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `W/"v1"`)
		http.ServeContent(w, r, "weak.txt", time.Time{}, strings.NewReader(long))
	})
	m.Get("/events", func(w http.ResponseWriter, r *http.Request) { stream(w, events) })
	m.Files("/files/", fstest.MapFS{
		"long.txt": {Data: []byte(long), ModTime: modified},
		"a.zip":    {Data: []byte(long), ModTime: modified},
		"no.time":  {Data: []byte(long)},
	})
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL, &http.Client{Transport: gzhttp.Transport(s.Client().Transport)}
}

func stream(w http.ResponseWriter, events <-chan string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for event := range events {
		io.WriteString(w, "data: "+event+"\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
	}
}

// get sends a GET request with headers, each "Name: value".
func get(t *testing.T, client *http.Client, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("GET %s: reading the body: %v", url, err)
	}
	return resp, string(body)
}

// The client of the library asks for compression and takes it off again.
func TestTransport(t *testing.T) {
	url, client := newServer(t, nil)
	tests := []struct {
		path, body string
		compressed bool
	}{
		{"/long", long, true},
		{"/short", "hello", false},
		{"/secret", long, false},
		{"/files/long.txt", long, true},
		{"/files/a.zip", long, false},
	}
	for _, tt := range tests {
		resp, body := get(t, client, url+tt.path)
		if body != tt.body || resp.StatusCode != http.StatusOK {
			t.Errorf("GET %s: %d and %d bytes, want 200 and %d", tt.path, resp.StatusCode, len(body), len(tt.body))
		}
		if resp.Uncompressed != tt.compressed {
			t.Errorf("GET %s: compressed = %t, want %t", tt.path, resp.Uncompressed, tt.compressed)
		}
		if got := resp.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("GET %s: Vary = %q, want Accept-Encoding", tt.path, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	url, _ := newServer(t, nil)
	for accept, want := range map[string]string{
		"gzip": "gzip", "gzip, zstd": "zstd", "zstd;q=0.5, gzip": "gzip", "identity": "", "br": "", "gzip;q=0": "",
	} {
		resp, body := get(t, http.DefaultClient, url+"/long", "Accept-Encoding: "+accept)
		if got := resp.Header.Get("Content-Encoding"); got != want {
			t.Errorf("Accept-Encoding %q: Content-Encoding = %q, want %q", accept, got, want)
		}
		if small := len(body) < len(long)/10; small != (want != "") {
			t.Errorf("Accept-Encoding %q: %d bytes of %d", accept, len(body), len(long))
		}
	}
}

// Each encoding has a validator of its own, and each is answered 304.
func TestNotModified(t *testing.T) {
	url, _ := newServer(t, nil)
	seen := map[string]string{}
	for _, accept := range []string{"gzip", "zstd", "identity"} {
		first, _ := get(t, http.DefaultClient, url+"/long", "Accept-Encoding: "+accept)
		etag := first.Header.Get("ETag")
		if other, ok := seen[etag]; ok || etag == "" || strings.HasPrefix(etag, "W/") {
			t.Errorf("%s: ETag = %q, want a strong one that is not that of %q", accept, etag, other)
		}
		seen[etag] = accept
		again, body := get(t, http.DefaultClient, url+"/long", "Accept-Encoding: "+accept, "If-None-Match: "+etag)
		if again.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s: If-None-Match: status %d and %d bytes, want 304 and 0", accept, again.StatusCode, len(body))
		}
	}
}

func TestFileNotModified(t *testing.T) {
	url, client := newServer(t, nil)
	resp, _ := get(t, client, url+"/files/long.txt")
	resp, body := get(t, client, url+"/files/long.txt", "If-Modified-Since: "+resp.Header.Get("Last-Modified"))
	if resp.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("If-Modified-Since: status %d and %d bytes, want 304 and 0", resp.StatusCode, len(body))
	}
}

// A weak validator of the handler's own is the same for every encoding, is answered
// 304, and joins no ranges.
func TestWeakValidator(t *testing.T) {
	url, client := newServer(t, nil)
	resp, _ := get(t, client, url+"/weak")
	if got := resp.Header.Get("ETag"); got != `W/"v1"` || !resp.Uncompressed {
		t.Errorf("ETag = %q and compressed = %t, want W/\"v1\" and true", got, resp.Uncompressed)
	}
	if resp, _ := get(t, client, url+"/weak", `If-None-Match: W/"v1"`); resp.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match: status %d, want 304", resp.StatusCode)
	}
	if resp, _ := get(t, client, url+"/weak", "Range: bytes=10-19", `If-Range: W/"v1"`); resp.StatusCode != http.StatusOK {
		t.Errorf("If-Range: status %d, want 200", resp.StatusCode)
	}
}

// The strong ETag of a file without a time becomes a weak one, since the compressed bytes
// are others.
func TestFileWithoutTime(t *testing.T) {
	url, client := newServer(t, nil)
	resp, body := get(t, client, url+"/files/no.time")
	etag := resp.Header.Get("ETag")
	if !strings.HasPrefix(etag, `W/"`) || !resp.Uncompressed || body != long {
		t.Errorf("ETag = %q, compressed = %t and %d bytes, want a weak one, true and %d", etag, resp.Uncompressed, len(body), len(long))
	}
	if resp, _ := get(t, client, url+"/files/no.time", "If-None-Match: "+etag); resp.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match: status %d, want 304", resp.StatusCode)
	}
	if resp, _ := get(t, client, url+"/files/no.time", "Range: bytes=10-19", "If-Range: "+etag); resp.StatusCode != http.StatusOK {
		t.Errorf("If-Range: status %d, want 200", resp.StatusCode)
	}
}

// A range is one of the plain file, whatever the client accepts.
func TestRange(t *testing.T) {
	url, _ := newServer(t, nil)
	whole, _ := get(t, http.DefaultClient, url+"/files/long.txt", "Accept-Encoding: gzip")
	if got := whole.Header.Get("Accept-Ranges"); got != "" {
		t.Errorf("compressed: Accept-Ranges = %q, want none", got)
	}
	etag := whole.Header.Get("ETag")
	tests := []struct {
		ifRange string
		status  int
		body    string
	}{
		{"", http.StatusPartialContent, long[2000:5000]},
		{modified.Format(http.TimeFormat), http.StatusPartialContent, long[2000:5000]},
		{etag, http.StatusOK, long}, // the validator of compressed bytes is none of the file's
	}
	for _, tt := range tests {
		resp, body := get(t, http.DefaultClient, url+"/files/long.txt",
			"Accept-Encoding: identity", "Range: bytes=2000-4999", "If-Range: "+tt.ifRange)
		if resp.StatusCode != tt.status || body != tt.body {
			t.Errorf("If-Range %q: status %d and %d bytes, want %d and %d", tt.ifRange, resp.StatusCode, len(body), tt.status, len(tt.body))
		}
	}
	resp, body := get(t, http.DefaultClient, url+"/files/long.txt", "Accept-Encoding: gzip", "Range: bytes=2000-4999")
	if got := resp.Header.Get("Content-Encoding"); got != "" || body != long[2000:5000] {
		t.Errorf("range for who accepts gzip: Content-Encoding %q and %d bytes, want none and 3000", got, len(body))
	}
}

// The second event is sent only when the first has arrived.
func TestEventStream(t *testing.T) {
	events := make(chan string, 1)
	url, client := newServer(t, events)
	defer close(events)
	events <- "one"
	client.Timeout = 10 * time.Second // of a stream that is kept back
	resp, err := client.Get(url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Uncompressed {
		t.Error("the stream is compressed")
	}
	lines := bufio.NewScanner(resp.Body)
	for _, want := range []string{"one", "two", "three"} {
		if !lines.Scan() || lines.Text() != "data: "+want {
			t.Fatalf("event %q, want %q: %v", lines.Text(), want, lines.Err())
		}
		lines.Scan() // the blank line behind it
		switch want {
		case "one":
			events <- "two"
		case "two":
			events <- "three"
		}
	}
}
