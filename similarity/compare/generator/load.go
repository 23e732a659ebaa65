package generator

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/muxwell/muxwell/internal/loadgen"
)

// A Target is a service to load.
type Target struct {
	Address     string // HOST:PORT
	Connections int
	Calls       []Call // which every connection goes through in turn
}

// A Call is a request with its right answer.
type Call struct {
	Request []byte // as it is sent
	Answer  []byte // the body of the answer, which has the status 200
}

// Post returns a request as it is sent.
func Post(path, host string, body []byte) []byte {
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", path, host, len(body))
	return append([]byte(head), body...)
}

// Sampled is the number of answers on a connection of which one is compared byte by byte.
const Sampled = 16

// patience is how much longer than its time an order waits for answers.
const patience = 10 * time.Second

// A loader carries out orders.
type loader struct {
	target Target
	conns  []*connection
}

// A connection sends requests and counts what comes back.
type connection struct {
	net.Conn
	in     *bufio.Reader
	delays *hdrhistogram.Histogram
	next   int // call
	asked  int
	failed int
	reason string // of the first that failed
}

// carryOut carries out an order.
func (l *loader) carryOut(o Order) Report {
	if o.Target != nil {
		l.close()
		l.target, l.conns = *o.Target, nil
		if err := l.connect(); err != nil {
			return Report{Requests: 1, Failed: 1, Reason: err.Error()}
		}
	}
	runtime.GC()
	var done sync.WaitGroup
	cpu, began := cpuTime(), time.Now()
	for _, c := range l.conns {
		done.Go(func() { c.load(l.target.Calls, began.Add(o.For)) })
	}
	done.Wait()
	r := l.report()
	r.Took, r.CPU = time.Since(began), cpuTime()-cpu
	return r
}

// connect opens the connections. Each begins with a different call.
func (l *loader) connect() error {
	if len(l.target.Calls) == 0 {
		return fmt.Errorf("no requests to send")
	}
	for i := range l.target.Connections {
		conn, err := net.DialTimeout("tcp", l.target.Address, patience)
		if err != nil {
			return fmt.Errorf("cannot connect: %w", err)
		}
		l.conns = append(l.conns, &connection{
			Conn:   conn,
			in:     bufio.NewReader(conn),
			delays: newDelays(),
			next:   i * len(l.target.Calls) / l.target.Connections,
		})
	}
	return nil
}

// newDelays returns a histogram of latencies up to a minute, with three digits.
func newDelays() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, time.Minute.Nanoseconds(), 3)
}

// load sends requests until a time, but at least one. It stops at the first that fails.
func (c *connection) load(calls []Call, until time.Time) {
	c.delays.Reset()
	c.SetDeadline(until.Add(patience))
	for now, first := time.Now(), true; first || now.Before(until); first = false {
		call := &calls[c.next]
		err := c.ask(call)
		then := time.Now()
		c.delays.RecordValue(then.Sub(now).Nanoseconds())
		if err != nil {
			c.failed, c.reason = c.failed+1, fmt.Sprintf("request %d: %v", c.next, err)
			return
		}
		now = then
		c.next = (c.next + 1) % len(calls)
	}
}

// ask sends a request, reads the answer, and checks it.
func (c *connection) ask(call *Call) error {
	if _, err := c.Write(call.Request); err != nil {
		return err
	}
	h, err := loadgen.ReadHeader(c.in)
	if err != nil {
		return err
	}
	if h.Length < 0 {
		return fmt.Errorf("the answer has status %d and no Content-Length", h.Status)
	}
	if h.Status != 200 || h.Length != len(call.Answer) {
		return fmt.Errorf("status %d and %d bytes, want 200 and %d", h.Status, h.Length, len(call.Answer))
	}
	if h.Last {
		return fmt.Errorf("the service closes the connection after the answer")
	}
	c.asked++
	if c.asked%Sampled == 0 {
		return c.compare(call.Answer)
	}
	_, err = c.in.Discard(h.Length)
	return loadgen.Unexpected(err)
}

// compare reads a body and compares it with the right one, which fits into the buffer.
func (c *connection) compare(want []byte) error {
	got, err := c.in.Peek(len(want))
	if err != nil {
		return loadgen.Unexpected(err)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("the answer is %q, want %q", got, want)
	}
	c.in.Discard(len(want))
	return nil
}

// report sums up the results of the connections.
func (l *loader) report() Report {
	all := newDelays()
	var r Report
	for _, c := range l.conns {
		all.Merge(c.delays)
		r.Failed += c.failed
		if r.Reason == "" {
			r.Reason = c.reason
		}
	}
	r.Requests = int(all.TotalCount())
	r.P50, r.P99 = time.Duration(all.ValueAtQuantile(50)), time.Duration(all.ValueAtQuantile(99))
	return r
}

func (l *loader) close() {
	for _, c := range l.conns {
		c.Close()
	}
}
