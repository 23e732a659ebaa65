package service

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// metricsOf returns the lines of GET /metrics by their names with labels.
func metricsOf(t *testing.T, s *Service) map[string]string {
	t.Helper()
	w := do(s, newRequest("GET", "/metrics", ""))
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatalf("GET /metrics: %d %v", w.Code, w.Header())
	}
	values := map[string]string{}
	for line := range strings.Lines(w.Body.String()) {
		if name, value, ok := cutLast(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(line, "#") {
			values[name] = value
		}
	}
	return values
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func TestMetrics(t *testing.T) {
	s := quietService()
	do(s, newRequest("POST", "/similarity", texts))
	do(s, newRequest("POST", "/similarity?words=unicode", texts))
	do(s, newRequest("POST", "/similarity", "{"))
	do(s, newRequest("HEAD", "/healthz", ""))
	do(s, newRequest("GET", "/similarity", ""))
	do(s, newRequest("GET", "/x", ""))
	got := metricsOf(t, s)
	for name, want := range map[string]string{
		`http_requests_total{code="200",method="POST",pattern="POST /similarity"}`:   "2",
		`http_requests_total{code="400",method="POST",pattern="POST /similarity"}`:   "1",
		`http_requests_total{code="200",method="HEAD",pattern="GET /healthz"}`:       "1",
		`http_requests_total{code="405",method="GET",pattern="unmatched"}`:           "1",
		`http_requests_total{code="404",method="GET",pattern="unmatched"}`:           "1",
		`http_request_duration_seconds_count{pattern="POST /similarity"}`:            "3",
		`http_request_duration_seconds_bucket{pattern="POST /similarity",le="+Inf"}`: "3",
		`http_request_body_bytes_total{pattern="POST /similarity"}`:                  fmt.Sprint(2*len(texts) + 1),
		`http_requests_in_flight`: "1", // that of the metrics
		`http_requests_total{code="200",method="POST",pattern="POST /similarity/words"}`: "0",
		`http_request_body_bytes_total{pattern="POST /similarity/words"}`:                "0",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %s", name, got[name], want)
		}
	}
	for _, name := range []string{"go_goroutines", "process_start_time_seconds"} {
		if got[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestMetricsLabels: what clients send makes no label of its own.
func TestMetricsLabels(t *testing.T) {
	s := quietService()
	before := len(metricsOf(t, s))
	for i := range 50 {
		do(s, newRequest(fmt.Sprintf("METHOD%d", i), fmt.Sprintf("/path%d", i), ""))
		do(s, newRequest(fmt.Sprintf("METHOD%d", i), "/similarity", ""))
		do(s, newRequest(http.MethodPost, fmt.Sprintf("/similarity?key%d", i), texts, "Content-Type", fmt.Sprintf("x/y%d", i)))
	}
	got := metricsOf(t, s)
	if more := len(got) - before; more > 4 { // 404, 405 and 400 of the above, and 200 of the metrics
		t.Errorf("150 requests made %d series", more)
	}
	for name := range got {
		if regexp.MustCompile(`METHOD|path\d|key\d|y\d`).MatchString(name) {
			t.Errorf("there is the series %s", name)
		}
	}
}
