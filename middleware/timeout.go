package middleware

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/muxwell/muxwell/internal/compose"
)

// Timeout gives each request's context a deadline, d from now, and answers 503 if the
// handler has not begun to answer by then. A handler that has begun continues: it may
// stream for any time, and only the context tells it about the deadline. A status 1xx,
// a flush and a hijack count as a beginning.
//
// A handler cannot be stopped. If it ignores r.Context(), it continues to run after the
// 503 and to use resources, and its writes fail with [http.ErrHandlerTimeout]. So put
// middleware that limits work, such as [Throttle], inside of Timeout; it holds its
// place until the handler really returns. Over HTTP/1, a body that the handler has not
// completely read by then is abandoned: reading it fails, and the connection is closed
// after the 503, which would otherwise wait for what the client sends.
//
// The handler runs in a goroutine of its own, as that of [http.TimeoutHandler] does,
// but writes directly to the server, not to a buffer, and costs less. In the server's
// goroutine, with a timer that writes the 503, it would cost even less. But an HTTP/2
// response ends only when the handler returns, so the client would wait for it.
//
// A panic of the handler is passed on to the server's goroutine, where [Recover] may
// be. The text of its value includes the stack of the handler, and it unwraps to the
// original error, if there is one. [http.ErrAbortHandler] is passed on itself. A panic
// after the 503 is written to the server's ErrorLog.
//
// The handler's writer has Flush, has Hijack if the server's has, and supports what
// [http.ResponseController] offers. Do not cover long-lived connections such as
// WebSockets: their contexts end at the deadline; use [NoTimeout] for them. Use Timeout
// inside of the mux: outside of it, Log would not know the pattern of a request that was
// answered with 503.
//
// Of several Timeout and [Deadline] around a route in a mux, the one nearest to the route
// wins, even if it is longer, and is enforced where the outermost one is. One around the
// mux itself applies too. Timeout panics if d is not positive.
func Timeout(d time.Duration) func(http.Handler) http.Handler {
	checkDuration("Timeout", d)
	return func(next http.Handler) http.Handler {
		return &timeLimit{next: next, d: d, answers: true, refuse: plain}
	}
}

// serve serves a request in another goroutine, and answers at the deadline.
func (t *timeLimit) serve(w http.ResponseWriter, r *http.Request) {
	c := &call{next: t.next, ends: make(chan end, 2)}
	c.ctx.Context, c.ctx.deadline = r.Context(), time.Now().Add(t.d)
	defer c.ctx.end()
	c.r = r.WithContext(&c.ctx)
	c.guard.guardWriter(w, &c.ctx)
	body := newUpload(c.r)
	go c.run()
	if !c.wait() {
		body.giveUp(w)
		t.refuse(w, r, compose.Refusal{Status: http.StatusServiceUnavailable, Reason: "timeout"})
		return
	}
	handBack(r, c.r)
	if c.panicked != nil {
		panic(c.panicked)
	}
}

// A call is a handler that runs in a goroutine of its own, and what it is given, in one
// allocation. Its fields belong to that goroutine until it has returned.
type call struct {
	next     http.Handler
	r        *http.Request
	ctx      deadlineContext
	guard    hijackGuard
	ends     chan end // has room for both
	panicked any
}

// An end is what a call waits for.
type end int

const (
	handlerReturned end = iota
	deadlinePassed
)

// wait waits until the handler has returned. It returns false, at the deadline or later,
// if the caller must write the answer.
func (c *call) wait() bool {
	deadline, _ := c.ctx.Deadline()
	timer := time.AfterFunc(time.Until(deadline), func() { c.ends <- deadlinePassed })
	defer timer.Stop()
	if <-c.ends == handlerReturned {
		return !c.guard.expired()
	}
	<-c.ctx.Done() // now, or earlier if the client has left
	if errors.Is(c.ctx.Err(), context.DeadlineExceeded) && c.guard.expire() {
		return false
	}
	<-c.ends // it has begun to answer, or the client has left
	return true
}

// run runs the handler.
func (c *call) run() {
	// runtime.Goexit has no value; it ends a request like an abort.
	var value any = http.ErrAbortHandler
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			value = &handlerPanic{v, debug.Stack()}
		}
		c.finish(value)
	}()
	c.next.ServeHTTP(c.guard.outer, c.r)
	value = nil
}

// finish ends the call. If nobody waits any more, it cleans up.
func (c *call) finish(panicked any) {
	c.guard.finish()
	c.panicked = panicked
	c.ends <- handlerReturned
	if !c.guard.expired() {
		return
	}
	if c.r.MultipartForm != nil {
		_ = c.r.MultipartForm.RemoveAll() // the server has already done this for its request; nobody can handle the error
	}
	if p, ok := panicked.(*handlerPanic); ok {
		logf := log.Printf
		if s, ok := c.r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
			logf = s.ErrorLog.Printf
		}
		logf("middleware: panic after the 503 of a timeout: %v", p)
	}
}

// A handlerPanic is a panic of another goroutine, with the stack of that goroutine.
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
