package service

import (
	"context"
	"net/http"
)

// Slots limit how many bodies are in memory at the same time. A request acquires a slot
// before its body is read, and releases it when it is answered. So the bodies use at most
// slots × the limit of a body, whatever clients do. A slow client holds its slot until the
// server's read timeout.
type slots chan struct{}

// take reports whether there was a free slot.
func (s slots) take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s slots) free() { <-s }

// takeTurn waits until there is a free slot and reports whether there was one before
// ctx ended.
func (s slots) takeTurn(ctx context.Context) bool {
	select {
	case s <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

var retryAfter = []string{"1"} // second

// full answers a request for which there is no slot.
func full() *problem {
	return &problem{
		Status: http.StatusServiceUnavailable, Detail: "too many requests are in flight; try again in a second",
		header: "Retry-After", value: retryAfter,
	}
}
