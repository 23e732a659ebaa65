// Package tracing makes a span for each request, with
// go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp.
//
// Use it as middleware of the mux:
//
//	m.Use(tracing.New(provider, propagation.TraceContext{}), middleware.Log(logger, nil))
//
// Then the route is known when the span begins. Around the mux, the library learns the
// pattern only when the handler has returned: the span still gets its name, but no
// attribute http.route, and a sampler sees neither. Requests that no route matches, 404
// and 405, have spans too, which are named after their method. A redirect of the mux
// has the pattern to which it leads.
//
// The library copies the request, since the span is in its context. So if Log and
// Metrics are around the mux, put tracing inside of the mux, so that they see the
// pattern. Log inside of tracing can log the trace ID with LogOptions.Attrs.
//
// The program owns the provider, with its exporter, and must shut it down at the end,
// or the last spans are lost.
package tracing

import (
	"github.com/muxwell/muxwell"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// New returns middleware that makes a server span for each request. Its name is the
// method and the path of the route's pattern, "GET /users/{id}", of which there are
// few, and http.route is "/users/{id}". It is a child of the span that the propagator
// finds in the request's headers.
//
// Not safe for the public: whoever sends a trace decides whether it is sampled. In that
// case use [otelhttp.WithPublicEndpointFn], which makes a new trace for each request
// and links the other one.
func New(provider trace.TracerProvider, propagator propagation.TextMapPropagator) muxwell.Middleware {
	return otelhttp.NewMiddleware("server",
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithPropagators(propagator),
	)
}
