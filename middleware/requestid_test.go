package middleware

import (
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// saysRequestID is a handler that answers with the request's id.
var saysRequestID = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, RequestIDFrom(r.Context())) })

func TestRequestID(t *testing.T) {
	long := strings.Repeat("x", 64)
	for _, row := range []struct {
		options *RequestIDOptions
		headers []string
		want    string // "" if a new one is made
	}{
		{nil, []string{"X-Request-Id: abc.DEF_0-9"}, "abc.DEF_0-9"},
		{nil, []string{"x-request-id: " + long}, long},
		{nil, []string{"X-Request-Id: " + long + "x"}, ""},
		{nil, nil, ""},
		{nil, []string{"X-Request-Id: "}, ""},
		{nil, []string{"X-Request-Id: a b"}, ""},
		{nil, []string{"X-Request-Id: a\nb"}, ""},
		{nil, []string{"X-Request-Id: a/../b"}, ""},
		{nil, []string{"X-Request-Id: <script>"}, ""},
		{nil, []string{"X-Request-Id: é"}, ""},
		{nil, []string{"X-Request-Id: a", "X-Request-Id: b"}, ""},
		{nil, []string{"X-Trace: a"}, ""},
		{&RequestIDOptions{Header: "x-trace"}, []string{"X-Trace: a"}, "a"},
		{&RequestIDOptions{Header: "x-trace"}, []string{"X-Request-Id: a"}, ""},
		{&RequestIDOptions{Ignore: true}, []string{"X-Request-Id: a"}, ""},
	} {
		w := answer(RequestID(row.options)(saysRequestID), newRequest("GET", "/", row.headers...))
		id, header := w.Body.String(), "X-Request-Id"
		if row.options != nil && row.options.Header != "" {
			header = "X-Trace"
		}
		if row.want != "" && id != row.want || row.want == "" && !newID.MatchString(id) {
			t.Errorf("%q: got %q, want %q", row.headers, id, row.want)
		}
		if got := w.Header()[header]; len(got) != 1 || got[0] != id {
			t.Errorf("%q: answered %q, want %q", row.headers, got, id)
		}
	}
	if got := RequestIDFrom(context.Background()); got != "" {
		t.Errorf("without RequestID: got %q", got)
	}
}

var newID = regexp.MustCompile(`^[A-Z2-7]{26}$`)

func TestRequestIDsDiffer(t *testing.T) {
	h, seen := RequestID(nil)(saysRequestID), make(map[string]bool)
	for range 1000 {
		seen[answer(h, newRequest("GET", "/")).Body.String()] = true
	}
	if len(seen) != 1000 {
		t.Errorf("%d ids for 1000 requests", len(seen))
	}
}

// TestRequestIDKeepsItsOwn: what a handler does to the header leaves the context as
// it is.
func TestRequestIDKeepsItsOwn(t *testing.T) {
	w := answer(RequestID(nil)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Request-Id"][0] = "other"
		saysRequestID(w, r)
	})), newRequest("GET", "/", "X-Request-Id: mine"))
	if got := w.Body.String(); got != "mine" {
		t.Errorf("got %q", got)
	}
}

func TestRequestIDPanics(t *testing.T) {
	checkPanics(t, map[string]func(){
		`middleware: RequestID: "X Y" is not a valid header name; use one such as X-Request-Id`: func() { RequestID(&RequestIDOptions{Header: "X Y"}) },
	})
}

// FuzzRequestID: an id that is taken can stand in a header and a log as it is.
func FuzzRequestID(f *testing.F) {
	f.Add("abc")
	f.Add("a\r\nSet-Cookie: x")
	want := regexp.MustCompile(`\A[A-Za-z0-9._-]{1,64}\z`)
	f.Fuzz(func(t *testing.T, id string) {
		if got := isRequestID(id); got != want.MatchString(id) {
			t.Errorf("%q: got %t", id, got)
		}
	})
}

func TestTraceIDFrom(t *testing.T) {
	const id, valid = "4bf92f3577b34da6a3ce929d0e0e4736", "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, row := range []struct {
		read    bool
		headers []string
		want    string
	}{
		{true, []string{valid}, id},
		{true, []string{strings.Replace(valid, "00-", "cc-", 1) + "-more"}, id},
		{true, []string{strings.Replace(valid, "00-", "cc-", 1)}, id},
		{true, []string{strings.Replace(valid, "00-", "cc-", 1) + "."}, ""},
		{true, []string{valid + "-more"}, ""},
		{true, []string{strings.Replace(valid, "00-", "ff-", 1)}, ""},
		{true, []string{strings.ToUpper(valid)}, ""},
		{true, []string{strings.Replace(valid, id, strings.Repeat("0", 32), 1)}, ""},
		{true, []string{strings.Replace(valid, "00f067aa0ba902b7", strings.Repeat("0", 16), 1)}, ""},
		{true, []string{valid, valid}, ""},
		{true, []string{"Traceparent: "}, ""},
		{true, nil, ""},
		{false, []string{valid}, ""},
	} {
		got := "not called"
		answer(chain(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = TraceIDFrom(r.Context())
		}), RequestID(&RequestIDOptions{TraceParent: row.read}), Log(discard, nil), Log(discard, nil)), newRequest("GET", "/", row.headers...))
		if got != row.want {
			t.Errorf("%t, %q: got %q, want %q", row.read, row.headers, got, row.want)
		}
	}
	if got := TraceIDFrom(context.Background()); got != "" {
		t.Errorf("without RequestID: got %q", got)
	}
}

// FuzzTraceParent compares the parser with a regular expression.
func FuzzTraceParent(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x")
	form := regexp.MustCompile(`(?s)\A([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?\z`)
	zeros := regexp.MustCompile(`\A0+\z`)
	f.Fuzz(func(t *testing.T, s string) {
		want := ""
		if m := form.FindStringSubmatch(s); m != nil && m[1] != "ff" && (m[1] != "00" || m[4] == "") && !zeros.MatchString(m[2]) && !zeros.MatchString(m[3]) {
			want = m[2]
		}
		if got := parseTraceParent(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	})
}
