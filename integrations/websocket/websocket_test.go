package websocket_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	ws "github.com/muxwell/muxwell/integrations/websocket"
	"github.com/muxwell/muxwell/middleware"
)

// A server echoes behind middleware; over is closed when the first request has ended
// and its log line is written.
type server struct {
	url  string
	over chan struct{}
	log  bytes.Buffer // to be read when over is closed
}

func newServer(t *testing.T, more ...muxwell.Middleware) *server {
	s := &server{over: make(chan struct{})}
	m := muxwell.New()
	m.Use(
		s.ends,
		middleware.RequestID(nil),
		middleware.Log(slog.New(slog.NewTextHandler(&s.log, nil)), nil),
		middleware.Recover(nil),
	)
	m.With(more...).Get("/rooms/{room}", ws.Echo)
	h := httptest.NewServer(m)
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

func (s *server) ends(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(s.over)
		next.ServeHTTP(w, r)
	})
}

// wait returns the log of a request that has ended.
func (s *server) wait(t *testing.T) string {
	t.Helper()
	select {
	case <-s.over:
		return s.log.String()
	case <-time.After(10 * time.Second):
		t.Fatal("the handler has not returned after 10s")
		return ""
	}
}

func dial(t *testing.T, url string, header http.Header) (*websocket.Conn, *http.Response, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: header})
}

func TestEcho(t *testing.T) {
	s := newServer(t)
	conn, resp, err := dial(t, s.url+"/rooms/g%C3%B6%2F1", http.Header{"X-Request-Id": {"r1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if got := resp.Header.Get("X-Request-Id"); resp.StatusCode != http.StatusSwitchingProtocols || got != "r1" {
		t.Errorf("handshake: status %d and id %q, want 101 and r1", resp.StatusCode, got)
	}
	for _, message := range []struct {
		kind websocket.MessageType
		text string
	}{
		{websocket.MessageText, "hello"},
		{websocket.MessageBinary, "\x00\xff"},
		{websocket.MessageText, strings.Repeat("x", 30<<10)},
	} {
		if err := conn.Write(t.Context(), message.kind, []byte(message.text)); err != nil {
			t.Fatal(err)
		}
		kind, got, err := conn.Read(t.Context())
		if want := "gö/1: " + message.text; err != nil || kind != message.kind || string(got) != want {
			t.Fatalf("%v %.20q, %v; want %v %.20q", kind, got, err, message.kind, want)
		}
	}
	if err := conn.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Errorf("closing: %v", err)
	}
	line := s.wait(t)
	for _, want := range []string{`pattern="GET /rooms/{room}"`, "status=101", "request_id=r1"} {
		if !strings.Contains(line, want) {
			t.Errorf("the log is %q, want %q in it", line, want)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name   string
		path   string
		header http.Header
		more   []muxwell.Middleware
		status int
	}{
		{"a page of another origin", "/rooms/a", http.Header{"Origin": {"https://evil.example"}}, nil, http.StatusForbidden},
		{"no route", "/rooms", nil, nil, http.StatusNotFound},
		{
			"no credentials", "/rooms/a", nil,
			[]muxwell.Middleware{middleware.BearerAuth("rooms", middleware.Tokens(map[string]string{"s3cret": "alice"}))},
			http.StatusUnauthorized,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, tt.more...)
			conn, resp, err := dial(t, s.url+tt.path, tt.header)
			if err == nil {
				conn.CloseNow()
				t.Fatal("the handshake succeeded")
			}
			if resp == nil || resp.StatusCode != tt.status {
				t.Errorf("%v, want status %d", err, tt.status)
			}
			s.wait(t)
		})
	}
}

func TestNoWebSocketClient(t *testing.T) {
	s := newServer(t)
	resp, err := http.Get(s.url + "/rooms/a")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	if got := resp.Header.Get("Upgrade"); resp.StatusCode != http.StatusUpgradeRequired || got != "websocket" {
		t.Errorf("status %d and Upgrade %q, want 426 and websocket", resp.StatusCode, got)
	}
}

// Under Timeout the handshake succeeds, and the connection ends at the deadline.
func TestUnderTimeout(t *testing.T) {
	s := newServer(t, middleware.Timeout(time.Second))
	conn, _, err := dial(t, s.url+"/rooms/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, _, err := conn.Read(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("reading: %v, want the end of the connection", err)
	}
	if line := s.wait(t); !strings.Contains(line, "status=101") {
		t.Errorf("the log is %q, want status 101 in it", line)
	}
}

func TestTooLong(t *testing.T) {
	s := newServer(t)
	conn, _, err := dial(t, s.url+"/rooms/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if err := conn.Write(t.Context(), websocket.MessageText, make([]byte, 32<<10+1)); err != nil {
		t.Fatal(err)
	}
	_, _, err = conn.Read(t.Context())
	if got := websocket.CloseStatus(err); got != websocket.StatusMessageTooBig {
		t.Errorf("reading: %v, want the status %v", err, websocket.StatusMessageTooBig)
	}
	s.wait(t)
}

// A client that is gone without a word ends the handler.
func TestClientGone(t *testing.T) {
	s := newServer(t)
	conn, _, err := dial(t, s.url+"/rooms/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.CloseNow()
	s.wait(t)
}

// When the server shuts down, clients are told, and the handlers are waited for.
func TestShutdown(t *testing.T) {
	m := muxwell.New()
	m.Get("/rooms/{room}", ws.Echo)
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: m}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- graceful.Serve(ctx, s, func() error { return s.Serve(l) }, nil) }()
	var conns []*websocket.Conn
	for range 3 {
		conn, _, err := dial(t, "http://"+l.Addr().String()+"/rooms/a", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		conns = append(conns, conn)
	}
	stop()
	for _, conn := range conns {
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
			t.Errorf("reading: %v, want the status %v", err, websocket.StatusGoingAway)
		}
	}
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
