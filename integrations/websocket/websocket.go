// Package websocket answers WebSocket clients in a route, with
// github.com/coder/websocket.
//
//	m.Use(middleware.RequestID(nil), middleware.Log(logger, nil))
//	m.Get("/rooms/{room}", websocket.Echo)
//	m.With(middleware.Timeout(10*time.Second)).Get("/rooms", list)
//
// A WebSocket begins as a GET request, so it is a route like others: with parameters,
// credentials, limits, and a line in the log, status 101, when it has ended. The
// writers of package middleware can be hijacked.
//
// What to know of it:
//
//   - Timeout must not cover it: at the deadline the context ends, and the connection
//     with it. The server's ReadTimeout and WriteTimeout do not count for it.
//   - Throttle counts it for as long as it lasts, and in Metrics and traces it is a
//     request of that duration. Give WebSockets places of their own.
//   - http.Server.Shutdown neither waits for it nor closes it. Whoever stops the server
//     ends the contexts, or closes the connections.
//   - A browser sends its cookies with a WebSocket of any page. So the library refuses
//     other origins than the request's host with 403, but for those of OriginPatterns;
//     CORS has no say in it.
//   - It is HTTP/1.1 only. Browsers ask a server that offers HTTP/2 for HTTP/1.1.
package websocket

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/coder/websocket"
)

// Echo sends each message back, with the path parameter room in front of it, until
// the client leaves. Messages of more than 32 KiB end the connection; see
// [websocket.Conn.SetReadLimit]. Where the request is none of a WebSocket client it
// is answered 426.
func Echo(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		slog.DebugContext(r.Context(), "no websocket", "error", err) // it was answered
		return
	}
	defer conn.CloseNow()
	err = echo(r.Context(), conn, r.PathValue("room"))
	if status := websocket.CloseStatus(err); status != websocket.StatusNormalClosure && status != websocket.StatusGoingAway {
		slog.DebugContext(r.Context(), "websocket broke", "error", err)
	}
}

// echo returns the error that ended the connection, never nil.
func echo(ctx context.Context, conn *websocket.Conn, room string) error {
	for {
		kind, message, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		if err := conn.Write(ctx, kind, append([]byte(room+": "), message...)); err != nil {
			return err
		}
	}
}
