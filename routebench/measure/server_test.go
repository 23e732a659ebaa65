package measure

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/muxwell/muxwell/routebench/result"

	"github.com/muxwell/muxwell/internal/loadgen"
)

// served returns the Serve of a handler of net/http, and how many requests it has
// had and whether it was stopped.
func served(h http.HandlerFunc) (serve func(net.Listener) (func(), error), count *atomic.Int64, stopped *atomic.Bool) {
	count, stopped = new(atomic.Int64), new(atomic.Bool)
	return func(l net.Listener) (func(), error) {
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			count.Add(1)
			h(w, r)
		})}
		go server.Serve(l)
		return func() {
			stopped.Store(true)
			server.Close()
		}, nil
	}, count, stopped
}

// requests returns requests METHOD TARGET.
func requests(t *testing.T, lines ...string) []*http.Request {
	t.Helper()
	var out []*http.Request
	for _, line := range lines {
		method, target, _ := strings.Cut(line, " ")
		u, err := url.ParseRequestURI(target)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, &http.Request{Method: method, Host: "example.com", URL: u, RequestURI: target, Header: http.Header{"X-A": {"1"}}})
	}
	return out
}

var quickServer = ServerOptions{Rounds: 2, Slice: 30 * time.Millisecond, Connections: 3, CPU: 2}

func TestServer(t *testing.T) {
	var asked sync.Map
	answer := func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Method+" "+r.RequestURI, true)
		if r.Host != "example.com" || r.Header.Get("X-A") != "1" {
			t.Errorf("%s %s: host %q, X-A %q; want example.com and 1", r.Method, r.URL, r.Host, r.Header.Get("X-A"))
		}
		switch r.URL.Path {
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/chunked":
			io.WriteString(w, "a")
			w.(http.Flusher).Flush()
			io.WriteString(w, strings.Repeat("b", 10_000))
		case "/close":
			w.Header().Set("Connection", "close")
			io.WriteString(w, "bye")
		case "/missing":
			http.NotFound(w, r)
		default:
			io.WriteString(w, r.URL.Path)
		}
	}
	serve, count, stopped := served(answer)
	wrong, _, wrongStopped := served(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) })
	broken, _, _ := served(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	all := requests(t, "GET /a", "GET /empty", "GET /chunked", "HEAD /a", "POST /a", "GET /missing", "GET /close", "GET /b%20c?d=e")
	steps := 0
	samples, err := Server(t.Context(), quickServer, []Listener{
		{Name: "right", Serve: serve, Requests: all, Statuses: []int{200, 204, 200, 200, 200, 404, 200, 200}},
		{Name: "wrong", Serve: wrong, Requests: requests(t, "GET /a")},
		{Name: "broken", Serve: broken, Requests: requests(t, "GET /a")},
		{Name: "refuses", Serve: func(net.Listener) (func(), error) { return nil, errors.New("no") }, Requests: requests(t, "GET /a")},
		{Name: "panics", Serve: func(net.Listener) (func(), error) { panic("oh") }, Requests: requests(t, "GET /a")},
		{Name: "unasked", Serve: serve},
	}, func(done, total time.Duration) {
		if steps++; done <= 0 || total < done {
			t.Errorf("step %d: done %v of %v", steps, done, total)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * 6; steps != want {
		t.Errorf("%d steps, want %d", steps, want)
	}
	if !stopped.Load() || !wrongStopped.Load() {
		t.Errorf("stopped: %v and %v, want both", stopped.Load(), wrongStopped.Load())
	}

	right := samples[0]
	if right.LeftOut != "" || right.Name != "right" || len(right.Ops) != 2 {
		t.Fatalf("right: name %q, left out %q, ops %v; want 2 rounds", right.Name, right.LeftOut, right.Ops)
	}
	if sent := int64(right.Ops[0] + right.Ops[1]); sent <= 0 || sent >= count.Load() {
		t.Errorf("%v requests in the rounds, and the server had %d; want more, those of warming up", right.Ops, count.Load())
	}
	for _, r := range all {
		if _, ok := asked.Load(r.Method + " " + r.RequestURI); !ok {
			t.Errorf("%s %s was not asked for", r.Method, r.RequestURI)
		}
	}
	for _, unit := range []string{result.Throughput, result.CPUTime, result.MedianDelay, result.TailDelay} {
		if v := right.Values[unit]; len(v) != 2 || v[0] <= 0 || v[1] <= 0 {
			t.Errorf("%s: %v, want two numbers above 0", unit, v)
		}
	}
	for i := range right.Ops {
		if p50, p99 := right.Values[result.MedianDelay][i], right.Values[result.TailDelay][i]; p50 > p99 {
			t.Errorf("round %d: p50 %v is above p99 %v", i, p50, p99)
		}
	}
	for i, want := range map[int]string{
		1: "GET /a: status 418, want 200",
		2: "GET /a: unexpected EOF",
		3: "cannot serve: no",
		4: "it panics: oh",
		5: "no requests",
	} {
		if got := samples[i]; !strings.Contains(got.LeftOut, want) || got.Values != nil || got.Ops != nil {
			t.Errorf("%s: left out %q with %v, want %q and no values", got.Name, got.LeftOut, got.Values, want)
		}
	}
}

func TestServerInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a, _, _ := served(func(http.ResponseWriter, *http.Request) {})
	b, _, stopped := served(func(http.ResponseWriter, *http.Request) {})
	steps := 0
	samples, err := Server(ctx, quickServer, []Listener{
		{Name: "a", Serve: a, Requests: requests(t, "GET /")},
		{Name: "b", Serve: b, Requests: requests(t, "GET /")},
	}, func(time.Duration, time.Duration) {
		if steps++; steps == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || steps != 3 {
		t.Fatalf("error %v after %d steps, want %v after 3", err, steps, context.Canceled)
	}
	for _, s := range samples {
		if len(s.Ops) != 1 || len(s.Values[result.Throughput]) != 1 {
			t.Errorf("%s: ops %v, values %v; want those of one round", s.Name, s.Ops, s.Values)
		}
	}
	if !stopped.Load() {
		t.Error("the server was not stopped")
	}
}

// A child that hangs in an order is killed when the context ends.
func TestServerInterruptedWithin(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	hang, count, _ := served(func(http.ResponseWriter, *http.Request) {
		cancel()
		<-release
	})
	defer close(release)
	_, err := Server(ctx, quickServer, []Listener{{Name: "hang", Serve: hang, Requests: requests(t, "GET /")}}, nil)
	if !errors.Is(err, context.Canceled) || count.Load() == 0 {
		t.Errorf("error %v after %d requests, want %v after some", err, count.Load(), context.Canceled)
	}
}

func TestChildCannotConnect(t *testing.T) {
	c, err := startChild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	for range 2 {
		r, err := c.Do(order{Target: &target{Address: address, Connections: 1, Calls: []call{{}}}, For: time.Millisecond})
		if err != nil || r.Failed != 1 || !strings.Contains(r.Reason, "cannot connect") {
			t.Errorf("report %+v, error %v; want that it cannot connect", r, err)
		}
	}
}

// What would start itself over and over must not.
func TestNoChildOfAChild(t *testing.T) {
	t.Setenv(childVariable, "1")
	if _, err := Server(t.Context(), quickServer, nil, nil); !errors.Is(err, loadgen.ErrNoChild) {
		t.Errorf("error %v, want %v", err, loadgen.ErrNoChild)
	}
}

func TestChildIsNotMeant(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		t.Fatal("the variable is set in a test")
	}
	Child() // returns
}

func TestCPUTime(t *testing.T) {
	before := cpuTime()
	for began := time.Now(); cpuTime() == before; referenceTime() {
		if time.Since(began) > 5*time.Second {
			t.Fatalf("the CPU time stays at %v for 5 s of work", before)
		}
	}
}
