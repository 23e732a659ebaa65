// Package http3 serves a mux over HTTP/3 next to HTTP/1.1 and HTTP/2, with
// github.com/quic-go/quic-go.
//
//	s := &http.Server{Addr: ":443", Handler: m, TLSConfig: config}
//	err := http3.Serve(ctx, s, nil)
//
// Browsers come over TCP first. The header Alt-Svc of the answers tells them that the same
// port is open for UDP.
//
// Notes:
//
//   - The timeouts of the http.Server do not apply to HTTP/3. Its MaxHeaderBytes does.
//     Bodies may be sent as slowly as clients like, so use Timeout.
//   - Connections cannot be hijacked, so there are no WebSockets. Browsers open them over
//     TCP.
//   - A firewall or a load balancer must pass UDP, and send the packets of a connection to
//     the same process. Without that, clients stay with HTTP/2.
//   - The certificate must be in the TLS configuration. [http.Server.ServeTLS] could read
//     files, quic-go does not.
package http3

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/muxwell/muxwell/graceful"
	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// Serve listens on s.Addr for TCP and UDP, and serves s.Handler until ctx ends. Then it
// shuts down as [graceful.Serve] does: streams end, and requests finish, those of HTTP/3
// too.
func Serve(ctx context.Context, s *http.Server, o *graceful.Options) error {
	l, err := net.Listen("tcp", s.Addr)
	if err != nil {
		return err
	}
	conn, err := net.ListenPacket("udp", l.Addr().String())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer conn.Close()
	h3 := &http3.Server{TLSConfig: http3.ConfigureTLSConfig(s.TLSConfig), MaxHeaderBytes: s.MaxHeaderBytes}
	defer h3.Close()
	next := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor < 3 {
			_ = h3.SetQUICHeaders(w.Header()) // an error means that it does not listen yet
		}
		next.ServeHTTP(w, r)
	})
	closed := make(chan struct{}) // when the clients have closed their connections
	s.RegisterOnShutdown(func() {
		defer close(closed)
		_ = h3.Shutdown(context.WithoutCancel(ctx))
	})
	err = graceful.Serve(ctx, s, func() error {
		h3.Handler = s.Handler // which graceful counts
		base := s.BaseContext(l)
		h3.ConnContext = func(ctx context.Context, _ *quic.Conn) context.Context { return joined{ctx, base} }
		failed := make(chan error, 2)
		go func() { failed <- s.ServeTLS(l, "", "") }()
		go func() { failed <- h3.Serve(conn) }()
		return <-failed
	}, o)
	if err == nil { // the ends of the last answers may still be on their way
		select {
		case <-closed:
		case <-time.After(2 * time.Second):
		}
	}
	return err
}

// joined is a context that also has the values of another one.
type joined struct {
	context.Context
	values context.Context
}

func (j joined) Value(key any) any {
	if v := j.Context.Value(key); v != nil {
		return v
	}
	return j.values.Value(key)
}
