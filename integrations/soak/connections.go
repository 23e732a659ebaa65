package soak

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// turns is the number of turns of each router. Each round begins with another router.
const turns = 3

// A Load is the result of a router with many connections at the same time.
type Load struct {
	Router   string
	Requests int
	Errors   []string // at most one of each connection in each turn
	Elapsed  time.Duration
	CPU      time.Duration // of the process: the server, the clients and the runtime
	Pause    time.Duration // the longest of the garbage collector
}

// PerCore returns the requests per second of CPU time, including that of the clients.
func (l *Load) PerCore() float64 { return float64(l.Requests) / l.CPU.Seconds() }

// Compare compares muxwell, http.ServeMux and chi, in turns, for a time in all. Many
// connections at the same time send one request after another, and every answer is checked.
// Each router has four middleware: request IDs, a log, recovery and a limit on concurrent
// requests. Muxwell and ServeMux use muxwell's, chi uses its own.
func Compare(connections int, d time.Duration) ([]*Load, error) {
	if files, limit := uint64(2*connections+100), openFiles(); limit < files {
		return nil, fmt.Errorf("soak: %d connections need %d open files, and %d are allowed; raise the limit with ulimit -n", connections, files, limit)
	}
	all := rivals(connections)
	loads := make([]*Load, len(all))
	for i, r := range all {
		loads[i] = &Load{Router: r.name}
	}
	for turn := range turns {
		for n := range all {
			i := (turn + n) % len(all)
			if err := loads[i].turn(all[i].handler, connections, d/time.Duration(turns*len(all))); err != nil {
				return nil, fmt.Errorf("soak: %s: %w", all[i].name, err)
			}
		}
	}
	return loads, nil
}

// turn serves the connections for a while, and adds up what happened.
func (l *Load) turn(h http.Handler, connections int, d time.Duration) error {
	server := httptest.NewServer(h)
	defer server.Close()
	callers := make([]*caller, connections)
	defer func() {
		for _, c := range callers {
			if c != nil {
				_ = c.conn.Close() // all has been read, or the fault is noted
			}
		}
	}()
	for i := range callers {
		c, err := newCaller(server.Listener.Addr().String(), i, d)
		if err != nil {
			return err
		}
		callers[i] = c
		c.call() // so that everything is there when time is taken
	}
	runtime.GC()
	watch, cpu, begin := newWatch(), cpuTime(), time.Now()
	var over atomic.Bool
	var group sync.WaitGroup
	for _, c := range callers {
		group.Go(func() {
			for c.requests = 0; c.err == nil && !over.Load(); c.requests++ {
				c.call()
			}
		})
	}
	time.Sleep(d)
	over.Store(true)
	group.Wait()
	l.Elapsed += time.Since(begin)
	l.CPU += cpuTime() - cpu
	l.Pause = max(l.Pause, watch.pause())
	for _, c := range callers {
		l.Requests += c.requests
		if c.err != nil {
			l.Errors = append(l.Errors, c.err.Error())
		}
	}
	return nil
}

// A caller is a connection that sends one request after another. It does as little work as
// possible, because it shares the processor with the server.
type caller struct {
	conn     net.Conn
	r        *bufio.Reader
	request  []byte
	want     string
	requests int
	err      error
}

func newCaller(addr string, i int, d time.Duration) (*caller, error) {
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(d + patience)) // of a connection that is open it cannot fail
	return &caller{
		conn:    conn,
		r:       bufio.NewReader(conn),
		request: []byte("GET /users/" + strconv.Itoa(i) + "/posts/7 HTTP/1.1\r\nHost: www.soak.test\r\n\r\n"),
		want:    "user " + strconv.Itoa(i) + " post 7",
	}, nil
}

// call sends a request and records a wrong answer.
func (c *caller) call() {
	if _, err := c.conn.Write(c.request); err != nil {
		c.err = err
		return
	}
	length, err := c.readHead()
	if err != nil {
		c.err = err
		return
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(c.r, body); err != nil {
		c.err = err
		return
	}
	if string(body) != c.want {
		c.err = fmt.Errorf("answer %q, want %q", body, c.want)
	}
}

// readHead reads an answer up to its body, and returns the length of the body.
func (c *caller) readHead() (length int, err error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if line != "HTTP/1.1 200 OK\r\n" {
		return 0, fmt.Errorf("answer %q, want 200", line)
	}
	length = -1
	for {
		field, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(field) <= len("\r\n") {
			break
		}
		if value, ok := strings.CutPrefix(string(field), "Content-Length: "); ok {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return 0, err
			}
		}
	}
	if length < 0 || length > 1000 {
		return 0, errors.New("answer without a Content-Length, or with another one than the handler's")
	}
	return length, nil
}

// Table returns the loads as a table, each with its ratio to ServeMux's.
func Table(loads []*Load) string {
	var b strings.Builder
	base := 0.0
	for _, l := range loads {
		if l.Router == "ServeMux" {
			base = l.PerCore()
		}
	}
	fmt.Fprintf(&b, "%-10s %10s %7s %11s %16s %12s %17s\n", "router", "requests", "errors", "requests/s", "requests/s/core", "of ServeMux", "longest GC pause")
	for _, l := range loads {
		fmt.Fprintf(&b, "%-10s %10d %7d %11.0f %16.0f %11.1f%% %17v\n", l.Router, l.Requests, len(l.Errors),
			float64(l.Requests)/l.Elapsed.Seconds(), l.PerCore(), 100*l.PerCore()/base, l.Pause.Round(time.Microsecond))
	}
	return b.String()
}
