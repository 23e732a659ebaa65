package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// Recover answers a request whose handler panics with 500, and logs the panic at level
// error: its value, the stack, method, pattern and request ID. If logger is nil, it is
// [slog.Default] at the time of the panic.
//
// Nothing about the panic is sent. Headers for the body that was not sent are removed:
// Content-Length, Content-Encoding (unless it was set before), Etag, Last-Modified and
// Cache-Control. Others, such as a request ID, are kept.
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
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o := observe(w)
			_, encoded := w.Header()["Content-Encoding"]
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
				answerPanic(o, encoded)
			}()
			next.ServeHTTP(o, r)
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

// answerPanic answers 500 instead of a response that has not begun.
func answerPanic(w http.ResponseWriter, encoded bool) {
	h := w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Cache-Control"} {
		h.Del(name) // http.Error handles the length and the type
	}
	if !encoded {
		h.Del("Content-Encoding")
	}
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
}
