package muxwell

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/compose"
	"github.com/muxwell/muxwell/internal/refuse"
	"github.com/muxwell/muxwell/internal/respwriter"
	"github.com/muxwell/muxwell/internal/routing"
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
	f.serve(w, r, answerError)
}

// serve calls f, and answer for an error.
func (f ErrorFunc) serve(w http.ResponseWriter, r *http.Request, answer func(http.ResponseWriter, *http.Request, error)) {
	w = respwriter.Watch(w)
	switch err := f(w, r); {
	case err == nil:
	case errors.Is(err, http.ErrAbortHandler):
		panic(http.ErrAbortHandler)
	default:
		answer(w, r, err)
	}
}

// answered returns f with the ErrorHandler that answers its errors.
func (f ErrorFunc) answered(handle errorHandler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, handle.answer) })
}

// HandleError registers a handler that may return an error instead of answering, and
// returns its route. It does what [Mux.Add] does with an [ErrorFunc], and panics with
// the error that Add would return.
//
// An [ErrorHandler] answers a non-nil error. Without that option it is answered as
// follows. Nothing is done if the response has begun (see [Began]). If the error, or
// one that it wraps, has a method StatusCode() int that returns 400 to 599, as that of
// [ParamError] does, the answer is that status with its [http.StatusText] as plain
// text, with the Detail of an [*HTTPError]. Any other error is a 500. The text of the
// error is not sent. If the status is 500 or more, it is logged to the server's ErrorLog.
// Headers that the handler has set for the body that it did not send are removed:
// Content-Length, Content-Type, Etag and Last-Modified. Content-Encoding and
// Cache-Control become what they were before, since middleware may have set them.
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

// ErrorHandler sets the function that answers every request that is not served:
//
//   - The errors that handlers return, instead of what [Mux.HandleError] describes. h gets
//     the error itself, and the w that the handler had. It is called for every error except
//     nil and [http.ErrAbortHandler], even if the response has begun, which [Began] reports;
//     then it can do no more than log the error. The headers that the handler has set are
//     still there.
//   - The 404, 405, 406 and 415 of the mux, as an [*HTTPError]. r.Pattern is "". The options
//     [NotFound] and [MethodNotAllowed] take precedence.
//   - What package middleware rejects in the mux, as an *HTTPError. Middleware around the
//     mux answers by itself.
//
// [AsHTTPError] returns status and reason of any of these. The headers that belong to the
// status are set before h is called: Allow, WWW-Authenticate, Retry-After, Accept,
// Connection. h must write the status. For a HEAD request it may write a body, which the
// server omits. [Group.ErrorHandler] is the same for a group. Package problem has a ready
// function. ErrorHandler panics if h is nil.
//
// h is not called for redirects, for the answers to OPTIONS requests, for the 400 that
// answers a request for "*", or for the errors that [Mux.Files] answers.
func ErrorHandler(h func(w http.ResponseWriter, r *http.Request, err error)) Option {
	if h == nil {
		panic("muxwell: ErrorHandler: nil function")
	}
	return Option{func(c *config) { c.errors = errorHandlerFunc(h) }}
}

// ErrorHandler sets the function that answers the requests that are not served below the
// group's prefix; see the option [ErrorHandler]. Of all groups around a route, and of
// their muxes, the innermost that has such a function decides. The [Group.NotFound] and
// [Group.MethodNotAllowed] of the same group take precedence over the function, and the
// function over those of the groups around. A group that With or Group made has no prefix
// of its own, so its function covers only its routes, not the 404 or 405 of other paths. A
// further call replaces the function. If several groups have the same prefix, the function
// of the first one answers the 404 and 405. ErrorHandler panics if h is nil.
func (g *Group) ErrorHandler(h func(w http.ResponseWriter, r *http.Request, err error)) {
	if h == nil {
		panic("muxwell: Group.ErrorHandler: nil function")
	}
	registering.Lock()
	defer registering.Unlock()
	g.change(func(s *groupState) { s.errors = errorHandlerFunc(h) })
	g.mux.mu.Lock()
	g.mux.claim(g)
	g.mux.mu.Unlock()
	g.mux.recompose()
}

// An errorHandler is what ErrorHandler sets. It is an interface so that only programs
// with one link what it needs.
type errorHandler interface {
	answer(http.ResponseWriter, *http.Request, error)                     // an error of a handler
	refuse(http.ResponseWriter, *http.Request, routing.Answer, *snapshot) // what the mux refuses
	// rejected returns the function that answers what middleware around a route rejects.
	// The route is nil for the mux's own answers.
	rejected(*Route) func(http.ResponseWriter, *http.Request, compose.Refusal)
}

type errorHandlerFunc func(http.ResponseWriter, *http.Request, error)

func (h errorHandlerFunc) answer(w http.ResponseWriter, r *http.Request, err error) { h(w, r, err) }

func (h errorHandlerFunc) refuse(w http.ResponseWriter, r *http.Request, a routing.Answer, s *snapshot) {
	if a.Allow != "" {
		w.Header().Set("Allow", a.Allow)
	}
	if a.Status == http.StatusUnsupportedMediaType {
		w.Header().Set("Accept", strings.Join(s.tables.ContentTypes(a.Near, r.Method), ", "))
	}
	h(respwriter.Watch(w), r, &HTTPError{Status: a.Status, Reason: reasonOf(a.Status), Allowed: slices.Clone(a.Allowed), Route: s.endpoints.At(a.Near).route})
}

func (h errorHandlerFunc) rejected(rt *Route) func(http.ResponseWriter, *http.Request, compose.Refusal) {
	return func(w http.ResponseWriter, r *http.Request, f compose.Refusal) {
		h(respwriter.Watch(w), r, &HTTPError{Status: f.Status, Reason: cmp.Or(f.Reason, reasonOf(f.Status)), Detail: f.Detail, Route: rt, Err: f.Err})
	}
}

// errorsOf returns the errorHandler of the innermost of groups that has one, or nil.
func errorsOf(groups []*Group) errorHandler {
	for _, g := range slices.Backward(groups) {
		if h := g.state.Load().errors; h != nil {
			return h
		}
	}
	return nil
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

// answerError answers an error, unless the response has begun.
func answerError(w http.ResponseWriter, r *http.Request, err error) {
	if respwriter.Began(w) {
		return
	}
	code := statusOf(err)
	if code >= http.StatusInternalServerError {
		refuse.Log(r, err)
	}
	respwriter.DropBodyHeaders(w)
	text := statusText(code)
	var e *HTTPError
	if errors.As(err, &e) && e.Status == code && e.Detail != "" {
		text += ": " + e.Detail
	}
	http.Error(w, text, code)
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
