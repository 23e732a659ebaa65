package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/muxwell/muxwell/internal/compose"
)

// Recover answers a request whose handler panics with 500, and logs the panic at level
// error: its value, the stack, method, pattern and request ID. If logger is nil, it is
// [slog.Default] at the time of the panic.
//
// Nothing about the panic is sent. Headers for the body that was not sent are removed:
// Content-Length, Content-Type, Etag and Last-Modified. Content-Encoding and
// Cache-Control become what they were before. Others, such as a request ID, are kept.
//
// If the response has begun, its status can no longer change. Then Recover logs the
// panic and panics with [http.ErrAbortHandler]. So the server closes the connection,
// and no client takes a partial response for a complete one. [http.ErrAbortHandler]
// itself is passed on and not logged. A panic in a goroutine that the handler has
// started cannot be recovered here; it ends the program.
//
// Safe: the handlers of slog quote value and stack, parts of which may come from the
// client. Put Recover inside of [Log] and [Metrics], which then see the 500.
func Recover(logger *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return newPart(func(c *compose.Chain) http.Handler {
			refuse := refuserOf(c)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				o := observe(w)
				encoding, caching := w.Header()["Content-Encoding"], w.Header()["Cache-Control"]
				defer func() {
					v := recover()
					if v == nil {
						return
					}
					if v == http.ErrAbortHandler {
						panic(v)
					}
					logPanic(logger, r, v)
					if o.observed().began() {
						panic(http.ErrAbortHandler)
					}
					dropBodyHeaders(o.Header())
					restore(o.Header(), "Content-Encoding", encoding)
					restore(o.Header(), "Cache-Control", caching)
					refuse(o, r, compose.Refusal{Status: http.StatusInternalServerError, Reason: "panic", Err: panicError(v)})
				}()
				next.ServeHTTP(o, r)
			})
		})
	}
}

// logPanic logs a panic. The deferred function that recovers must call it, so that the
// stack is that of the panic, unless the value has a stack of its own.
func logPanic(logger *slog.Logger, r *http.Request, v any) {
	if logger == nil {
		logger = slog.Default()
	}
	var stack []byte
	if p, ok := v.(*handlerPanic); ok {
		v, stack = p.value, p.stack
	} else {
		stack = debug.Stack()
	}
	logger.LogAttrs(r.Context(), slog.LevelError, "panic in handler",
		slog.String("panic", fmt.Sprint(v)),
		slog.String("method", shortMethod(r.Method)),
		slog.String("pattern", r.Pattern),
		slog.String("request_id", RequestIDFrom(r.Context())),
		slog.String("stack", string(stack)))
}

// panicError returns the value of a panic as an error, without a stack.
func panicError(v any) error {
	if p, ok := v.(*handlerPanic); ok {
		v = p.value
	}
	if err, ok := v.(error); ok {
		return err
	}
	return fmt.Errorf("%v", v)
}

// dropBodyHeaders removes the headers for a body that was not sent.
func dropBodyHeaders(h http.Header) {
	for _, name := range []string{"Content-Length", "Content-Type", "Etag", "Last-Modified"} {
		delete(h, name)
	}
}

// restore sets a header to its former lines, or removes it if there were none.
func restore(h http.Header, name string, lines []string) {
	if lines == nil {
		delete(h, name)
	} else {
		h[name] = lines
	}
}
