package websocket_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/muxwell/muxwell"
	ws "github.com/muxwell/muxwell/integrations/websocket"
	"github.com/muxwell/muxwell/middleware"
)

// bundled returns the middleware of package middleware, for a server with this URL, whose
// clients send the header Authorization of authorization.
func bundled(url string) map[string]muxwell.Middleware {
	logger := slog.New(slog.DiscardHandler)
	return map[string]muxwell.Middleware{
		"BasicAuth":      middleware.BasicAuth("rooms", middleware.Users(map[string]string{"alice": "s3cret"})),
		"BearerAuth":     middleware.BearerAuth("rooms", middleware.Tokens(map[string]string{"s3cret": "alice"})),
		"Canonical":      middleware.Canonical(url, nil),
		"ClientIP":       middleware.ClientIP(middleware.FromRemoteAddr()),
		"Deadline":       middleware.Deadline(time.Hour),
		"Deprecated":     middleware.Deprecated(time.Unix(1e9, 0), nil),
		"ETag":           middleware.ETag(nil),
		"Log":            middleware.Log(logger, nil),
		"MaxBytes":       middleware.MaxBytes(1),
		"MethodOverride": middleware.MethodOverride,
		"Metrics":        middleware.Metrics(func(middleware.Measure) {}),
		"NoCache":        middleware.NoCache,
		"NoMaxBytes":     middleware.NoMaxBytes,
		"NoRateLimit":    middleware.NoRateLimit,
		"NoThrottle":     middleware.NoThrottle,
		"NoTimeout":      middleware.NoTimeout,
		"RateLimit":      middleware.RateLimit(100, time.Minute, nil),
		"Recover":        middleware.Recover(logger),
		"RequestID":      middleware.RequestID(nil),
		"SecureHeaders":  middleware.SecureHeaders(nil),
		"Throttle":       middleware.Throttle(10, nil),
		"Timeout":        middleware.Timeout(time.Hour),
	}
}

func authorization(name string) string {
	if name == "BasicAuth" {
		return "Basic YWxpY2U6czNjcmV0" // alice:s3cret
	}
	return "Bearer s3cret"
}

// TestBundledMiddleware: through each middleware of package middleware, and through all of
// it, both sides of a WebSocket can talk, and each event of a stream arrives before the
// next is sent. NoTimeout leaves their contexts without a deadline.
func TestBundledMiddleware(t *testing.T) {
	names := middlewareFunctions(t)
	for name := range bundled("http://localhost") {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not in package middleware", name)
		}
	}
	for _, name := range names {
		if bundled("http://localhost")[name] == nil {
			t.Errorf("add %s to the table", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			testMiddleware(t, authorization(name), func(url string) []muxwell.Middleware {
				return []muxwell.Middleware{bundled(url)[name]}
			})
		})
	}
	t.Run("all", func(t *testing.T) {
		testMiddleware(t, authorization(""), func(url string) (all []muxwell.Middleware) {
			for _, name := range names {
				if m := bundled(url)[name]; m != nil && name != "BasicAuth" { // whose header is that of BearerAuth
					all = append(all, m)
				}
			}
			return all
		})
	})
}

// testMiddleware serves a stream and a WebSocket behind middleware, over TLS.
func testMiddleware(t *testing.T, authorization string, stack func(url string) []muxwell.Middleware) {
	m, received := muxwell.New(), make(chan struct{})
	s := httptest.NewUnstartedServer(m)
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	m.Use(stack(s.URL)...)
	events := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d %s\n\n", i, r.Proto)
			w.(http.Flusher).Flush()
			select {
			case <-received:
			case <-r.Context().Done():
			}
		}
	}
	unlimited := func(h http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if deadline, ok := r.Context().Deadline(); ok {
				t.Errorf("%s: the context has a deadline, %v", r.URL.Path, deadline)
			}
			h(w, r)
		}
	}
	m.Get("/events", events)
	m.Get("/rooms/{room}", ws.Echo)
	long := m.With(middleware.NoTimeout)
	long.Get("/long/events", unlimited(events))
	long.Get("/long/rooms/{room}", unlimited(ws.Echo))

	client2 := s.Client()
	transport1 := client2.Transport.(*http.Transport).Clone()
	transport1.ForceAttemptHTTP2 = false
	transport1.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	transport1.TLSClientConfig.NextProtos = nil
	defer transport1.CloseIdleConnections()
	client1 := &http.Client{Transport: transport1}

	header := http.Header{"Authorization": {authorization}}
	for _, path := range []string{"", "/long"} {
		readEvents(t, client1, "HTTP/1.1", s.URL+path+"/events", header, received)
		readEvents(t, client2, "HTTP/2.0", s.URL+path+"/events", header, received)
		talk(t, client1, s.URL+path+"/rooms/a", header)
	}
}

// readEvents reads the events of a stream, and lets the server send the next one when it
// has one.
func readEvents(t *testing.T, client *http.Client, proto, url string, header http.Header, received chan<- struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/event-stream" {
		t.Fatalf("%s: status %d and Content-Type %q, want 200 and text/event-stream", url, res.StatusCode, got)
	}
	body := bufio.NewReader(res.Body)
	for i := range 3 {
		event, err := body.ReadString('\n')
		if want := fmt.Sprintf("data: %d %s\n", i, proto); err != nil || event != want {
			t.Fatalf("%s: %q, %v; want %q", url, event, err, want)
		}
		body.Discard(len("\n"))
		received <- struct{}{}
	}
	if rest, err := io.ReadAll(body); err != nil || len(rest) > 0 {
		t.Errorf("%s ends with %q, %v", url, rest, err)
	}
}

// talk exchanges messages over a WebSocket.
func talk(t *testing.T, client *http.Client, url string, header http.Header) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client, HTTPHeader: header})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	for i := range 3 {
		message := fmt.Sprint("message ", i)
		if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
			t.Fatalf("%s: %v", url, err)
		}
		if _, got, err := conn.Read(ctx); err != nil || string(got) != "a: "+message {
			t.Fatalf("%s: %q, %v; want %q", url, got, err, "a: "+message)
		}
	}
	if err := conn.Close(websocket.StatusNormalClosure, ""); err != nil {
		t.Errorf("%s: closing: %v", url, err)
	}
}

// middlewareFunctions returns the names of the functions of package middleware that are or
// return middleware.
func middlewareFunctions(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../../middleware/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range f.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Recv != nil || f.Type.Results.NumFields() != 1 {
				continue
			}
			if isMiddleware(f.Type) || isMiddleware(f.Type.Results.List[0].Type) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// isMiddleware reports whether a type is func(http.Handler) http.Handler.
func isMiddleware(e ast.Expr) bool {
	f, ok := e.(*ast.FuncType)
	return ok && f.Params.NumFields() == 1 && f.Results.NumFields() == 1 && isHandler(f.Params.List[0].Type) && isHandler(f.Results.List[0].Type)
}

func isHandler(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Handler"
}
