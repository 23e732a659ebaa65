package middleware_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// send returns what a handler answers: the status and the body.
func send(h http.Handler, method, target string, headers ...string) string {
	r := httptest.NewRequest(method, target, nil)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String()))
}

// show is a handler that answers with a text.
func show(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
}

// newLogger returns a logger whose lines are the same each time.
func newLogger() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "duration" {
			return slog.Attr{}
		}
		return a
	}}))
}

// A server that faces the public: the first middleware is the outermost.
func Example() {
	m := muxwell.New()
	m.Use(
		middleware.RequestID(nil),
		middleware.Log(newLogger(), nil),
		middleware.Recover(nil),
		middleware.SecureHeaders(nil),
		middleware.RateLimit(100, time.Minute, nil),
		middleware.Timeout(10*time.Second),
		middleware.MaxBytes(1<<20),
	)
	m.Get("/users/{id}", show("a user"))
	private := m.With(middleware.BearerAuth("api", middleware.Tokens(map[string]string{"s3cret": "alice"})))
	private.Get("/admin", show("the admin's page"))

	fmt.Println(send(m, "GET", "/users/7", "X-Request-Id: a1"))
	fmt.Println(send(m, "GET", "/admin", "X-Request-Id: a2"))
	fmt.Println(send(m, "GET", "/admin", "X-Request-Id: a3", "Authorization: Bearer s3cret"))
	// Output:
	// level=INFO msg=request method=GET path=/users/7 pattern="GET /users/{id}" status=200 bytes=6 client=192.0.2.1 request_id=a1
	// 200 a user
	// level=INFO msg=request method=GET path=/admin pattern="GET /admin" status=401 bytes=13 client=192.0.2.1 request_id=a2
	// 401 Unauthorized
	// level=INFO msg=request method=GET path=/admin pattern="GET /admin" status=200 bytes=16 client=192.0.2.1 user=alice request_id=a3
	// 200 the admin's page
}

// Canonical and MethodOverride change what the router goes by, so they wrap it from
// outside.
func Example_aroundTheMux() {
	m := muxwell.New()
	m.Delete("/users/{id}", show("gone"))
	h := middleware.Canonical("https://www.example.com", nil)(middleware.MethodOverride(m))

	fmt.Println(send(h, "POST", "https://www.example.com/users/7", "X-HTTP-Method-Override: DELETE"))
	fmt.Println(send(h, "DELETE", "https://example.com/users/7"))
	// Output:
	// 200 gone
	// 308
}

// Requests that a page of another site has made a browser send are refused by the
// standard library.
func Example_crossOriginProtection() {
	protection := http.NewCrossOriginProtection()
	if err := protection.AddTrustedOrigin("https://shop.example.com"); err != nil {
		panic(err)
	}
	m := muxwell.New()
	m.Use(protection.Handler)
	m.Post("/pay", show("paid"))
	m.Get("/pay", show("a form"))

	fmt.Println(send(m, "POST", "/pay", "Sec-Fetch-Site: same-origin"))
	fmt.Println(send(m, "POST", "/pay", "Sec-Fetch-Site: cross-site", "Origin: https://shop.example.com"))
	fmt.Println(send(m, "POST", "/pay", "Sec-Fetch-Site: cross-site", "Origin: https://evil.example"))
	fmt.Println(send(m, "GET", "/pay", "Sec-Fetch-Site: cross-site"))
	// Output:
	// 200 paid
	// 200 paid
	// 403 cross-origin request detected from Sec-Fetch-Site header
	// 200 a form
}

func ExampleRequestID() {
	m := muxwell.New()
	m.Use(middleware.RequestID(nil))
	m.Get("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, middleware.RequestIDFrom(r.Context())) })

	fmt.Println(send(m, "GET", "/", "X-Request-Id: from-the-proxy"))
	fmt.Println(len(send(m, "GET", "/", "X-Request-Id: <script>")) > len("200 "))
	// Output:
	// 200 from-the-proxy
	// true
}

// The link that resets a password has a secret in its path.
func ExampleLog() {
	m := muxwell.New()
	m.Use(middleware.Log(newLogger(), &middleware.LogOptions{
		Query: []string{"page"},
		Path: func(r *http.Request) string {
			if r.Pattern == "GET /reset/{token}" {
				return ""
			}
			return r.URL.EscapedPath()
		},
	}))
	m.Get("/users", show("users"))
	m.Get("/reset/{token}", show("a form"))

	send(m, "GET", "/users?page=2&session=s3cret")
	send(m, "GET", "/reset/s3cret")
	send(m, "GET", "/wp-login.php")
	// Output:
	// level=INFO msg=request method=GET path=/users query="page=2&session=REDACTED" pattern="GET /users" status=200 bytes=5 client=192.0.2.1
	// level=INFO msg=request method=GET pattern="GET /reset/{token}" status=200 bytes=6 client=192.0.2.1
	// level=INFO msg=request method=GET path=/wp-login.php pattern="" status=404 bytes=19 client=192.0.2.1
}

func ExampleAddAttrs() {
	m := muxwell.New()
	m.Use(middleware.Log(newLogger(), nil))
	m.Post("/orders", func(_ http.ResponseWriter, r *http.Request) {
		middleware.AddAttrs(r.Context(), slog.Int("items", 3), slog.String("currency", "EUR"))
	})

	send(m, "POST", "/orders")
	// Output:
	// level=INFO msg=request method=POST path=/orders pattern="POST /orders" status=200 bytes=0 client=192.0.2.1 items=3 currency=EUR
}

// Everything that is logged with the context of a request has its ID, its trace ID and
// its pattern.
func ExampleLogHandler() {
	logger := slog.New(middleware.LogHandler(newLogger().Handler(), nil))
	m := muxwell.New()
	m.Use(
		middleware.RequestID(&middleware.RequestIDOptions{TraceParent: true}),
		middleware.Log(logger, nil),
	)
	m.Get("/users/{id}", func(_ http.ResponseWriter, r *http.Request) {
		logger.WarnContext(r.Context(), "slow query", "rows", 7)
	})

	send(m, "GET", "/users/7", "X-Request-Id: a1", "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	// Output:
	// level=WARN msg="slow query" rows=7 request_id=a1 trace_id=4bf92f3577b34da6a3ce929d0e0e4736 pattern="GET /users/{id}"
	// level=INFO msg=request method=GET path=/users/7 pattern="GET /users/{id}" status=200 bytes=0 client=192.0.2.1 request_id=a1 trace_id=4bf92f3577b34da6a3ce929d0e0e4736
}

func ExampleMetrics() {
	m := muxwell.New()
	m.Use(middleware.Metrics(func(m middleware.Measure) {
		fmt.Printf("requests{method=%q,pattern=%q,status=\"%d\"} 1\n", m.Method, m.Pattern, m.Status)
	}))
	m.Get("/users/{id}", show("a user"))

	send(m, "GET", "/users/7")
	send(m, "BREW", "/coffee")
	// Output:
	// requests{method="GET",pattern="GET /users/{id}",status="200"} 1
	// requests{method="OTHER",pattern="",status="404"} 1
}

// The address is read from what the proxies in 10.0.0.0/8 have appended.
func ExampleClientIP() {
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	h := middleware.ClientIP(middleware.FromXForwardedFor(proxies...))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		addr, known := middleware.ClientIPFrom(r.Context())
		fmt.Println(addr, known)
	}))
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "10.0.0.1:4711"
	r.Header.Set("X-Forwarded-For", "1.1.1.1, 203.0.113.7, 10.0.0.2") // the first is forged
	h.ServeHTTP(httptest.NewRecorder(), r)
	// Output: 203.0.113.7 true
}

func ExampleRateLimit() {
	m := muxwell.New()
	m.With(middleware.RateLimit(2, time.Hour, nil)).Post("/login", show("in"))

	for range 3 {
		fmt.Println(send(m, "POST", "/login"))
	}
	// Output:
	// 200 in
	// 200 in
	// 429 Too Many Requests
}

// Each user has two requests at a time, and one that waits.
func ExampleThrottle() {
	user := func(r *http.Request) string {
		name, _ := middleware.UserFrom(r.Context())
		return name
	}
	m := muxwell.New()
	m.Use(
		middleware.BasicAuth("reports", middleware.Users(map[string]string{"alice": "wonderland"})),
		middleware.Throttle(2, &middleware.ThrottleOptions{Backlog: 1, Wait: time.Second, Key: user}),
	)
	m.Get("/report", show("a report"))

	r := httptest.NewRequest("GET", "/report", nil)
	r.SetBasicAuth("alice", "wonderland")
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Body)
	// Output: 200 a report
}

// A handler heeds the context, which ends at the deadline.
func ExampleTimeout() {
	m := muxwell.New()
	m.Use(middleware.Timeout(10 * time.Millisecond))
	m.Get("/slow", func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done() // as a query of a database would
		time.Sleep(50 * time.Millisecond)
	})

	fmt.Println(send(m, "GET", "/slow"))
	// Output: 503 Service Unavailable
}

func ExampleETag() {
	m := muxwell.New()
	m.With(middleware.ETag(nil)).Get("/", show("hello"))

	r := httptest.NewRequest("GET", "/", nil)
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("ETag"), w.Body)
	fmt.Println(send(m, "GET", "/", "If-None-Match: "+w.Header().Get("ETag")))
	// Output:
	// 200 "LPJNul-wow4m6Dsqxbning" hello
	// 304
}

func ExampleDeprecated() {
	m := muxwell.New()
	m.Route("/v1", func(g *muxwell.Group) {
		g.Use(middleware.Deprecated(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), &middleware.DeprecatedOptions{
			Sunset:    time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
			Successor: "https://api.example.com/v2/",
		}))
		g.Get("/users", show("users"))
	})

	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("GET", "/v1/users", nil))
	for _, name := range []string{"Deprecation", "Sunset", "Link"} {
		fmt.Println(name+":", w.Header().Get(name))
	}
	// Output:
	// Deprecation: @1767225600
	// Sunset: Thu, 31 Dec 2026 00:00:00 GMT
	// Link: <https://api.example.com/v2/>; rel="successor-version"
}

func ExampleSecureHeaders() {
	m := muxwell.New()
	m.Use(middleware.SecureHeaders(&middleware.SecureHeadersOptions{Policy: "default-src 'self'", HSTS: 365 * 24 * time.Hour}))
	m.Get("/", show("hello"))

	r := httptest.NewRequest("GET", "/", nil)
	r.TLS = new(tls.ConnectionState)
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	for _, name := range []string{"Content-Security-Policy", "Strict-Transport-Security"} {
		fmt.Println(name+":", w.Header().Get(name))
	}
	// Output:
	// Content-Security-Policy: default-src 'self'; frame-ancestors 'none'
	// Strict-Transport-Security: max-age=31536000
}
