package tracing_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/tracing"
	"github.com/muxwell/muxwell/middleware"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// A stack is a handler and what it has recorded.
type stack struct {
	handler  http.Handler
	patterns []string // that Metrics has seen
	server   *tracetest.InMemoryExporter
}

func newProvider() (*sdktrace.TracerProvider, *tracetest.InMemoryExporter) {
	exporter := tracetest.NewInMemoryExporter()
	return sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter)), exporter
}

// newStack returns a mux with tracing in it, or around it, and Metrics outside of
// both.
func newStack(around bool) *stack {
	s := new(stack)
	provider, exporter := newProvider()
	s.server = exporter
	traced := tracing.New(provider, propagation.TraceContext{})
	m := muxwell.New()
	s.handler = m
	if around {
		s.handler = traced(m)
	} else {
		m.Use(traced)
	}
	s.handler = middleware.Metrics(func(m middleware.Measure) { s.patterns = append(s.patterns, m.Pattern) })(s.handler)
	m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		trace.SpanFromContext(r.Context()).AddEvent("user " + r.PathValue("id"))
	})
	m.Get("/docs/", func(http.ResponseWriter, *http.Request) {})
	m.HandleParams("GET,POST /orders/{id:int}", func(http.ResponseWriter, *http.Request, muxwell.Params) {})
	m.HandleFunc("{tenant}.example.com/reports/{path...}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	})
	return s
}

// send sends a request through a client that is traced by provider, and waits until
// the server is done with it.
func (s *stack) send(t *testing.T, provider trace.TracerProvider, method, host, path string) int {
	t.Helper()
	server := httptest.NewServer(s.handler)
	defer server.Close()
	client := http.Client{Transport: otelhttp.NewTransport(server.Client().Transport,
		otelhttp.WithTracerProvider(provider), otelhttp.WithPropagators(propagation.TraceContext{}))}
	r, err := http.NewRequest(method, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	return resp.StatusCode
}

// only returns the one span of an exporter.
func only(t *testing.T, exporter *tracetest.InMemoryExporter) tracetest.SpanStub {
	t.Helper()
	spans := exporter.GetSpans()
	if len(spans) != 1 {
		t.Fatalf("%d spans, want 1: %v", len(spans), spans)
	}
	return spans[0]
}

func attr(span tracetest.SpanStub, key attribute.Key) string {
	for _, kv := range span.Attributes {
		if kv.Key == key {
			return kv.Value.String()
		}
	}
	return ""
}

func TestSpanOfARoute(t *testing.T) {
	tests := []struct {
		method, host, path string
		status             int
		name, route        string
	}{
		{"GET", "", "/users/7", 200, "GET /users/{id}", "/users/{id}"},
		{"HEAD", "", "/users/8", 200, "HEAD /users/{id}", "/users/{id}"},
		{"POST", "", "/orders/1", 200, "POST /orders/{id:int}", "/orders/{id:int}"},
		{"GET", "acme.example.com", "/reports/a/b", 500, "GET /reports/{path...}", "/reports/{path...}"},
		{"GET", "", "/docs", 307, "GET /docs/", "/docs/"}, // the pattern that it leads to
		{"GET", "", "//users/7", 307, "GET /users/{id}", "/users/{id}"},
		{"GET", "", "/users", 404, "GET", ""},
		{"DELETE", "", "/users/7", 405, "DELETE", ""},
		{"BREW", "", "/coffee", 404, "HTTP", ""},
	}
	for _, tt := range tests {
		s := newStack(false)
		client, _ := newProvider()
		if got := s.send(t, client, tt.method, tt.host, tt.path); got != tt.status {
			t.Errorf("%s %s: status %d, want %d", tt.method, tt.path, got, tt.status)
		}
		span := only(t, s.server)
		if got := attr(span, "http.route"); span.Name != tt.name || got != tt.route {
			t.Errorf("%s %s: span %q with http.route %q, want %q with %q", tt.method, tt.path, span.Name, got, tt.name, tt.route)
		}
	}
}

func TestPropagation(t *testing.T) {
	s := newStack(false)
	provider, exporter := newProvider()
	s.send(t, provider, "GET", "", "/users/7")
	client, server := only(t, exporter), only(t, s.server)
	if client.SpanKind != trace.SpanKindClient || server.SpanKind != trace.SpanKindServer {
		t.Errorf("kinds %v and %v, want client and server", client.SpanKind, server.SpanKind)
	}
	if got, want := server.SpanContext.TraceID(), client.SpanContext.TraceID(); got != want {
		t.Errorf("the server's trace is %v, want the client's, %v", got, want)
	}
	if got, want := server.Parent.SpanID(), client.SpanContext.SpanID(); got != want || !server.Parent.IsRemote() {
		t.Errorf("the server's parent is %v, want the client's span, %v", got, want)
	}
	if len(server.Events) != 1 || server.Events[0].Name != "user 7" {
		t.Errorf("the handler's events are %v, want user 7", server.Events)
	}
}

// Around the mux the span has no http.route, and Metrics outside no pattern.
func TestInTheMuxAndAroundIt(t *testing.T) {
	for _, tt := range []struct {
		around         bool
		route, pattern string
	}{
		{false, "/users/{id}", "GET /users/{id}"},
		{true, "", ""},
	} {
		s := newStack(tt.around)
		client, _ := newProvider()
		s.send(t, client, "GET", "", "/users/7")
		span := only(t, s.server)
		if got := attr(span, "http.route"); span.Name != "GET /users/{id}" || got != tt.route {
			t.Errorf("around = %t: span %q with http.route %q, want %q with %q", tt.around, span.Name, got, "GET /users/{id}", tt.route)
		}
		if len(s.patterns) != 1 || s.patterns[0] != tt.pattern {
			t.Errorf("around = %t: Metrics saw %q, want %q", tt.around, s.patterns, tt.pattern)
		}
	}
}

// Log inside of tracing, and handlers, have the span in their request.
func TestLogOfTheTrace(t *testing.T) {
	provider, exporter := newProvider()
	var lines bytes.Buffer
	logger := slog.New(middleware.LogHandler(slog.NewTextHandler(&lines, nil), &middleware.LogHandlerOptions{TraceID: tracing.TraceIDFrom}))
	m := muxwell.New()
	m.Use(tracing.New(provider, propagation.TraceContext{}), middleware.Log(logger, nil))
	m.Get("/users/{id}", func(_ http.ResponseWriter, r *http.Request) { logger.InfoContext(r.Context(), "found") })
	s := &stack{handler: m}
	client, _ := newProvider()
	s.send(t, client, "GET", "", "/users/7")
	want := "trace_id=" + only(t, exporter).SpanContext.TraceID().String()
	logger.Info("outside")
	for _, attr := range []string{want, `pattern="GET /users/{id}"`} {
		if got := lines.String(); strings.Count(got, attr) != 2 {
			t.Errorf("the log is\n%s\nwant %q in two lines", got, attr)
		}
	}
}
