package generator

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// A header is what is read of an answer's header.
type header struct {
	status int
	length int  // of the body
	last   bool // the service closes the connection behind the answer
}

// readHeader reads a header of HTTP/1.1, up to the body. The body must have a
// Content-Length.
func readHeader(r *bufio.Reader) (h header, err error) {
	line, err := readLine(r)
	if err != nil {
		return h, err
	}
	version, rest, _ := bytes.Cut(line, []byte(" "))
	code, _, _ := bytes.Cut(rest, []byte(" "))
	if h.status, err = strconv.Atoi(string(code)); err != nil || len(code) != 3 || string(version) != "HTTP/1.1" {
		return h, fmt.Errorf("the answer begins with %q, which is no status of HTTP/1.1", line)
	}
	h.length = -1
	for {
		line, err = readLine(r)
		if err != nil {
			return h, err
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case is(name, "Content-Length"):
			if h.length, err = strconv.Atoi(string(value)); err != nil || h.length < 0 {
				return h, fmt.Errorf("the answer has the Content-Length %q", value)
			}
		case is(name, "Connection"):
			h.last = is(value, "close")
		}
	}
	if h.length < 0 {
		return h, fmt.Errorf("the answer has the status %d and no Content-Length", h.status)
	}
	return h, nil
}

// is reports whether b is a word, in whatever case.
func is(b []byte, word string) bool {
	return len(b) == len(word) && bytes.EqualFold(b, []byte(word))
}

// readLine reads a line and returns it without its ending. It is valid up to the next
// read.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("the answer has a header line longer than %d bytes", r.Size())
	}
	if err != nil {
		return nil, unexpected(err)
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}

// unexpected returns the error of an answer that ends too early.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
