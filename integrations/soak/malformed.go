package soak

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

// A malformation is an invalid request, or an unusual but valid one. It has a request line,
// headers with the host and the ID, more headers, and a body; or, instead of these, a text
// in which {id} is the ID. The server answers once, with one of the statuses, and then
// closes the connection. If closed is among the statuses, it may also close the connection
// without an answer. It must not parse the bytes after it as a request.
type malformation struct {
	name               string
	line, fields, body string
	text               string
	statuses           []int
	handled            bool // the handler runs: only the body is malformed, or nothing is
	cut                bool // the client sends no more: until then the server must wait
}

// request returns the text of the request.
func (m malformation) request(id string) string {
	text := m.text
	if text == "" && m.line != "" {
		text = m.line + "\r\n" + hostLine + idLine + m.fields + "\r\n" + m.body
	}
	return strings.ReplaceAll(text, "{id}", id)
}

// closed means that the connection was closed without an answer.
const closed = 0

const (
	hostLine = "Host: www.soak.test\r\n"
	idLine   = idHeader + ": {id}\r\n"
	behind   = "GET /plain HTTP/1.1\r\n" + hostLine + "\r\n" // a request without an id: served, it is a fault
)

var bad = []int{http.StatusBadRequest}

var malformed = []malformation{
	{name: "no method", line: "/plain HTTP/1.1", statuses: bad},
	{name: "method with a slash", line: "G/T /plain HTTP/1.1", statuses: bad},
	{name: "empty line only", text: "\r\n\r\n" + behind, statuses: bad},
	{name: "blank line", text: "  \r\n\r\n" + behind, statuses: bad},
	{name: "no version", line: "GET /plain", statuses: bad},
	{name: "no number in the version", line: "GET /plain HTTP/one", statuses: bad},
	{name: "version 3", line: "GET /plain HTTP/3.0", statuses: []int{505}},
	{name: "two spaces", line: "GET  /plain HTTP/1.1", statuses: bad},
	{name: "space in the path", line: "GET /pl ain HTTP/1.1", statuses: bad},
	{name: "wrong escape", line: "GET /pl%zzain HTTP/1.1", statuses: bad},
	{name: "control character in the path", line: "GET /pl\x01ain HTTP/1.1", statuses: bad},
	{name: "NUL in the path", line: "GET /pl\x00ain HTTP/1.1", statuses: bad},
	{name: "path without a slash", line: "GET plain HTTP/1.1", statuses: bad},
	{name: "bytes of TLS", text: "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x55", 40) + "\r\n\r\n", statuses: bad},
	{name: "not text", text: "\xff\xfe\xfd\xfc\r\n\r\n" + behind, statuses: bad},
	{name: "too long a request line", line: "GET /" + strings.Repeat("a", 2<<20) + " HTTP/1.1", statuses: []int{431, closed}},
	{name: "half a request line", text: "GET /pla", statuses: []int{400, closed}, cut: true},
	{name: "nothing", text: "", statuses: []int{closed}, cut: true},

	{name: "no host", text: "GET /plain HTTP/1.1\r\n" + idLine + "\r\n", statuses: bad},
	{name: "two hosts", text: "GET /plain HTTP/1.1\r\n" + hostLine + hostLine + idLine + "\r\n", statuses: bad},
	{name: "host that is none", text: "GET /plain HTTP/1.1\r\nHost: a b\r\n" + idLine + "\r\n", statuses: bad},
	{name: "header without a colon", line: "GET /plain HTTP/1.1", fields: "nonsense\r\n", statuses: bad},
	{name: "header without a name", line: "GET /plain HTTP/1.1", fields: ": x\r\n", statuses: bad},
	{name: "space before the colon", line: "GET /plain HTTP/1.1", fields: "X-A : x\r\n", statuses: bad},
	{name: "space before the first header", line: "GET /plain HTTP/1.1\r\n ", statuses: bad},
	{name: "NUL in a header", line: "GET /plain HTTP/1.1", fields: "X-A: a\x00b\r\n", statuses: bad},
	{name: "too many headers", line: "GET /plain HTTP/1.1", fields: strings.Repeat("X-A: "+strings.Repeat("a", 1000)+"\r\n", 1100), statuses: []int{431, closed}},
	{name: "half a header", text: "GET /plain HTTP/1.1\r\n" + hostLine + idLine + "X-", statuses: []int{400, closed}, cut: true},

	{name: "length that is not a number", line: "POST /echo HTTP/1.1", fields: "Content-Length: five\r\n", body: "hello" + behind, statuses: bad},
	{name: "length with a sign", line: "POST /echo HTTP/1.1", fields: "Content-Length: +5\r\n", body: "hello" + behind, statuses: bad},
	{name: "negative length", line: "POST /echo HTTP/1.1", fields: "Content-Length: -5\r\n", body: "hello" + behind, statuses: bad},
	{name: "two lengths", line: "POST /echo HTTP/1.1", fields: "Content-Length: 5\r\nContent-Length: 6\r\n", body: "hello" + behind, statuses: bad},
	{name: "encoding that is not known", line: "POST /echo HTTP/1.1", fields: "Transfer-Encoding: cow\r\n", body: "hello" + behind, statuses: []int{501}},
	{name: "two encodings", line: "POST /echo HTTP/1.1", fields: "Transfer-Encoding: chunked, identity\r\n", body: "0\r\n\r\n" + behind, statuses: []int{501, 400}},
	{name: "chunk with a length that is not a number", line: "POST /echo HTTP/1.1", fields: "Transfer-Encoding: chunked\r\n", body: "zz\r\nhello\r\n0\r\n\r\n" + behind, statuses: bad, handled: true},
	{name: "chunk that is longer than it says", line: "POST /echo HTTP/1.1", fields: "Transfer-Encoding: chunked\r\n", body: "2\r\nhello\r\n0\r\n\r\n" + behind, statuses: bad, handled: true},
	{name: "expectation that is not known", line: "POST /echo HTTP/1.1", fields: "Expect: cows\r\nContent-Length: 5\r\n", body: "hello", statuses: []int{417}},

	{name: "right: bare line feeds", text: "GET /plain HTTP/1.1\nHost: www.soak.test\n" + idHeader + ": {id}\nConnection: close\n\n", statuses: []int{200}, handled: true},
	{name: "right: HTTP/1.0", text: "GET /plain HTTP/1.0\r\n" + idLine + "\r\n", statuses: []int{200}, handled: true},
	{name: "right: absolute form", line: "GET http://www.soak.test/plain HTTP/1.1", fields: "Connection: close\r\n", statuses: []int{200}, handled: true},
	{name: "right: length and chunks", line: "POST /echo HTTP/1.1", fields: "Content-Length: 3\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n", body: "5\r\nhello\r\n0\r\n\r\n" + behind, statuses: []int{200, 400}, handled: true},
}

// sendMalformed sends the next of the malformed requests.
func sendMalformed(s *suite, name string, i int) {
	m := malformed[i%len(malformed)]
	conn, ok := s.dial(name, s.servers.single)
	if !ok {
		return
	}
	defer conn.Close() //nolint:errcheck // all has been read
	id := s.ledger.open(name)
	_, _ = io.WriteString(conn, m.request(id)) // the server may close the connection before it has all
	if m.cut {
		_ = conn.CloseWrite() // as above
	}
	status, err := s.refused(name+": "+m.name, conn)
	if err != nil {
		s.faults.addf(name, "%s: %v", m.name, err)
	}
	if !slices.Contains(m.statuses, status) {
		s.faults.addf(name, "%s: status %d, want one of %v (0 is a connection that was closed)", m.name, status, m.statuses)
	}
	s.tally.answer(name, status)
	if m.handled {
		s.ledger.answered(id, 1)
		return
	}
	s.ledger.refused(id)
}

// refused returns the status of the only answer, or closed.
func (s *suite) refused(name string, conn io.Reader) (int, error) {
	r := bufio.NewReader(conn)
	resp, err := receive(r, "GET")
	switch {
	case isTimeout(err):
		return closed, errors.New("neither an answer nor the end of the connection: it hangs")
	case err != nil:
		return closed, nil
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close() // it has been read, or err says why not
	s.end(name, r)
	return resp.StatusCode, err
}
