package mcp_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/graceful"
	"github.com/muxwell/muxwell/integrations/mcp"
	"github.com/muxwell/muxwell/middleware"
)

type word struct {
	Text string `json:"text"`
}

// A server has a tool that spells a word: it reports each letter as progress, and waits
// until the client has it.
type server struct {
	mux  *muxwell.Mux
	sdk  *sdk.Server
	next chan struct{}

	mu       sync.Mutex
	patterns []string
	begun    string // the ID of the request that began the session, as the tool sees it
	own      string // the ID in the headers of its own request
}

func newServer(timeout time.Duration) *server {
	s := &server{mux: muxwell.New(), next: make(chan struct{})}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "speller", Version: "v1"}, nil)
	sdk.AddTool(s.sdk, &sdk.Tool{Name: "spell"}, s.spell)
	logger := slog.New(slog.DiscardHandler)
	s.mux.Use(
		middleware.RequestID(nil),
		middleware.Metrics(func(m middleware.Measure) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.patterns = append(s.patterns, m.Pattern)
		}),
		middleware.Log(logger, nil),
		middleware.Recover(logger),
		middleware.Timeout(timeout),
		middleware.SecureHeaders(nil),
	)
	mcp.Register(s.mux.Route("/teams/{team}", func(*muxwell.Group) {}), "/mcp", s.sdk)
	return s
}

func (s *server) spell(ctx context.Context, r *sdk.CallToolRequest, in word) (*sdk.CallToolResult, word, error) {
	s.mu.Lock()
	s.begun, s.own = middleware.RequestIDFrom(ctx), r.Extra.Header.Get("X-Request-Id")
	s.mu.Unlock()
	for i, letter := range in.Text {
		err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: r.Params.GetProgressToken(), Progress: float64(i), Message: string(letter),
		})
		if err != nil {
			return nil, word{}, err
		}
		select {
		case <-s.next:
		case <-ctx.Done():
			return nil, word{}, ctx.Err()
		}
	}
	return nil, word{strings.ToUpper(in.Text)}, nil
}

// numbered sends requests with the IDs 1, 2 and so on.
type numbered struct{ sent atomic.Int32 }

func (n *numbered) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Request-Id", strconv.Itoa(int(n.sent.Add(1))))
	return http.DefaultTransport.RoundTrip(r)
}

func connect(t *testing.T, url string, options *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "v1"}, options)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{
		Endpoint: url + "/teams/a/mcp", HTTPClient: &http.Client{Transport: new(numbered)}, MaxRetries: -1,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// Each letter arrives before the next is sent, also after the Timeout around the route.
func TestStream(t *testing.T) {
	s := newServer(100 * time.Millisecond)
	h := httptest.NewServer(s.mux)
	defer h.Close()
	var letters []string
	changed := make(chan struct{}, 1)
	session := connect(t, h.URL, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			letters = append(letters, r.Params.Message)
			if len(letters) == 1 {
				time.Sleep(200 * time.Millisecond)
			}
			s.next <- struct{}{}
		},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} },
	})
	params := &sdk.CallToolParams{Name: "spell", Arguments: word{"mux"}}
	params.SetProgressToken("p")
	result, err := session.CallTool(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := result.StructuredContent.(map[string]any); result.IsError || got["text"] != "MUX" || strings.Join(letters, "") != "mux" {
		t.Errorf("the result is %v after %q, want MUX after m, u, x", got, letters)
	}
	if s.begun == "" || s.own == "" || s.begun == s.own {
		t.Errorf("the ID of the request that began the session is %q, the tool's %q, want two", s.begun, s.own)
	}

	// The stream of GET tells the client about a new tool.
	sdk.AddTool(s.sdk, &sdk.Tool{Name: "other"}, s.spell)
	select {
	case <-changed:
	case <-time.After(10 * time.Second):
		t.Error("the client has not heard of the new tool after 10s")
	}
	if err := session.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	h.Close() // waits for the requests
	for _, pattern := range s.patterns {
		if pattern != "GET,POST,DELETE /teams/{team}/mcp" {
			t.Errorf("a request has the pattern %q", pattern)
		}
	}
	if len(s.patterns) < 4 { // POSTs, GET, DELETE
		t.Errorf("patterns %q, want at least 4", s.patterns)
	}
}

func TestRefused(t *testing.T) {
	s := newServer(time.Minute)
	h := httptest.NewServer(s.mux)
	defer h.Close()
	for _, tt := range []struct {
		name, method, path, header, value string
		status                            int
	}{
		{"another method", "PUT", "/teams/a/mcp", "", "", http.StatusMethodNotAllowed},
		{"no route", "POST", "/mcp", "", "", http.StatusNotFound},
		{"a page of another origin", "POST", "/teams/a/mcp", "Origin", "https://evil.example", http.StatusForbidden},
		{"another host on localhost", "POST", "/teams/a/mcp", "Host", "evil.example", http.StatusForbidden},
		{"no JSON", "POST", "/teams/a/mcp", "", "", http.StatusUnsupportedMediaType},
	} {
		r, err := http.NewRequest(tt.method, h.URL+tt.path, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "application/json, text/event-stream")
		if tt.header == "Host" {
			r.Host = tt.value
		} else if tt.header != "" {
			r.Header.Set(tt.header, tt.value)
		}
		resp, err := h.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("%s: status %d, want %d", tt.name, resp.StatusCode, tt.status)
		}
	}
}

// When the server shuts down, the stream of GET ends.
func TestShutdown(t *testing.T) {
	s := newServer(time.Minute)
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	listening := make(chan struct{})
	hs := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			close(listening)
		}
		s.mux.ServeHTTP(w, r)
	})}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- graceful.Serve(ctx, hs, func() error { return hs.Serve(l) }, nil) }()
	session := connect(t, "http://"+l.Addr().String(), nil)
	<-listening
	stop()
	if err := <-served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	_ = session.Close() // it cannot tell the server
	if !slices.Contains(s.patterns, "GET,POST,DELETE /teams/{team}/mcp") {
		t.Errorf("patterns %q", s.patterns)
	}
}

// A panic of a tool is an error for the client, which says nothing about it.
func TestRecover(t *testing.T) {
	s := newServer(time.Minute)
	s.sdk.AddReceivingMiddleware(mcp.Recover)
	sdk.AddTool(s.sdk, &sdk.Tool{Name: "panic"}, func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, any, error) {
		panic("of the test")
	})
	h := httptest.NewServer(s.mux)
	defer h.Close()
	session := connect(t, h.URL, nil)
	defer session.Close()
	_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "panic"})
	if err == nil || !strings.Contains(err.Error(), "internal error") || strings.Contains(err.Error(), "of the test") {
		t.Errorf("the error is %v, want an internal error", err)
	}
	if err := session.Ping(t.Context(), nil); err != nil {
		t.Errorf("the session after the panic: %v", err)
	}
}
