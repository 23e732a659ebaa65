package generator

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

// echo answers with the body of a request and counts.
func echo(t *testing.T, change func(n int64, w http.ResponseWriter, body string) bool) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if n := asked.Add(1); change == nil || !change(n, w, string(body)) {
			w.Write(body)
		}
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), asked
}

func calls(address string) []Call {
	var calls []Call
	for i := range 10 {
		body := fmt.Appendf(nil, "body %d", i)
		calls = append(calls, Call{Post("/", address, body), body})
	}
	return calls
}

func start(t *testing.T) *Generator {
	t.Helper()
	g, err := Start(t.Context(), (*exec.Cmd).Start)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Stop)
	return g
}

// TestLoad: a child loads a service twice on the same connections, and reports all that
// the service has answered.
func TestLoad(t *testing.T) {
	address, asked := echo(t, nil)
	g := start(t)
	target := &Target{address, 4, calls(address)}
	total := 0
	for i, o := range []Order{{target, 50 * time.Millisecond}, {nil, 100 * time.Millisecond}} {
		r, err := g.Do(o)
		if err != nil || r.Failed > 0 {
			t.Fatalf("order %d: %+v, %v", i, r, err)
		}
		if r.Requests < 4 || r.P50 <= 0 || r.P99 < r.P50 || r.Took < o.For || r.CPU <= 0 {
			t.Errorf("order %d: %+v", i, r)
		}
		total += r.Requests
	}
	if got := asked.Load(); int64(total) != got {
		t.Errorf("%d requests are reported, %d were answered", total, got)
	}
}

// TestFailures: what is wrong with an answer is found.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(n int64, w http.ResponseWriter, body string) bool
		want   string
	}{
		{"status", func(n int64, w http.ResponseWriter, _ string) bool {
			if n == 5 {
				w.WriteHeader(503)
			}
			return n == 5
		}, "status 503"},
		{"length", func(n int64, w http.ResponseWriter, body string) bool {
			if n == 5 {
				io.WriteString(w, body+"!")
			}
			return n == 5
		}, "and 7 bytes"},
		{"body", func(_ int64, w http.ResponseWriter, body string) bool {
			io.WriteString(w, strings.ToUpper(body))
			return true
		}, `the answer is "BODY`},
		{"no length", func(_ int64, w http.ResponseWriter, body string) bool {
			io.WriteString(w, body)
			w.(http.Flusher).Flush()
			return true
		}, "no Content-Length"},
		{"close", func(_ int64, w http.ResponseWriter, _ string) bool {
			w.Header().Set("Connection", "close")
			return false
		}, "closes the connection"},
	} {
		address, _ := echo(t, c.change)
		r, err := start(t).Do(Order{&Target{address, 1, calls(address)}, 100 * time.Millisecond})
		if err != nil || r.Failed != 1 || !strings.Contains(r.Reason, c.want) {
			t.Errorf("%s: %+v, %v; want %q", c.name, r, err, c.want)
		}
	}
}

// TestNothingListens: a service that is not there is a failure, not an error.
func TestNothingListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	r, err := start(t).Do(Order{&Target{address, 2, calls(address)}, time.Millisecond})
	if err != nil || r.Failed == 0 || !strings.Contains(r.Reason, "cannot connect") {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = start(t).Do(Order{&Target{address, 2, nil}, time.Millisecond})
	if err != nil || r.Failed == 0 || !strings.Contains(r.Reason, "no requests") {
		t.Errorf("%+v, %v", r, err)
	}
}
