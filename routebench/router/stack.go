package router

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
)

// A Stack serves requests with a router that is ready. Its methods must not be called
// concurrently. The functions that Passes returns may be, one per goroutine.
type Stack interface {
	// Name returns the name of the stack: net/http, fasthttp or hertz.
	Name() string
	// Reply serves a request and returns the answer.
	Reply(*http.Request) Reply
	// Passes returns a function that serves all requests in turn, n times. Every call gets
	// its request as the server would pass it, without anything that the router left in it
	// the last time, and an empty answer, which is discarded. This does not allocate. The
	// requests themselves are never changed, so several functions may use the same requests
	// at the same time. A panic of the router is not recovered.
	Passes(requests []*http.Request) func(n int)
	// Serve answers the connections of a listener until stop is called, as the
	// stack's server does by default.
	Serve(net.Listener) (stop func(), err error)
}

// A Reply is the answer to a request.
type Reply struct {
	Status int
	Header http.Header
	Body   string
}

// NetHTTP returns the [Mux.Ready] of a router that is an http.Handler.
func NetHTTP(h http.Handler) func() (Stack, error) {
	return func() (Stack, error) { return HandlerStack(h), nil }
}

// HandlerStack returns the stack of an http.Handler.
func HandlerStack(h http.Handler) Stack { return netHTTP{h} }

// netHTTP is net/http with a router as its handler.
type netHTTP struct{ handler http.Handler }

func (netHTTP) Name() string { return "net/http" }

func (s netHTTP) Reply(r *http.Request) Reply {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, clone(r))
	return Reply{Status: w.Code, Header: w.Result().Header, Body: w.Body.String()}
}

// clone returns a copy of a request that shares nothing with it that a handler
// may change.
func clone(r *http.Request) *http.Request {
	c := r.Clone(r.Context())
	c.Body = http.NoBody
	return c
}

// Passes copies the request and its URL, the two structs that routers write to
// (bmizerany/pat adds to the query), into the same memory each time. Headers are
// shared: routers only read them.
func (s netHTTP) Passes(requests []*http.Request) func(n int) {
	w := &discard{header: make(http.Header)}
	copied, u := new(http.Request), new(url.URL)
	return func(n int) {
		for range n {
			for _, r := range requests {
				*copied, *u = *r, *r.URL
				copied.URL = u
				s.handler.ServeHTTP(w, copied)
				if len(w.header) > 0 {
					clear(w.header)
				}
			}
		}
	}
}

func (s netHTTP) Serve(l net.Listener) (stop func(), err error) {
	server := &http.Server{Handler: s.handler, ErrorLog: log.New(io.Discard, "", 0)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	return func() {
		server.Close()
		<-done
	}, nil
}

// A discard is a response writer that discards the answer.
type discard struct{ header http.Header }

func (w *discard) Header() http.Header               { return w.header }
func (w *discard) WriteHeader(int)                   {}
func (w *discard) Write(b []byte) (int, error)       { return len(b), nil }
func (w *discard) WriteString(s string) (int, error) { return len(s), nil }

var _ io.StringWriter = (*discard)(nil)
