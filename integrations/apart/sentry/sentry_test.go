package sentry_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	sdk "github.com/getsentry/sentry-go"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/apart/sentry"
	"github.com/muxwell/muxwell/middleware"
)

// newServer returns a server that reports to a transport.
func newServer(t *testing.T) (string, *sdk.MockTransport) {
	transport := new(sdk.MockTransport)
	client, err := sdk.NewClient(sdk.ClientOptions{
		Dsn: "https://key@sentry.example/1", Transport: transport, EnableTracing: true,
		TracesSampler: func(ctx sdk.SamplingContext) float64 {
			if ctx.Span.Name == "GET /health" {
				return 0
			}
			return 1
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	before := sdk.CurrentHub().Client()
	sdk.CurrentHub().BindClient(client)
	t.Cleanup(func() { sdk.CurrentHub().BindClient(before) })
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, r *http.Request, err error) {
		if hub := sdk.GetHubFromContext(r.Context()); hub != nil && muxwell.AsHTTPError(err).StatusCode() >= 500 {
			hub.CaptureException(err)
		}
		http.Error(w, "error", muxwell.AsHTTPError(err).StatusCode())
	}))
	logger := slog.New(slog.DiscardHandler)
	m.Use(middleware.RequestID(nil), middleware.Log(logger, nil), middleware.Recover(logger), middleware.Timeout(time.Minute), sentry.New())
	m.Get("/users/{id}", func(http.ResponseWriter, *http.Request) {})
	m.HandleFunc("/any", func(http.ResponseWriter, *http.Request) {})
	m.Get("/health", func(http.ResponseWriter, *http.Request) {})
	m.Get("/panic/{id}", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	m.HandleError("GET /error/{id}", func(http.ResponseWriter, *http.Request) error { return errors.New("broken") })
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL, transport
}

func TestTransactions(t *testing.T) {
	for _, tt := range []struct {
		method, path string
		status       int
		name         string
		source       sdk.TransactionSource
		reported     string // the error
	}{
		{"GET", "/users/7", 200, "GET /users/{id}", sdk.SourceRoute, ""},
		{"POST", "/any", 200, "POST /any", sdk.SourceRoute, ""},
		{"GET", "/panic/1", 500, "GET /panic/{id}", sdk.SourceRoute, "of the test"},
		{"GET", "/error/1", 500, "GET /error/{id}", sdk.SourceRoute, "broken"},
		{"GET", "/nope", 404, "", "", ""}, // dropped
		{"PUT", "/users/7", 405, "PUT without a route", sdk.SourceCustom, ""},
		{"GET", "/health", 200, "", "", ""}, // not sampled
	} {
		url, transport := newServer(t)
		r, err := http.NewRequest(tt.method, url+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Request-Id", "r1")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("%s %s: status %d, want %d", tt.method, tt.path, resp.StatusCode, tt.status)
		}
		sdk.CurrentHub().Flush(time.Second)
		var name, reported string
		var source sdk.TransactionSource
		for _, e := range transport.Events() {
			if e.Type == "transaction" {
				name, source = e.Transaction, e.TransactionInfo.Source
				continue
			}
			reported = e.Message
			if len(e.Exception) > 0 {
				reported = e.Exception[len(e.Exception)-1].Value
			}
			if e.Tags["route"] != tt.name || e.Tags["request_id"] != "r1" {
				t.Errorf("%s %s: tags %v, want the route and the ID", tt.method, tt.path, e.Tags)
			}
		}
		if name != tt.name || source != tt.source || reported != tt.reported {
			t.Errorf("%s %s: transaction %q of %q, and error %q; want %q of %q, and %q",
				tt.method, tt.path, name, source, reported, tt.name, tt.source, tt.reported)
		}
	}
}
