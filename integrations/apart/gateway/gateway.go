// Package gateway serves a gRPC API as JSON, with
// github.com/grpc-ecosystem/grpc-gateway. As an example it uses the service health of
// google.golang.org/grpc. The handlers that protoc-gen-grpc-gateway generates are
// registered with a gateway in the same way as [Register] does it by hand.
//
//	gw := runtime.NewServeMux(runtime.WithMiddlewares(gateway.Annotate))
//	err := pb.RegisterPetsHandler(ctx, gw, conn) // generated
//	m.Handle("/v1/", gw)
//
// Notes:
//
//   - The gateway matches whole paths, so use Handle with the prefix of the proto file.
//     Mount removes the prefix, and then everything is a 404.
//   - Within the prefix, the gateway routes: Check, Explain, matchers and constraints do
//     not know its paths, and r.Pattern is the prefix. [Annotate] adds the path of the
//     proto file to the line of Log.
//   - It also answers 404 and wrong methods there, as JSON. Wrong methods are a 501
//     without Allow, unless [runtime.WithRoutingErrorHandler] changes it.
//   - A form with X-HTTP-Method-Override is routed by that header, after middleware has
//     seen a POST. To prevent this, use [runtime.WithDisableHTTPMethodOverride].
//   - Streams are lines of JSON, flushed one by one. Timeout ends them; see NoTimeout.
//   - Request headers reach the service only with the prefix Grpc-Metadata-, except for
//     some such as Authorization. For the ID of RequestID, use [runtime.WithMetadata].
//   - gRPC itself can have the same port: see the package connect, or route by
//     muxwell.ContentType("application/grpc") to a grpc.Server.
package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/muxwell/muxwell/middleware"
	"google.golang.org/grpc"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/protobuf/proto"
)

// Register adds GET /v1/health/{service} to a gateway, and /v1/health/{service}:watch,
// which streams, as the generator would.
func Register(gw *runtime.ServeMux, client healthpb.HealthClient) error {
	return errors.Join(
		handle(gw, "/v1/health/{service}", healthpb.Health_Check_FullMethodName, func(c *call) error {
			resp, err := client.Check(c.ctx, c.in, grpc.Header(&c.md.HeaderMD), grpc.Trailer(&c.md.TrailerMD))
			if err == nil {
				runtime.ForwardResponseMessage(c.answer(), gw, c.out, c.w, c.r, resp)
			}
			return err
		}),
		handle(gw, "/v1/health/{service}:watch", healthpb.Health_Watch_FullMethodName, func(c *call) error {
			stream, err := client.Watch(c.ctx, c.in)
			if err == nil {
				c.md.HeaderMD, err = stream.Header()
			}
			if err == nil {
				runtime.ForwardResponseStream(c.answer(), gw, c.out, c.w, c.r, func() (proto.Message, error) { return stream.Recv() })
			}
			return err
		}),
	)
}

// A call is a request and its answer on both sides of a gateway.
type call struct {
	ctx context.Context
	w   http.ResponseWriter
	r   *http.Request
	in  *healthpb.HealthCheckRequest
	out runtime.Marshaler
	md  runtime.ServerMetadata
}

func (c *call) answer() context.Context { return runtime.NewServerMetadataContext(c.ctx, c.md) }

func handle(gw *runtime.ServeMux, path, rpc string, do func(*call) error) error {
	return gw.HandlePath(http.MethodGet, path, func(w http.ResponseWriter, r *http.Request, params map[string]string) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		_, out := runtime.MarshalerForRequest(gw, r)
		ctx, err := runtime.AnnotateContext(ctx, gw, r, rpc, runtime.WithHTTPPathPattern(path))
		c := &call{ctx: ctx, w: w, r: r, in: &healthpb.HealthCheckRequest{Service: params["service"]}, out: out}
		if err == nil {
			err = do(c)
		}
		if err != nil {
			runtime.HTTPError(c.answer(), gw, out, w, r, err)
		}
	})
}

// Annotate is middleware of the gateway. It adds the path of the proto file, such as
// /v1/health/{service=*}, to the line of [middleware.Log].
func Annotate(next runtime.HandlerFunc) runtime.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request, params map[string]string) {
		if pattern, ok := runtime.HTTPPattern(r.Context()); ok {
			middleware.AddAttrs(r.Context(), slog.String("gateway", pattern.String()))
		}
		next(w, r, params)
	}
}
