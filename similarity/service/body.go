package service

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
)

// Buffers are the memory of a request: its body and its answer.
type buffers struct {
	body   []byte
	answer []byte
}

// maxKept is how much of each a buffers may keep when it goes back into the pool.
const maxKept = 1 << 20

var pool = sync.Pool{New: func() any { return new(buffers) }}

func (b *buffers) release() {
	if cap(b.body) <= maxKept && cap(b.answer) <= maxKept {
		pool.Put(b)
	}
}

// firstRead is how much is read at once of a body of unknown length.
const firstRead = 4 << 10

// readBody reads the body of a request of up to limit bytes. What the request says of
// its length is believed for the memory only. The error is a *problem, or errGone.
//
// Where the body is longer the connection is closed after the answer, as
// http.MaxBytesReader has it: nobody wants to read the rest.
func (b *buffers) readBody(x *exchange, r *http.Request, limit int) error {
	if r.ContentLength > int64(limit) {
		return tooLarge(limit)
	}
	want := max(int(r.ContentLength), firstRead) + 1 // one more for the end to be seen
	b.body = slices.Grow(b.body[:0], want)
	for {
		n, err := r.Body.Read(b.body[len(b.body):cap(b.body)])
		b.body = b.body[:len(b.body)+n]
		x.read += int64(n)
		switch {
		case len(b.body) > limit:
			return tooLarge(limit)
		case err == io.EOF:
			return nil
		case err != nil:
			return unreadable(r, err)
		}
		b.body = slices.Grow(b.body, 1)
	}
}

func tooLarge(limit int) error {
	return &problem{
		Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("the body has more than %d bytes, which is the limit", limit),
		header: "Connection", value: closeValue,
	}
}

// errGone is the error of a body whose client went away.
var errGone = errors.New("the client is gone")

// unreadable returns what an error of reading the body means. After each of them the
// connection is of no use.
func unreadable(r *http.Request, err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &problem{
			Status: http.StatusRequestTimeout, Detail: "the body did not come in time",
			header: "Connection", value: closeValue,
		}
	case errors.Is(err, io.ErrUnexpectedEOF), r.Context().Err() != nil, isNetwork(err):
		return errGone
	}
	return &problem{
		Status: http.StatusBadRequest, Detail: "the body cannot be read: " + err.Error(),
		header: "Connection", value: closeValue,
	}
}

// isNetwork reports whether an error is one of the connection.
func isNetwork(err error) bool {
	var network net.Error
	return errors.As(err, &network)
}
