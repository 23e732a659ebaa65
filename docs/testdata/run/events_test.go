package page

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

// The stream has the media type that EventSource requires, outlasts the deadlines of its
// server and mux, and ends when the server shuts down.
func TestEvents(t *testing.T) {
	m = muxwell.New()
	m.Use(middleware.Timeout(200*time.Millisecond), middleware.ETag(nil)) // the stream outlasts it, and is not held back
	server = &http.Server{Handler: m, ReadTimeout: 200 * time.Millisecond, WriteTimeout: 300 * time.Millisecond}
	register()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- graceful.Serve(ctx, server, func() error { return server.Serve(listener) }, nil) }()

	res, err := http.Get("http://" + listener.Addr().String() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/event-stream" {
		t.Errorf("status %d, Content-Type %q, want 200 and text/event-stream", res.StatusCode, got)
	}
	lines := bufio.NewScanner(res.Body)
	for events := 0; events < 3; {
		if !lines.Scan() {
			t.Fatalf("the stream ends after %d events, %v", events, lines.Err())
		}
		if strings.HasPrefix(lines.Text(), "data: ") {
			events++
		}
	}

	stop()
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream is cut off: %v", err)
	}
}
