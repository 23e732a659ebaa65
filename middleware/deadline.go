package middleware

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/muxwell/muxwell/internal/compose"
)

// Deadline gives each request's context a deadline, d from now, and does nothing else:
// it neither answers nor stops a handler. It suits handlers that pass r.Context() on,
// to a database or to other servers, and answer when that returns an error. It costs much
// less than [Timeout], which answers for the others.
//
// Of several Deadline and [Timeout] around a route in a mux, the one nearest to the
// route wins; see Timeout. Deadline panics if d is not positive.
func Deadline(d time.Duration) func(http.Handler) http.Handler {
	checkDuration("Deadline", d)
	return func(next http.Handler) http.Handler { return &timeLimit{next: next, d: d, refuse: plain} }
}

// NoTimeout lifts every [Timeout] and [Deadline] around it in a mux, for handlers that
// stream or keep their connection. One around the mux itself is not lifted. NoTimeout is
// middleware: m.With(middleware.NoTimeout).
func NoTimeout(next http.Handler) http.Handler { return &timeLimit{next: next, refuse: plain} }

func checkDuration(function string, d time.Duration) {
	if d <= 0 {
		panic(fmt.Sprintf("middleware: %s: %s leaves the handler no time; use a positive duration", function, d))
	}
}

// A timeLimit is the handler of Timeout, Deadline and NoTimeout.
type timeLimit struct {
	next    http.Handler
	d       time.Duration // 0 for none
	answers bool          // for the handler, at the deadline
	refuse  refuser
}

// Join implements [compose.Part]. The outermost limit gets the values of the innermost
// one, so that it applies to middleware between them too.
func (t *timeLimit) Join(c *compose.Chain) http.Handler {
	own := *t
	own.refuse = refuserOf(c)
	if inner, ok := c.Limit(timeLimits).(*timeLimit); ok {
		own.d, own.answers, inner.d = inner.d, inner.answers, 0
	}
	c.SetLimit(timeLimits, &own)
	return &own
}

const timeLimits limitKind = "Timeout"

func (t *timeLimit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if t.d == 0 {
		t.next.ServeHTTP(w, r)
		return
	}
	if t.answers {
		t.serve(w, r)
		return
	}
	ctx := &deadlineContext{Context: r.Context(), deadline: time.Now().Add(t.d)}
	defer ctx.end()
	serveWith(ctx, t.next, w, r)
}

// A deadlineContext is a context with a deadline, like the result of
// [context.WithDeadline], which it makes when Done is called. So a handler that does not
// call it pays for no timer.
type deadlineContext struct {
	context.Context // the parent
	deadline        time.Time
	made            atomic.Pointer[madeContext]
}

type madeContext struct {
	context.Context
	cancel context.CancelFunc
}

func (c *deadlineContext) Deadline() (time.Time, bool) {
	if deadline, ok := c.Context.Deadline(); ok && deadline.Before(c.deadline) {
		return deadline, true
	}
	return c.deadline, true
}

func (c *deadlineContext) Done() <-chan struct{} { return c.make().Done() }

func (c *deadlineContext) Err() error {
	if c.made.Load() == nil && c.Context.Err() == nil && time.Now().Before(c.deadline) {
		return nil
	}
	return c.make().Err()
}

// Value calls that of the made context, if there is one: so package context finds that it can be
// canceled without a goroutine.
func (c *deadlineContext) Value(key any) any {
	if m := c.made.Load(); m != nil && m != ended {
		return m.Value(key)
	}
	return c.Context.Value(key)
}

// make returns the context with the timer.
func (c *deadlineContext) make() *madeContext {
	if m := c.made.Load(); m != nil {
		return m
	}
	ctx, cancel := context.WithDeadline(c.Context, c.deadline)
	m := &madeContext{ctx, cancel}
	if !c.made.CompareAndSwap(nil, m) {
		cancel() // another goroutine was faster
		return c.made.Load()
	}
	return m
}

// ended is the context of a request during which Done was not called.
var ended = func() *madeContext {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return &madeContext{ctx, cancel}
}()

// end cancels the context.
func (c *deadlineContext) end() {
	if !c.made.CompareAndSwap(nil, ended) {
		c.made.Load().cancel()
	}
}
