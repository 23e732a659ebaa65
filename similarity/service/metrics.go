package service

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics for Prometheus. Their labels have few values whatever clients
// send: the patterns of routes, or "unmatched" for requests that no route matches; the
// common methods, or "other"; the status codes that the service sends.
type metrics struct {
	requests *prometheus.CounterVec   // method, pattern, code
	duration *prometheus.HistogramVec // pattern
	inFlight prometheus.Gauge
	received *prometheus.CounterVec // pattern
	page     http.Handler
}

// buckets are in seconds. A pair of short texts takes microseconds, one of the largest
// body tenths of a second, a client as long as the server lets it.
var buckets = []float64{.000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics() *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_requests_total", Help: "Requests that were answered; code 499 is a client that went away before.",
		}, []string{"method", "pattern", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "http_request_duration_seconds", Help: "Time from the end of a request's header to the end of its answer.", Buckets: buckets,
		}, []string{"pattern"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "http_requests_in_flight", Help: "Requests that are being answered.",
		}),
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "http_request_body_bytes_total", Help: "Bytes of bodies that were read to be compared.",
		}, []string{"pattern"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.duration, m.inFlight, m.received,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.page = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// serve answers GET /metrics.
func (m *metrics) serve(x *exchange, r *http.Request) { m.page.ServeHTTP(x, r) }

// A routeMetrics has the metrics of a route, looked up once. Only a request that is not
// of the route's own method, or not answered with 200, looks up its counter.
type routeMetrics struct {
	pattern  string
	method   string // the route's own, or ""
	ok       prometheus.Counter
	requests *prometheus.CounterVec
	duration prometheus.Observer
	received prometheus.Counter
	inFlight prometheus.Gauge
}

// route returns the metrics of the route with a pattern, METHOD PATH. An empty pattern is
// for requests that no route matches.
func (m *metrics) route(pattern string) *routeMetrics {
	rm := &routeMetrics{pattern: pattern, requests: m.requests, inFlight: m.inFlight}
	if pattern == "" {
		rm.pattern = "unmatched"
	} else {
		rm.method, _, _ = strings.Cut(pattern, " ")
		rm.ok = m.requests.WithLabelValues(rm.method, pattern, "200")
	}
	if rm.method == http.MethodPost {
		rm.received = m.received.WithLabelValues(pattern)
	}
	rm.duration = m.duration.WithLabelValues(rm.pattern)
	return rm
}

// observe counts a request that was answered.
func (m *routeMetrics) observe(method string, status int, took time.Duration, received int64) {
	if status == http.StatusOK && method == m.method {
		m.ok.Inc()
	} else {
		m.requests.WithLabelValues(methodLabel(method), m.pattern, strconv.Itoa(status)).Inc()
	}
	m.duration.Observe(took.Seconds())
	if received > 0 {
		m.received.Add(float64(received))
	}
}

// methodLabel returns a common method unchanged, and "other" for the rest.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}
