package loadgen

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The generator shares the machine with the server that it loads, so it reads answers
// with as little work as they can be read with. [http.ReadResponse] makes a map of the
// header for each.

// A Header is what is read of an answer's header.
type Header struct {
	Status  int
	Length  int  // of the body; -1 if the header does not say
	Chunked bool // the body is
	Last    bool // the server closes the connection behind the answer
}

// ReadHeader reads the status and the header of an answer, HTTP/1.1 or 1.0, up to its
// body. Lines must fit into the buffer. The end of the connection before that is
// io.ErrUnexpectedEOF.
func ReadHeader(r *bufio.Reader) (h Header, err error) {
	h.Length = -1
	line, err := ReadLine(r)
	if err != nil {
		return h, err
	}
	version, rest, _ := bytes.Cut(line, []byte(" "))
	code, _, _ := bytes.Cut(rest, []byte(" "))
	if h.Status, err = strconv.Atoi(string(code)); err != nil || len(code) != 3 || !bytes.HasPrefix(version, []byte("HTTP/1.")) {
		return h, fmt.Errorf("the answer begins with %q, which is no status of HTTP/1", line)
	}
	h.Last = bytes.Equal(version, []byte("HTTP/1.0"))
	for {
		if line, err = ReadLine(r); err != nil || len(line) == 0 {
			return h, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case is(name, "Content-Length"):
			if h.Length, err = strconv.Atoi(string(value)); err != nil || h.Length < 0 {
				return h, fmt.Errorf("the answer has the Content-Length %q", value)
			}
		case is(name, "Transfer-Encoding"):
			if h.Chunked = is(value, "chunked"); !h.Chunked {
				return h, fmt.Errorf("the answer has the Transfer-Encoding %q", value)
			}
		case is(name, "Connection"):
			h.Last = is(value, "close") || h.Last && !is(value, "keep-alive")
		}
	}
}

// is reports whether b is a word, in whatever case.
func is(b []byte, word string) bool {
	return len(b) == len(word) && bytes.EqualFold(b, []byte(word))
}

// ReadLine reads a line and returns it without its ending. It is valid up to the next
// read.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("the answer has a header line longer than %d bytes", r.Size())
	}
	if err != nil {
		return nil, Unexpected(err)
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}

// Unexpected returns the error of an answer that ends too early.
func Unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
