package soak

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
)

// cuts are the ways to abort before a body is complete. Nobody reads the answer, but
// handlers must detect it, return, and leave nothing behind.
var cuts = []func(s *suite, name string){
	func(s *suite, name string) {
		s.cutBody(name, "/echo", "Content-Length: 65536", strings.Repeat("x", 30000), false)
	},
	func(s *suite, name string) {
		s.cutBody(name, "/echo", "Content-Length: 65536", strings.Repeat("x", 30000), true)
	},
	func(s *suite, name string) {
		s.cutBody(name, "/echo", "Transfer-Encoding: chunked", "400\r\n"+strings.Repeat("x", 0x400)+"\r\n400\r\nxx", false)
	},
	func(s *suite, name string) { s.cutUpload(name, false) },
	func(s *suite, name string) { s.cutUpload(name, true) },
	func(s *suite, name string) { s.cancelBody(name, s.servers.http1()) },
	func(s *suite, name string) { s.cancelBody(name, s.servers.http2()) },
	func(s *suite, name string) { s.cancelBody(name, s.servers.h2c()) },
}

// abortBody aborts in the middle of a body, in the next of the ways.
func abortBody(s *suite, name string, i int) { cuts[i%len(cuts)](s, name) }

// cutBody sends a part of a body and closes the connection, normally or with a reset.
func (s *suite) cutBody(name, path, field, part string, reset bool) {
	conn, ok := s.dial(name, s.servers.plain)
	if !ok {
		return
	}
	id := s.ledger.open(name)
	if reset {
		_ = conn.SetLinger(0) // without it the connection is closed in order, which is another of the ways
	}
	_, err := io.WriteString(conn, head("POST", path, id, field, cutHeader+": 1", "Content-Type: "+formType)+part)
	closed := conn.Close()
	if err != nil || closed != nil || reset {
		s.ledger.givenUp(id) // a reset may overtake what was sent
		return
	}
	s.ledger.owed(id)
}

// cutUpload sends a part of a form with files.
func (s *suite) cutUpload(name string, reset bool) {
	form, _ := newForm(40_000, 40_000)
	s.cutBody(name, "/upload", "Content-Length: 100000", form[:60_000], reset)
}

// cancelBody cancels a request while its body is sent.
func (s *suite) cancelBody(name string, c *client) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, id, err := s.request(ctx, name, c, call{method: "POST", path: "/echo", header: map[string]string{cutHeader: "1"}}, &canceling{ctx: ctx, cancel: cancel, left: 20_000})
	if err != nil {
		s.faults.addf(name, "%v", err)
		return
	}
	r.ContentLength = 60_000
	resp, err := c.http.Do(r)
	if err == nil {
		s.faults.addf(name, "the answer to a part of a body: %s", resp.Status)
		_ = resp.Body.Close()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.faults.addf(name, "a request that was canceled hangs")
	}
	s.ledger.givenUp(id)
}

// canceling is a body that cancels its request when a part of it has been read.
type canceling struct {
	ctx    context.Context //nolint:containedctx // the request's own, which the body ends
	cancel context.CancelFunc
	left   int
}

func (c *canceling) Read(p []byte) (int, error) {
	if c.left == 0 {
		c.cancel()
		<-c.ctx.Done()
		return 0, c.ctx.Err()
	}
	n := min(len(p), c.left)
	c.left -= n
	clear(p[:n])
	return n, nil
}

// leavings are the ways to abort in the middle of an endless answer.
var leavings = []func(s *suite, name string){
	func(s *suite, name string) { s.leave(name, false) },
	func(s *suite, name string) { s.leave(name, true) },
	func(s *suite, name string) { s.cancelAnswer(name, s.servers.http1()) },
	func(s *suite, name string) { s.cancelAnswer(name, s.servers.http2()) },
	func(s *suite, name string) { s.cancelAnswer(name, s.servers.h2c()) },
}

// abortResponse aborts in the middle of an answer, in the next of the ways.
func abortResponse(s *suite, name string, i int) { leavings[i%len(leavings)](s, name) }

// leave reads a part of an answer and closes the connection.
func (s *suite) leave(name string, reset bool) {
	conn, ok := s.dial(name, s.servers.plain)
	if !ok {
		return
	}
	defer conn.Close() //nolint:errcheck // it breaks on purpose
	if reset {
		_ = conn.SetLinger(0) // as above
	}
	id := s.ledger.open(name)
	_, err := io.WriteString(conn, head("GET", "/stream", id))
	if err == nil {
		err = s.begin(bufio.NewReader(conn))
	}
	s.leaveOwed(name, id, err)
}

// begin reads the beginning of the endless answer.
func (s *suite) begin(r *bufio.Reader) error {
	resp, err := receive(r, "GET")
	if err != nil {
		return err
	}
	return beginning(resp)
}

// beginning reads a part of the endless answer, which must be right.
func beginning(resp *http.Response) error {
	got := make([]byte, 2*pieceSize)
	if _, err := io.ReadFull(resp.Body, got); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK || string(got[:pieceSize]) != string(piece(0)) {
		return errors.New("the answer is " + resp.Status + " and another one than that of /stream")
	}
	return nil
}

// cancelAnswer cancels a request while its answer is read.
func (s *suite) cancelAnswer(name string, c *client) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, id, err := s.request(ctx, name, c, call{method: "GET", path: "/stream"}, nil)
	if err != nil {
		s.faults.addf(name, "%v", err)
		return
	}
	resp, err := c.http.Do(r)
	if err == nil {
		err = beginning(resp)
		cancel()
		_ = resp.Body.Close() // it is not whole, as it should be
	}
	s.leaveOwed(name, id, err)
}

// leaveOwed records that the client has left and that its handler must return.
func (s *suite) leaveOwed(name, id string, err error) {
	if err != nil {
		s.faults.addf(name, "before the client has left: %v", err)
		s.ledger.givenUp(id)
		return
	}
	s.tally.answer(name, http.StatusOK)
	s.ledger.owed(id)
}
