package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestExport: the spans go to the collector that the environment names, the last ones at
// the shutdown.
func TestExport(t *testing.T) {
	var paths []string
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
	}))
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	tracer, err := newTracer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := newTestShop(t, func(c *config) { c.tracer = tracer })
	newClient(s).want(t, 200, "", "GET /", "")
	if err := tracer.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	collector.Close()
	if len(paths) != 1 || paths[0] != "/v1/traces" {
		t.Errorf("the collector got %q", paths)
	}
}
