// Package connect serves Connect and gRPC services from a mux, with
// connectrpc.com/connect. As examples it uses the published services health and
// reflection, of connectrpc.com/grpchealth and connectrpc.com/grpcreflect. Services that
// protoc-gen-connect-go generates are used in the same way.
//
// The constructor of a service returns the arguments of Handle, a path such as
// "/grpc.health.v1.Health/" and a handler for everything below it:
//
//	m.Handle(pingv1connect.NewPingServiceHandler(ping))
//
// Notes:
//
//   - r.Pattern is that path, so Log and Metrics distinguish generated services, but not
//     their procedures. Register a route for each procedure to distinguish these:
//     m.Handle(path+"Ping", handler). Health is a ServeMux, which sets r.Pattern to the
//     procedure's path.
//   - A handler identifies its procedure by the whole path. To put a prefix before the
//     services, give them a mux of their own and mount it as a plain handler, which removes
//     the prefix: m.Mount("/rpc", http.HandlerFunc(rpc.ServeHTTP)). Mounted as a
//     *muxwell.Mux it answers 404, because its handlers get the unchanged path. Clients of
//     gRPC cannot use a prefix.
//   - gRPC needs HTTP/2. It is enabled with TLS; for servers without TLS see [Protocols].
//   - Middleware covers streams as it covers requests. Timeout, through the context, and
//     the server's WriteTimeout end streams, so use them only for services without streams.
//   - Pages of other origins send headers that CORS must allow. connectrpc.com/cors lists
//     them.
//   - connect.WithReadMaxBytes limits one message, MaxBytes all messages of a stream.
//     Connect compresses answers itself and needs no gzip middleware.
package connect

import (
	"net/http"

	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
	"github.com/muxwell/muxwell"
)

// Register registers two services. Load balancers and Kubernetes use health, which checker
// answers. Tools such as grpcurl use reflection to list the named services and health.
func Register(m *muxwell.Mux, checker grpchealth.Checker, services ...string) {
	m.Handle(grpchealth.NewHandler(checker))
	reflector := grpcreflect.NewStaticReflector(append(services, grpchealth.HealthV1ServiceName)...)
	m.Handle(grpcreflect.NewHandlerV1(reflector))
	m.Handle(grpcreflect.NewHandlerV1Alpha(reflector)) // for older tools
}

// Protocols returns the protocols for a server without TLS that gRPC clients can use:
//
//	server := &http.Server{Addr: "localhost:8080", Handler: m, Protocols: connect.Protocols()}
//
// Other clients begin with HTTP/1.1, as usual.
func Protocols() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}
