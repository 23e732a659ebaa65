package middleware

import (
	"log/slog"
	"net/http"
	"testing"
	"time"
)

// nothingWriter is a response writer that does not allocate. It has what that of a
// server over HTTP/2 has.
type nothingWriter struct{ header http.Header }

func (w *nothingWriter) Header() http.Header                        { return w.header }
func (w *nothingWriter) Write(p []byte) (int, error)                { return len(p), nil }
func (w *nothingWriter) WriteString(s string) (int, error)          { return len(s), nil }
func (w *nothingWriter) WriteHeader(int)                            {}
func (w *nothingWriter) Flush()                                     {}
func (w *nothingWriter) Push(string, *http.PushOptions) (err error) { return nil }

// costs are the middleware of the package, as it is used, and what a request that is
// let in allocates by it.
var costs = []struct {
	name   string
	mw     func(http.Handler) http.Handler
	allocs float64
}{
	{"none", func(next http.Handler) http.Handler { return next }, 0},
	{"RequestID", RequestID(nil), 3},                                                 // id, context, request
	{"RequestIDTaken", RequestID(&RequestIDOptions{Header: "X-Taken"}), 2},           // context, request
	{"ClientIP", ClientIP(FromRemoteAddr()), 2},                                      // context, request
	{"ClientIPForwarded", ClientIP(FromXForwardedFor(prefixes("10.0.0.0/8")...)), 2}, // context, request
	{"Log", Log(discard, nil), 3},                                                    // context, request, writer
	{"LogText", Log(slog.New(slog.NewTextHandler(nothing{}, nil)), nil), 4},          // and slog's own, for more than five attributes
	{"Metrics", Metrics(func(Measure) {}), 1},                                        // writer
	{"Recover", Recover(nil), 1},                                                     // writer
	{"LogMetricsRecover", func(next http.Handler) http.Handler {
		return Log(discard, nil)(Metrics(func(Measure) {})(Recover(nil)(next)))
	}, 3}, // context, request, writer
	{"RequestIDLogRecover", func(next http.Handler) http.Handler {
		return RequestID(nil)(Log(slog.New(slog.NewJSONHandler(nothing{}, nil)), nil)(Recover(nil)(next)))
	}, 5}, // id, context, request, writer, slog's own
	{"RequestIDLogAddAttrs", func(next http.Handler) http.Handler {
		return RequestID(nil)(Log(slog.New(slog.NewJSONHandler(nothing{}, nil)), nil)(adding("a", "1")(next)))
	}, 6}, // and the attributes
	{"RequestIDLogHandler", func(next http.Handler) http.Handler {
		return RequestID(nil)(Log(slog.New(LogHandler(slog.NewJSONHandler(nothing{}, nil), nil)), nil)(next))
	}, 5},
	{"RequestIDClientIPLogAuth", func(next http.Handler) http.Handler {
		proxies := ClientIP(FromXForwardedFor(prefixes("10.0.0.0/8")...))
		auth := BearerAuth("x", Tokens(map[string]string{"t": "alice"}))
		return RequestID(nil)(proxies(Log(slog.New(slog.NewJSONHandler(nothing{}, nil)), nil)(auth(next))))
	}, 10}, // and twice context, request; the text of the address
	{"SecureHeaders", SecureHeaders(nil), 1}, // lines
	{"RateLimit", RateLimit(1_000_000, time.Second, &RateLimitOptions{Burst: 1 << 30}), 0},
	{"RateLimitKey", RateLimit(1_000_000, time.Second, &RateLimitOptions{Burst: 1 << 30, Key: byKey}), 0},
	{"RateLimitHeaders", RateLimit(1_000_000, time.Second, &RateLimitOptions{Burst: 1 << 30, Headers: true}), 3}, // two lines, a value
	{"Timeout", Timeout(time.Hour), 11},
	{"Throttle", Throttle(1000, nil), 0},
	{"ThrottleKey", Throttle(1000, &ThrottleOptions{Key: byKey}), 0},
	{"MaxBytes", MaxBytes(10), 0},                                               // and 1 for a request with a body
	{"BasicAuth", BasicAuth("x", Users(map[string]string{"alice": "p"})), 4},    // credentials, their text, context, request
	{"BearerAuth", BearerAuth("x", Tokens(map[string]string{"t": "alice"})), 2}, // context, request
	{"NoCache", NoCache, 1}, // line
	{"ETag", ETag(nil), 4},  // keeper, body, tag, lines
	{"Deprecated", Deprecated(time.Unix(1767225600, 0), nil), 1}, // lines
	{"Canonical", Canonical("http://example.com", nil), 0},
	{"MethodOverride", MethodOverride, 0},
}

// nothing is where logs go.
type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }

// newCostRequest returns a request that all of costs let in.
func newCostRequest(name string) *http.Request {
	r := newRequest("GET", "/", "X-Taken: abc", "Key: a", "X-Forwarded-For: 192.0.2.1")
	r.RemoteAddr = "10.0.0.1:80"
	switch name {
	case "BasicAuth":
		r.Header.Set("Authorization", basic("alice:p")[len("Authorization: "):])
	case "BearerAuth", "RequestIDClientIPLogAuth":
		r.Header.Set("Authorization", "Bearer t")
	}
	return r
}

// TestAllocs holds what a request costs.
func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, row := range costs {
		status := 0
		h := row.mw(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { status = 200; w.Write(hello) }))
		w, r := &nothingWriter{make(http.Header)}, newCostRequest(row.name)
		got := testing.AllocsPerRun(100, func() {
			clear(w.header)
			h.ServeHTTP(w, r)
		})
		if status != 200 {
			t.Errorf("%s: the request was not let in", row.name)
		}
		if got > row.allocs {
			t.Errorf("%s: %v allocations, want %v at most", row.name, got, row.allocs)
		}
		t.Logf("%s: %v allocations, %v allowed", row.name, got, row.allocs)
	}
}

var hello = []byte("hello")

// BenchmarkMiddleware has what a request that is let in costs, with a handler that
// writes five bytes.
func BenchmarkMiddleware(b *testing.B) {
	for _, row := range costs {
		b.Run("name="+row.name, func(b *testing.B) {
			calls := 0
			h := row.mw(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { calls++; w.Write(hello) }))
			w, r := &nothingWriter{make(http.Header)}, newCostRequest(row.name)
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
			if calls != b.N {
				b.Errorf("%d of %d requests were let in", calls, b.N)
			}
		})
	}
}
