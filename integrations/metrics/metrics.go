// Package metrics counts requests by route for Prometheus, with
// github.com/prometheus/client_golang.
//
// [middleware.Metrics] measures requests and calls the hook of this package, which counts
// them:
//
//	registry := prometheus.NewRegistry()
//	m.Use(middleware.Metrics(metrics.New(registry)), middleware.Log(logger, nil))
//
//	admin := muxwell.New() // on another address, which the public cannot reach
//	admin.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry}))
//
// Put Metrics outermost, or directly around Log and Recover. Then it also counts requests
// that other middleware refuses, such as a rate limit.
//
// Prometheus keeps a time series for each combination of labels. So the label is the
// pattern, of which there is one per route, and never the path, which clients choose. For
// the same reason, do not use other text of a request as a label, such as a user's name.
package metrics

import (
	"strconv"

	"github.com/muxwell/muxwell/middleware"
	"github.com/prometheus/client_golang/prometheus"
)

// NoRoute is the label pattern of requests that no route matched, 404 and 405. In
// Prometheus, an empty label is the same as a missing one. A redirect of the mux has the
// pattern that it leads to.
const NoRoute = "none"

// New registers two metrics and returns a hook that fills them:
//
//	http_requests_total{method,pattern,code}            a counter
//	http_request_duration_seconds{method,pattern}       a histogram with the default buckets
//
// The code is 0 if a handler panicked before it answered. The histogram has no code,
// because it has a time series for each bucket already. New panics if the registry has such
// metrics already, for example on a second call with the same registry.
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
