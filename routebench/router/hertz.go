package router

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/cloudwego/hertz/pkg/common/config"
	"github.com/cloudwego/hertz/pkg/common/hlog"
)

// Hertz returns the [Mux.Ready] of hertz.
func Hertz(h *server.Hertz) func() (Stack, error) {
	return func() (Stack, error) {
		hlog.SetLevel(hlog.LevelFatal)
		return hertz{h, h.ServeHTTP}, nil
	}
}

// hertz is hertz with its own router.
type hertz struct {
	engine *server.Hertz
	serve  app.HandlerFunc // that of the engine, or of a floor
}

func (hertz) Name() string { return "hertz" }

// context returns a context as the server hands it to the engine, with a URL that
// is split; see [fastHTTP.context].
func (s hertz) context(r *http.Request) *app.RequestContext {
	c := s.engine.NewContext()
	c.Response.SetMaxKeepBodySize(s.engine.GetOptions().MaxKeepBodySize)
	c.Request.Header.SetMethod(r.Method)
	c.Request.Header.SetRequestURI(r.RequestURI)
	c.Request.Header.SetHost(r.Host)
	for name, values := range r.Header {
		for _, v := range values {
			c.Request.Header.Add(name, v)
		}
	}
	c.URI()
	return c
}

func (s hertz) Reply(r *http.Request) Reply {
	c := s.context(r)
	s.serve(context.Background(), c)
	reply := Reply{Status: c.Response.StatusCode(), Header: make(http.Header), Body: string(c.Response.Body())}
	c.Response.Header.VisitAll(func(name, value []byte) { reply.Header.Add(string(name), string(value)) })
	return reply
}

// Passes makes a context for each request, and resets between calls what
// [app.RequestContext.ResetWithoutConn] does, which is what the server calls, but
// for the request itself.
func (s hertz) Passes(requests []*http.Request) func(n int) {
	contexts := make([]*app.RequestContext, len(requests))
	for i, r := range requests {
		contexts[i] = s.context(r)
	}
	background := context.Background()
	return func(n int) {
		for range n {
			for _, c := range contexts {
				s.serve(background, c)
				c.Params, c.Errors, c.Keys = c.Params[:0], c.Errors[:0], nil
				c.SetHandlers(nil)
				c.SetIndex(-1)
				c.SetFullPath("")
				c.Response.Reset()
			}
		}
	}
}

// Serve makes an engine with the same options, middleware and routes, because an
// engine is told its listener when it is made.
func (s hertz) Serve(l net.Listener) (stop func(), err error) {
	same := config.Option{F: func(o *config.Options) { *o = *s.engine.GetOptions() }}
	h := server.New(same, server.WithListener(l), server.WithExitWaitTime(time.Second))
	h.Use(s.engine.Handlers...)
	for _, r := range s.engine.Routes() {
		h.Handle(r.Method, r.Path, r.HandlerFunc)
	}
	done := make(chan error, 1)
	go func() { done <- h.Run() }()
	for !h.IsRunning() {
		select {
		case err := <-done:
			return nil, errors.Join(errors.New("hertz does not start"), err)
		case <-time.After(time.Millisecond):
		}
	}
	return func() {
		defer l.Close() // hertz listens on a duplicate of its file
		for {
			h.Close() // which does nothing until its event loop has begun
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}, nil
}
