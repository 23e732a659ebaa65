// Package metrics counts requests by route for Prometheus, with
// github.com/prometheus/client_golang.
//
// [middleware.Metrics] measures, the hook of this package counts:
//
//	registry := prometheus.NewRegistry()
//	m.Use(middleware.Metrics(metrics.New(registry)), middleware.Log(logger, nil))
//
//	admin := muxwell.New() // on an address of its own, which the public does not reach
//	admin.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry}))
//
// Metrics should be the outermost middleware, or directly around Log and Recover. Then
// requests that other middleware rejects, such as a limit, are counted too.
//
// Prometheus keeps a series for each combination of labels. So the label is the
// pattern, of which there is one per route, and never the path, which clients choose.
// For the same reason no other text of a request, such as a user's name, is a label.
package metrics

import (
	"strconv"

	"github.com/muxwell/muxwell/middleware"
	"github.com/prometheus/client_golang/prometheus"
)

// NoRoute is the label pattern of requests that no route matched, 404 and 405:
// Prometheus treats an empty label as missing. A redirect of the mux has the pattern to
// which it leads.
const NoRoute = "none"

// New registers two metrics and returns a hook that updates them:
//
//	http_requests_total{method,pattern,code}            a counter
//	http_request_duration_seconds{method,pattern}       a histogram with the default buckets
//
// The code is 0 if a handler panicked before it answered. The histogram has no code,
// since it already has a series for each bucket. New panics if the registry already has
// these metrics, for example after another call with it.
func New(registry prometheus.Registerer) func(middleware.Measure) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "http_requests_total",
		Help: "Requests that were answered, by method, pattern of the route and status code.",
	}, []string{"method", "pattern", "code"})
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "http_request_duration_seconds",
		Help:    "Time until the handler returned, by method and pattern of the route.",
		Buckets: prometheus.DefBuckets,
	}, []string{"method", "pattern"})
	registry.MustRegister(requests, durations)
	return func(m middleware.Measure) {
		pattern := m.Pattern
		if pattern == "" {
			pattern = NoRoute
		}
		requests.WithLabelValues(m.Method, pattern, strconv.Itoa(m.Status)).Inc()
		durations.WithLabelValues(m.Method, pattern).Observe(m.Duration.Seconds())
	}
}
