package measure

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A target is a server to load.
type target struct {
	Address     string
	Connections int
	Calls       []call
}

// A call is a request as it is sent, and the answer that is right.
type call struct {
	Name   string // METHOD TARGET
	Raw    []byte
	Head   bool // the answer has no body
	Status int
}

// calls returns the bytes of requests, with their answers.
func calls(requests []*http.Request, statuses []int) ([]call, error) {
	if len(requests) == 0 {
		return nil, fmt.Errorf("no requests")
	}
	if statuses != nil && len(statuses) != len(requests) {
		return nil, fmt.Errorf("got %d statuses for %d requests", len(statuses), len(requests))
	}
	out := make([]call, len(requests))
	for i, r := range requests {
		c := call{Name: r.Method + " " + uri(r), Head: r.Method == http.MethodHead, Status: http.StatusOK}
		if statuses != nil {
			c.Status = statuses[i]
		}
		if r.Body != nil && r.Body != http.NoBody {
			return nil, fmt.Errorf("%s has a body; only requests without one are sent", c.Name)
		}
		c.Raw = raw(r)
		out[i] = c
	}
	return out, nil
}

// uri returns the target of a request, as it was or would be sent.
func uri(r *http.Request) string {
	if r.RequestURI != "" {
		return r.RequestURI
	}
	return r.URL.RequestURI()
}

// raw returns the bytes of a request.
func raw(r *http.Request) []byte {
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, uri(r), host)
	r.Header.Write(&b)
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		b.WriteString("Content-Length: 0\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// patience is how long an order waits for answers after its time.
const patience = 10 * time.Second

// A generator loads a server with a closed loop: each connection sends its next
// request when it has the answer to the one before.
type generator struct {
	target target
	conns  []*connection
}

// A connection is a connection of a generator.
type connection struct {
	net.Conn
	in     *bufio.Reader
	next   int // the index of its next call
	delays *hdrhistogram.Histogram
	failed int
	reason string // of the first that failed
}

// carryOut carries out an order.
func (g *generator) carryOut(o order) report {
	if o.Target != nil {
		g.close()
		g.target, g.conns = *o.Target, nil
		if err := g.connect(); err != nil {
			return report{Requests: 1, Failed: 1, Reason: err.Error()}
		}
	}
	runtime.GC()
	var done sync.WaitGroup
	began := time.Now()
	for _, c := range g.conns {
		done.Go(func() { c.load(&g.target, began.Add(o.For)) })
	}
	done.Wait()
	return g.report(time.Since(began))
}

// connect opens the connections. Each begins with a different call.
func (g *generator) connect() error {
	for i := range g.target.Connections {
		c := &connection{next: i * len(g.target.Calls) / g.target.Connections, delays: newDelays()}
		if err := c.dial(g.target.Address); err != nil {
			return err
		}
		g.conns = append(g.conns, c)
	}
	return nil
}

// newDelays returns a histogram of latencies up to a minute, with three digits.
func newDelays() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, time.Minute.Nanoseconds(), 3)
}

func (c *connection) dial(address string) error {
	conn, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return fmt.Errorf("cannot connect: %w", err)
	}
	c.Conn, c.in = conn, bufio.NewReader(conn)
	return nil
}

// load sends requests until a time, but at least one. It stops at an error that makes the
// connection unusable.
func (c *connection) load(t *target, until time.Time) {
	c.delays.Reset()
	c.SetDeadline(until.Add(patience))
	for now, first := time.Now(), true; first || now.Before(until); first = false {
		next := &t.Calls[c.next]
		c.next = (c.next + 1) % len(t.Calls)
		a, err := c.ask(next)
		then := time.Now()
		c.delays.RecordValue(then.Sub(now).Nanoseconds())
		now = then
		switch {
		case err != nil:
			c.fail(fmt.Sprintf("%s: %v", next.Name, err))
			return
		case a.status != next.Status:
			c.fail(fmt.Sprintf("%s: status %d, want %d", next.Name, a.status, next.Status))
		}
		if a.last {
			if c.reconnect(t, until); c.failed > 0 {
				return
			}
			now = time.Now()
		}
	}
}

// reconnect replaces a connection that the server closed.
func (c *connection) reconnect(t *target, until time.Time) {
	c.Close()
	if err := c.dial(t.Address); err != nil {
		c.fail(err.Error())
		return
	}
	c.SetDeadline(until.Add(patience))
}

// ask sends a request and reads the answer.
func (c *connection) ask(next *call) (reply, error) {
	if _, err := c.Write(next.Raw); err != nil {
		return reply{}, err
	}
	return readReply(c.in, next.Head)
}

func (c *connection) fail(reason string) {
	if c.failed++; c.reason == "" {
		c.reason = reason
	}
}

// report sums up the results of the connections.
func (g *generator) report(took time.Duration) report {
	all := newDelays()
	r := report{Took: took}
	for _, c := range g.conns {
		all.Merge(c.delays)
		r.Failed += c.failed
		if r.Reason == "" {
			r.Reason = c.reason
		}
	}
	r.Requests = int(all.TotalCount())
	r.Median, r.Tail = time.Duration(all.ValueAtQuantile(50)), time.Duration(all.ValueAtQuantile(99))
	return r
}

func (g *generator) close() {
	for _, c := range g.conns {
		c.Close()
	}
}
