package router

import (
	"fmt"
	"net/http"

	"github.com/valyala/fasthttp"
)

// With returns a copy of r whose routes are behind n middleware. Each of them calls
// what comes next and does nothing else.
func (r *Router) With(n int) *Router {
	with := *r
	with.middleware = n
	return &with
}

// PassThrough is a middleware of net/http that calls next and does nothing else. Each
// call returns a new function.
func PassThrough(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

// use calls mux.Use n times, if there is one. A panic is returned as an error.
func use(mux Mux, n int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s", firstLine(fmt.Sprint(v)))
		}
	}()
	if mux.Use != nil {
		for range n {
			mux.Use()
		}
	}
	return nil
}

// A wrapper is a stack whose handler can be wrapped by middleware.
type wrapper interface {
	// wrapped returns the stack with one middleware around its handler. The stack
	// itself is not used afterwards.
	wrapped() Stack
}

// wrapped returns a stack with n middleware around its handler.
func wrapped(s Stack, n int) (Stack, error) {
	for range n {
		w, ok := s.(wrapper)
		if !ok {
			return nil, fmt.Errorf("middleware cannot be wrapped around a router on %s, so its adapter needs Use", s.Name())
		}
		s = w.wrapped()
	}
	return s, nil
}

func (s netHTTP) wrapped() Stack { return netHTTP{PassThrough(s.handler)} }

func (s fastHTTP) wrapped() Stack {
	next := s.server.Handler
	s.server.Handler = func(c *fasthttp.RequestCtx) { next(c) }
	return s
}
