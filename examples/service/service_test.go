package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

const token = "s3cret-token"

// newTest returns the handler of the service, and what it logs.
func newTest(proxies ...netip.Prefix) (http.Handler, *log) {
	l := new(log)
	logger := slog.New(middleware.LogHandler(slog.NewJSONHandler(l, nil), nil))
	return newHandler(config{token: token, proxies: proxies, logger: logger}), l
}

// A log keeps lines.
type log struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// send sends a request with headers, "Name: value", and returns the answer.
func send(h http.Handler, line, body string, headers ...string) *httptest.ResponseRecorder {
	method, target, _ := strings.Cut(line, " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const auth = "Authorization: Bearer " + token

func TestOrders(t *testing.T) {
	h, _ := newTest()
	const jsonType = "Content-Type: application/json"
	for _, row := range []struct {
		line, body string
		headers    []string
		status     int
		want       string // of the body
	}{
		{"GET /api/orders", "", nil, 401, `"reason":"unauthorized"`},
		{"GET /api/orders", "", []string{auth}, 200, "[]\n"},
		{"POST /api/orders", `{"item":"tea","count":2}`, []string{auth, jsonType}, 201, `{"id":1,"item":"tea","count":2}`},
		{"POST /api/orders", `{"item":"tea"}`, []string{auth, jsonType}, 422, `"reason":"invalid_order"`},
		{"POST /api/orders", `{"item":`, []string{auth, jsonType}, 400, `"reason":"invalid_json"`},
		{"POST /api/orders", `{"item":"tea","count":2} {}`, []string{auth, jsonType}, 400, `"reason":"invalid_json"`},
		{"POST /api/orders", `item=tea`, []string{auth, "Content-Type: text/plain"}, 415, `"reason":"unsupported_media_type"`},
		{"POST /api/orders", strings.Repeat(" ", 65<<10), []string{auth, jsonType}, 413, `"reason":"body_too_large"`},
		{"GET /api/orders/1", "", []string{auth}, 200, `"item":"tea"`},
		{"GET /api/orders/2", "", []string{auth}, 404, `"detail":"there is no order 2"`},
		{"GET /api/orders/99999999999999999999", "", []string{auth}, 400, `"reason":"invalid_parameter"`},
		{"GET /api/orders/x", "", []string{auth}, 404, `"reason":"not_found"`},
		{"DELETE /api/orders", "", []string{auth}, 405, `"allowed":["GET","HEAD","POST"]`},
		{"GET /api/orders?limit=0", "", []string{auth}, 400, `"detail":"limit must be a number from 1 to 100"`},
		{"PUT /api/orders/1/invoice", strings.Repeat("x", 1<<20), []string{auth}, 204, ""},
		{"PUT /api/orders/7/invoice", "x", []string{auth}, 404, `"reason":"no_order"`},
		{"GET /api/orders/1", "", []string{auth}, 200, `"invoice":1048576`},
		{"GET /api/nope", "", []string{auth, "Accept: text/html"}, 404, "<h1>Not Found</h1>"},
		{"GET /api/nope", "", nil, 401, `"title":"Unauthorized"`},
	} {
		w := send(h, row.line, row.body, row.headers...)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.want) {
			t.Errorf("%s %.40s: got %d %s, want %d %s", row.line, row.body, w.Code, w.Body, row.status, row.want)
		}
		if w.Header().Get("X-Request-Id") == "" || w.Header().Get("Cache-Control") != "no-store" && w.Code != 413 { // which comes from outside of the group
			t.Errorf("%s: headers %v", row.line, w.Header())
		}
	}
}

func TestSite(t *testing.T) {
	h, _ := newTest()
	for _, row := range []struct {
		line, header string
		status       int
		headers      map[string]string
	}{
		{"GET /", "", 200, map[string]string{"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache"}},
		{"GET /about", "", 200, map[string]string{"Content-Type": "text/html; charset=utf-8"}},
		{"GET /assets/gone.js", "", 404, nil},
		{"GET /assets/app-0857.js", "", 200, map[string]string{"Cache-Control": "public, max-age=31536000, immutable", "Content-Encoding": "", "Vary": "Accept-Encoding"}},
		{"GET /assets/app-0857.js", "Accept-Encoding: gzip", 200, map[string]string{"Content-Encoding": "gzip", "Content-Type": "text/javascript; charset=utf-8"}},
		{"GET /assets/app-4c1d.css", "", 200, map[string]string{"Cache-Control": "public, max-age=31536000, immutable"}},
		{"POST /", "", 405, map[string]string{"Allow": "GET, HEAD"}},
		{"GET /api/", "", 401, nil},
		{"GET /healthz", "", 200, nil},
		{"GET /readyz", "", 200, nil},
	} {
		w := send(h, row.line, "", row.header)
		if w.Code != row.status {
			t.Errorf("%s: got %d, want %d", row.line, w.Code, row.status)
		}
		for name, want := range row.headers {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s %s: got %s %q, want %q", row.line, row.header, name, got, want)
			}
		}
	}
	etag := send(h, "GET /assets/app-0857.js", "").Header().Get("Etag")
	if w := send(h, "GET /assets/app-0857.js", "", "If-None-Match: "+etag); etag == "" || w.Code != 304 {
		t.Errorf("with the ETag %s: got %d", etag, w.Code)
	}
}

// TestLines: the line of a request has what the handler added, and other lines have the
// ID of the request.
func TestLines(t *testing.T) {
	h, log := newTest(netip.MustParsePrefix("192.0.2.0/24"))
	send(h, "POST /api/orders", `{"item":"tea","count":2}`, auth, "Content-Type: application/json", "X-Request-Id: r1")
	send(h, "GET /api/orders?limit=5&token=secret", "", auth, "X-Request-Id: r2", "X-Forwarded-For: 203.0.113.7")
	var lines []map[string]any
	for line := range strings.Lines(log.String()) {
		var attrs map[string]any
		if err := json.Unmarshal([]byte(line), &attrs); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, attrs)
	}
	if len(lines) != 3 {
		t.Fatalf("got %d lines, want 3: %s", len(lines), log)
	}
	for i, want := range []map[string]any{
		{"msg": "order created", "order": 1.0, "request_id": "r1"},
		{"msg": "request", "status": 201.0, "request_id": "r1", "user": "demo", "pattern": "POST /api/orders"},
		{"msg": "request", "status": 200.0, "orders": 1.0, "client": "203.0.113.7", "path": "/api/orders", "query": "limit=5&token=REDACTED"},
	} {
		for key, value := range want {
			if lines[i][key] != value {
				t.Errorf("line %d: %s is %v, want %v", i+1, key, lines[i][key], value)
			}
		}
	}
}

// TestShutdown: a stream gets events, outlives the time limit of other requests, and ends
// when the server shuts down.
func TestShutdown(t *testing.T) {
	h, _ := newTest()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	s := newServer(h, slog.New(slog.DiscardHandler))
	go func() { served <- graceful.Serve(ctx, s, func() error { return s.Serve(l) }, nil) }()
	url := "http://" + l.Addr().String()
	request := func(method, path, body string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	events := request("GET", "/api/events", "")
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	next := func() string {
		for lines.Scan() {
			if text := lines.Text(); text != "" {
				return text
			}
		}
		return fmt.Sprint("end ", lines.Err())
	}
	if got := next(); got != "data: 0" {
		t.Errorf("the first event is %q", got)
	}
	res := request("POST", "/api/orders", `{"item":"tea","count":1}`)
	res.Body.Close()
	if got := next(); res.StatusCode != 201 || got != "data: 1" {
		t.Errorf("after an order, answered with %d, the event is %q", res.StatusCode, got)
	}
	cancel()
	if got := next(); got != "end <nil>" {
		t.Errorf("after the shutdown the stream has %q", got)
	}
	select {
	case err := <-served:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the server did not stop")
	}
}

// TestPrecompressed: the compressed file of the site is that of the plain one.
func TestPrecompressed(t *testing.T) {
	plain, err := os.ReadFile("site/assets/app-0857.js")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("site/assets/app-0857.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := unzip(t, f); !bytes.Equal(got, plain) {
		t.Error("app-0857.js.gz is not that of app-0857.js; run gzip -9nkf examples/service/site/assets/app-0857.js")
	}
}

func unzip(t *testing.T, r io.Reader) []byte {
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
