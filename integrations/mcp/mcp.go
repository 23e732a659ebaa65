// Package mcp serves clients of the Model Context Protocol from a mux, with
// github.com/modelcontextprotocol/go-sdk.
//
//	m.Use(middleware.RequestID(nil), middleware.Log(logger, nil), middleware.Recover(logger), middleware.Timeout(10*time.Second))
//	server.AddReceivingMiddleware(mcp.Recover)
//	mcp.Register(m.With(auth), "/mcp", server)
//
// A server has one path, which may have a prefix and parameters. Clients call tools with
// POST, listen to a stream of events with GET, and end their session with DELETE.
//
// Notes:
//
//   - Answers to POST are streams too, so Register lifts every Timeout around the route.
//     To limit a tool, give its context a deadline.
//   - The context of a tool has the values of the request that began the session, such as
//     its user. The ID of its own request is in the headers, [mcp.RequestExtra]. With the
//     option Stateless, each request has its own values, but tools cannot ask the client
//     for anything.
//   - Without [Recover], a panic in a tool ends the program: tools run in goroutines of the
//     library, where that of package middleware cannot help.
//   - Log and Metrics see one route, and a stream when it ends. A stream has its duration.
//   - Pages of other origins are refused, as are requests to localhost with another Host.
//     Behind a proxy on the same machine, see [mcp.StreamableHTTPOptions].
//   - Sessions are in the memory of one process. Several need a load balancer that routes
//     by Mcp-Session-Id, or the option Stateless.
//   - Throttle counts a stream as long as it lasts. Do not compress streams.
package mcp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/middleware"
)

// Register registers a server at a path, such as "/mcp". Other methods than GET, POST and
// DELETE are answered with 405. A session ends after an hour without a request. When
// [graceful.Serve] shuts down, streams end.
func Register(g *muxwell.Group, path string, server *mcp.Server) {
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{SessionTimeout: time.Hour})
	g.With(middleware.NoTimeout, http.NewCrossOriginProtection().Handler).HandleFunc("GET,POST,DELETE "+path,
		func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := graceful.Stream(r.Context())
			defer cancel()
			h.ServeHTTP(w, r.WithContext(ctx))
		})
}

// Recover is middleware of the library. It logs a panic of a tool, with the context of the
// tool, and the client gets an error.
func Recover(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (result mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				slog.ErrorContext(ctx, "panic", "value", p, "method", method, "stack", string(debug.Stack()))
				result, err = nil, errors.New("internal error")
			}
		}()
		return next(ctx, method, r)
	}
}
