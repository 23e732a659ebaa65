package datadog_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	httptrace "github.com/DataDog/dd-trace-go/contrib/net/http/v2"
	"github.com/DataDog/dd-trace-go/v2/ddtrace/mocktracer"
	"github.com/DataDog/dd-trace-go/v2/ddtrace/tracer"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/apart/datadog"
	"github.com/muxwell/muxwell/middleware"
)

func newServer(t *testing.T) *httptest.Server {
	m := muxwell.New()
	logger := slog.New(slog.DiscardHandler)
	m.Use(middleware.RequestID(nil), datadog.New(), middleware.Log(logger, nil), middleware.Recover(logger))
	m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		span, ok := tracer.SpanFromContext(r.Context())
		if ok {
			span.SetTag("user", r.PathValue("id"))
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	})
	m.HandleFunc("GET,POST {tenant}.example.com/orders/{id:int}", func(http.ResponseWriter, *http.Request) {})
	m.Get("/panic/{id}", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s
}

func TestSpans(t *testing.T) {
	for _, tt := range []struct {
		method, host, path string
		status             string
		resource           string
		route              any
	}{
		{"GET", "", "/users/7", "200", "GET /users/{id}", "/users/{id}"},
		{"POST", "acme.example.com", "/orders/7", "200", "POST /orders/{id:int}", "/orders/{id:int}"},
		{"GET", "", "/panic/1", "500", "GET /panic/{id}", "/panic/{id}"},
		{"GET", "", "/nope", "404", "GET", nil},
		{"PUT", "", "/users/7", "405", "PUT", nil},
	} {
		spans := mocktracer.Start()
		s := newServer(t)
		r, err := http.NewRequest(tt.method, s.URL+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = tt.host
		resp, err := httptrace.WrapClient(s.Client()).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		s.Close() // waits for the handler
		var client, server *mocktracer.Span
		for _, span := range spans.FinishedSpans() {
			if span.Tag("span.kind") == "server" {
				server = span
			} else {
				client = span
			}
		}
		if client == nil || server == nil {
			t.Fatalf("%s %s: spans %v, want one of the client and one of the server", tt.method, tt.path, spans.FinishedSpans())
		}
		if server.Tag("resource.name") != tt.resource || server.Tag("http.route") != tt.route || server.Tag("http.status_code") != tt.status {
			t.Errorf("%s %s: %v; want %q, http.route %v and status %s", tt.method, tt.path, server.Tags(), tt.resource, tt.route, tt.status)
		}
		if server.TraceID() != client.TraceID() || server.ParentID() != client.SpanID() {
			t.Errorf("%s %s: the server's span is not a child of the client's", tt.method, tt.path)
		}
		if tt.path == "/users/7" && tt.method == "GET" && server.Tag("user") != "7" {
			t.Errorf("the tags are %v, want that of the handler", server.Tags())
		}
		spans.Stop()
	}
}
