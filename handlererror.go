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
//	http.ErrAbortHandler       panics on, as net/http wants it
//	StatusCode() 400 to 599    that status and its text
//	any other                  500
//
// The text of an error is never sent: it may hold what is not for the client.

// An ErrorFunc is an [http.Handler] that may return an error in place of an answer.
//
// A [Mux] knows one that is registered as it is, by [Mux.Handle], [Mux.Add],
// [Mux.HandleError], [Mux.Mount] or [Tx.Add], and answers its errors as
// [Mux.HandleError] describes. Its ServeHTTP is called everywhere else: by another mux,
// by a handler around it, and where it answers for the mux, as [NotFound] does.
type ErrorFunc func(http.ResponseWriter, *http.Request) error

// ServeHTTP calls f and answers an error as [Mux.HandleError] does in a mux without
// the option [ErrorHandler], which it does not know.
func (f ErrorFunc) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	errorFunc{fn: f}.ServeHTTP(w, r)
}

// answered returns f with what answers its errors in a mux.
func (f ErrorFunc) answered(c *config) http.Handler { return errorFunc{f, c.errorHandler} }

// HandleError registers a handler that may return an error in place of an answer, and
// returns its route. It does what [Mux.Add] does with an [ErrorFunc], and panics with
// the error that Add would return.
//
// An error that is not nil is answered as [ErrorHandler] says, and without that
// option as follows. Nothing is done if the response has begun (see [Began]).
// Else, if the error or one that it wraps has a method StatusCode() int that
// returns 400 to 599, as that of [ParamError] does, the answer is that status
// with its [http.StatusText] as plain text. Any other error is a 500. The text
// of the error is not sent; where the status is 500 or more it is logged, to
// the server's ErrorLog. Headers about a body that the handler has set for the
// one it did not send are removed: Content-Length, Content-Type,
// Content-Encoding (unless it was set before the handler was called, as
// middleware that compresses does), Etag, Last-Modified and Cache-Control.
//
// An error that is or wraps [http.ErrAbortHandler] becomes a panic with it, with
// every ErrorHandler.
//
// The handler is given the request itself, and a w that notes when the response
// begins. It has those of the methods of [http.Flusher], [http.Hijacker],
// [http.Pusher], [io.ReaderFrom] and [io.StringWriter] that the server's has, and
// works with [http.ResponseController]; [http.CloseNotifier], which is
// deprecated, is left out. [http.MaxBytesReader] limits a body as ever, but does
// not tell the server through such a w to close the connection.
func (m *Mux) HandleError(pattern string, handler func(http.ResponseWriter, *http.Request) error, options ...RouteOption) *Route {
	return must(m.register(m.own(), "", pattern, ErrorFunc(handler), options))
}

// ErrorHandler sets what answers the errors that handlers return, in place of
// what [Mux.HandleError] describes. h is called with the w that the handler had,
// and always, but for a nil error and [http.ErrAbortHandler]: also where the
// response has begun, which [Began] tells, and nothing but a log can be written.
// The headers that the handler has set are still there. ErrorHandler panics if
// h is nil.
func ErrorHandler(h func(w http.ResponseWriter, r *http.Request, err error)) Option {
	if h == nil {
		panic("muxwell: ErrorHandler: nil function")
	}
	return Option{func(c *config) { c.errorHandler = h }}
}

// Began reports whether the response has begun, so that its status and headers
// can no longer be changed: a status other than 1xx was written, or 101, or some
// of the body, or w was flushed or hijacked. w is the writer that an [ErrorFunc] or
// an [ErrorHandler] is given, or one that wraps it and has a method
// Unwrap() http.ResponseWriter. For other writers Began reports false.
//
// It does not notice a Hijack through Unwrap, past a writer of middleware that
// lacks the method.
func Began(w http.ResponseWriter) bool { return respwriter.Began(w) }

// An errorFunc is an ErrorFunc with what answers its errors.
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
		h.Del(name) // http.Error sees to the length and the type
	}
	if !respwriter.Encoded(w) {
		h.Del("Content-Encoding")
	}
	http.Error(w, cmp.Or(http.StatusText(code), "status code "+strconv.Itoa(code)), code)
}

// statusOf returns the status that an error asks for.
func statusOf(err error) int {
	var e interface{ StatusCode() int }
	if errors.As(err, &e) {
		if code := e.StatusCode(); 400 <= code && code <= 599 {
			return code
		}
	}
	return http.StatusInternalServerError
}

// logError writes to the log of the server that r came from. What it writes is
// quoted, since a client may have a hand in it.
func logError(r *http.Request, err error) {
	logf := log.Printf
	if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
		logf = s.ErrorLog.Printf
	}
	logf("muxwell: %q request to pattern %q: %q", r.Method, r.Pattern, err.Error())
}
