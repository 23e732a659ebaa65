package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/apart/gateway"
	"github.com/muxwell/muxwell/middleware"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
)

// A server is a mux with a gateway in front of a server of gRPC on loopback.
type server struct {
	*httptest.Server
	health *health.Server
	log    bytes.Buffer // to be read when the server is closed
	ids    chan string  // of the requests, as the service sees them
}

func newServer(t *testing.T) *server {
	s := &server{health: health.NewServer(), ids: make(chan string, 100)}
	s.health.SetServingStatus("shop", healthpb.HealthCheckResponse_SERVING)
	backend := grpc.NewServer(grpc.UnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		s.ids <- strings.Join(md.Get("x-request-id"), ",")
		return next(ctx, req)
	}))
	healthpb.RegisterHealthServer(backend, s.health)
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	go backend.Serve(l)
	t.Cleanup(backend.Stop)
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })

	gw := runtime.NewServeMux(runtime.WithMiddlewares(gateway.Annotate),
		runtime.WithMetadata(func(ctx context.Context, _ *http.Request) metadata.MD {
			return metadata.Pairs("x-request-id", middleware.RequestIDFrom(ctx))
		}))
	if err := gateway.Register(gw, healthpb.NewHealthClient(conn)); err != nil {
		t.Fatal(err)
	}
	m := muxwell.New()
	m.Use(middleware.RequestID(nil), middleware.Log(slog.New(slog.NewTextHandler(&s.log, nil)), nil),
		middleware.Recover(nil), middleware.Timeout(time.Minute))
	m.With(middleware.NoTimeout).Handle("/v1/", gw)
	m.Mount("/mounted/v1", gw)
	m.Get("/v1/own", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "own") })
	s.Server = httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s
}

func TestGateway(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"GET", "/v1/health/shop", http.StatusOK, `"status":"SERVING"`},
		{"GET", "/v1/health/bank", http.StatusNotFound, `"code":5`},
		{"GET", "/v1/nope", http.StatusNotFound, `"message":"Not Found"`},
		{"PUT", "/v1/health/shop", http.StatusNotImplemented, `"message":"Method Not Allowed"`},
		{"GET", "/v1/own", http.StatusOK, "own"}, // a route of the mux wins
		{"GET", "/mounted/v1/health/shop", http.StatusNotFound, `"message":"Not Found"`},
		{"GET", "/nope", http.StatusNotFound, "404 page not found"},
	} {
		r, err := http.NewRequest(tt.method, s.URL+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Request-Id", "r1")
		resp, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || !strings.Contains(strings.ReplaceAll(string(body), " ", ""), strings.ReplaceAll(tt.body, " ", "")) {
			t.Errorf("%s %s: status %d, %q, %v; want %d and %q", tt.method, tt.path, resp.StatusCode, body, err, tt.status, tt.body)
		}
	}
	if id := <-s.ids; id != "r1" {
		t.Errorf("the service sees the ID %q, want r1", id)
	}
	s.Close()
	if want := `pattern=/v1/ status=200`; !strings.Contains(s.log.String(), want) {
		t.Errorf("the log is %s\nwant %q in it", &s.log, want)
	}
	if want := `gateway="/v1/health/{service=*}"`; strings.Count(s.log.String(), want) != 2 {
		t.Errorf("the log is %s\nwant %q in two lines", &s.log, want)
	}
}

// A stream of gRPC arrives line by line, and ends with the client.
func TestStream(t *testing.T) {
	s := newServer(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/v1/health/shop:watch", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for _, want := range []string{`"SERVING"`, `"NOT_SERVING"`} {
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Fatalf("the line is %q, %v; want %s in it", lines.Text(), lines.Err(), want)
		}
		s.health.SetServingStatus("shop", healthpb.HealthCheckResponse_NOT_SERVING)
	}
	cancel()
	s.Close() // waits for the handler
}
