package browser

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

// eventsPage shows each event in a line, and each time that the stream is opened.
const eventsPage = `<!DOCTYPE html><title>Events</title><pre id="seen"></pre><script>
const seen = document.getElementById("seen")
const source = new EventSource("/events")
source.onopen = () => seen.textContent += "open\n"
source.onmessage = e => seen.textContent += e.data + "\n"
source.onerror = () => seen.textContent += source.readyState === EventSource.CONNECTING ? "reconnecting\n" : "closed\n"
</script>`

// newEventsMux returns a server's routes behind the usual middleware. The stream has an
// event at the beginning and one for each value of next.
func newEventsMux(release string, next <-chan struct{}) *muxwell.Mux {
	logger := slog.New(slog.DiscardHandler)
	m := muxwell.New()
	m.Use(
		middleware.RequestID(nil),
		middleware.ClientIP(middleware.FromRemoteAddr()),
		middleware.Log(logger, nil),
		middleware.Recover(logger),
		middleware.SecureHeaders(nil),
		middleware.RateLimit(100, time.Minute, nil),
		middleware.Timeout(10*time.Second),
		middleware.Throttle(200, nil),
		middleware.MaxBytes(1<<20),
		middleware.ETag(nil),
	)
	m.Get("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, eventsPage)
	})
	m.With(middleware.NoTimeout).Get("/events", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := graceful.Stream(r.Context())
		defer cancel()
		w.Header().Set("Content-Type", "text/event-stream")
		c := http.NewResponseController(w)
		io.WriteString(w, "retry: 100\n\n")
		for i := 1; ; i++ {
			fmt.Fprintf(w, "id: %s-%d\ndata: %s-%d after %q\n\n", release, i, release, i, r.Header.Get("Last-Event-ID"))
			if err := c.Flush(); err != nil {
				return
			}
			select {
			case <-next:
			case <-ctx.Done():
				return
			}
		}
	})
	return m
}

// TestEventSource: an EventSource gets each event when it is sent, and reconnects after
// the server was shut down gracefully and another one has begun. Meanwhile no connection
// is refused, since both servers share the listening socket.
func TestEventSource(t *testing.T) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	file, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Skipf("no second listener for the same socket: %v", err)
	}
	defer file.Close()
	second, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	next := make(chan struct{})
	start := func(release string, l net.Listener) (stop func()) {
		s := &http.Server{Handler: newEventsMux(release, next)}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- graceful.Serve(ctx, s, func() error { return s.Serve(l) }, nil) }()
		return func() {
			t.Helper()
			cancel()
			if err := <-served; err != nil {
				t.Errorf("the %s server: %v", release, err)
			}
		}
	}
	seen := func(want string) string {
		return fmt.Sprintf(`document.getElementById("seen").textContent === %q`, want)
	}

	stop := start("first", l)
	ctx := open(t, "http://"+l.Addr().String()+"/")
	lines := "open\nfirst-1 after \"\"\n"
	until(t, ctx, seen(lines))
	next <- struct{}{}
	lines += "first-2 after \"\"\n"
	until(t, ctx, seen(lines))

	stop()
	lines += "reconnecting\n"
	until(t, ctx, seen(lines))
	stop = start("second", second)
	lines += "open\nsecond-1 after \"first-2\"\n"
	until(t, ctx, seen(lines))
	do(t, ctx, chromedp.Navigate("about:blank"))
	stop()
}
