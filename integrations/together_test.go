package integrations_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	rpc "connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"github.com/coder/websocket"
	"github.com/klauspost/compress/gzhttp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/connect"
	"github.com/muxwell/muxwell/integrations/cors"
	"github.com/muxwell/muxwell/integrations/gzip"
	"github.com/muxwell/muxwell/integrations/metrics"
	"github.com/muxwell/muxwell/integrations/openapi"
	"github.com/muxwell/muxwell/integrations/tracing"
	ws "github.com/muxwell/muxwell/integrations/websocket"
	"github.com/muxwell/muxwell/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

const app = "https://app.example.com"

// A stack is the server of README.md and what it has recorded.
type stack struct {
	*httptest.Server
	log      bytes.Buffer // to be read when the server is closed
	spans    *tracetest.InMemoryExporter
	registry *prometheus.Registry
	ended    chan struct{} // receives when a request has ended
}

func newStack(t *testing.T) *stack {
	t.Helper()
	s := &stack{spans: tracetest.NewInMemoryExporter(), registry: prometheus.NewRegistry(), ended: make(chan struct{}, 100)}
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(s.spans))
	logger := slog.New(slog.NewTextHandler(&s.log, nil))
	compress, err := gzip.New()
	if err != nil {
		t.Fatal(err)
	}
	m := muxwell.New()
	m.Use(
		s.ends,
		middleware.RequestID(nil),
		tracing.New(provider, propagation.TraceContext{}),
		middleware.Metrics(metrics.New(s.registry)),
		middleware.Log(logger, nil),
		middleware.Recover(logger),
		cors.New(app),
	)
	private := m.With(compress, middleware.BearerAuth("api", middleware.Tokens(map[string]string{"s3cret": "alice"})))
	private.Get("/reports/{id}", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Repeat("report "+r.PathValue("id")+"\n", 1000))
	})
	m.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	m.Get("/rooms/{room}", ws.Echo)
	connect.Register(m, grpchealth.NewStaticChecker())
	m.Mount("/v1", openapi.New(""))

	s.Server = httptest.NewUnstartedServer(m)
	s.Config.Protocols = connect.Protocols()
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *stack) ends(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { s.ended <- struct{}{} }()
		next.ServeHTTP(w, r)
	})
}

// send sends a request of a page of the app, and compares the status.
func (s *stack) send(t *testing.T, status int, method, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", app)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	resp, err := gzhttp.Transport(s.Client().Transport).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		t.Errorf("%s %s: status %d, %v; want %d", method, path, resp.StatusCode, err, status)
	}
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != app {
		t.Errorf("%s %s: Access-Control-Allow-Origin = %q, want %q", method, path, got, app)
	}
	<-s.ended
	return resp, string(body)
}

func TestTogether(t *testing.T) {
	s := newStack(t)
	const token = "Authorization: Bearer s3cret"
	s.send(t, http.StatusNoContent, "OPTIONS", "/reports/7",
		"Access-Control-Request-Method: GET", "Access-Control-Request-Headers: authorization")
	s.send(t, http.StatusUnauthorized, "GET", "/reports/7")
	resp, body := s.send(t, http.StatusOK, "GET", "/reports/7", token)
	if !resp.Uncompressed || !strings.HasPrefix(body, "report 7\n") || len(body) != 9000 {
		t.Errorf("the report: compressed = %t, %d bytes, want true and 9000", resp.Uncompressed, len(body))
	}
	s.send(t, http.StatusNotModified, "GET", "/reports/7", token, "If-None-Match: "+resp.Header.Get("ETag"))
	s.send(t, http.StatusInternalServerError, "GET", "/panic")
	s.send(t, http.StatusNotFound, "GET", "/v1/pets/1")
	s.echo(t)
	s.check(t)
	s.Close()

	var got []string
	for _, line := range regexp.MustCompile(`msg=request.* pattern=("[^"]*"|\S+) status=(\d+)`).FindAllStringSubmatch(s.log.String(), -1) {
		got = append(got, line[2]+" "+strings.Trim(line[1], `"`))
	}
	want := []string{
		"204 ", "401 GET /reports/{id}", "200 GET /reports/{id}", "304 GET /reports/{id}", "500 GET /panic",
		"404 GET /v1/pets/{id}", "101 GET /rooms/{room}", "200 /grpc.health.v1.Health/Check",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("logged:\n%s\nwant:\n%s", g, w)
	}
	var names []string
	for _, span := range s.spans.GetSpans() {
		names = append(names, span.Name)
	}
	if g, w := strings.Join(names, ", "), "OPTIONS, GET /reports/{id}, GET /reports/{id}, GET /reports/{id}, GET /panic, "+
		"GET /v1/pets/{id}, GET /rooms/{room}, POST /grpc.health.v1.Health/Check"; g != w {
		t.Errorf("spans:\n got %s\nwant %s", g, w)
	}
	families, err := s.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	series := 0
	for _, family := range families {
		if family.GetName() == "http_requests_total" {
			series = len(family.GetMetric())
		}
	}
	if series != len(want) { // no two requests had the same route and status
		t.Errorf("http_requests_total has %d series, want %d", series, len(want))
	}
}

// echo sends a message through a WebSocket.
func (s *stack) echo(t *testing.T) {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), s.URL+"/rooms/a", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if err := conn.Write(t.Context(), websocket.MessageText, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, message, err := conn.Read(t.Context()); err != nil || string(message) != "a: hello" {
		t.Errorf("the echo is %q, %v; want %q", message, err, "a: hello")
	}
	conn.Close(websocket.StatusNormalClosure, "")
	<-s.ended
}

// check queries the server's health over gRPC.
func (s *stack) check(t *testing.T) {
	t.Helper()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols}
	defer transport.CloseIdleConnections()
	client := rpc.NewClient[healthpb.HealthCheckRequest, healthpb.HealthCheckResponse](
		&http.Client{Transport: transport}, s.URL+"/grpc.health.v1.Health/Check", rpc.WithGRPC())
	resp, err := client.CallUnary(t.Context(), rpc.NewRequest(&healthpb.HealthCheckRequest{}))
	if err != nil || resp.Msg.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Errorf("health: %v, %v; want SERVING", resp, err)
	}
	<-s.ended
}
