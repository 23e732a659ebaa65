// Package websocket serves WebSocket clients on a route, with
// github.com/coder/websocket.
//
//	m.Use(middleware.RequestID(nil), middleware.Log(logger, nil), middleware.Timeout(10*time.Second))
//	m.With(middleware.NoTimeout).Get("/rooms/{room}", websocket.Echo)
//
// A WebSocket begins as a GET request, so its route is like any other: it may have
// parameters, authentication and limits, and when it ends, the log has a line with the
// status 101. The response writers of package middleware can be hijacked.
//
// Notes:
//
//   - Without NoTimeout, the context would be canceled at the deadline, and the connection
//     with it. The server's ReadTimeout and WriteTimeout do not apply.
//   - Throttle counts a WebSocket as long as it lasts, and in metrics and traces it is a
//     request of that duration. Give WebSockets a Throttle of their own.
//   - http.Server.Shutdown neither waits for WebSockets nor closes them. With package
//     graceful, Echo closes its connection when the server shuts down, and is waited for.
//   - A browser sends its cookies with a WebSocket from any page. Therefore the library
//     answers 403 to origins other than the request's host, except those of OriginPatterns.
//     CORS does not apply.
//   - WebSockets need HTTP/1.1. Browsers use it for them even if the server offers HTTP/2.
package websocket

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/coder/websocket"
	"github.com/muxwell/muxwell/graceful"
)

// Echo sends each message back, prefixed with the path parameter room, until the client
// closes the connection. A message of more than 32 KiB ends the connection; see
// [websocket.Conn.SetReadLimit]. A request that is not a WebSocket handshake is answered
// with 426. When [graceful.Serve] shuts down, the client gets the status
// [websocket.StatusGoingAway].
func Echo(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		slog.DebugContext(r.Context(), "no websocket", "error", err) // it was answered
		return
	}
	defer conn.CloseNow()
	ctx, cancel := graceful.Stream(r.Context())
	defer cancel()
	defer context.AfterFunc(ctx, func() { conn.Close(websocket.StatusGoingAway, "shutting down") })()
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
