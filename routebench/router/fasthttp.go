package router

import (
	"io"
	"log"
	"net"
	"net/http"

	"github.com/valyala/fasthttp"
)

// FastHTTP returns the [Mux.Ready] of a router that is a handler for a fasthttp server.
func FastHTTP(s *fasthttp.Server) func() (Stack, error) {
	return func() (Stack, error) {
		s.Logger = log.New(io.Discard, "", 0)
		return fastHTTP{s}, nil
	}
}

// fastHTTP is fasthttp with a router as its handler.
type fastHTTP struct{ server *fasthttp.Server }

func (fastHTTP) Name() string { return "fasthttp" }

// context returns a context as the server hands it to its handler: its URL is
// split, which net/http does before it calls a handler too.
func (fastHTTP) context(r *http.Request) *fasthttp.RequestCtx {
	var q fasthttp.Request
	q.Header.SetMethod(r.Method)
	q.SetRequestURI(r.RequestURI)
	q.Header.SetHost(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			q.Header.Add(name, v)
		}
	}
	c := new(fasthttp.RequestCtx)
	c.Init(&q, nil, log.New(io.Discard, "", 0))
	c.Init2(c.Conn(), nil, false) // the buffer of the answer is kept, as the server does
	c.URI()
	return c
}

func (s fastHTTP) Reply(r *http.Request) Reply {
	c := s.context(r)
	s.server.Handler(c)
	reply := Reply{Status: c.Response.StatusCode(), Header: make(http.Header), Body: string(c.Response.Body())}
	for name, value := range c.Response.Header.All() {
		reply.Header.Add(string(name), string(value))
	}
	return reply
}

// Passes makes a context for each request. Between calls only what the server
// resets behind a handler is reset: the values that a router leaves in the context,
// and the answer. What a router changes in the request itself stays; those of the
// comparison change nothing in requests that have a route.
func (s fastHTTP) Passes(requests []*http.Request) func(n int) {
	contexts := make([]*fasthttp.RequestCtx, len(requests))
	for i, r := range requests {
		contexts[i] = s.context(r)
	}
	return func(n int) {
		for range n {
			for _, c := range contexts {
				s.server.Handler(c)
				c.ResetUserValues()
				c.Response.Reset()
			}
		}
	}
}

func (s fastHTTP) Serve(l net.Listener) (stop func(), err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.server.Serve(l)
	}()
	return func() {
		s.server.Shutdown()
		<-done
	}, nil
}
