package connect_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	rpc "connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/connect"
	"github.com/muxwell/muxwell/middleware"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
)

const (
	shop   = "acme.shop.v1.ShopService"
	health = "/grpc.health.v1.Health/"
)

// A server has the services behind middleware, and once more below /rpc, and below
// /wrong, where they are mounted as a mux.
type server struct {
	url   string
	close func() // returns when all requests have ended

	mu       sync.Mutex
	patterns []string // of the requests that have ended
}

func newServer(t *testing.T) *server {
	s := new(server)
	checker := grpchealth.NewStaticChecker(shop)
	m := muxwell.New()
	m.Use(middleware.RequestID(nil), middleware.Metrics(s.measure), middleware.Recover(nil))
	connect.Register(m, checker, shop)
	services := muxwell.New()
	connect.Register(services, checker, shop)
	m.Mount("/rpc", http.HandlerFunc(services.ServeHTTP))
	m.Mount("/wrong", services)
	h := httptest.NewUnstartedServer(m)
	h.Config.Protocols = connect.Protocols()
	h.Start()
	t.Cleanup(h.Close)
	s.url, s.close = h.URL, h.Close
	return s
}

func (s *server) measure(m middleware.Measure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.patterns = append(s.patterns, m.Pattern)
}

// newClient returns a client that speaks one version of HTTP only.
func newClient(t *testing.T, set func(*http.Protocols)) *http.Client {
	p := new(http.Protocols)
	set(p)
	transport := &http.Transport{Protocols: p}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func http1(t *testing.T) *http.Client {
	return newClient(t, func(p *http.Protocols) { p.SetHTTP1(true) })
}

func http2(t *testing.T) *http.Client {
	return newClient(t, func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) })
}

func TestConnectClient(t *testing.T) {
	s := newServer(t)
	tests := []struct {
		name    string
		client  *http.Client
		prefix  string
		options []rpc.ClientOption
	}{
		{"Connect", http1(t), "", nil},
		{"Connect, compressed", http1(t), "", []rpc.ClientOption{rpc.WithSendGzip()}},
		{"Connect over HTTP/2", http2(t), "", nil},
		{"gRPC-Web", http1(t), "", []rpc.ClientOption{rpc.WithGRPCWeb()}},
		{"gRPC", http2(t), "", []rpc.ClientOption{rpc.WithGRPC()}},
		{"Connect below a prefix", http1(t), "/rpc", nil},
		{"gRPC-Web below a prefix", http1(t), "/rpc", []rpc.ClientOption{rpc.WithGRPCWeb()}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			client := rpc.NewClient[healthpb.HealthCheckRequest, healthpb.HealthCheckResponse](
				tt.client, s.url+tt.prefix+health+"Check", tt.options...)
			resp, err := client.CallUnary(t.Context(), rpc.NewRequest(&healthpb.HealthCheckRequest{Service: shop}))
			if err != nil {
				t.Fatal(err)
			}
			if got := resp.Msg.GetStatus(); got != healthpb.HealthCheckResponse_SERVING {
				t.Errorf("%s is %v, want SERVING", shop, got)
			}
			if resp.Header().Get("X-Request-Id") == "" {
				t.Error("no X-Request-Id in the response")
			}
			_, err = client.CallUnary(t.Context(), rpc.NewRequest(&healthpb.HealthCheckRequest{Service: "nothing"}))
			if got := rpc.CodeOf(err); got != rpc.CodeNotFound {
				t.Errorf("an unknown service: %v, want not_found", err)
			}
		})
	}
}

// grpc-go's own client is answered as by a server of grpc-go.
func TestGRPCClient(t *testing.T) {
	s := newServer(t)
	conn, err := grpc.NewClient(strings.TrimPrefix(s.url, "http://"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := healthpb.NewHealthClient(conn)

	resp, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{Service: shop})
	if err != nil || resp.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Errorf("Check: %v, %v; want SERVING", resp, err)
	}
	_, err = client.Check(t.Context(), &healthpb.HealthCheckRequest{Service: "nothing"})
	if got := status.Code(err); got != codes.NotFound {
		t.Errorf("Check of an unknown service: %v, want NotFound", err)
	}
	watch, err := client.Watch(t.Context(), &healthpb.HealthCheckRequest{})
	if err == nil {
		_, err = watch.Recv()
	}
	if got := status.Code(err); got != codes.Unimplemented {
		t.Errorf("Watch, which the service does not have: %v, want Unimplemented", err)
	}
	// The 404 of the mux is what a server of gRPC says.
	err = conn.Invoke(t.Context(), "/"+shop+"/Buy", &healthpb.HealthCheckRequest{}, &healthpb.HealthCheckResponse{})
	if got := status.Code(err); got != codes.Unimplemented {
		t.Errorf("a service that the mux has no route for: %v, want Unimplemented", err)
	}
}

// Reflection is a stream in both directions, through the writers of the middleware.
func TestStream(t *testing.T) {
	s := newServer(t)
	stream := grpcreflect.NewClient(http2(t), s.url, rpc.WithGRPC()).NewStream(t.Context())
	services, err := stream.ListServices()
	if want := []protoreflect.FullName{shop, grpchealth.HealthV1ServiceName}; err != nil || !slices.Equal(services, want) {
		t.Errorf("services %v, %v; want %v", services, err, want)
	}
	files, err := stream.FileContainingSymbol(grpchealth.HealthV1ServiceName)
	if err != nil || len(files) == 0 || files[0].GetPackage() != "grpc.health.v1" {
		t.Errorf("files of %s: %v, %v", grpchealth.HealthV1ServiceName, files, err)
	}
	if _, err := stream.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	s.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if want := []string{"/grpc.reflection.v1.ServerReflection/"}; !slices.Equal(s.patterns, want) {
		t.Errorf("patterns %q, want %q", s.patterns, want)
	}
}

// JSON by hand. Of a service that is a ServeMux the pattern is the procedure's, and
// with Mount it is the prefix.
func TestPatterns(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		prefix string
		status int
		want   string
	}{
		{"", http.StatusOK, "SERVING"},
		{"/rpc", http.StatusOK, "SERVING"},
		{"/wrong", http.StatusNotFound, ""},
	} {
		resp, err := http.Post(s.url+tt.prefix+health+"Check", "application/json", strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
			t.Errorf("POST %s: status %d, %q, %v; want %d and %q", tt.prefix+health+"Check", resp.StatusCode, body, err, tt.status, tt.want)
		}
	}
	s.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if want := []string{health + "Check", "/rpc/", ""}; !slices.Equal(s.patterns, want) {
		t.Errorf("patterns %q, want %q", s.patterns, want)
	}
}
