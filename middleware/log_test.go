package middleware

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// newTextLog returns a logger whose lines have neither time nor durations in them.
func newTextLog(out io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}}))
}

func TestLog(t *testing.T) {
	for _, row := range []struct {
		options *LogOptions
		request []string // method, target, headers
		handle  http.HandlerFunc
		want    string
	}{
		{nil, []string{"GET", "/users/7"}, says("hello"), `level=INFO msg=request method=GET pattern="GET /users/{id}" status=200 bytes=5`},
		{nil, []string{"GET", "/users/7", "X-Request-Id: a-1"}, says(""), `level=INFO msg=request method=GET pattern="GET /users/{id}" status=200 bytes=0 request_id=a-1`},
		{nil, []string{"GET", "/none"}, nil, `level=INFO msg=request method=GET pattern="" status=404 bytes=19`},
		{nil, []string{"POST", "/users/7"}, nil, `level=INFO msg=request method=POST pattern="" status=405 bytes=19`},
		{nil, []string{"GET\x1b[1m=\"", "/users/7"}, nil, `level=INFO msg=request method="GET\x1b[1m=\"" pattern="" status=405 bytes=19`},
		{nil, []string{strings.Repeat("X", 1000), "/none"}, nil, `level=INFO msg=request method=` + strings.Repeat("X", 32) + ` pattern="" status=404 bytes=19`},
		{nil, []string{"GET", "/users/7"}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, `level=ERROR msg=request method=GET pattern="GET /users/{id}" status=503 bytes=0`},
		{
			&LogOptions{Level: func(status int) slog.Level { return slog.Level(status - 400) }},
			[]string{"GET", "/none"},
			nil, `level=WARN msg=request method=GET pattern="" status=404 bytes=19`,
		},
		{&LogOptions{Level: func(int) slog.Level { return slog.LevelDebug }}, []string{"GET", "/none"}, nil, ``},
		{
			&LogOptions{Attrs: func(r *http.Request) []slog.Attr { return []slog.Attr{slog.String("path", r.URL.Path)} }},
			[]string{"GET", "/a%0Ab"},
			nil, `level=INFO msg=request method=GET pattern="" status=404 bytes=19 path="/a\nb"`,
		},
	} {
		for _, outside := range []bool{false, true} {
			var out bytes.Buffer
			covers := func(h http.Handler) http.Handler {
				return withID(Log(newTextLog(&out), row.options)(ClientIP(FromRemoteAddr())(h)))
			}
			m := muxwell.New()
			if row.handle != nil {
				m.Get("/users/{id}", row.handle)
			} else {
				m.Get("/users/{id}", says(""))
			}
			h := http.Handler(m)
			if outside {
				h = covers(m)
			} else {
				m.Use(covers)
			}
			r := newRequest("GET", row.request[1], row.request[2:]...)
			r.Method = row.request[0]
			answer(h, r)
			if got := strings.TrimSpace(out.String()); got != row.want {
				t.Errorf("%q, outside %t:\ngot  %s\nwant %s", row.request, outside, got, row.want)
			}
		}
	}
}

// withID gives a request an id if it has brought one.
func withID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Request-Id") != "" {
			RequestID(nil)(next).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestLogOfPanics(t *testing.T) {
	for _, row := range []struct {
		name   string
		cover  func(http.Handler) http.Handler
		handle http.HandlerFunc
		want   string
	}{
		{"nothing sent", nil, func(http.ResponseWriter, *http.Request) { panic("a") }, `level=ERROR msg=request method=GET pattern="" status=0 bytes=0 aborted=true`},
		{"some sent", nil, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "abc"); panic("a") }, `level=ERROR msg=request method=GET pattern="" status=200 bytes=3 aborted=true`},
		{"recovered", Recover(discard), func(http.ResponseWriter, *http.Request) { panic("a") }, `level=ERROR msg=request method=GET pattern="" status=500 bytes=22`},
	} {
		var out bytes.Buffer
		h := http.Handler(row.handle)
		if row.cover != nil {
			h = row.cover(h)
		}
		v := recovered(func() { answer(Log(newTextLog(&out), nil)(h), newRequest("GET", "/")) })
		if got := strings.TrimSpace(out.String()); got != row.want {
			t.Errorf("%s:\ngot  %s\nwant %s", row.name, got, row.want)
		}
		if (v == "a") != (row.cover == nil) {
			t.Errorf("%s: the panic that goes on is %v", row.name, v)
		}
	}
}

// TestLogDefault: without a logger it is the default one, whenever that is set.
func TestLogDefault(t *testing.T) {
	h := Log(nil, nil)(says(""))
	before := slog.Default()
	defer slog.SetDefault(before)
	var out bytes.Buffer
	slog.SetDefault(newTextLog(&out))
	answer(h, newRequest("GET", "/"))
	if !strings.Contains(out.String(), "status=200") {
		t.Errorf("logged %q", out.String())
	}
}

// FuzzLog: one request is one line, whatever it holds.
func FuzzLog(f *testing.F) {
	f.Add("GET", "/x", "id")
	f.Add("G\nT", "/\r\nmsg=forged", "a\nb")
	oneLine := regexp.MustCompile(`\A[^\n\r]*\n\z`)
	f.Fuzz(func(t *testing.T, method, path, id string) {
		r := newRequest("GET", "/")
		r.Method, r.URL.Path = method, path
		r.Header["X-Request-Id"] = []string{id}
		var out bytes.Buffer
		options := &LogOptions{Attrs: func(r *http.Request) []slog.Attr { return []slog.Attr{slog.String("path", r.URL.Path)} }}
		answer(RequestID(nil)(Log(newTextLog(&out), options)(says(""))), r)
		if !oneLine.MatchString(out.String()) {
			t.Errorf("got %q", out.String())
		}
	})
}
