package http3_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/integrations/apart/http3"
	"github.com/muxwell/muxwell/middleware"
	quic "github.com/quic-go/quic-go/http3"
)

// A server serves on loopback until stop is called.
type server struct {
	addr  string
	stop  context.CancelFunc
	err   chan error // of Serve
	tcp   *http.Client
	quic  *http.Client
	entry chan struct{} // receives when /slow has begun
	leave chan struct{} // ends it
}

func newServer(t *testing.T) *server {
	s := &server{addr: freeAddr(t), err: make(chan error, 1), entry: make(chan struct{}), leave: make(chan struct{})}
	pair := httptest.NewUnstartedServer(nil) // for its certificate
	pair.StartTLS()
	pool := x509.NewCertPool()
	pool.AddCert(pair.Certificate())
	certificates := pair.TLS.Certificates
	pair.Close()

	m := muxwell.New()
	m.Use(
		middleware.RequestID(nil), middleware.Log(slog.New(slog.DiscardHandler), nil),
		middleware.Recover(slog.New(slog.DiscardHandler)), middleware.Timeout(time.Minute),
	)
	m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto+" "+r.PathValue("id")+" "+r.Pattern)
	})
	m.Post("/upload", func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })
	m.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	m.Get("/slow", func(w http.ResponseWriter, _ *http.Request) {
		s.entry <- struct{}{}
		<-s.leave
		io.WriteString(w, "done")
	})
	m.With(middleware.NoTimeout).Get("/events", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := graceful.Stream(r.Context())
		defer cancel()
		io.WriteString(w, "first\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
		io.WriteString(w, context.Cause(ctx).Error()+"\n")
	})

	var ctx context.Context
	ctx, s.stop = context.WithCancel(t.Context())
	go func() {
		s.err <- http3.Serve(ctx, &http.Server{Addr: s.addr, Handler: m, TLSConfig: &tls.Config{Certificates: certificates}}, nil)
	}()
	config := &tls.Config{RootCAs: pool, ServerName: "example.com"}
	s.tcp = &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}
	h3 := &quic.Transport{TLSClientConfig: config}
	t.Cleanup(func() { h3.Close() })
	s.quic = &http.Client{Transport: h3, Timeout: 30 * time.Second}
	for deadline := time.Now().Add(10 * time.Second); ; {
		conn, err := net.Dial("tcp", s.addr)
		if err == nil {
			conn.Close()
			return s
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

// freeAddr returns an address whose port is free for TCP and UDP.
func freeAddr(t *testing.T) string {
	for range 100 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.ListenPacket("udp", l.Addr().String())
		l.Close()
		if err == nil {
			conn.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free for both")
	return ""
}

func (s *server) send(t *testing.T, client *http.Client, method, path, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, "https://"+s.addr+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(got)
}

func TestHTTP3(t *testing.T) {
	s := newServer(t)
	resp, body := s.send(t, s.tcp, "GET", "/users/7", "")
	_, port, _ := net.SplitHostPort(s.addr)
	if got, want := resp.Header.Get("Alt-Svc"), `h3=":`+port+`"`; !strings.Contains(got, want) || body != "HTTP/2.0 7 GET /users/{id}" {
		t.Errorf("over TCP: Alt-Svc = %q and %q, want %q and HTTP/2.0", got, body, want)
	}
	for _, tt := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"GET", "/users/a%2Fb", "", http.StatusOK, "HTTP/3.0 a/b GET /users/{id}"},
		{"HEAD", "/users/7", "", http.StatusOK, ""},
		{"POST", "/upload", strings.Repeat("x", 1<<20), http.StatusOK, strings.Repeat("x", 1<<20)},
		{"GET", "//users/7", "", http.StatusOK, "HTTP/3.0 7 GET /users/{id}"}, // redirected
		{"GET", "/nope", "", http.StatusNotFound, "404 page not found\n"},
		{"PUT", "/users/7", "", http.StatusMethodNotAllowed, "Method Not Allowed\n"},
		{"GET", "/panic", "", http.StatusInternalServerError, "Internal Server Error\n"},
	} {
		resp, body := s.send(t, s.quic, tt.method, tt.path, tt.body)
		if resp.StatusCode != tt.status || body != tt.want || resp.ProtoMajor != 3 || resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("Alt-Svc") != "" {
			t.Errorf("%s %s: %s %d, %.50q, %v; want HTTP/3, %d, %.50q", tt.method, tt.path, resp.Proto, resp.StatusCode, body, resp.Header, tt.status, tt.want)
		}
	}
	s.stop()
	if err := <-s.err; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// When the server shuts down, a stream over HTTP/3 ends, and a request finishes.
func TestShutdown(t *testing.T) {
	s := newServer(t)
	resp, err := s.quic.Get("https://" + s.addr + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	if !lines.Scan() || lines.Text() != "first" {
		t.Fatalf("the first line is %q, %v", lines.Text(), lines.Err())
	}
	slow := make(chan string, 1)
	go func() {
		resp, err := s.quic.Get("https://" + s.addr + "/slow")
		if err != nil {
			slow <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		slow <- string(body)
	}()
	<-s.entry
	s.stop()
	if !lines.Scan() || lines.Text() != http.ErrServerClosed.Error() {
		t.Errorf("the last line is %q, %v; want that the server is closed", lines.Text(), lines.Err())
	}
	select {
	case err := <-s.err:
		t.Errorf("Serve returned %v before the request has finished", err)
	default:
	}
	close(s.leave)
	if got := <-slow; got != "done" {
		t.Errorf("the request is answered with %q, want done", got)
	}
	if err := <-s.err; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	err = http3.Serve(t.Context(), &http.Server{Addr: "127.0.0.1:" + strconv.Itoa(port)}, nil)
	if opErr := (*net.OpError)(nil); !errors.As(err, &opErr) {
		t.Errorf("Serve: %v, want that the port is in use", err)
	}
}
