package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// Recover answers a request whose handler panics with 500, and logs the panic at
// level error: its value, the stack, method, pattern and request id. If logger is nil
// it is [slog.Default], as it is when the panic happens.
//
// Nothing of the panic is sent. Headers about the body that was not sent are removed:
// Content-Length, Content-Encoding (unless it was set before), Etag, Last-Modified
// and Cache-Control; others stay, as a request id.
//
// If the response has begun there is no status left to send: Recover logs, and panics
// with [http.ErrAbortHandler], by which the server breaks the connection, so that no
// client takes what it got for all. [http.ErrAbortHandler] itself is passed on and
// not logged. A panic in a goroutine that the handler has started cannot be recovered
// by anybody else; it ends the program.
//
// Safe: value and stack, in which the client may have a hand, are quoted by slog's
// handlers. It stands inside of [Log] and [Metrics], which then see the 500.
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

// logPanic logs a panic. It is called by the function that recovered it, so that the
// stack is that of the panic, unless the value has brought it.
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

// answerPanic answers 500 in place of a response that has not begun.
func answerPanic(w http.ResponseWriter, encoded bool) {
	h := w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Cache-Control"} {
		h.Del(name) // http.Error sees to the length and the type
	}
	if !encoded {
		h.Del("Content-Encoding")
	}
	http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
}
