package fileserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

var siteFS = muxtest.FS("a.txt", "my file.txt", "index.html", "css/site.css", "docs/index.html", "docs/api/x.html", "bare/b.txt", "page.html", "a:b/index.html", "a?b/index.html")

func mustNew(t testing.TB, fsys fs.FS, o Options) *Server {
	t.Helper()
	s, err := New(fsys, o)
	if err != nil {
		t.Fatalf("New(%+v): %v", o, err)
	}
	return s
}

// newRequest returns a request whose errors are not logged.
func newRequest(target string) *http.Request {
	r := httptest.NewRequest("GET", target, nil)
	quiet := &http.Server{ErrorLog: log.New(io.Discard, "", 0)}
	return r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, quiet))
}

// line returns the answer to a request as one line: the status, and the Location
// or the body.
func line(s *Server, r *http.Request, strip int) string {
	w := httptest.NewRecorder()
	s.Serve(w, r, strip)
	switch {
	case w.Header().Get("Location") != "":
		return fmt.Sprint(w.Code, " ", w.Header().Get("Location"))
	case w.Code == 200:
		return "200 " + strings.Join(strings.Fields(w.Body.String()), " ")
	}
	return fmt.Sprint(w.Code)
}

func TestServe(t *testing.T) {
	plain, unlisted, fallback := Options{}, Options{NoListing: true}, Options{Fallback: true, Page: "page.html"}
	const bareList = `200 <!doctype html> <meta name="viewport" content="width=device-width"> <pre> <a href="b.txt">b.txt</a> </pre>`
	for _, row := range []struct {
		options Options
		strip   int
		target  string
		want    string
	}{
		{plain, 0, "/a.txt", "200 a.txt"},
		{plain, 1, "/s/a.txt", "200 a.txt"},
		{plain, 3, "/s/x%2Fy/z/my%20file.txt", "200 my file.txt"},
		{plain, 1, "/s/%61.txt", "200 a.txt"},
		{plain, 1, "/s/", "200 index.html"},
		{plain, 1, "/s", "301 s/"},
		{plain, 1, "/s?a=b", "301 s/?a=b"},
		{plain, 1, "/https:evil.com", "301 ./https:evil.com/"},
		{plain, 2, "/s", "404"},
		{plain, 1, "/s/none", "404"},
		{plain, 1, "/s/index.html", "301 ./"},
		{plain, 1, "/s/docs?q=//evil.com", "301 docs/?q=//evil.com"},
		{plain, 1, "/s/docs/", "200 docs/index.html"},
		{plain, 1, "/s/a:b", "301 ./a:b/"},
		{plain, 1, "/s/a%3Fb", "301 a%3Fb/"},
		{plain, 1, "/s/a.txt/", "301 ../a.txt"},
		{plain, 1, "/s/my%20file.txt/?q", "301 ../my%20file.txt?q"},
		{plain, 1, "/s/bare", "301 bare/"},
		{plain, 1, "/s/bare/", bareList},
		{plain, 1, "/s/docs%2Findex.html", "404"},
		{plain, 1, "/s/docs%2F", "404"},
		{plain, 1, `/s/docs%5Cindex.html`, "404"},
		{plain, 1, "/s//a.txt", "404"},
		{plain, 1, "/s/./a.txt", "404"},
		{plain, 1, "/s/%2e", "404"},
		{plain, 1, "/s/x/%2e%2e/a.txt", "404"},
		{plain, 1, "/s/a.txt%00", "404"},
		{plain, 1, "/s/%ff", "404"},

		{unlisted, 1, "/s/bare", "404"},
		{unlisted, 1, "/s/bare/", "404"},
		{unlisted, 1, "/s/bare/b.txt", "200 bare/b.txt"},
		{unlisted, 1, "/s/docs", "301 docs/"},
		{unlisted, 1, "/s/", "200 index.html"},

		{fallback, 1, "/s/", "200 index.html"},
		{fallback, 1, "/s/users/42", "200 page.html"},
		{fallback, 1, "/s/bare/", "200 page.html"},
		{fallback, 1, "/s/a.txt/x", "200 page.html"},
		{fallback, 1, "/s/v1.2/notes", "200 page.html"},
		{fallback, 1, "/s/app.js", "404"},
		{fallback, 1, "/s/users%2F42", "404"},
		{Options{Fallback: true, Page: "docs/index.html"}, 0, "/x/y", "200 docs/index.html"},
	} {
		s := mustNew(t, siteFS, row.options)
		if got := line(s, newRequest(row.target), row.strip); got != row.want {
			t.Errorf("%+v: %s without %d segments: got %s, want %s", row.options, row.target, row.strip, got, row.want)
		}
	}
}

// TestServeOtherPaths: the path and the query may be what no request line has,
// because something in front of the server changed them.
func TestServeOtherPaths(t *testing.T) {
	s := mustNew(t, siteFS, Options{})
	for _, row := range []struct {
		u     url.URL
		strip int
		want  string
	}{
		{url.URL{}, 0, "404"},
		{url.URL{}, 1, "404"},
		{url.URL{Path: "a.txt"}, 1, "404"},
		{url.URL{Path: "/s", RawQuery: "a\r\nb"}, 1, "301 s/?a%0D%0Ab"},
		{url.URL{Path: "/s/docs", RawQuery: "a\r\nb"}, 1, "301 docs/?a%0D%0Ab"},
	} {
		r := newRequest("/")
		r.URL = &row.u
		if got := line(s, r, row.strip); got != row.want {
			t.Errorf("%+v without %d segments: got %s, want %s", row.u, row.strip, got, row.want)
		}
	}
}

// TestServeFolder serves a folder of the disk, where a file that is used as a
// directory is an error of its own.
func TestServeFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"page.html", "a.txt", "d/index.html/x"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := mustNew(t, os.DirFS(dir), Options{Fallback: true, Page: "page.html"})
	for target, want := range map[string]string{"/a.txt": "200 a.txt", "/a.txt/x": "200 page.html", "/none": "200 page.html", "/d/": "200 page.html"} {
		if got := line(s, newRequest(target), 0); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

func TestFallbackHeaders(t *testing.T) {
	for _, row := range []struct {
		page, target, accept, set string
		want                      string // the status, Cache-Control and Vary
	}{
		{"page.html", "/users", "", "", `200 "no-cache" ""`},
		{"page.html", "/users", "", "private", `200 "private" ""`},
		{"page.html", "/page.html", "", "", `200 "no-cache" ""`},
		{"page.html", "/a.txt", "", "", `200 "" ""`},
		{"page.html", "/app.js", "*/*", "", `404 "" "Accept"`},
		{"page.html", "/app.js", "text/*", "", `404 "" "Accept"`},
		{"page.html", "/app.js", "text/html;q=0.0", "", `404 "" "Accept"`},
		{"page.html", "/app.js", "image/png, TEXT/HTML ;level=1;q=0.1", "", `200 "no-cache" "Accept"`},
		{"docs/index.html", "/docs/", "", "", `200 "no-cache" ""`},
		{"docs/index.html", "/", "", "", `200 "" ""`},
	} {
		s := mustNew(t, siteFS, Options{Fallback: true, Page: row.page})
		r, w := newRequest(row.target), httptest.NewRecorder()
		if row.accept != "" {
			r.Header.Set("Accept", row.accept)
		}
		if row.set != "" {
			w.Header().Set("Cache-Control", row.set)
		}
		s.Serve(w, r, 0)
		if got := fmt.Sprintf("%d %q %q", w.Code, w.Header().Get("Cache-Control"), w.Header().Get("Vary")); got != row.want {
			t.Errorf("page %s: %s, Accept %q, Cache-Control %q: got %s, want %s", row.page, row.target, row.accept, row.set, got, row.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	for page, want := range map[string]string{
		"":          "the name is not valid; write it from the root of the file system, without slashes at the beginning and end",
		"/page":     "the name is not valid; write it from the root of the file system, without slashes at the beginning and end",
		"../page":   "the name is not valid; write it from the root of the file system, without slashes at the beginning and end",
		"none":      "the file system cannot open it: open none: file does not exist",
		".":         "it is a directory; name a file",
		"docs":      "it is a directory; name a file",
		"page.html": "<nil>",
	} {
		if _, err := New(siteFS, Options{Fallback: true, Page: page}); fmt.Sprint(err) != want {
			t.Errorf("New with the page %q: error %v, want %s", page, err, want)
		}
	}
	if _, err := New(siteFS, Options{Page: "none"}); err != nil {
		t.Errorf("New with a page, but without Fallback: %v", err)
	}
}

// TestNeverLists: an index.html that goes away between two looks leaves no list
// either.
func TestNeverLists(t *testing.T) {
	for _, options := range []Options{{NoListing: true}, {Fallback: true, Page: "page.html"}} {
		s, w := mustNew(t, siteFS, options), httptest.NewRecorder()
		s.handler.ServeHTTP(w, newRequest("/bare/"))
		if w.Code != 500 || strings.Contains(w.Body.String(), "b.txt") {
			t.Errorf("%+v: got %d %q, want 500 and no list", options, w.Code, w.Body)
		}
	}
}

// TestWithPath: the file system's handler has the request's pattern and values,
// and the request itself stays as it is.
func TestWithPath(t *testing.T) {
	r := newRequest("/u/a%20b/docs/?q")
	r.Pattern, r.URL.RawQuery = "GET /u/{user}/{p...}", "a\r\nb"
	r.SetPathValue("user", "a b")
	before := *r.URL
	r2 := withPath(r, "/x")
	if r2.Pattern != r.Pattern || r2.PathValue("user") != "a b" || r2.URL.Path != "/x" || r2.URL.RawPath != "" || r2.URL.RawQuery != "a%0D%0Ab" {
		t.Errorf("the copy has the pattern %q, value %q, URL %+v", r2.Pattern, r2.PathValue("user"), *r2.URL)
	}
	if *r.URL != before {
		t.Errorf("the request's URL became %+v, was %+v", *r.URL, before)
	}
}

// A brokenFS fails in the ways that file systems do.
type brokenFS struct{ err error }

func (b brokenFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: b.err}
}

// TestErrors: an error is answered as FileServer does, without its text.
func TestErrors(t *testing.T) {
	for err, want := range map[error]string{fs.ErrPermission: "403", fs.ErrNotExist: "404", errors.New("secret"): "500"} {
		for _, options := range []Options{{}, {NoListing: true}} {
			s := mustNew(t, brokenFS{err}, options)
			for _, target := range []string{"/a", "/a%20b", "/d/"} {
				if got := line(s, newRequest(target), 0); got != want {
					t.Errorf("%v, %+v: %s: got %s, want %s", err, options, target, got, want)
				}
			}
		}
	}
}

// TestUnseekableFiles: a directory of a file system whose files cannot seek is
// still not listed.
func TestUnseekableFiles(t *testing.T) {
	s := mustNew(t, unseekableFS{siteFS}, Options{NoListing: true})
	for target, want := range map[string]string{"/bare/": "404", "/docs": "301 docs/"} {
		if got := line(s, newRequest(target), 0); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
	if d, err := s.listing.Open("bare"); err != nil {
		t.Error(err)
	} else if _, ok := d.(fs.ReadDirFile); ok {
		t.Errorf("a directory is a %T, which has ReadDir", d)
	}
}

// An unseekableFS opens files without Seek.
type unseekableFS struct{ fs.FS }

func (u unseekableFS) Open(name string) (fs.File, error) {
	file, err := u.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return struct{ fs.ReadDirFile }{unseekable{file}}, nil
}

type unseekable struct{ fs.File }

func (unseekable) ReadDir(int) ([]fs.DirEntry, error) { return nil, nil }

// naivePartOf is partOf by what a path is: segments, each unescaped once, none of
// which may mean anything to a file system but a name.
func naivePartOf(u *url.URL, strip int) (part string, ok bool) {
	segments := strings.Split(u.EscapedPath(), "/")[1:]
	if len(segments) < strip {
		return "", false
	}
	segments = segments[strip:]
	for i, segment := range segments {
		name, err := url.PathUnescape(segment)
		slash := name == "" && i == len(segments)-1
		if err != nil || !slash && (name == "" || name == "." || name == "..") || strings.ContainsAny(name, "/\\\x00") || !utf8.ValidString(name) {
			return "", false
		}
		part += "/" + name
	}
	return part, true
}

// FuzzPartOf compares partOf with naivePartOf.
func FuzzPartOf(f *testing.F) {
	for _, path := range []string{
		"/", "/a", "/a/", "/s/css/my%20.css", "/s/css%2Fmy.css", "/s//a", "//", "/s/./a", "/s/..", "/s/%2e%2e/a", "/s/...", `/s/a\b`, "/s/a%5cb", "/s/a%00", "/s/%ff", "/s/%C3%A9",
		"/a%2Fb/c", "/%2F/%2F", "/s/a%252Fb", "*", "/*", "/s/a%2F",
	} {
		f.Add(path, uint8(1))
	}
	f.Fuzz(func(t *testing.T, path string, strip uint8) {
		u, err := url.ParseRequestURI(path)
		if err != nil || !strings.HasPrefix(u.EscapedPath(), "/") {
			t.Skip("not a path that a request can have")
		}
		n := int(strip % 4)
		got, ok := partOf(u, n)
		if want, wantOK := naivePartOf(u, n); ok != wantOK || ok && got != want {
			t.Errorf("partOf(%q, %d) = %q, %v, want %q, %v", path, n, got, ok, want, wantOK)
		}
	})
}

// TestServeAllocs: a file costs no more allocations than with http.FileServerFS.
func TestServeAllocs(t *testing.T) {
	fsys := onDisk(t, muxtest.FS("css/site.css"))
	s, reference, r := mustNew(t, fsys, Options{NoListing: true}), http.FileServerFS(fsys), newRequest("/css/site.css")
	got := testing.AllocsPerRun(100, func() { s.Serve(discard{http.Header{}}, r, 0) })
	want := testing.AllocsPerRun(100, func() { reference.ServeHTTP(discard{http.Header{}}, r) })
	if got > want {
		t.Errorf("%v allocations, want at most %v", got, want)
	}
}
