package soak

import (
	"context"
	"io"
	"strings"
)

// panics are the ways to panic, and what a client sees: one 500 if the answer has not
// begun, otherwise an incomplete answer or none.
var panics = []func(s *suite, name string, c *client){
	panics500("/panic/value"),
	panics500("/panic/runtime"),
	panics500("/admin/panic"),
	panics500("/old/panic"),
	func(s *suite, name string, c *client) { s.breaksOff(name, c, "GET", "/panic/late") },
	// POST, which no client sends again by itself.
	func(s *suite, name string, c *client) { s.breaksOff(name, c, "POST", "/panic/abort") },
}

// panics500 is a way to panic after which a client gets a 500.
func panics500(path string) func(s *suite, name string, c *client) {
	return func(s *suite, name string, c *client) {
		s.exchange(name, c, call{method: "GET", path: path, status: 500, answer: "Internal Server Error\n", runs: 1})
	}
}

// providePanic makes a handler panic, in the next of the ways, with HTTP/1.1 and HTTP/2.
func providePanic(s *suite, name string, i int) {
	clients := []*client{s.servers.http1(), s.servers.http2()}
	panics[i/2%len(panics)](s, name, clients[i%2])
}

// breaksOff sends a request whose answer must not look complete.
func (s *suite) breaksOff(name string, c *client, method, path string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, id, err := s.request(ctx, name, c, call{method: method, path: path}, strings.NewReader("x"))
	if err != nil {
		s.faults.addf(name, "%v", err)
		return
	}
	resp, err := c.http.Do(r)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close() // it has been read, or err says why not
	}
	s.tally.answer(name, 0)
	s.ledger.answered(id, 1)
	if err == nil {
		s.faults.addf(name, "%s %s: the answer of a handler that panicked looks whole: %s", method, path, resp.Status)
	}
	if ctx.Err() != nil {
		s.faults.addf(name, "%s %s: the answer neither ends nor breaks off within %v", method, path, patience)
	}
}
