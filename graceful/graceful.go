// Package graceful runs an [http.Server] until a context ends, and then shuts it down:
// streams end at once, and requests finish. It imports only the standard library, and
// works with every handler.
//
//	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//	context.AfterFunc(ctx, stop) // a second signal ends the program immediately
//	err := graceful.Serve(ctx, server, server.ListenAndServe, nil)
//
// A handler that streams, or that hijacks its connection, uses the context that [Stream]
// returns. [Ready] answers the health checks of load balancers.
package graceful

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// Options are the options of [Serve]. The zero value has the defaults.
type Options struct {
	// Drain is how long the server continues to serve while [Ready] answers 503: as long as
	// load balancers need to notice it, such as two intervals of their health checks.
	// The default is 0.
	Drain time.Duration

	// Grace is how long requests have to finish after that. The default is 20 seconds.
	Grace time.Duration
}

// Serve calls serve, which is a method of s such as s.ListenAndServe or a function that
// calls one, and shuts s down when ctx ends:
//
//  1. [Ready] answers 503, and s continues to serve for o.Drain.
//  2. The listeners are closed. Then the contexts of [Stream] are canceled and the
//     functions of [http.Server.RegisterOnShutdown] are called. The contexts of requests
//     are not canceled.
//  3. Serve waits until all handlers have returned, for up to o.Grace. Unlike
//     [http.Server.Shutdown], it also waits for handlers that have hijacked their
//     connections.
//
// Serve returns nil if all handlers have returned. Otherwise it returns a [*CutOffError].
// In both cases it first closes all connections that are left, except hijacked ones. If
// serve returns before ctx ends, Serve returns its error at once, such as that of a port in
// use, and waits for nothing. If it returns during o.Drain, that ends, and Serve returns
// the error after the rest.
//
// Serve sets s.Handler and s.BaseContext to functions that call the previous ones. A
// server can be served once, and s.ConnContext must return a context derived from its
// argument, as net/http requires. Options may be nil. Serve panics if a duration in them
// is negative.
func Serve(ctx context.Context, s *http.Server, serve func() error, o *Options) error {
	drain, grace := o.durations()
	r := newRun(s)
	served := make(chan error, 1)
	go func() { served <- serve() }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	r.leaving.Store(true)
	select {
	case err := <-served:
		served <- err // nothing is accepted any more: go on
	case <-time.After(drain):
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := r.shutdown(last, s, grace); err != nil {
		return err
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// durations returns the durations of o with their defaults.
func (o *Options) durations() (drain, grace time.Duration) {
	if o != nil {
		drain, grace = o.Drain, o.Grace
	}
	if drain < 0 || grace < 0 {
		panic(fmt.Sprintf("graceful: Options with Drain %v and Grace %v; use durations that are not negative", drain, grace))
	}
	if grace == 0 {
		grace = 20 * time.Second
	}
	return drain, grace
}

// A CutOffError is returned by [Serve] if handlers have not returned in time.
type CutOffError struct {
	Handlers int           // the number of handlers that were still running
	Grace    time.Duration // the time that they had to finish
}

func (e *CutOffError) Error() string {
	return fmt.Sprintf("graceful: requests were cut off after %v: %d", e.Grace, e.Handlers)
}

// A run is a server that Serve serves. The base context of its requests has it.
type run struct {
	leaving  atomic.Bool
	streams  context.Context // canceled when streams must end
	handlers atomic.Int64    // that are running
	idle     chan struct{}   // gets a value when the last handler returns, with room for one
}

type runKey struct{}

// newRun prepares a server.
func newRun(s *http.Server) *run {
	r := &run{idle: make(chan struct{}, 1)}
	var end context.CancelCauseFunc
	r.streams, end = context.WithCancelCause(context.Background())
	s.RegisterOnShutdown(func() { end(http.ErrServerClosed) })

	h := s.Handler
	if h == nil {
		h = http.DefaultServeMux
	}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.handlers.Add(1)
		defer r.done()
		h.ServeHTTP(w, req)
	})
	base := s.BaseContext
	s.BaseContext = func(l net.Listener) context.Context {
		ctx := context.Background()
		if base != nil {
			ctx = base(l)
		}
		return context.WithValue(ctx, runKey{}, r)
	}
	return r
}

// done counts a handler that has returned.
func (r *run) done() {
	if r.handlers.Add(-1) == 0 {
		select {
		case r.idle <- struct{}{}:
		default: // it has a value
		}
	}
}

// shutdown shuts the server down, and waits for handlers until ctx ends.
func (r *run) shutdown(ctx context.Context, s *http.Server, grace time.Duration) error {
	err := s.Shutdown(ctx)
	for ctx.Err() == nil && r.handlers.Load() > 0 { // of hijacked connections
		select {
		case <-r.idle:
		case <-ctx.Done():
		}
	}
	switch n := r.handlers.Load(); {
	case n > 0:
		s.Close()
		return &CutOffError{int(n), grace}
	case errors.Is(err, context.DeadlineExceeded): // of connections that have no handler
		return s.Close()
	}
	return err
}

// Stream returns a context for a stream of events, a WebSocket or another long answer:
// the context ctx of a request, which is canceled also when [Serve] ends streams, with
// the cause [http.ErrServerClosed]. The handler must then return. Without Serve, the
// result is canceled only with ctx. Call cancel when the stream has ended.
//
// A goroutine that keeps a hijacked connection after its handler has returned needs
// Stream(context.WithoutCancel(ctx)), since the request's context ends with the handler.
// Serve does not wait for such a goroutine.
func Stream(ctx context.Context) (stream context.Context, cancel context.CancelFunc) {
	stream, end := context.WithCancelCause(ctx)
	stop := func() bool { return true }
	if r, ok := ctx.Value(runKey{}).(*run); ok {
		stop = context.AfterFunc(r.streams, func() { end(context.Cause(r.streams)) })
	}
	return stream, func() { stop(); end(nil) }
}

// Ready answers health checks at a path such as /readyz: with 503 from the moment when
// [Serve] begins to shut down, and with 200 before and without Serve.
func Ready(w http.ResponseWriter, r *http.Request) {
	if r, ok := r.Context().Value(runKey{}).(*run); ok && r.leaving.Load() {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}
