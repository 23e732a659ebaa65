package main

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// newTracer returns a tracer that exports spans by OTLP over HTTP, as the environment
// variables OTEL_… say. If none of them names an endpoint, it exports nothing, and the log
// has trace IDs all the same.
func newTracer(ctx context.Context) (*sdktrace.TracerProvider, error) {
	if cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")) == "" {
		return sdktrace.NewTracerProvider(), nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	return sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter)), nil
}

// tracing returns middleware that creates a span for each request, which the route's
// pattern names. The trace of a client is linked to and not continued: the client would
// decide what is sampled.
func tracing(provider trace.TracerProvider) muxwell.Middleware {
	return otelhttp.NewMiddleware("server",
		otelhttp.WithTracerProvider(provider),
		otelhttp.WithPropagators(propagation.TraceContext{}),
		otelhttp.WithPublicEndpointFn(func(*http.Request) bool { return true }),
	)
}

// traceID is for [middleware.LogHandler].
func traceID(ctx context.Context) string {
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		return span.TraceID().String()
	}
	return ""
}

// metrics registers metrics and returns the hook that counts. The labels have few values,
// whatever clients send.
func metrics(registry prometheus.Registerer) func(middleware.Measure) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "http_requests_total",
		Help: "Requests that were answered, by method, pattern of the route and status code.",
	}, []string{"method", "pattern", "code"})
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "http_request_duration_seconds",
		Help: "Time until the handler returned, by method and pattern of the route.",
	}, []string{"method", "pattern"})
	registry.MustRegister(requests, durations)
	return func(m middleware.Measure) {
		pattern := cmp.Or(m.Pattern, "none")
		requests.WithLabelValues(m.Method, pattern, strconv.Itoa(m.Status)).Inc()
		durations.WithLabelValues(m.Method, pattern).Observe(m.Duration.Seconds())
	}
}
