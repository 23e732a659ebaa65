package measure

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// The generator shares the cores with the server that it loads, so it reads answers
// with as little work as they can be read with: the status, and where the answer
// ends. [http.ReadResponse] makes a map of the header for each.

// A reply is what is read of an answer.
type reply struct {
	status int
	last   bool // the server closes the connection behind it
}

// readReply reads an answer up to its end. Informational answers before it are
// skipped.
func readReply(r *bufio.Reader, head bool) (reply, error) {
	for {
		a, body, err := readHeader(r)
		if err != nil {
			return a, err
		}
		if a.status >= 100 && a.status < 200 && a.status != http.StatusSwitchingProtocols {
			continue
		}
		switch {
		case head, a.status == http.StatusNoContent, a.status == http.StatusNotModified:
			return a, nil
		case body.chunked:
			return a, skipChunks(r)
		case body.length >= 0:
			_, err = r.Discard(body.length)
			return a, unexpected(err)
		default: // up to the end of the connection
			a.last = true
			_, err = io.Copy(io.Discard, r)
			return a, err
		}
	}
}

// A framing says where a body ends.
type framing struct {
	length  int // -1 if the header does not say
	chunked bool
}

// readHeader reads the status and the header of an answer.
func readHeader(r *bufio.Reader) (reply, framing, error) {
	a, body := reply{}, framing{length: -1}
	line, err := readLine(r)
	if err != nil {
		return a, body, err
	}
	version, rest, _ := bytes.Cut(line, []byte(" "))
	code, _, _ := bytes.Cut(rest, []byte(" "))
	if a.status, err = strconv.Atoi(string(code)); err != nil || len(code) != 3 || !bytes.HasPrefix(version, []byte("HTTP/1.")) {
		return a, body, fmt.Errorf("the answer begins with %q, which is no status of HTTP/1", line)
	}
	a.last = bytes.Equal(version, []byte("HTTP/1.0"))
	for {
		if line, err = readLine(r); err != nil || len(line) == 0 {
			return a, body, err
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case is(name, "Content-Length"):
			if body.length, err = strconv.Atoi(string(value)); err != nil || body.length < 0 {
				return a, body, fmt.Errorf("the answer has the Content-Length %q", value)
			}
		case is(name, "Transfer-Encoding"):
			if body.chunked = is(value, "chunked"); !body.chunked {
				return a, body, fmt.Errorf("the answer has the Transfer-Encoding %q", value)
			}
		case is(name, "Connection"):
			a.last = is(value, "close") || a.last && !is(value, "keep-alive")
		}
	}
}

// is reports whether b is a word, in whatever case.
func is(b []byte, word string) bool {
	return len(b) == len(word) && bytes.EqualFold(b, []byte(word))
}

// skipChunks reads a chunked body up to its end, trailers included.
func skipChunks(r *bufio.Reader) error {
	for {
		line, err := readLine(r)
		if err != nil {
			return err
		}
		digits, _, _ := bytes.Cut(line, []byte(";"))
		size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
		if err != nil {
			return fmt.Errorf("the answer has a chunk of size %q", digits)
		}
		if size == 0 {
			break
		}
		if _, err := r.Discard(int(size)); err != nil {
			return unexpected(err)
		}
		if line, err = readLine(r); err != nil || len(line) > 0 {
			return cmp.Or(err, fmt.Errorf("the answer has a chunk that is longer than %d bytes", size))
		}
	}
	for {
		if line, err := readLine(r); err != nil || len(line) == 0 {
			return err
		}
	}
}

// readLine reads a line and returns it without its ending. It is valid up to the
// next read.
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
