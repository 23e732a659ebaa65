package service

import (
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// An endpoint answers the requests of a route.
type endpoint func(x *exchange, r *http.Request)

// An exchange is a request that is being answered. It is the ResponseWriter of the endpoint
// and records data for the log and the metrics.
type exchange struct {
	http.ResponseWriter
	begin   time.Time
	id      string // "" if nobody asked for one
	status  int    // 0 until it is written
	written int64  // bytes of the answer's body
	read    int64  // bytes of the request's body that were read for it
	gone    bool   // the client went away, and nobody reads an answer
}

// statusGone is the status in the log and the metrics of a request whose client closed the
// connection before the answer. It is never sent.
const statusGone = 499

func (x *exchange) WriteHeader(status int) {
	if status >= 200 && x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	n, err := x.ResponseWriter.Write(p)
	x.written += int64(n)
	return n, err
}

// abort notes that the client is gone; the connection is closed without an answer.
func (x *exchange) abort() { x.gone = true }

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// observe returns the handler of a route: the endpoint with a request ID, metrics and a
// line in the log. A panic is logged and answered with 500. The pattern is empty for
// requests that no route matches.
func (s *Service) observe(pattern string, answer endpoint) http.Handler {
	m := s.metrics.route(pattern)
	quiet := pattern == "GET /healthz" || pattern == "GET /readyz"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchanges.Get().(*exchange)
		*x = exchange{ResponseWriter: w, begin: time.Now()}
		m.inFlight.Inc()
		x.id = s.requestID(w.Header(), r)
		if s.draining.Load() {
			w.Header()["Connection"] = closeValue
		}
		defer func() {
			if v := recover(); v != nil {
				s.panicked(x, r, v)
			}
			s.end(x, r, m, pattern, quiet)
		}()
		answer(x, r)
	})
}

var closeValue = []string{"close"}

// panicked logs a panic and answers with 500 if that is still possible. A panic with
// http.ErrAbortHandler asks to close the connection and is not logged.
func (s *Service) panicked(x *exchange, r *http.Request, v any) {
	if v == http.ErrAbortHandler { //nolint:errorlint // the server compares it so, too
		x.abort()
		return
	}
	s.log.Error("panic", "request_id", s.needID(x), "method", r.Method, "path", r.URL.Path, "panic", v, "stack", string(debug.Stack()))
	if x.status != 0 {
		x.abort() // what was written is half an answer
		return
	}
	s.refuse(x, &problem{Status: http.StatusInternalServerError, Detail: "internal error; the server's log has details under the ID of this request"})
}

// end adds the request to the metrics and the log.
func (s *Service) end(x *exchange, r *http.Request, m *routeMetrics, pattern string, quiet bool) {
	switch {
	case x.gone:
		x.status = statusGone
	case x.status == 0:
		x.status = http.StatusOK // what the server sends for an endpoint that wrote nothing
	}
	took := time.Since(x.begin)
	m.inFlight.Dec()
	m.observe(r.Method, x.status, took, x.read)
	s.logRequest(x, r, pattern, quiet, took)
	gone := x.gone
	*x = exchange{}
	exchanges.Put(x)
	if gone {
		panic(http.ErrAbortHandler) // the server closes the connection
	}
}
