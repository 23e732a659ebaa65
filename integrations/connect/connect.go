// Package connect serves Connect and gRPC services from a mux, with
// connectrpc.com/connect. Its services are published ones, health and reflection, by
// connectrpc.com/grpchealth and connectrpc.com/grpcreflect; one's own, as
// protoc-gen-connect-go generates them, are used in the same way.
//
// A constructor of a service returns a path, as "/grpc.health.v1.Health/", and a
// handler for all below it, which is what Handle takes:
//
//	m.Handle(pingv1connect.NewPingServiceHandler(ping))
//
// What to know of it:
//
//   - r.Pattern is that path, so Log and Metrics tell generated services apart and not
//     their procedures. A route for each, m.Handle(path+"Ping", handler), tells more.
//     Health is a ServeMux, which sets it to the procedure's path.
//   - A handler knows its procedure by the whole path. For a prefix in front of the
//     services they get a mux of their own, which is mounted as a plain handler, so that
//     the prefix is taken off: m.Mount("/rpc", http.HandlerFunc(rpc.ServeHTTP)). Mounted
//     as a *muxwell.Mux it answers 404, since its handlers are given the path as it is.
//     Clients of gRPC cannot have a prefix.
//   - gRPC needs HTTP/2: over TLS it is there, without it see [Protocols].
//   - Streams are covered by middleware as requests are. Timeout, by the context, and the
//     server's WriteTimeout end them, so they are for services without streams.
//   - Pages of other origins send headers that CORS must allow; connectrpc.com/cors
//     lists them.
//   - A limit of connect.WithReadMaxBytes is one of a message and MaxBytes one of all
//     messages of a stream. Connect compresses by itself, and needs no gzip around it.
package connect

import (
	"net/http"

	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
	"github.com/muxwell/muxwell"
)

// Register registers two services: health, as load balancers and Kubernetes ask for
// it, which checker answers, and reflection, by which tools as grpcurl learn of the
// services that are named and of health.
func Register(m *muxwell.Mux, checker grpchealth.Checker, services ...string) {
	m.Handle(grpchealth.NewHandler(checker))
	reflector := grpcreflect.NewStaticReflector(append(services, grpchealth.HealthV1ServiceName)...)
	m.Handle(grpcreflect.NewHandlerV1(reflector))
	m.Handle(grpcreflect.NewHandlerV1Alpha(reflector)) // older tools ask for this one
}

// Protocols returns those of a server without TLS that clients of gRPC reach:
//
//	server := &http.Server{Addr: "localhost:8080", Handler: m, Protocols: connect.Protocols()}
//
// Clients that have not been told begin with HTTP/1.1, as ever.
func Protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}
