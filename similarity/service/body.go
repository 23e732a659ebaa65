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

// maxKept is the size of each that is kept in the pool.
const maxKept = 1 << 20

var pool = sync.Pool{New: func() any { return new(buffers) }}

func (b *buffers) release() {
	if cap(b.body) <= maxKept && cap(b.answer) <= maxKept {
		pool.Put(b)
	}
}

// firstRead is how much is read at once of a body of unknown length.
const firstRead = 4 << 10

// readBody reads the body of a request of up to limit bytes. It uses the request's
// Content-Length only to allocate memory. The error is a *problem, or errGone.
//
// If the body is longer, the connection is closed after the answer, as by
// http.MaxBytesReader, so that the rest need not be read.
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
		Status: http.StatusRequestEntityTooLarge, Detail: fmt.Sprintf("the body is longer than the limit of %d bytes", limit),
		header: "Connection", value: closeValue,
	}
}

// errGone is the error for a body whose client closed the connection.
var errGone = errors.New("the client closed the connection")

// unreadable converts an error from reading the body. After such an error the connection
// cannot be used any more.
func unreadable(r *http.Request, err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &problem{
			Status: http.StatusRequestTimeout, Detail: "the body did not arrive in time",
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
