package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell/internal/routelist"
)

// A running is a call of the program that serves.
type running struct {
	url       string
	lines     <-chan string // of its standard output, as they come
	interrupt context.CancelFunc
	status    <-chan int
}

// start runs "muxwell serve" with the arguments until the test ends or
// interrupts it, and waits until it serves.
func start(t *testing.T, stdin string, args ...string) *running {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	out, stdout := io.Pipe()
	status := make(chan int, 1)
	go func() {
		defer stdout.Close()
		status <- run(ctx, append([]string{"serve"}, args...), stdio{strings.NewReader(stdin), stdout, t.Output()})
	}()
	s := &running{lines: scanLines(out), interrupt: interrupt, status: status}
	t.Cleanup(func() {
		interrupt()
		for range s.lines { // until it has ended
		}
	})
	s.url = s.waitFor(t, "http://")
	return s
}

// scanLines returns a channel of the lines of r, closed at its end. It has room for
// what nobody waits for.
func scanLines(r io.Reader) <-chan string {
	lines := make(chan string, 16)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(r); in.Scan(); {
			lines <- in.Text()
		}
	}()
	return lines
}

// waitFor waits for a line of output that contains text, and returns the line
// from there on.
func (s *running) waitFor(t *testing.T, text string) string {
	t.Helper()
	for line := range s.lines {
		if i := strings.Index(line, text); i >= 0 {
			return line[i:]
		}
	}
	t.Fatalf("the program ended without a line with %q", text)
	return ""
}

// wait waits for the end of the program and returns its status.
func (s *running) wait() int {
	for range s.lines {
	}
	return <-s.status
}

// send sends a request and returns the response with its body.
func send(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// Every route of the GitHub list answers a request over HTTP with its own
// pattern and the values of its parameters.
func TestServeGitHub(t *testing.T) {
	file := filepath.Join("..", "..", "routes", "github.txt")
	s := start(t, "", file, "-addr", "localhost:0")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	entries, err := routelist.Parse(file, f)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 203 {
		t.Fatalf("%d routes, want 203", len(entries))
	}
	for i, e := range entries {
		method, path, want := githubRequest(e.Pattern, i)
		resp, body := send(t, method, strings.TrimSuffix(s.url, "/")+path)
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/json" || body != want {
			t.Errorf("%s %s: %s, %s, %s\nwant %s", method, path, resp.Status, resp.Header.Get("Content-Type"), body, want)
		}
	}
}

// githubRequest returns a request for a pattern with values that stand in no
// other request, and the body of the answer to it.
func githubRequest(pattern string, n int) (method, path, want string) {
	method, path, _ = strings.Cut(pattern, " ")
	var params []string
	segments := strings.Split(path, "/")
	for i, seg := range segments {
		if name := strings.Trim(seg, "{}"); name != seg {
			segments[i] = fmt.Sprintf("%s-%d.%d", name, n, i)
			params = append(params, fmt.Sprintf("\n    %q: %q", name, segments[i]))
		}
	}
	object := "{}"
	if params != nil {
		object = "{" + strings.Join(params, ",") + "\n  }"
	}
	return method, strings.Join(segments, "/"), fmt.Sprintf("{\n  \"pattern\": %q,\n  \"method\": %q,\n  \"params\": %s\n}\n", pattern, method, object)
}

func TestServeBanner(t *testing.T) {
	tests := []struct {
		list string
		addr string
		want []string
	}{
		{"GET /a\n", "localhost:0", []string{"Serving 1 route of <standard input> on http://localhost:", "Explore the routes on http://localhost:", "Press Ctrl-C to stop"}},
		{"GET /a\nGET /b", "127.0.0.1:0", []string{"Serving 2 routes of <standard input> on http://127.0.0.1:", "Explore the routes on http://127.0.0.1:", "Press Ctrl-C to stop"}},
		{"GET /\n", "localhost:0", []string{"Serving 1 route of <standard input> on http://localhost:", "The list is not shown at /: one of its routes matches GET /", "Explore the routes on http://localhost:", "Press Ctrl-C to stop"}},
		{"GET /_routes\n", "localhost:0", []string{"Serving 1 route of <standard input> on http://localhost:", "The explorer is disabled: the list has a route at /_routes", "Press Ctrl-C to stop"}},
	}
	for _, tt := range tests {
		ctx, interrupt := context.WithCancel(t.Context())
		interrupt() // it ends as soon as it has begun
		s, err := newSite("<standard input>", strings.NewReader(tt.list))
		if err != nil {
			t.Fatal(err)
		}
		ln, err := net.Listen("tcp", tt.addr)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		printBanner(&out, s, baseURL(tt.addr, ln.Addr()))
		if err := serveUntil(ctx, ln, newServer(s.mux, t.Output()), io.Discard, grace); err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != len(tt.want) {
			t.Errorf("banner for %q:\n%s\nwant:\n%s", tt.list, out.String(), strings.Join(tt.want, "\n"))
			continue
		}
		for i, want := range tt.want {
			if !strings.HasPrefix(lines[i], want) {
				t.Errorf("banner for %q on %s: line %q, want %q", tt.list, tt.addr, lines[i], want)
			}
		}
	}
}

func TestBaseURL(t *testing.T) {
	tests := []struct{ addr, want string }{
		{"localhost:0", "http://localhost:4711/"},
		{":8080", "http://localhost:4711/"},
		{"0.0.0.0:0", "http://localhost:4711/"},
		{"[::]:0", "http://localhost:4711/"},
		{"127.0.0.1:80", "http://127.0.0.1:4711/"},
		{"[::1]:80", "http://[::1]:4711/"},
		{"[fe80::1%eth0]:80", "http://[fe80::1%25eth0]:4711/"},
		{"example.com:http", "http://example.com:4711/"},
	}
	for _, tt := range tests {
		if got := baseURL(tt.addr, &net.TCPAddr{IP: net.IPv6loopback, Port: 4711}); got != tt.want {
			t.Errorf("baseURL(%q) = %q, want %q", tt.addr, got, tt.want)
		}
	}
}

// A request that is in flight when Ctrl-C comes is answered, new ones are
// refused, and the status is 0.
func TestServeShutsDownGracefully(t *testing.T) {
	s := start(t, "POST /upload/{id}\n", "-", "-addr", "localhost:0")
	conn := beginUpload(t, s.url)
	s.interrupt()
	s.waitFor(t, "Stopping")
	io.WriteString(conn, "hello")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), `"id": "42"`) {
		t.Errorf("the request in flight: %s, %q, %v, want 200 and its id", resp.Status, body, err)
	}
	if status := s.wait(); status != 0 {
		t.Errorf("status %d, want 0", status)
	}
	if resp, err := http.Get(s.url); err == nil {
		resp.Body.Close()
		t.Errorf("a request after the end: %s, want none answered", resp.Status)
	}
}

// dial returns a connection that lasts as long as the test.
func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// beginUpload begins a request that the server of url, with POST /upload/{id} first
// in its list, cannot answer before its body, hello, is sent. When it returns the
// handler has: the explorer counts the request. Before, the end of the server would
// let it answer without the body.
func beginUpload(t *testing.T, url string) net.Conn {
	t.Helper()
	host := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	conn := dial(t, host)
	fmt.Fprintf(conn, "POST /upload/42 HTTP/1.1\r\nHost: %s\r\nContent-Length: 5\r\n\r\n", host)
	for taken := 0; taken == 0; {
		_, body := send(t, http.MethodGet, url+"_routes/routes.json")
		var list struct {
			Routes []struct{ Stats struct{ Requests int } }
		}
		if err := json.Unmarshal([]byte(body), &list); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		taken = list.Routes[0].Stats.Requests
	}
	return conn
}

// A request that does not finish in time is cut off, which is an error.
func TestServeUntilCutsOff(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	stuck := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		close(began)
		<-release
	})
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- serveUntil(ctx, ln, newServer(stuck, t.Output()), io.Discard, time.Millisecond)
	}()
	answered := make(chan error, 1)
	go func() {
		resp, err := http.Get("http://" + ln.Addr().String())
		if err == nil {
			resp.Body.Close()
		}
		answered <- err
	}()
	<-began
	interrupt()
	if err := <-ended; err == nil || err.Error() != "requests that were not finished after 1ms were cut off" {
		t.Errorf("serveUntil = %v, want that requests were cut off", err)
	}
	if err := <-answered; err == nil {
		t.Error("the request that was cut off has an answer")
	}
}

// A listener that breaks ends the server with an error.
func TestServeUntilListenerFails(t *testing.T) {
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ln.Close()
	if err := serveUntil(t.Context(), ln, newServer(http.NotFoundHandler(), t.Output()), io.Discard, grace); err == nil {
		t.Error("serveUntil on a closed listener: no error")
	}
}

// No client can hold a connection for ever.
func TestServerLimits(t *testing.T) {
	srv := newServer(http.NotFoundHandler(), io.Discard)
	if srv.ReadHeaderTimeout <= 0 || srv.ReadTimeout <= 0 || srv.WriteTimeout <= 0 || srv.IdleTimeout <= 0 {
		t.Errorf("a timeout is missing: %+v", srv)
	}
}
