package router

import (
	"context"
	"fmt"
	"net/http"

	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/valyala/fasthttp"
)

// Floor returns the stack with a name, with an empty handler instead of a router. The time
// of its Passes is that of the measurement and of the stack around a handler. It is part of
// the time of every router on the stack.
func Floor(stack string) (Stack, error) {
	switch stack {
	case "net/http":
		return HandlerStack(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})), nil
	case "fasthttp":
		return FastHTTP(&fasthttp.Server{Handler: func(*fasthttp.RequestCtx) {}})()
	case "hertz":
		return hertz{server.New(), func(context.Context, *app.RequestContext) {}}, nil
	}
	return nil, fmt.Errorf("unknown stack %q", stack)
}
