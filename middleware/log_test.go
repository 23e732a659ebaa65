package middleware

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
		{nil, []string{"GET", "/users/7"}, says("hello"), `level=INFO msg=request method=GET path=/users/7 pattern="GET /users/{id}" status=200 bytes=5 client=192.0.2.1`},
		{nil, []string{"GET", "/users/7", "X-Request-Id: a-1"}, says(""), `level=INFO msg=request method=GET path=/users/7 pattern="GET /users/{id}" status=200 bytes=0 client=192.0.2.1 request_id=a-1`},
		{nil, []string{"GET", "/none"}, nil, `level=INFO msg=request method=GET path=/none pattern="" status=404 bytes=19 client=192.0.2.1`},
		{nil, []string{"POST", "/users/7"}, nil, `level=INFO msg=request method=POST path=/users/7 pattern="" status=405 bytes=19 client=192.0.2.1`},
		{nil, []string{"GET\x1b[1m=\"", "/users/7"}, nil, `level=INFO msg=request method="GET\x1b[1m=\"" path=/users/7 pattern="" status=405 bytes=19 client=192.0.2.1`},
		{nil, []string{strings.Repeat("X", 1000), "/none"}, nil, `level=INFO msg=request method=` + strings.Repeat("X", 32) + ` path=/none pattern="" status=404 bytes=19 client=192.0.2.1`},
		{nil, []string{"GET", "/users/7"}, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, `level=ERROR msg=request method=GET path=/users/7 pattern="GET /users/{id}" status=503 bytes=0 client=192.0.2.1`},
		{
			&LogOptions{Level: func(status int) slog.Level { return slog.Level(status - 400) }},
			[]string{"GET", "/none"},
			nil, `level=WARN msg=request method=GET path=/none pattern="" status=404 bytes=19 client=192.0.2.1`,
		},
		{&LogOptions{Level: func(int) slog.Level { return slog.LevelDebug }}, []string{"GET", "/none"}, nil, ``},
		{
			&LogOptions{Attrs: func(r *http.Request) []slog.Attr { return []slog.Attr{slog.String("host", r.Host)} }},
			[]string{"GET", "/a%0Ab?q=1"},
			nil, `level=INFO msg=request method=GET path=/a%0Ab pattern="" status=404 bytes=19 client=192.0.2.1 host=example.com`,
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
		{"nothing sent", nil, func(http.ResponseWriter, *http.Request) { panic("a") }, `level=ERROR msg=request method=GET path=/ pattern="" status=0 bytes=0 client=192.0.2.1 aborted=true`},
		{"some sent", nil, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "abc"); panic("a") }, `level=ERROR msg=request method=GET path=/ pattern="" status=200 bytes=3 client=192.0.2.1 aborted=true`},
		{"recovered", Recover(discard), func(http.ResponseWriter, *http.Request) { panic("a") }, `level=ERROR msg=request method=GET path=/ pattern="" status=500 bytes=22 client=192.0.2.1`},
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

// TestLogNames: the option names attributes by the semantic conventions.
func TestLogNames(t *testing.T) {
	for _, row := range []struct {
		method, target string
		handle         http.HandlerFunc
		want           string
	}{
		{"GET", "/users/7?q=1", says("hello"), `http.request.method=GET url.path=/users/7 url.query="q=1" http.route=/users/{id} http.response.status_code=200 http.response.body.size=5 http.server.request.duration=1.5 client.address=192.0.2.1 user.name=alice request_id=i`},
		{"BREW", "/none", nil, `http.request.method=_OTHER http.request.method_original=BREW url.path=/none http.response.status_code=404 http.response.body.size=19 http.server.request.duration=1.5 client.address=192.0.2.1 request_id=i`},
		{"OTHER", "/none", nil, `http.request.method=_OTHER http.request.method_original=OTHER url.path=/none http.response.status_code=404 http.response.body.size=19 http.server.request.duration=1.5 client.address=192.0.2.1 request_id=i`},
		{"GET", "/users/7", func(http.ResponseWriter, *http.Request) { panic("a") }, `http.request.method=GET url.path=/users/7 http.route=/users/{id} http.response.body.size=0 http.server.request.duration=1.5 client.address=192.0.2.1 user.name=alice request_id=i aborted=true`},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			m := muxwell.New()
			m.Use(RequestID(nil), Log(newTextLog(&out), &LogOptions{OpenTelemetry: true, Query: []string{"q"}}), delaying(1500*time.Millisecond))
			private := m.With(BasicAuth("x", Users(map[string]string{"alice": "p"})))
			if row.handle != nil {
				private.Get("example.com/users/{id}", row.handle)
			}
			recovered(func() { answer(m, newRequest(row.method, row.target, "X-Request-Id: i", basic("alice:p"))) })
			_, got, _ := strings.Cut(strings.TrimSpace(out.String()), "msg=request ")
			if got != row.want {
				t.Errorf("%s %s:\ngot  %s\nwant %s", row.method, row.target, got, row.want)
			}
		})
	}
}

// delaying is middleware that waits.
func delaying(d time.Duration) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(d)
			next.ServeHTTP(w, r)
		})
	}
}

func TestLogPathAndQuery(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for _, row := range []struct {
		options *LogOptions
		target  string
		want    string // after the method
	}{
		{nil, "/a/b?q=1", "path=/a/b "},
		{nil, "/a%2Fb%20c", "path=/a%2Fb%20c "},
		{nil, "/" + long, "path=/" + long[:2047] + " "},
		{&LogOptions{Path: func(r *http.Request) string { return r.Pattern + long }}, "/a", "path=" + long[:2048] + " "},
		{&LogOptions{Path: func(*http.Request) string { return "" }}, "/a", ""},
		{&LogOptions{Query: []string{"q"}}, "/a", "path=/a "},
		{&LogOptions{Query: []string{"q"}}, "/a?q=1&t=2", `path=/a query="q=1&t=REDACTED" `},
		{&LogOptions{Query: []string{"q"}}, "/a?q=" + long, `path=/a query="q=` + long[:2046] + `" `},
	} {
		var out bytes.Buffer
		answer(Log(newTextLog(&out), row.options)(says("")), newRequest("GET", row.target))
		_, got, _ := strings.Cut(out.String(), "method=GET ")
		if got, _, _ = strings.Cut(got, "pattern="); got != row.want {
			t.Errorf("%.50s: got %q, want %q", row.target, got, row.want)
		}
	}
}

func TestRedactQuery(t *testing.T) {
	for _, row := range []struct{ query, want string }{
		{"", ""},
		{"page=2", "page=2"},
		{"page=2&page=3", "page=2&page=3"},
		{"page", "page"},
		{"page=", "page="},
		{"page=a=b", "page=a=b"},
		{"user+name=b&user%20name=c", "user+name=b&user%20name=REDACTED"},
		{"token=s3cret", "token=REDACTED"},
		{"Page=2", "Page=REDACTED"},
		{"pa%67e=2", "pa%67e=REDACTED"},
		{"s3cret", "REDACTED"},
		{"czNjcmV0Cg==", "REDACTED"},
		{"=s3cret", "=REDACTED"},
		{"page=2;token=s3cret", "REDACTED"},
		{"page=2&&token=s3cret&", "page=2&&token=REDACTED&"},
		{"page=%zz&\x00=1", "page=%zz&\x00=REDACTED"},
	} {
		if got := redactQuery(row.query, newLogFormat(&LogOptions{Query: []string{"page", "user name"}}).queryNames); got != row.want {
			t.Errorf("%q: got %q, want %q", row.query, got, row.want)
		}
	}
}

// TestRedactLongQuery: not much more is written than is logged.
func TestRedactLongQuery(t *testing.T) {
	if got := len(redactQuery(strings.Repeat("a=1&", 1<<18), nil)); got > 2*maxURL {
		t.Errorf("%d bytes", got)
	}
}

// FuzzRedactQuery: no value is shown that is not that of a listed parameter, however the
// query is parsed.
func FuzzRedactQuery(f *testing.F) {
	f.Add("page=2&token=s3cret")
	f.Add("s3cret;page=2&page=3")
	f.Fuzz(func(t *testing.T, query string) {
		got := redactQuery(query, []string{"page"})
		for _, parameter := range strings.FieldsFunc(got, func(c rune) bool { return c == '&' || c == ';' }) {
			name, value, found := strings.Cut(parameter, "=")
			if name != "page" && (found && value != "REDACTED" || !found && name != "REDACTED") {
				t.Errorf("%q: %q shows %q", query, got, parameter)
			}
		}
		if len(query) <= maxURL && strings.Count(got, "&") > strings.Count(query, "&") {
			t.Errorf("%q: %q has more parameters", query, got)
		}
	})
}

// TestLogClient: the client is that of ClientIP, even if that does not know it, otherwise
// the peer.
func TestLogClient(t *testing.T) {
	proxies := ClientIP(FromXForwardedFor(prefixes("10.0.0.0/8")...))
	none := func(next http.Handler) http.Handler { return next }
	for _, row := range []struct {
		around func(http.Handler) http.Handler
		peer   string
		header string
		want   string
	}{
		{none, "192.0.2.1:80", "1.1.1.1", "client=192.0.2.1"},
		{none, "[2001:db8::1]:80", "", "client=2001:db8::1"},
		{none, "[fe80::1%eth0]:80", "", "client=fe80::1"},
		{none, "[::ffff:192.0.2.1]:80", "", "client=192.0.2.1"},
		{none, "192.0.2.1", "", "client=192.0.2.1"},
		{none, "@", "", ""},
		{ClientIP(FromRemoteAddr()), "192.0.2.1:80", "1.1.1.1", "client=192.0.2.1"},
		{proxies, "10.0.0.1:80", "1.1.1.1", "client=1.1.1.1"},
		{proxies, "10.0.0.1:80", "10.0.0.10", "client=10.0.0.10"},
		{proxies, "10.0.0.11:80", "10.0.0.1", "client=10.0.0.1"},
		{proxies, "10.0.0.1:80", "unknown", ""},
	} {
		var out bytes.Buffer
		r := newRequest("GET", "/", "X-Forwarded-For: "+row.header)
		r.RemoteAddr = row.peer
		answer(row.around(Log(newTextLog(&out), nil)(says(""))), r)
		_, got, _ := strings.Cut(out.String(), "bytes=0")
		if got = strings.TrimSpace(got); got != row.want {
			t.Errorf("%s, %s: got %q, want %q", row.peer, row.header, got, row.want)
		}
	}
}

// TestLogSource: a handler that shows the source has one that is in this package.
func TestLogSource(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{AddSource: true}))
	answer(Log(logger, nil)(says("")), newRequest("GET", "/"))
	if !regexp.MustCompile(` source=\S*/middleware/log\w*\.go:\d+ `).MatchString(out.String()) {
		t.Errorf("got %q", out.String())
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
	f.Add("GET", "/x", "id", "q=1")
	f.Add("G\nT", "/\r\nmsg=forged", "a\nb", "q=a\nb&c\nd=1")
	oneLine := regexp.MustCompile(`\A[^\n\r]*\n\z`)
	f.Fuzz(func(t *testing.T, method, path, id, query string) {
		r := newRequest("GET", "/")
		r.Method, r.URL.Path, r.URL.RawQuery = method, path, query
		r.Header["X-Request-Id"] = []string{id}
		var out bytes.Buffer
		options := &LogOptions{Query: []string{"q"}, Path: func(r *http.Request) string { return r.URL.Path }}
		answer(RequestID(nil)(Log(newTextLog(&out), options)(says(""))), r)
		if !oneLine.MatchString(out.String()) {
			t.Errorf("got %q", out.String())
		}
	})
}
