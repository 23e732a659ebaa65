package muxwell

import (
	"cmp"
	"errors"
	"log"
	"net/http"
	"strconv"

	"github.com/muxwell/muxwell/internal/respwriter"
)

// A handler that returns an error leaves the answer to one place: the mux's
// ErrorHandler, or answerError.
//
//	nil                        the handler has answered
//	http.ErrAbortHandler       panics with it, as net/http requires
//	StatusCode() 400 to 599    that status and its text
//	any other                  500
//
// The text of an error is never sent: it may contain what clients must not see.

// An ErrorFunc is an [http.Handler] that may return an error instead of answering.
//
// If it is registered directly, with [Mux.Handle], [Mux.Add], [Mux.HandleError],
// [Mux.Mount] or [Tx.Add], the [Mux] answers its errors as [Mux.HandleError] describes.
// Everywhere else its ServeHTTP is called: by another mux, by a handler that wraps it,
// and as a handler of the mux's own answers, such as [NotFound].
type ErrorFunc func(http.ResponseWriter, *http.Request) error

// ServeHTTP calls f. It answers an error as [Mux.HandleError] does in a mux without the
// option [ErrorHandler], which it cannot know.
func (f ErrorFunc) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	errorFunc{fn: f}.ServeHTTP(w, r)
}

// answered returns f with the function that answers its errors in a mux.
func (f ErrorFunc) answered(c *config) http.Handler { return errorFunc{f, c.errorHandler} }

// HandleError registers a handler that may return an error instead of answering, and
// returns its route. It does what [Mux.Add] does with an [ErrorFunc], and panics with
// the error that Add would return.
//
// An [ErrorHandler] answers a non-nil error. Without that option it is answered as
// follows. Nothing is done if the response has begun (see [Began]). If the error, or
// one that it wraps, has a method StatusCode() int that returns 400 to 599, as that of
// [ParamError] does, the answer is that status with its [http.StatusText] as plain
// text. Any other error is a 500. The text of the error is not sent. If the status is
// 500 or more, it is logged to the server's ErrorLog. Headers that the handler has set
// for the body that it did not send are removed: Content-Length, Content-Type,
// Content-Encoding (unless it was set before the handler was called, as middleware that
// compresses does), Etag, Last-Modified and Cache-Control.
//
// If an error is or wraps [http.ErrAbortHandler], the mux panics with that, whatever
// the ErrorHandler.
//
// The handler is called with the request itself, and with a w that records when the
// response begins. Such a w has those methods of [http.Flusher], [http.Hijacker],
// [http.Pusher], [io.ReaderFrom] and [io.StringWriter] that the server's w has, and
// works with [http.ResponseController]. The deprecated [http.CloseNotifier] is left
// out. [http.MaxBytesReader] limits a body as usual, but through such a w it does not
// make the server close the connection.
func (m *Mux) HandleError(pattern string, handler func(http.ResponseWriter, *http.Request) error, options ...RouteOption) *Route {
	return must(m.register(m.own(), "", pattern, ErrorFunc(handler), options))
}

// ErrorHandler sets the function that answers the errors that handlers return, instead
// of what [Mux.HandleError] describes. h is called with the w that the handler had. It
// is called for every error except nil and [http.ErrAbortHandler], even if the response
// has begun, which [Began] reports; then it can do no more than log the error. The
// headers that the handler has set are still there. ErrorHandler panics if h is nil.
func ErrorHandler(h func(w http.ResponseWriter, r *http.Request, err error)) Option {
	if h == nil {
		panic("muxwell: ErrorHandler: nil function")
	}
	return Option{func(c *config) { c.errorHandler = h }}
}

// Began reports whether the response has begun, so that its status and headers can no
// longer be changed: a status other than 1xx was written, or 101, or some of the body,
// or w was flushed or hijacked. w is the writer that was passed to an [ErrorFunc] or an
// [ErrorHandler], or one that wraps it and has a method Unwrap() http.ResponseWriter.
// For other writers Began returns false.
//
// Began does not notice a Hijack through Unwrap if it bypasses a middleware's writer
// that lacks the method.
func Began(w http.ResponseWriter) bool { return respwriter.Began(w) }

// An errorFunc is an ErrorFunc with the function that answers its errors.
type errorFunc struct {
	fn     ErrorFunc
	handle func(http.ResponseWriter, *http.Request, error) // nil for answerError
}

func (h errorFunc) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = respwriter.Watch(w)
	err := h.fn(w, r)
	switch {
	case err == nil:
	case errors.Is(err, http.ErrAbortHandler):
		panic(http.ErrAbortHandler)
	case h.handle != nil:
		h.handle(w, r, err)
	default:
		answerError(w, r, err)
	}
}

// answerError answers an error, unless the response has begun.
func answerError(w http.ResponseWriter, r *http.Request, err error) {
	if respwriter.Began(w) {
		return
	}
	code := statusOf(err)
	if code >= http.StatusInternalServerError {
		logError(r, err)
	}
	h := w.Header()
	for _, name := range []string{"Etag", "Last-Modified", "Cache-Control"} {
		h.Del(name) // http.Error handles the length and the type
	}
	if !respwriter.Encoded(w) {
		h.Del("Content-Encoding")
	}
	http.Error(w, cmp.Or(http.StatusText(code), "status code "+strconv.Itoa(code)), code)
}

// statusOf returns the status for an error.
func statusOf(err error) int {
	var e interface{ StatusCode() int }
	if errors.As(err, &e) {
		if code := e.StatusCode(); 400 <= code && code <= 599 {
			return code
		}
	}
	return http.StatusInternalServerError
}

// logError writes to the log of the server that r came from. The text is quoted, since
// parts of it may come from a client.
func logError(r *http.Request, err error) {
	logf := log.Printf
	if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
		logf = s.ErrorLog.Printf
	}
	logf("muxwell: %q request to pattern %q: %q", r.Method, r.Pattern, err.Error())
}
