package fileserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// The reference for everything that is not meant to differ is http.FileServerFS.

// differentialFS has files of several sizes and types, and encodings of some.
func differentialFS() fstest.MapFS {
	fsys := muxtest.FS("a.txt", "my file.txt", "index.html", "css/site.css", "docs/index.html", "bare/b.txt", "bare/<c>.txt")
	for name, data := range map[string]string{
		"empty.txt": "", "noext": "<!DOCTYPE html><p>a page", "long.js": strings.Repeat("0123456789", 1000),
		"long.js.gz": "\x1f\x8blong, but shorter", "noext.gz": "\x1f\x8bno", "noext.br": "\x00\x01", "docs/index.html.br": "\x00docs",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(data), ModTime: muxtest.Changed}
	}
	return fsys
}

// withoutTimes returns the file system as an embed.FS would have it.
func withoutTimes(fsys fstest.MapFS) fstest.MapFS {
	fsys = maps.Clone(fsys)
	for name, file := range fsys {
		fsys[name] = &fstest.MapFile{Data: file.Data}
	}
	return fsys
}

// onDisk writes the files into a directory.
func onDisk(t *testing.T, files fstest.MapFS) fs.FS {
	dir := t.TempDir()
	for name, file := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, file.ModTime, file.ModTime); err != nil {
			t.Fatal(err)
		}
	}
	return os.DirFS(dir)
}

var (
	differentialTargets = []string{
		"/", "/a.txt", "/a.txt?q=1", "/my%20file.txt", "/index.html", "/index.html?q=1", "/css", "/css/", "/css/site.css", "/docs", "/docs?q=1", "/docs/", "/docs/index.html", "/docs/index.html/", "/index.html/",
		"/bare", "/bare/", "/none", "/none/", "/none/index.html", "/a.txt/", "/a.txt/?q", "/a.txt/x", "/empty.txt", "/noext", "/noext.br", "/long.js", "/long.js", "/long.js.gz", "/docs/index.html.br",
	}
	differentialRanges = []string{
		"bytes=0-3", "bytes=2-", "bytes=-4", "bytes=0-0,2-3", "bytes=1-2, 4-5,-1", "bytes=5000-", "bytes=99999-", "bytes=3-1", "bytes=", "bytes=a-b", "lines=1-2", "bytes=-0", "bytes=0-99999,0-99999", "bytes 1-2",
	}
	differentialEncodings = []string{"gzip", "br", "br, gzip", "br;q=0.5,gzip;q=0.7", "*", "identity", "gzip;q=0", "zstd"}
)

// differentialRequest returns a random request for a file that may have an entity tag.
func differentialRequest(src *rand.Rand, target, tag string) *http.Request {
	r := newRequest(target)
	r.Method = random.Pick(src, "GET", "GET", "HEAD", "POST")
	date := func() string {
		if src.IntN(8) == 0 {
			return random.Pick(src, "", "yesterday", muxtest.Changed.Format(time.RFC3339))
		}
		return muxtest.Changed.Add(time.Duration(src.IntN(3)-1) * time.Second).Format(http.TimeFormat)
	}
	tags := func() string {
		return random.Pick(src, tag, "W/"+tag, `"other"`, `"other", `+tag, `W/"other" , W/`+tag, "*", "", "other", tag[:len(tag)-1])
	}
	for header, value := range map[string]func() string{
		"Range":               func() string { return random.Pick(src, differentialRanges...) },
		"If-Range":            func() string { return random.Pick(src, date(), tags()) },
		"If-Modified-Since":   date,
		"If-Unmodified-Since": date,
		"If-Match":            tags,
		"If-None-Match":       tags,
		"Accept-Encoding":     func() string { return random.Pick(src, differentialEncodings...) },
	} {
		if src.IntN(3) == 0 || header == "Accept-Encoding" {
			r.Header.Set(header, value())
		}
	}
	return r
}

// naiveFile returns the name of the file of differentialFS that is the answer to a
// request, if one is.
func naiveFile(files fstest.MapFS, r *http.Request) string {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name = path.Join(name, "index.html")
		if files[strings.Trim(r.URL.Path, "/")] != nil {
			return ""
		}
	} else if path.Base(name) == "index.html" {
		return ""
	}
	if files[name] == nil {
		return ""
	}
	return name
}

func naiveTag(data []byte) string {
	sum := sha256.Sum256(data)
	return `"sha256:` + base64.StdEncoding.EncodeToString(sum[:16]) + `"`
}

// answerText returns a whole response, with a fixed boundary.
func answerText(w *httptest.ResponseRecorder) string {
	var b bytes.Buffer
	fmt.Fprintln(&b, w.Code)
	for _, name := range slices.Sorted(maps.Keys(w.Header())) {
		fmt.Fprintf(&b, "%s: %q\n", name, w.Header()[name])
	}
	fmt.Fprintf(&b, "\n%q", w.Body)
	text := b.String()
	if _, boundary, ok := strings.Cut(w.Header().Get("Content-Type"), "boundary="); ok {
		text = strings.ReplaceAll(text, boundary, "BOUNDARY")
	}
	return text
}

// TestDifferential compares the answers with those of http.FileServerFS, also with options
// that match no file.
func TestDifferential(t *testing.T) {
	files := differentialFS()
	unrelated := Options{CacheControl: []CacheControl{{"*.png", "no-store"}}, Encodings: []Encoding{{"zstd", ".zst"}}}
	for name, fsys := range map[string]fs.FS{"map": files, "no times": withoutTimes(files), "disk": onDisk(t, files), "no Seek": unseekableFS{files}} {
		t.Run(name, func(t *testing.T) {
			src, statuses := rand.New(rand.NewPCG(1, 2)), make(map[int]int)
			reference := http.FileServerFS(fsys)
			servers := []*Server{mustNew(t, fsys, Options{}), mustNew(t, fsys, unrelated)}
			for range 2_500 {
				target := random.Pick(src, differentialTargets...)
				file := naiveFile(files, newRequest(target))
				tag := `"other"`
				if file != "" {
					tag = naiveTag(files[file].Data)
				}
				r := differentialRequest(src, target, tag)
				want := httptest.NewRecorder()
				if name == "no times" && file != "" {
					want.Header().Set("ETag", tag)
				}
				reference.ServeHTTP(want, r.Clone(r.Context()))
				statuses[want.Code]++
				for i, s := range servers {
					got := httptest.NewRecorder()
					s.Serve(got, r, 0)
					if got, want := answerText(got), answerText(want); got != want {
						t.Fatalf("server %d: %s %s %v:\ngot  %s\nwant %s", i, r.Method, target, r.Header, got, want)
					}
				}
			}
			for _, status := range []int{200, 206, 301, 304, 404, 412, 416} {
				if statuses[status] == 0 {
					t.Errorf("no answer %d, but %v", status, statuses)
				}
			}
		})
	}
}

// encodings are the encodings of differentialFS. Of the files with both, the one with br is
// smaller.
var encodings = []Encoding{{"br", ".br"}, {"gzip", ".gz"}}

// naiveEncoding returns which encoding of a file a client with one of
// differentialEncodings gets, and whether there is any.
func naiveEncoding(files fstest.MapFS, file, accept string) (e Encoding, exists bool) {
	preferred := map[string]string{"gzip": "gzip", "br": "br", "br, gzip": "br gzip", "br;q=0.5,gzip;q=0.7": "gzip br", "*": "br gzip"}[accept]
	at := len(preferred)
	for _, candidate := range encodings {
		if files[file+candidate.Extension] == nil {
			continue
		}
		exists = true
		if i := strings.Index(preferred, candidate.Coding); i >= 0 && i < at {
			e, at = candidate, i
		}
	}
	return e, exists
}

// TestDifferentialEncoded compares the answers for files with encodings with those of
// http.FileServerFS for a file with the encoded content.
func TestDifferentialEncoded(t *testing.T) {
	files := differentialFS()
	for name, fsys := range map[string]fstest.MapFS{"times": files, "no times": withoutTimes(files)} {
		t.Run(name, func(t *testing.T) {
			src, statuses := rand.New(rand.NewPCG(3, 4)), make(map[int]int)
			s := mustNew(t, fsys, Options{Encodings: encodings})
			for range 4_000 {
				target, accept := random.Pick(src, "/long.js", "/noext", "/docs/", "/noext.br"), random.Pick(src, differentialEncodings...)
				file := naiveFile(files, newRequest(target))
				e, exists := naiveEncoding(files, file, accept)
				content := fsys[file+e.Extension]
				r := differentialRequest(src, target, naiveTag(content.Data))
				r.Header.Set("Accept-Encoding", accept)

				reference, want, r2 := maps.Clone(fsys), httptest.NewRecorder(), r.Clone(r.Context())
				reference[file] = content
				if name == "no times" {
					want.Header().Set("ETag", naiveTag(content.Data))
				}
				if exists {
					want.Header().Set("Vary", "Accept-Encoding")
					if since := r.Header.Get("If-Range"); since != "" && !strings.Contains(since, `"`) {
						r2.Header.Del("Range") // see withoutDatedRange
					}
				}
				if e.Coding != "" && path.Ext(file) == "" {
					want.Header().Set("Content-Type", http.DetectContentType(files[file].Data))
				}
				http.FileServerFS(reference).ServeHTTP(want, r2)
				if e.Coding != "" {
					statuses[want.Code]++
					if want.Code == 200 || want.Code == 206 {
						want.Header().Set("Content-Encoding", e.Coding)
					}
				}
				got := httptest.NewRecorder()
				s.Serve(got, r, 0)
				if got, want := answerText(got), answerText(want); got != want {
					t.Fatalf("%s %s %v:\ngot  %s\nwant %s", r.Method, target, r.Header, got, want)
				}
			}
			for _, status := range []int{200, 206, 304, 412, 416} {
				if statuses[status] == 0 {
					t.Errorf("no encoded answer %d, but %v", status, statuses)
				}
			}
		})
	}
}
