package middleware

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// says is a handler that answers with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
}

// newRequest returns a request with headers, "Name: value".
func newRequest(method, target string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return r
}

// answer returns what h answers to a request.
func answer(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// recovered returns what f panics with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// checkPanics checks the text that each function panics with.
func checkPanics(t *testing.T, functions map[string]func()) {
	t.Helper()
	for want, f := range functions {
		if got := fmt.Sprint(recovered(f)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// prefixes returns the prefixes in a list separated by spaces.
func prefixes(list string) (all []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// newServer returns a server that is closed at the end of the test, HTTP/2 or HTTP/1.
func newServer(t testing.TB, h http.Handler, http2 bool) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	if s.EnableHTTP2 = http2; http2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// get returns the answer of a server and its whole body, or the error.
func get(s *httptest.Server, path string) (*http.Response, string, error) {
	resp, err := s.Client().Get(s.URL + path)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp, string(body), err
}

// quiet and discard are logs for what a test provokes.
var (
	quiet   = log.New(io.Discard, "", 0)
	discard = slog.New(slog.DiscardHandler)
)
