// Package tracing makes a span of each request, with
// go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp.
//
// The middleware is one that the mux uses:
//
//	m.Use(tracing.New(provider, propagation.TraceContext{}), middleware.Log(logger, nil))
//
// There the route is known when the span begins. Around the mux the library learns
// the pattern when the handler has returned: the span still gets its name, but no
// attribute http.route, and a sampler sees neither. Requests that no
// route takes, 404 and 405, have spans too, which are named by their method; a redirect
// of the mux has the pattern that it leads to.
//
// The library copies the request, since the span is in its context. So Log and
// Metrics that stand around the mux stay outside of a tracing that is in it, where
// they see the pattern. Log inside of it can log the trace's id by LogOptions.Attrs.
//
// The provider is the program's: with an exporter, and shut down at the end, or the
// last spans are lost.
package tracing

import (
	"github.com/muxwell/muxwell"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// New returns middleware that makes a server span of each request: its name is the
// method and the path of the route's pattern, "GET /users/{id}", of which there are
// few, and http.route is "/users/{id}". It is a child of the span that the
// propagator finds in the request's headers.
//
// Not safe in front of the public: whoever sends a trace decides whether it is
// sampled. There [otelhttp.WithPublicEndpointFn] makes a new trace of each request
// and links the other one.
func New(provider trace.TracerProvider, propagator propagation.TextMapPropagator) muxwell.Middleware {
	return otelhttp.NewMiddleware("server",
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithPropagators(propagator),
	)
}
