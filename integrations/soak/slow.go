package soak

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// slowRequest sends a request a few bytes at a time, and reads the answer as slowly.
func slowRequest(s *suite, name string, _ int) {
	conn, ok := s.dial(name, s.servers.plain)
	if !ok {
		return
	}
	defer conn.Close() //nolint:errcheck // all has been read
	id, body := s.ledger.open(name), strings.Repeat("slow", 40)
	x := call{method: "POST", path: "/echo", status: http.StatusOK, answer: digest([]byte(body)), runs: 1}
	err := trickle(conn, head(x.method, x.path, id, fmt.Sprintf("Content-Length: %d", len(body)), "Connection: close")+body)
	r := bufio.NewReader(slowly{conn})
	if err == nil {
		err = s.answer(name, r, id, x)
	}
	if err != nil {
		s.faults.addf(name, "%v", err)
		s.ledger.givenUp(id)
		return
	}
	s.end(name, r)
}

// slowly reads a few bytes at a time.
type slowly struct{ r io.Reader }

func (s slowly) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return s.r.Read(p[:min(16, len(p))])
}

// slowReader requests a large body and makes the server wait: because buffers are small,
// the handler's writes block. Each piece must be at its offset.
func slowReader(s *suite, name string, _ int) {
	conn, ok := s.dial(name, s.servers.plain)
	if !ok {
		return
	}
	defer conn.Close()               //nolint:errcheck // all has been read
	_ = conn.SetReadBuffer(64 << 10) // with more there is just less to wait for
	id := s.ledger.open(name)
	_, err := io.WriteString(conn, head("GET", "/large", id, "Connection: close"))
	r := bufio.NewReader(conn)
	var resp *http.Response
	if err == nil {
		resp, err = receive(r, "GET")
	}
	if err != nil {
		s.faults.addf(name, "%v", err)
		s.ledger.givenUp(id)
		return
	}
	got := make([]byte, pieceSize)
	for at := 0; at < largeBody; at += pieceSize {
		if at%(32*pieceSize) == 0 {
			time.Sleep(5 * time.Millisecond)
		}
		if _, err := io.ReadFull(resp.Body, got); err != nil || !bytes.Equal(got, piece(at)) {
			s.faults.addf(name, "the piece at %d: %.40q, %v", at, got, err)
			s.ledger.givenUp(id)
			return
		}
	}
	s.judge(name, id, resp, call{method: "GET", path: "/large", status: http.StatusOK, runs: 1}) // nothing is left
	s.end(name, r)
}

// stalled begins a request and never ends it, or sends nothing after an answered request.
// The server must close the connection without calling a handler.
func stalled(s *suite, name string, i int) {
	conn, connected := s.dial(name, s.servers.impatient)
	if !connected {
		return
	}
	defer conn.Close() //nolint:errcheck // all has been read
	r := bufio.NewReader(conn)
	id := s.ledger.open(name)
	if i%2 == 0 {
		x := ok("/plain", "GET /plain")(0)
		_, err := io.WriteString(conn, head("GET", x.path, id))
		if err == nil {
			err = s.answer(name, r, id, x)
		}
		if err != nil {
			s.faults.addf(name, "%v", err)
			s.ledger.givenUp(id)
			return
		}
		s.end(name, r)
		return
	}
	h := head("GET", "/plain", id)
	_, err := io.WriteString(conn, h[:len(h)-2]) // the empty line is missing
	if err != nil {
		s.faults.addf(name, "%v", err)
	}
	s.end(name, r)
	s.ledger.refused(id)
}
