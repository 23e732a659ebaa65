package router

import (
	"context"
	"fmt"
	"net/http"

	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/valyala/fasthttp"
)

// Floor returns a stack by its name that has in place of a router a handler which
// does nothing. What its Passes take is the measuring itself, and what the stack
// does around a handler: a part of the time of every router on it.
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
