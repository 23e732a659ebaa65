package metrics_test

import (
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/metrics"
	"github.com/muxwell/muxwell/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// answer serves requests with a mux that counts, and stops.
func answer(t *testing.T, registry *prometheus.Registry, requests ...[2]string) {
	t.Helper()
	m := muxwell.New()
	m.Use(middleware.Metrics(metrics.New(registry)))
	m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) })
	m.Get("/docs/", func(http.ResponseWriter, *http.Request) {})
	m.HandleParams("GET,POST /orders/{id:int}", func(w http.ResponseWriter, _ *http.Request, _ muxwell.Params) {
		w.WriteHeader(http.StatusCreated)
	})
	m.Post("/panic", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	s := httptest.NewUnstartedServer(m)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	defer s.Close()
	for _, request := range requests {
		r, err := http.NewRequest(request[0], s.URL+request[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.Client().Do(r)
		if err != nil {
			continue // the panic broke the connection; a GET the client would send again
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// scrape reads a registry as a Prometheus server does.
func scrape(t *testing.T, registry *prometheus.Registry) map[string]*dto.MetricFamily {
	t.Helper()
	admin := muxwell.New()
	admin.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry}))
	s := httptest.NewServer(admin)
	defer s.Close()
	resp, err := s.Client().Get(s.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(resp.Body)
	if err != nil {
		t.Fatalf("GET /metrics: %s: %v", resp.Status, err)
	}
	return families
}

// series returns the series of a metric as text: its labels, in alphabetical order,
// and what value reads.
func series(family *dto.MetricFamily, value func(*dto.Metric) any) []string {
	var all []string
	for _, m := range family.GetMetric() {
		labels := map[string]string{}
		for _, l := range m.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		text := ""
		for _, name := range slices.Sorted(maps.Keys(labels)) {
			text += fmt.Sprintf("%s=%q ", name, labels[name])
		}
		all = append(all, fmt.Sprint(text, value(m)))
	}
	slices.Sort(all)
	return all
}

func TestByPattern(t *testing.T) {
	registry := prometheus.NewRegistry()
	answer(t, registry,
		[2]string{"GET", "/users/1"}, [2]string{"GET", "/users/2"}, [2]string{"HEAD", "/users/3"},
		[2]string{"POST", "/orders/1"}, [2]string{"POST", "/orders/x"}, [2]string{"DELETE", "/users/1"},
		[2]string{"BREW", "/coffee"}, [2]string{"GET", "/wp-login.php"}, [2]string{"POST", "/panic"},
		[2]string{"GET", "/docs"}, // and where the redirect leads to
	)
	families := scrape(t, registry)

	got := series(families["http_requests_total"], func(m *dto.Metric) any { return m.GetCounter().GetValue() })
	want := []string{
		`code="0" method="POST" pattern="POST /panic" 1`,
		`code="200" method="GET" pattern="GET /docs/" 1`,
		`code="200" method="GET" pattern="GET /users/{id}" 2`,
		`code="200" method="HEAD" pattern="GET /users/{id}" 1`,
		`code="201" method="POST" pattern="GET,POST /orders/{id:int}" 1`,
		`code="307" method="GET" pattern="GET /docs/" 1`,
		`code="404" method="GET" pattern="none" 1`,
		`code="404" method="OTHER" pattern="none" 1`,
		`code="404" method="POST" pattern="none" 1`,
		`code="405" method="DELETE" pattern="none" 1`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("http_requests_total:\n got %q\nwant %q", got, want)
	}

	got = series(families["http_request_duration_seconds"], func(m *dto.Metric) any { return m.GetHistogram().GetSampleCount() })
	want = []string{
		`method="DELETE" pattern="none" 1`,
		`method="GET" pattern="GET /docs/" 2`,
		`method="GET" pattern="GET /users/{id}" 2`,
		`method="GET" pattern="none" 1`,
		`method="HEAD" pattern="GET /users/{id}" 1`,
		`method="OTHER" pattern="none" 1`,
		`method="POST" pattern="GET,POST /orders/{id:int}" 1`,
		`method="POST" pattern="POST /panic" 1`,
		`method="POST" pattern="none" 1`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("http_request_duration_seconds:\n got %q\nwant %q", got, want)
	}
}

func TestTwiceInOneRegistry(t *testing.T) {
	registry := prometheus.NewRegistry()
	metrics.New(registry)
	defer func() {
		if recover() == nil {
			t.Error("the second New with the same registry did not panic")
		}
	}()
	metrics.New(registry)
}
