package middleware

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"runtime/debug"
	"time"
)

// Timeout gives each request's context a deadline, d from now, and answers 503 once
// if the handler has not begun to answer by then. A handler that has begun goes on:
// it may stream for as long as it likes, and learns of the deadline from the context
// only. A status 1xx, a flush and a hijack count as a beginning.
//
// Nothing can stop a handler. One that does not heed r.Context() runs on behind the
// 503, at the cost that it has, and its writes fail with [http.ErrHandlerTimeout]. So
// what limits work, as [Throttle], stands inside of Timeout, and holds its place
// until the handler really returns. A body that it has not read to its end by then is
// given up over HTTP/1: reading it fails, and the connection ends with the 503, which
// would else wait for what the client sends.
//
// The handler runs in a goroutine of its own, as that of [http.TimeoutHandler] does,
// but writes to the server directly and not to a buffer. It costs about as much
// as that. In the server's goroutine, with a timer that writes the 503,
// it would cost a third less, but an HTTP/2 response ends only when the handler returns, and
// the client would wait for it.
//
// A panic of the handler is passed on to the server's goroutine, where [Recover] may
// stand; its value is one whose text has the stack of the handler's, and which
// unwraps to the error that it was, if any. [http.ErrAbortHandler] is passed on
// itself. A panic after the 503 is written to the server's ErrorLog.
//
// The handler's writer has Flush, Hijack if the server's has, and what
// [http.ResponseController] offers. Connections that stay, as WebSockets, should not
// be covered: their contexts end at the deadline. It stands in the mux: around it,
// Log would not know the pattern of a request that was answered 503. Timeout panics
// if d is not positive.
func Timeout(d time.Duration) func(http.Handler) http.Handler {
	if d <= 0 {
		panic(fmt.Sprintf("middleware: Timeout: %s leaves the handler no time; use a positive duration", d))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			c := &call{guard: newGuard(w), r: r.WithContext(ctx), done: make(chan struct{})}
			body := newUpload(c.r)
			go c.run(next)
			if !c.wait(ctx) {
				body.giveUp(w)
				http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
				return
			}
			handBack(r, c.r)
			if c.panicked != nil {
				panic(c.panicked)
			}
		})
	}
}

// A call is a handler that runs in a goroutine of its own. Its fields belong to that
// goroutine until done is closed.
type call struct {
	guard    *guard
	r        *http.Request
	done     chan struct{}
	panicked any
}

// wait waits until the handler has returned, or reports false at the deadline, if the
// answer is then the caller's to write.
func (c *call) wait(ctx context.Context) bool {
	select {
	case <-c.done:
		return true
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && c.guard.expire() {
		return false
	}
	<-c.done // it has begun to answer, or the client has left
	return true
}

// run runs the handler.
func (c *call) run(next http.Handler) {
	// Of runtime.Goexit there is no value; it ends a request as an abort does.
	var value any = http.ErrAbortHandler
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			value = &handlerPanic{v, debug.Stack()}
		}
		c.finish(value)
	}()
	next.ServeHTTP(c.guard.outer, c.r)
	value = nil
}

// finish ends the call. If nobody waits any more it sees to what is left.
func (c *call) finish(panicked any) {
	c.guard.finish()
	c.panicked = panicked
	close(c.done)
	if !c.guard.expired() {
		return
	}
	if c.r.MultipartForm != nil {
		_ = c.r.MultipartForm.RemoveAll() // the server has looked already; there is nobody to tell
	}
	if p, ok := panicked.(*handlerPanic); ok {
		logf := log.Printf
		if s, ok := c.r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
			logf = s.ErrorLog.Printf
		}
		logf("middleware: panic after the 503 of a timeout: %v", p)
	}
}

// A handlerPanic is a panic of another goroutine, with that one's stack.
type handlerPanic struct {
	value any
	stack []byte
}

func (p *handlerPanic) Error() string {
	return fmt.Sprintf("%v\n\n%s", p.value, p.stack)
}

func (p *handlerPanic) Unwrap() error {
	err, _ := p.value.(error)
	return err
}
