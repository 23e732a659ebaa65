// Package websocket answers WebSocket clients in a route, with
// github.com/coder/websocket.
//
//	m.Use(middleware.RequestID(nil), middleware.Log(logger, nil))
//	m.Get("/rooms/{room}", websocket.Echo)
//	m.With(middleware.Timeout(10*time.Second)).Get("/rooms", list)
//
// A WebSocket begins as a GET request, so its route is like others: with parameters,
// credentials, limits, and a log line, with status 101, when it has ended. The writers
// of package middleware can be hijacked.
//
// Notes:
//
//   - Timeout must not cover it: at the deadline the context ends, and the connection with it. The
//     server's ReadTimeout and WriteTimeout do not apply to it.
//   - Throttle counts it as long as it lasts, and in Metrics and traces it is a request of that
//     duration. Use separate limits for WebSockets.
//   - http.Server.Shutdown neither waits for it nor closes it. The program that stops the server
//     has to end the contexts, or close the connections.
//   - A browser sends its cookies with a WebSocket of any page. So the library rejects origins
//     other than the request's host with 403, except those of OriginPatterns. CORS does not apply.
//   - It is HTTP/1.1 only. Browsers use HTTP/1.1 for it even if the server offers HTTP/2.
package websocket

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/coder/websocket"
)

// Echo sends each message back, after the path parameter room, until the client leaves.
// Messages of more than 32 KiB end the connection; see [websocket.Conn.SetReadLimit].
// If the request is not from a WebSocket client, it is answered with 426.
func Echo(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		slog.DebugContext(r.Context(), "no websocket", "error", err) // already answered
		return
	}
	defer conn.CloseNow()
	err = echo(r.Context(), conn, r.PathValue("room"))
	if status := websocket.CloseStatus(err); status != websocket.StatusNormalClosure && status != websocket.StatusGoingAway {
		slog.DebugContext(r.Context(), "websocket broke", "error", err)
	}
}

// echo returns the error that ended the connection, which is never nil.
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
