// Package muxtest is what tests of several packages share: requests, handlers that
// tell what they saw, answers in short, and patterns and requests at random. It does
// not import package muxwell, so that the tests inside of that package can use it too.
package muxtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// NewRequest returns a request as a server reads it from a connection.
func NewRequest(method, target string) *http.Request {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		panic(err)
	}
	return &http.Request{Method: method, URL: u, Host: "example.com", RequestURI: target, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: make(http.Header)}
}

// RequestOf returns the request of a line METHOD [HOST]TARGET.
func RequestOf(line string) *http.Request {
	method, target, _ := strings.Cut(line, " ")
	slash := strings.IndexByte(target, '/')
	r := NewRequest(method, target[slash:])
	r.Host = target[:slash]
	return r
}

// A Writer keeps the status of an answer, or 0 if none is written, and its header. It
// drops the body. It allocates nothing.
type Writer struct {
	Status int
	header http.Header
}

// NewWriter returns a Writer with an empty header.
func NewWriter() *Writer { return &Writer{header: make(http.Header)} }

func (w *Writer) Header() http.Header               { return w.header }
func (w *Writer) WriteHeader(status int)            { w.Status = status }
func (w *Writer) Write(b []byte) (int, error)       { return len(b), nil }
func (w *Writer) WriteString(s string) (int, error) { return len(s), nil }

// OK answers with status 200.
func OK(http.ResponseWriter, *http.Request) {}

// Says returns a handler that answers with a text.
func Says(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
}

// AnswerTo returns what h answers to a request.
func AnswerTo(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// MatchOf returns the pattern that matches a request for target, or the status if
// none does.
func MatchOf(h http.Handler, method, target string) string {
	r := NewRequest(method, target)
	if w := AnswerTo(h, r); w.Code != http.StatusOK {
		return fmt.Sprint(w.Code)
	}
	return r.Pattern
}

// Bodies returns the answers to GET requests, a status for those that are not 200.
func Bodies(h http.Handler, targets ...string) string {
	var all []string
	for _, target := range targets {
		w := AnswerTo(h, NewRequest("GET", target))
		if w.Code != http.StatusOK {
			all = append(all, fmt.Sprint(w.Code))
		} else {
			all = append(all, w.Body.String())
		}
	}
	return strings.Join(all, " ")
}

// A Mux is a mux as [http.ServeMux] is one.
type Mux interface {
	http.Handler
	Handle(pattern string, handler http.Handler)
	HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request))
}

// MuxOf returns a mux that answers 200 to what the patterns match.
func MuxOf[M Mux, O any](newMux func(options ...O) M, patterns []string, options ...O) M {
	m := newMux(options...)
	for _, p := range patterns {
		m.HandleFunc(p, OK)
	}
	return m
}

// AnswerLine returns the answer to r in one line, and checks that Handler returns the
// same and leaves the request alone.
func AnswerLine(t *testing.T, m interface {
	http.Handler
	Handler(r *http.Request) (h http.Handler, pattern string)
}, r *http.Request,
) string {
	t.Helper()
	about := fmt.Sprintf("%s %s (host %q)", r.Method, r.URL, r.Host)
	before := fmt.Sprintf("%+v", *r)
	h, pattern := m.Handler(r)
	if after := fmt.Sprintf("%+v", *r); after != before {
		t.Errorf("%s: Handler changed the request from\n%s\nto\n%s", about, before, after)
	}
	direct := AnswerTo(h, r.Clone(r.Context()))
	w := AnswerTo(m, r)
	if r.Pattern != pattern {
		t.Errorf("%s: ServeHTTP sets the pattern %q, Handler returns %q", about, r.Pattern, pattern)
	}
	if w.Code != direct.Code || fmt.Sprint(w.Header()) != fmt.Sprint(direct.Header()) {
		t.Errorf("%s: ServeHTTP answers %d %v, Handler's handler %d %v", about, w.Code, w.Header(), direct.Code, direct.Header())
	}
	for _, name := range []string{"Location", "Allow"} {
		if n := len(w.Header().Values(name)); n > 1 {
			t.Errorf("%s: %d headers %s", about, n, name)
		}
	}
	switch w.Code {
	case http.StatusOK:
		return fmt.Sprintf("200 %s%s", r.Pattern, w.Body)
	case http.StatusTemporaryRedirect:
		return strings.TrimSpace("307 " + w.Header().Get("Location") + " " + r.Pattern)
	}
	if r.Pattern != "" {
		t.Errorf("%s: status %d with the pattern %q", about, w.Code, r.Pattern)
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", w.Code, w.Header().Get("Allow")))
}

// Recovered returns the value that f panics with, or nil.
func Recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// ErrorOf returns the error that f returns or panics with.
func ErrorOf(f func() error) (err error) {
	if v := Recovered(func() { err = f() }); v != nil {
		err, _ = v.(error)
	}
	return err
}

// Here returns the place of its caller, FILE:LINE, as a route has it.
func Here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, line)
}

// SameLine reports whether a place is so many lines behind another.
func SameLine(place, other string, behind int) bool {
	var line int
	file, number, _ := strings.Cut(filepath.Base(other), ":")
	fmt.Sscan(number, &line)
	return filepath.Base(place) == fmt.Sprintf("%s:%d", file, line+behind)
}

// LiveBytes returns the number of bytes on the heap that are alive.
func LiveBytes() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// SkipUnderRace skips a long test under the race detector, which takes ten times as
// long and sees nothing where nothing runs at once.
func SkipUnderRace(t *testing.T) {
	t.Helper()
	if RaceEnabled {
		t.Skip("nothing runs at once here")
	}
}
