// Package tracing creates a span for each request, with
// go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp.
//
// Use the middleware in the mux:
//
//	m.Use(tracing.New(provider, propagation.TraceContext{}), middleware.Log(logger, nil))
//
// There, the route is known when the span begins. Around the mux, the library reads the
// pattern after the handler returns: the span still gets its name, but no attribute
// http.route, and a sampler sees neither. Requests that match no route, 404 and 405, have
// spans too, named after their method. A redirect of the mux has the pattern that it leads
// to.
//
// The library copies the request, because the span is in its context. Log and Metrics
// outside of the mux still see the pattern, since the tracing is inside it. Everything that
// is logged with the context of a request, and the line of a Log inside of the tracing, has
// the trace ID if the logger's handler is a middleware.LogHandler whose TraceID is
// [TraceIDFrom].
//
// The program creates the provider with an exporter, and must shut it down at the end.
// Otherwise the last spans are lost.
package tracing

import (
	"context"

	"github.com/muxwell/muxwell"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// New returns middleware that creates a server span for each request. Its name is the
// method and the path of the route's pattern, "GET /users/{id}", and its http.route is
// "/users/{id}". It is a child of the span that the propagator finds in the request's
// headers.
//
// Do not use it for public servers, because a client that sends a trace decides whether it
// is sampled. There, use [otelhttp.WithPublicEndpointFn], which starts a new trace for each
// request and links it to the client's.
func New(provider trace.TracerProvider, propagator propagation.TextMapPropagator) muxwell.Middleware {
	return otelhttp.NewMiddleware("server",
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithPropagators(propagator),
	)
}

// TraceIDFrom returns the trace ID of the span in ctx, or "".
func TraceIDFrom(ctx context.Context) string {
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		return span.TraceID().String()
	}
	return ""
}
