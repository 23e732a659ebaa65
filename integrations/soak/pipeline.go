package soak

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// pipeline sends several requests at once, and reads as many answers, in order, and nothing
// after them.
func pipeline(s *suite, name string, _ int) {
	const requests = 8
	conn, ok := s.dial(name, s.servers.plain)
	if !ok {
		return
	}
	defer conn.Close() //nolint:errcheck // all has been read
	var all strings.Builder
	var ids [requests]string
	var want [requests]call
	for i := range ids {
		n := s.number.Add(1)
		ids[i] = s.ledger.open(name)
		want[i] = okN("/users/%d", "GET /users/{id:int} id=%d")(n)
		connection := "Connection: keep-alive"
		if i == requests-1 {
			connection = "Connection: close"
		}
		all.WriteString(head("GET", fmt.Sprintf("/users/%d", n), ids[i], connection))
	}
	_, err := io.WriteString(conn, all.String())
	r := bufio.NewReader(conn)
	for i, id := range ids {
		if err == nil {
			err = s.answer(name, r, id, want[i])
		}
		if err != nil {
			s.faults.addf(name, "answer %d of %d: %v", i+1, requests, err)
			s.ledger.givenUp(id)
		}
	}
	if err == nil {
		s.end(name, r)
	}
}

// answer reads and judges the next answer of a connection.
func (s *suite) answer(name string, r *bufio.Reader, id string, x call) error {
	resp, err := receive(r, x.method)
	if err != nil {
		return err
	}
	s.judge(name, id, resp, x)
	return nil
}
