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
)

// The stream has the media type that EventSource requires, outlasts the deadlines of its
// server, and ends when the server shuts down.
func TestEvents(t *testing.T) {
	m = muxwell.New()
	server = &http.Server{Handler: m, ReadTimeout: 200 * time.Millisecond, WriteTimeout: 300 * time.Millisecond}
	register()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()

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

	grace, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		t.Errorf("Shutdown: %v", err)
		server.Close()
	}
	if err := <-served; err != http.ErrServerClosed {
		t.Errorf("Serve: %v", err)
	}
	for lines.Scan() {
	}
	if err := lines.Err(); err != nil {
		t.Errorf("the stream is cut off: %v", err)
	}
}
