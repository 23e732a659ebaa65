package middleware

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

func TestRecover(t *testing.T) {
	for _, row := range []struct {
		name   string
		handle http.HandlerFunc
		status int
		logged string // "" for nothing
	}{
		{"no panic", says("fine"), 200, ""},
		{"text", func(http.ResponseWriter, *http.Request) { panic("oops") }, 500, `panic=oops`},
		{"error", func(http.ResponseWriter, *http.Request) { panic(errors.New("a\nb")) }, 500, `panic="a\nb"`},
		{"nil", func(http.ResponseWriter, *http.Request) { panic(nil) }, 500, `panic="` + new(runtime.PanicNilError).Error()},
		{"runtime error", func(http.ResponseWriter, *http.Request) { var p *int; *p = 1 }, 500, `panic="runtime error: invalid memory address`},
		{"after headers", func(w http.ResponseWriter, _ *http.Request) {
			for name, value := range map[string]string{"Etag": `"x"`, "Content-Encoding": "br", "Content-Length": "1000", "Cache-Control": "max-age=9", "Last-Modified": "x"} {
				w.Header().Set(name, value)
			}
			panic("late")
		}, 500, "panic=late"},
		{"after early hints", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); panic("oops") }, 500, "panic=oops"},
	} {
		var out bytes.Buffer
		h := RequestID(nil)(Recover(slog.New(slog.NewTextHandler(&out, nil)))(row.handle))
		w := httptest.NewRecorder()
		h.ServeHTTP(statusTaker{w}, newRequest("GET", "/"))
		if w.Code != row.status {
			t.Errorf("%s: got %d, want %d", row.name, w.Code, row.status)
		}
		if got := out.String(); !strings.Contains(got, row.logged) || (row.logged == "") != (got == "") {
			t.Errorf("%s: logged %s, want %s", row.name, got, row.logged)
		} else if got != "" && (!strings.Contains(got, "TestRecover") || !strings.Contains(got, "request_id="+w.Header().Get("X-Request-Id"))) {
			t.Errorf("%s: logged without stack or id: %s", row.name, got)
		}
		for _, name := range []string{"Etag", "Content-Encoding", "Content-Length", "Cache-Control", "Last-Modified"} {
			if v := w.Header().Get(name); v != "" {
				t.Errorf("%s: %s: %s is left", row.name, name, v)
			}
		}
		if strings.Contains(w.Body.String(), "oops") {
			t.Errorf("%s: the panic was sent: %s", row.name, w.Body)
		}
	}
}

// A statusTaker keeps 1xx from a recorder, which would take them for the status.
type statusTaker struct{ *httptest.ResponseRecorder }

func (w statusTaker) WriteHeader(status int) {
	if status >= 200 {
		w.ResponseRecorder.WriteHeader(status)
	}
}

// TestRecoverKeepsEncoding: what compresses around Recover has set it, and compresses
// the answer.
func TestRecoverKeepsEncoding(t *testing.T) {
	h := Recover(discard)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oops") }))
	w := httptest.NewRecorder()
	w.Header().Set("Content-Encoding", "br")
	h.ServeHTTP(w, newRequest("GET", "/"))
	if got := w.Header().Get("Content-Encoding"); got != "br" {
		t.Errorf("got %q", got)
	}
}

// TestRecoverBreaksOff: a response that has begun does not look whole to the client.
func TestRecoverBreaksOff(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		for _, value := range []any{"oops", http.ErrAbortHandler} {
			var out bytes.Buffer
			s := newServer(t, Recover(slog.New(slog.NewTextHandler(&out, nil)))(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				io.WriteString(w, "a part")
				w.(http.Flusher).Flush()
				panic(value)
			})), http2)
			s.Config.ErrorLog = quiet
			if _, body, err := get(s, "/"); err == nil {
				t.Errorf("HTTP/2 %t, %v: no error, body %q", http2, value, body)
			}
			s.Close() // waits for the handler
			if logged := out.Len() > 0; logged != (value == "oops") {
				t.Errorf("HTTP/2 %t, %v: logged %q", http2, value, out.String())
			}
		}
	}
}

// TestRecoverOfCopy: the source of a copy panics, before the response has begun and
// behind it.
func TestRecoverOfCopy(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		for _, row := range []struct {
			length int // of what is copied before
			want   string
		}{{0, "500 Internal Server Error"}, {100, ""}, {5000, ""}} {
			s := newServer(t, Recover(discard)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				src := io.MultiReader(strings.NewReader(strings.Repeat("x", row.length)), panicReader{})
				io.Copy(w, io.LimitReader(src, 1<<20)) // by ReadFrom, not WriteTo
			})), http2)
			s.Config.ErrorLog = quiet
			resp, body, err := get(s, "/")
			got := ""
			if err == nil {
				got = fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(body))
			}
			if got != row.want {
				t.Errorf("HTTP/2 %t, %d bytes: got %.40q, %v, want %q", http2, row.length, got, err, row.want)
			}
		}
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("oops") }

func TestRecoverPassesAbortOn(t *testing.T) {
	h := Recover(nil)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	if got := recovered(func() { answer(h, newRequest("GET", "/")) }); got != http.ErrAbortHandler {
		t.Errorf("got %v", got)
	}
}
