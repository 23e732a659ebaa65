package respwriter

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// letters returns the letters of the five methods that a writer has.
func letters(w http.ResponseWriter) (names string) {
	set := capabilitiesOf(w)
	for i, letter := range "FHPRS" {
		if set>>i&1 != 0 {
			names += string(letter)
		}
	}
	return names
}

// TestWatchers: each watcher has the methods that its number says, and works
// with a controller.
func TestWatchers(t *testing.T) {
	for set, make := range watchers {
		w := make()
		if got := capabilitiesOf(w); got != set {
			t.Errorf("watcher %d, %T: capabilities %d", set, w, got)
		}
		if u, ok := w.(interface{ Unwrap() http.ResponseWriter }); !ok || u.Unwrap() != w.self().ResponseWriter {
			t.Errorf("watcher %d, %T: no Unwrap", set, w)
		}
	}
	if got := Watch(struct{ http.ResponseWriter }{httptest.NewRecorder()}); letters(got) != "" {
		t.Errorf("a bare writer's watcher has the capabilities %s", letters(got))
	}
	w := httptest.NewRecorder()
	if got := Watch(w); letters(got) != "FS" || Watch(got) != got {
		t.Errorf("a recorder's watcher is a %T", got)
	}
}

// A server is a writer with all five methods. It notes which are called.
type server struct {
	http.ResponseWriter
	calls string
}

func (s *server) Flush() { s.calls += "F" }

func (s *server) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	s.calls += "H"
	return nil, nil, nil
}

func (s *server) Push(target string, o *http.PushOptions) error {
	s.calls += "P"
	return fmt.Errorf("%s %s", target, o.Method)
}

func (s *server) ReadFrom(src io.Reader) (int64, error) {
	s.calls += "R"
	return io.Copy(io.Discard, src)
}

func (s *server) WriteString(text string) (int, error) {
	s.calls += "S"
	return len(text), nil
}

// TestWatchersPassOn calls each method of each watcher.
func TestWatchersPassOn(t *testing.T) {
	for set, make := range watchers {
		begins := func(name string, begins bool, call func(w http.ResponseWriter) error) {
			t.Helper()
			inner, w := &server{ResponseWriter: httptest.NewRecorder()}, make()
			w.self().ResponseWriter = inner
			if err := call(w); err != nil {
				t.Errorf("%T: %s: %v", w, name, err)
			}
			if inner.calls != name || Began(w) != begins {
				t.Errorf("%T: %s: calls %q, begun: %v; want %q, %v", w, name, inner.calls, Began(w), name, begins)
			}
		}
		if set&canF != 0 {
			begins("F", true, func(w http.ResponseWriter) error { w.(http.Flusher).Flush(); return nil })
		}
		if set&canH != 0 {
			begins("H", true, func(w http.ResponseWriter) error {
				_, _, err := w.(http.Hijacker).Hijack()
				return err
			})
		}
		if set&canP != 0 {
			begins("P", false, func(w http.ResponseWriter) error {
				if err := w.(http.Pusher).Push("/x", &http.PushOptions{Method: "HEAD"}); err == nil || err.Error() != "/x HEAD" {
					return fmt.Errorf("the server got %v", err)
				}
				return nil
			})
		}
		if set&canR != 0 {
			begins("R", true, func(w http.ResponseWriter) error {
				n, err := w.(io.ReaderFrom).ReadFrom(strings.NewReader("abc"))
				return errors.Join(err, wantLength(n, 3))
			})
		}
		if set&canS != 0 {
			begins("S", true, func(w http.ResponseWriter) error {
				n, err := w.(io.StringWriter).WriteString("ab")
				return errors.Join(err, wantLength(int64(n), 2))
			})
		}
	}
}

func wantLength(n, want int64) error {
	if n != want {
		return fmt.Errorf("length %d, want %d", n, want)
	}
	return nil
}

// A wrapper is a middleware's writer that offers what it wraps through Unwrap only.
type wrapper struct{ http.ResponseWriter }

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// A failing writer has the methods that may fail, and they do.
type failing struct{ http.ResponseWriter }

func (failing) FlushError() error { return http.ErrNotSupported }

func (failing) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, http.ErrNotSupported }

func (failing) ReadFrom(io.Reader) (int64, error) { return 0, io.ErrUnexpectedEOF }

func TestBegan(t *testing.T) {
	recorder := func() http.ResponseWriter { return httptest.NewRecorder() }
	fails := func() http.ResponseWriter { return failing{httptest.NewRecorder()} }
	wrapped := func() http.ResponseWriter { return wrapper{httptest.NewRecorder()} }
	for _, row := range []struct {
		name   string
		server func() http.ResponseWriter
		do     func(w http.ResponseWriter)
		want   bool
	}{
		{"nothing", recorder, func(http.ResponseWriter) {}, false},
		{"a header", recorder, func(w http.ResponseWriter) { w.Header().Set("X", "1") }, false},
		{"100", recorder, func(w http.ResponseWriter) { w.WriteHeader(100) }, false},
		{"101", recorder, func(w http.ResponseWriter) { w.WriteHeader(101) }, true},
		{"103", recorder, func(w http.ResponseWriter) { w.WriteHeader(103) }, false},
		{"199", recorder, func(w http.ResponseWriter) { w.WriteHeader(199) }, false},
		{"200", recorder, func(w http.ResponseWriter) { w.WriteHeader(200) }, true},
		{"103, then 404", recorder, func(w http.ResponseWriter) { w.WriteHeader(103); w.WriteHeader(404) }, true},
		{"a body", recorder, func(w http.ResponseWriter) { w.Write([]byte("x")) }, true},
		{"an empty body", recorder, func(w http.ResponseWriter) { w.Write(nil) }, true},
		{"a string", recorder, func(w http.ResponseWriter) { io.WriteString(w, "x") }, true},
		{"a copy", recorder, func(w http.ResponseWriter) { io.Copy(w, strings.NewReader("x")) }, true},
		{"a copy of nothing", recorder, func(w http.ResponseWriter) { io.Copy(w, iotest.ErrReader(io.EOF)) }, false},
		{"a flush", recorder, func(w http.ResponseWriter) { w.(http.Flusher).Flush() }, true},
		{"a controller's flush", recorder, func(w http.ResponseWriter) { http.NewResponseController(w).Flush() }, true},
		{"a controller's flush of a wrapped writer", wrapped, func(w http.ResponseWriter) { http.NewResponseController(w).Flush() }, true},
		{"a flush that is not supported", fails, func(w http.ResponseWriter) { http.NewResponseController(w).Flush() }, false},
		{"a hijack that fails", fails, func(w http.ResponseWriter) { w.(http.Hijacker).Hijack() }, false},
		{"a copy that fails at once", fails, func(w http.ResponseWriter) { w.(io.ReaderFrom).ReadFrom(nil) }, false},
	} {
		inner := row.server()
		w := Watch(inner)
		row.do(w)
		for _, outer := range []http.ResponseWriter{w, wrapper{w}, wrapper{wrapper{w}}, Watch(wrapper{w})} {
			if got := Began(outer); got != row.want {
				t.Errorf("%s: Began(%T) = %v, want %v", row.name, outer, got, row.want)
			}
		}
		if Began(inner) || Began(wrapper{inner}) {
			t.Errorf("%s: Began is true for a writer without a watcher", row.name)
		}
	}
}

// TestDropBodyHeaders: what a handler has said of its body is dropped, and what
// middleware has said of every answer is as before.
func TestDropBodyHeaders(t *testing.T) {
	for _, before := range []bool{false, true} {
		w := httptest.NewRecorder()
		if before {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Cache-Control", "no-store")
		}
		watched := Watch(w)
		for _, name := range []string{"Content-Length", "Content-Type", "Content-Encoding", "Etag", "Last-Modified", "Cache-Control", "X-Kept"} {
			w.Header().Set(name, "1")
		}
		DropBodyHeaders(w) // not a watcher
		if len(w.Header()) != 7 {
			t.Errorf("the headers of a recorder are now %v", w.Header())
		}
		DropBodyHeaders(watched)
		want := "map[X-Kept:[1]]"
		if before {
			want = "map[Cache-Control:[no-store] Content-Encoding:[gzip] X-Kept:[1]]"
		}
		if got := fmt.Sprint(w.Header()); got != want {
			t.Errorf("set before %t: got %s, want %s", before, got, want)
		}
	}
}

// TestWatcherHasWhatTheServerHas, over HTTP/1.1 and HTTP/2, and that what
// goes through the watcher arrives.
func TestWatcherHasWhatTheServerHas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "big")
	text := strings.Repeat("0123456789", 10_000)
	big := []byte(text)
	if err := os.WriteFile(file, big, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		m := http.NewServeMux()
		var given string
		m.HandleFunc("GET /{how}", func(w http.ResponseWriter, r *http.Request) {
			w = Watch(w)
			given = letters(w)
			f, err := os.Open(file)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if p, ok := w.(http.Pusher); ok {
				if err := p.Push("/x", nil); !errors.Is(err, http.ErrNotSupported) && err != nil {
					t.Errorf("%s: Push: %v", proto, err)
				}
			}
			switch r.PathValue("how") {
			case "copy":
				_, err = io.Copy(w, f)
			case "write":
				_, err = w.Write(big)
			case "string":
				_, err = io.WriteString(w, text)
			case "flush":
				w.Write(big[:10])
				if err := http.NewResponseController(w).Flush(); err != nil {
					t.Errorf("%s: Flush: %v", proto, err)
				}
				w.(http.Flusher).Flush()
				_, err = w.Write(big[10:])
			case "content":
				http.ServeFile(w, r, file)
			}
			if !Began(w) || err != nil {
				t.Errorf("%s %s: begun: %v, error %v; want true, nil", proto, r.URL, Began(w), err)
			}
		})
		var bare string
		m.HandleFunc("GET /bare", func(w http.ResponseWriter, _ *http.Request) { bare = letters(w) })
		srv := httptest.NewUnstartedServer(m)
		srv.EnableHTTP2 = proto == "HTTP/2.0"
		srv.StartTLS()
		for _, how := range []string{"bare", "copy", "write", "string", "flush", "content"} {
			resp, err := srv.Client().Get(srv.URL + "/" + how)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.Proto != proto || err != nil || how != "bare" && !bytes.Equal(body, big) {
				t.Errorf("%s %s: %s, %d bytes, %v", proto, how, resp.Proto, len(body), err)
			}
		}
		srv.Close()
		if given != bare || given == "" {
			t.Errorf("%s: the handler is given a writer with %s, the server's has %s", proto, given, bare)
		}
	}
}

// TestWatcherReadsWithReadFrom: a copy goes on to the server's ReadFrom, which
// sends files without a copy of their bytes.
func TestWatcherReadsWithReadFrom(t *testing.T) {
	inner := &readerFrom{ResponseRecorder: httptest.NewRecorder()}
	n, err := io.Copy(Watch(inner), struct{ io.Reader }{strings.NewReader("x")})
	if inner.reads != 1 || inner.Body.String() != "x" || n != 1 || err != nil {
		t.Errorf("got %d calls of ReadFrom, body %q, length %d, %v; want 1, \"x\", 1, nil", inner.reads, inner.Body, n, err)
	}
}

type readerFrom struct {
	*httptest.ResponseRecorder
	reads int
}

func (w *readerFrom) ReadFrom(src io.Reader) (int64, error) {
	w.reads++
	return io.Copy(w.ResponseRecorder, src)
}
