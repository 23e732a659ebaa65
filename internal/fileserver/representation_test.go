package fileserver

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// answer returns the answer to a GET request with headers, each "Name: value".
func answer(s *Server, target string, headers ...string) *httptest.ResponseRecorder {
	r, w := newRequest(target), httptest.NewRecorder()
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Add(name, value)
	}
	s.Serve(w, r, 0)
	return w
}

func TestCacheControl(t *testing.T) {
	const immutable = "public, max-age=31536000, immutable"
	files := muxtest.FS("index.html", "page.html", "sw.js", "assets/app-1a2b.js", "assets/app.js", "assets/img/a-b.js", "assets/app-1a2b.js.gz", "docs/index.html")
	o := Options{Fallback: true, Page: "page.html", Encodings: []Encoding{{"gzip", ".gz"}}, CacheControl: []CacheControl{
		{"*", "max-age=60"}, {"assets/*-*.js", immutable}, {"docs/*", "private"}, {"sw.js", "no-store"}, {"sw.js", ""},
	}}
	s := mustNew(t, files, o)
	for target, want := range map[string]string{
		"/":                      "max-age=60",
		"/page.html":             "max-age=60", // instead of no-cache
		"/users":                 "max-age=60", // the page
		"/assets/app-1a2b.js":    immutable,
		"/assets/app-1a2b.js.gz": "",
		"/assets/app.js":         "",
		"/assets/img/a-b.js":     "", // a * matches no slash
		"/docs/":                 "private",
		"/docs":                  "", // a redirect
		"/sw.js":                 "", // the last one is used
		"/none.js":               "",
	} {
		if got := answer(s, target).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control = %q, want %q", target, got, want)
		}
	}
	w := answer(s, "/assets/app-1a2b.js", "Accept-Encoding: gzip", "If-Modified-Since: "+muxtest.Changed.Format(http.TimeFormat))
	if got := w.Header().Get("Cache-Control"); w.Code != 304 || got != immutable {
		t.Errorf("304: got %d, Cache-Control %q", w.Code, got)
	}
	if w := answer(s, "/assets/app-1a2b.js", "Range: bytes=99-"); w.Code != 416 || w.Header().Get("Cache-Control") != "" {
		t.Errorf("416: got %d %v", w.Code, w.Header())
	}
	for _, condition := range []string{`If-Match: "other"`, "If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT"} {
		if w := answer(s, "/assets/app-1a2b.js", condition); w.Code != 412 || w.Header().Get("Cache-Control") != "" {
			t.Errorf("%s: got %d %v", condition, w.Code, w.Header())
		}
	}
	if w := answer(s, "/assets/app-1a2b.js", "If-Match: *"); w.Code != 200 || w.Header().Get("Cache-Control") != immutable {
		t.Errorf("If-Match: *: got %d %v", w.Code, w.Header())
	}
	w = httptest.NewRecorder()
	w.Header().Set("Cache-Control", "no-store")
	if s.Serve(w, newRequest("/"), 0); w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("set before: got %v", w.Header())
	}
}

func TestETag(t *testing.T) {
	files := fstest.MapFS{
		"a.txt": {Data: []byte("a")}, "same.txt": {Data: []byte("a")}, "b.txt": {Data: []byte("b")}, "docs/index.html": {Data: []byte("docs")},
		"epoch.txt": {Data: []byte("a"), ModTime: time.Unix(0, 0)}, "dated.txt": {Data: []byte("a"), ModTime: muxtest.Changed},
	}
	s := mustNew(t, files, Options{Fallback: true, Page: "b.txt"})
	a, b := naiveTag([]byte("a")), naiveTag([]byte("b"))
	for target, want := range map[string]string{
		"/a.txt": a, "/same.txt": a, "/epoch.txt": a, "/b.txt": b, "/users": b, "/docs/": naiveTag([]byte("docs")),
		"/dated.txt": "", "/docs": "", "/none.js": "", "/a.txt/": "",
	} {
		for range 2 {
			if got := answer(s, target).Header().Get("ETag"); got != want {
				t.Errorf("%s: ETag = %q, want %q", target, got, want)
			}
		}
	}
	if w := answer(s, "/a.txt", "If-None-Match: "+a); w.Code != 304 || w.Header().Get("ETag") != a {
		t.Errorf("If-None-Match: got %d %v", w.Code, w.Header())
	}
	w := httptest.NewRecorder()
	w.Header().Set("ETag", `W/"mine"`)
	if s.Serve(w, newRequest("/a.txt"), 0); w.Header().Get("ETag") != `W/"mine"` {
		t.Errorf("set before: ETag = %q", w.Header().Get("ETag"))
	}
	files["a.txt"] = &fstest.MapFile{Data: []byte("longer")}
	if got := answer(s, "/a.txt").Header().Get("ETag"); got != naiveTag([]byte("longer")) {
		t.Errorf("with another size: ETag = %q, want that of the new content", got)
	}
}

// A countingFS counts how often files are opened, and claims a size for one of them.
type countingFS struct {
	fstest.MapFS
	opened atomic.Int64
	size   int64 // if it is not 0
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.opened.Add(1)
	file, err := c.MapFS.Open(name)
	if err != nil || c.size == 0 {
		return file, err
	}
	return sizedFile{file, c.size}, nil
}

type sizedFile struct {
	fs.File
	size int64
}

func (f sizedFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return sizedInfo{info, f.size}, err
}

type sizedInfo struct {
	fs.FileInfo
	size int64
}

func (i sizedInfo) Size() int64 { return i.size }

// TestETagOnce: a file is hashed once, by however many requests at a time.
func TestETagOnce(t *testing.T) {
	fsys := &countingFS{MapFS: fstest.MapFS{"a.txt": {Data: []byte("a")}}}
	s := mustNew(t, fsys, Options{})
	const requests = 50
	var wg sync.WaitGroup
	for range requests {
		wg.Go(func() {
			if got, want := answer(s, "/a.txt").Header().Get("ETag"), naiveTag([]byte("a")); got != want {
				t.Errorf("ETag = %q, want %q", got, want)
			}
		})
	}
	wg.Wait()
	if got := fsys.opened.Load(); got != requests+1 {
		t.Errorf("the file was opened %d times by %d requests, want once more", got, requests)
	}
}

// TestNoETag: there is none for a file that is too large to be hashed, or is not what its
// size promises.
func TestNoETag(t *testing.T) {
	for _, size := range []int64{maxHashed + 1, 5, 7} {
		s := mustNew(t, &countingFS{MapFS: fstest.MapFS{"a.txt": {Data: []byte("the a")}, "b.txt": {Data: []byte("thetext")}}, size: size}, Options{})
		for target, own := range map[string]int64{"/a.txt": 5, "/b.txt": 7} {
			if w := answer(s, target); w.Code != 200 || (w.Header().Get("ETag") != "") != (size == own) {
				t.Errorf("%s, size %d: got %d %v", target, size, w.Code, w.Header())
			}
		}
	}
}

// TestETagsAreBounded: a file system with any number of files takes a bounded amount of
// memory.
func TestETagsAreBounded(t *testing.T) {
	var e etags
	hashed := 0
	for i := range 3 * maxETags {
		e.of(fmt.Sprint(i), 1, func(string, int64) string { hashed++; return `"x"` })
		if len(e.known) > maxETags {
			t.Fatalf("%d tags are kept, want at most %d", len(e.known), maxETags)
		}
	}
	if hashed != 3*maxETags {
		t.Errorf("%d files were hashed, want %d", hashed, 3*maxETags)
	}
}

func TestNegotiation(t *testing.T) {
	files := fstest.MapFS{"js/none.js.gz/x": {}}
	for name, size := range map[string]int{
		"js/app.js": 50, "js/app.js.br": 10, "js/app.js.zst": 20, "js/app.js.gz": 30, // all
		"js/tie.js": 50, "js/tie.js.br": 10, "js/tie.js.zst": 10, // of the same size
		"js/tiny.js": 5, "js/tiny.js.gz": 30, // larger than the file
		"js/none.js": 50, "js/gone.js.gz": 10,
	} {
		files[name] = &fstest.MapFile{Data: []byte(strings.Repeat("x", size))}
	}
	s := mustNew(t, files, Options{Encodings: []Encoding{{"br", ".br"}, {"zstd", ".zst"}, {"gzip", ".gz"}}})
	for _, row := range []struct{ target, accept, coding string }{
		{"/js/app.js", "", ""},
		{"/js/app.js", "gzip, deflate, br, zstd", "br"},
		{"/js/app.js", "gzip, zstd", "zstd"},
		{"/js/app.js", "x-gzip", "gzip"},
		{"/js/app.js", "br;q=0.1, gzip;q=0.2", "gzip"},
		{"/js/app.js", "br;q=0, *", "zstd"},
		{"/js/app.js", "identity", ""},
		{"/js/app.js", "identity, gzip;q=0.9", ""},
		{"/js/app.js", "identity, gzip", "gzip"},
		{"/js/app.js", "identity;q=0.5, *;q=0", ""},
		{"/js/app.js", "identity;q=0, *;q=0", ""}, // nothing is left, so it is the file
		{"/js/app.js", "identity;q=0", ""},
		{"/js/app.js", "deflate", ""},
		{"/js/app.js", "gzip" + strings.Repeat(" ", maxAcceptEncoding), ""},
		{"/js/tie.js", "zstd, br", "br"},
		{"/js/tie.js", "gzip", ""},
		{"/js/tiny.js", "gzip", "gzip"},
		{"/js/tiny.js", "*", ""},
		{"/js/app.js.gz", "gzip", ""},
	} {
		w := answer(s, row.target, "Accept-Encoding: "+row.accept)
		if got := w.Header().Get("Content-Encoding"); w.Code != 200 || got != row.coding {
			t.Errorf("%s, Accept-Encoding %.40q: got %d, Content-Encoding %q, want %q", row.target, row.accept, w.Code, got, row.coding)
		}
		if got, want := w.Header().Get("Vary"), "Accept-Encoding"; (got == want) != (row.target != "/js/app.js.gz") {
			t.Errorf("%s, Accept-Encoding %.40q: Vary = %q", row.target, row.accept, got)
		}
	}
	for target, status := range map[string]int{"/js/none.js": 200, "/js/gone.js": 404} {
		if w := answer(s, target, "Accept-Encoding: gzip"); w.Code != status || w.Header().Get("Vary") != "" || w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: got %d %v, want %d and no encoding", target, w.Code, w.Header(), status)
		}
	}
}

// TestEncodedHeaders: what middleware has set stays.
func TestEncodedHeaders(t *testing.T) {
	s := mustNew(t, muxtest.FS("a.txt", "a.txt.gz", "index.html", "index.html.gz"), Options{Encodings: encodings, Fallback: true, Page: "index.html"})
	for _, row := range []struct{ target, header, value, vary, coding string }{
		{"/a.txt", "Vary", "", "Accept-Encoding", "gzip"},
		{"/a.txt", "Vary", "Origin", "Origin, Accept-Encoding", "gzip"},
		{"/a.txt", "Vary", "Origin, accept-encoding", "Origin, accept-encoding", "gzip"},
		{"/a.txt", "Vary", "*", "*", "gzip"},
		{"/a.txt", "Content-Encoding", "zstd", "", "zstd"},
		{"/", "X", "", "Accept-Encoding", "gzip"},
		{"/users", "X", "", "Accept-Encoding", "gzip"},
		{"/users.x", "X", "", "Accept, Accept-Encoding", "gzip"},
	} {
		r, w := newRequest(row.target), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("Accept", "text/html")
		if row.value != "" {
			w.Header().Set(row.header, row.value)
		}
		s.Serve(w, r, 0)
		vary, coding := strings.Join(w.Header()["Vary"], ", "), w.Header().Get("Content-Encoding")
		if w.Code != 200 || vary != row.vary || coding != row.coding {
			t.Errorf("%s, %s %q: got %d, Vary %q, Content-Encoding %q, want %q and %q", row.target, row.header, row.value, w.Code, vary, coding, row.vary, row.coding)
		}
	}
}

// TestEncodedContentLength: the length is known, also on a connection.
func TestEncodedContentLength(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	s := mustNew(t, fstest.MapFS{"a.txt": {Data: []byte("a")}, "a.txt.br": {Data: []byte(long)}}, Options{Encodings: encodings})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Serve(w, r, 0) }))
	defer server.Close()
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r, err := http.NewRequest(method, server.URL+"/a.txt", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "br")
		resp, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.ContentLength != int64(len(long)) || resp.Header.Get("Content-Encoding") != "br" || method == http.MethodGet && string(body) != long {
			t.Errorf("%s: length %d and %d bytes, %v, error %v", method, resp.ContentLength, len(body), resp.Header, err)
		}
	}
}

// An unreliableFS finds files that it cannot open.
type unreliableFS struct{ fstest.MapFS }

func (u unreliableFS) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".gz") {
		return nil, fs.ErrNotExist
	}
	return u.MapFS.Open(name)
}

// TestEncodingIsGone: a file whose encoding cannot be opened is served itself.
func TestEncodingIsGone(t *testing.T) {
	files := muxtest.FS("a.txt", "a.txt.gz")
	for name, fsys := range map[string]fs.FS{"removed": unreliableFS{files}, "no Seek": unseekableFS{files}} {
		w := answer(mustNew(t, fsys, Options{Encodings: encodings}), "/a.txt", "Accept-Encoding: gzip")
		if w.Code != 200 || w.Body.String() != "a.txt" || w.Header().Get("Content-Encoding") != "" || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: got %d %q %v, want the file itself", name, w.Code, w.Body, w.Header())
		}
	}
}
