package soak

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// head returns the lines of a request, up to the empty one.
func head(method, path, id string, fields ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: www.soak.test\r\n%s: %s\r\n", method, path, idHeader, id)
	for _, f := range fields {
		b.WriteString(f + "\r\n")
	}
	b.WriteString("\r\n")
	return b.String()
}

// trickle writes a text a few bytes at a time.
func trickle(c net.Conn, text string) error {
	for i := 0; text != ""; i++ {
		n := min(1+i%7, len(text))
		if _, err := io.WriteString(c, text[:n]); err != nil {
			return err
		}
		text = text[n:]
		time.Sleep(time.Millisecond)
	}
	return nil
}

// receive reads the answer to a request of the method.
func receive(r *bufio.Reader, method string) (*http.Response, error) {
	return http.ReadResponse(r, &http.Request{Method: method})
}

// end records anything after the last answer, and a connection that stays open.
func (s *suite) end(name string, r io.Reader) {
	rest, err := io.ReadAll(r)
	if err != nil && isTimeout(err) {
		s.faults.addf(name, "the server does not close the connection")
	}
	if len(rest) > 0 {
		s.faults.addf(name, "there is more after the last answer: %.200q", rest)
	}
}

// isTimeout reports whether an exchange hung.
func isTimeout(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded)
}
