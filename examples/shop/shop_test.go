package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/prometheus/client_golang/prometheus"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"golang.org/x/crypto/bcrypt"

	"github.com/muxwell/muxwell/middleware"
)

const password = "open sesame"

// A testShop is a shop with a database of its own, and what it logs and measures.
type testShop struct {
	http.Handler
	store    *store
	log      *buffer
	registry *prometheus.Registry
	spans    *tracetest.SpanRecorder
}

func newTestShop(t *testing.T, edit ...func(*config)) *testShop {
	t.Helper()
	st, err := openStore(t.Context(), filepath.Join(t.TempDir(), "50% of ?#.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.db.Close() })
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	s := &testShop{store: st, log: new(buffer), registry: prometheus.NewRegistry(), spans: tracetest.NewSpanRecorder()}
	c := config{
		store: st, passwordHash: hash, registry: s.registry,
		logger: slog.New(middleware.LogHandler(slog.NewJSONHandler(s.log, nil), &middleware.LogHandlerOptions{TraceID: traceID})),
		tracer: sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(s.spans)),
	}
	for _, f := range edit {
		f(&c)
	}
	s.Handler = newHandler(c)
	return s
}

// A buffer may be written by several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// A client keeps cookies. It is for one goroutine.
type client struct {
	http.Handler
	cookies map[string]*http.Cookie
}

func newClient(h http.Handler) *client { return &client{h, make(map[string]*http.Cookie)} }

// send sends a request, such as "GET /cart", with headers, "Name: value". A body that
// begins with '{' is JSON, any other one a form.
func (c *client) send(line, body string, headers ...string) *httptest.ResponseRecorder {
	method, target, _ := strings.Cut(line, " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	} else if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	for _, cookie := range c.cookies {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		if c.cookies[cookie.Name] = cookie; cookie.MaxAge < 0 {
			delete(c.cookies, cookie.Name)
		}
	}
	return w
}

// want sends a request, and reports an answer with another status or without a text.
func (c *client) want(t *testing.T, status int, text, line, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	w := c.send(line, body, headers...)
	if w.Code != status || !strings.Contains(w.Body.String(), text) {
		t.Errorf("%s %.60s: got %d %.500s, want %d with %s", line, body, w.Code, w.Body, status, text)
	}
	return w
}

func (c *client) login(t *testing.T) {
	t.Helper()
	c.want(t, 303, "", "POST /login", "password="+password)
}

func TestAPI(t *testing.T) {
	s := newTestShop(t)
	visitor, staff := newClient(s), newClient(s)
	staff.login(t)
	const chai = `{"name":"Chai","description":"With spices.","price":640,"stock":5}`
	for _, row := range []struct {
		client     *client
		line, body string
		status     int
		want       string // of the body
	}{
		{visitor, "GET /api/products?q=GREEN&limit=1&page=2", "", 200, `{"items":[{"id":5,"name":"Genmaicha",`},
		{visitor, "GET /api/products?q=%25", "", 200, `{"items":[],"total":0}`},
		{visitor, "GET /api/products?page=9", "", 200, `{"items":[],"total":14}`},
		{visitor, "GET /api/products?limit=0&page=x", "", 422, `"location":"query.page"`},
		{visitor, "GET /api/products/4", "", 200, `{"id":4,"name":"Earl Grey"`},
		{visitor, "GET /api/products/99", "", 404, `"detail":"there is no product 99"`},
		{visitor, "GET /api/products/99999999999999999999", "", 422, `"location":"path.id"`},
		{visitor, "GET /api/products/x", "", 404, `"title":"Not Found"`},
		{visitor, "GET /api/nothing", "", 404, `"title":"Not Found"`},
		{visitor, "PATCH /api/products", "", 405, `"title":"Method Not Allowed"`},
		{visitor, "POST /api/products", chai, 403, `"detail":"log in as staff"`},
		{visitor, "PUT /api/products/1", chai, 403, `"detail":"log in as staff"`},
		{visitor, "DELETE /api/products/1", "", 403, `"detail":"log in as staff"`},
		{staff, "POST /api/products", chai, 201, `{"id":15,"name":"Chai"`},
		{staff, "POST /api/products", chai, 409, `there is another product called \"Chai\"`},
		{staff, "POST /api/products", `{"name":"","description":"","price":1.5,"stock":-1,"id":3}`, 422, `"location":"body.price"`},
		{staff, "POST /api/products", `{"name":`, 400, `"title":"Bad Request"`},
		{staff, "POST /api/products", "name=Chai", 415, `"title":"Unsupported Media Type"`},
		{staff, "POST /api/products", `{"name":"` + strings.Repeat("x", 64<<10) + `"}`, 413, `"title":"Request Entity Too Large"`},
		{staff, "PUT /api/products/15", strings.Replace(chai, "640", "650", 1), 200, `"price":650`},
		{staff, "PUT /api/products/15", strings.Replace(chai, "Chai", "Assam", 1), 409, `called \"Assam\"`},
		{staff, "PUT /api/products/99", strings.Replace(chai, "Chai", "New", 1), 404, `there is no product 99`},
		{staff, "DELETE /api/products/15", "", 204, ""},
		{staff, "DELETE /api/products/15", "", 404, `there is no product 15`},
		{visitor, "POST /api/orders", `{"name":"Ada","email":"ada@example.com"}`, 409, `the cart is empty`},
		{visitor, "PUT /api/cart/99", `{"count":1}`, 404, `there is no product 99`},
		{visitor, "PUT /api/cart/1", `{"count":100}`, 422, `"location":"body.count"`},
		{visitor, "PUT /api/cart/1", `{"count":2}`, 200, `"count":2,"total":1380`},
		{visitor, "PUT /api/cart/6", `{"count":4}`, 200, `"count":6,"total":10980`},
		{visitor, "POST /api/orders", `{"name":"Ada","email":"ada@example.com"}`, 409, `Gyokuro: only 3 left`},
		{visitor, "GET /api/products/1", "", 200, `"stock":40`}, // the failed order has taken nothing
		{visitor, "PUT /api/cart/6", `{"count":0}`, 200, `"count":2,"total":1380`},
		{visitor, "POST /api/orders", `{"name":"","email":"ada"}`, 422, `"location":"body.email"`},
		{visitor, "POST /api/orders", `{"name":"Ada","email":"ada@example.com"}`, 201, `"lines":[{"name":"Assam","price":690,"count":2}],"total":1380`},
		{visitor, "GET /api/cart", "", 200, `{"lines":[],"count":0,"total":0}`},
		{visitor, "GET /api/products/1", "", 200, `"stock":38`},
		{visitor, "GET /api/orders", "", 200, `"total":1}`},
		{staff, "GET /api/orders", "", 200, `"total":1}`},
		{newClient(s), "GET /api/orders", "", 200, `{"items":[],"total":0}`},
	} {
		w := row.client.want(t, row.status, row.want, row.line, row.body)
		if got := w.Header().Get("Content-Type"); row.status >= 400 && got != "application/problem+json" {
			t.Errorf("%s: got %s, want application/problem+json", row.line, got)
		}
	}
}

// TestChunkedBody: a body that does not announce its length is limited too.
func TestChunkedBody(t *testing.T) {
	s := newTestShop(t)
	r := httptest.NewRequest("POST", "/api/orders", io.MultiReader(strings.NewReader(`{"name":"`+strings.Repeat("x", 64<<10))))
	r.ContentLength = -1
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != 413 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

func TestPages(t *testing.T) {
	s := newTestShop(t)
	visitor, staff := newClient(s), newClient(s)
	const browser = "Accept: text/html,*/*;q=0.8"
	visitor.want(t, 200, "Assam", "GET /", "")
	visitor.want(t, 200, `href="/?q=tea&amp;page=1" rel="prev"`, "GET /?q=tea&page=2", "")
	visitor.want(t, 200, "“&lt;b&gt;”", "GET /?q=%3Cb%3E", "")
	visitor.want(t, 200, "The cart is empty.", "GET /cart", "")
	visitor.want(t, 303, "", "POST /cart/6", "add=1")
	visitor.want(t, 303, "", "POST /cart/6", "add=1")
	visitor.want(t, 200, "$48.00", "GET /cart", "")
	visitor.want(t, 422, "expected number &lt;= 99", "POST /cart/6", "count=100", browser)
	visitor.want(t, 400, "the count must be a number", "POST /cart/6", "count=x", browser)
	visitor.want(t, 404, "there is no product 99", "POST /cart/99", "add=1", browser)
	visitor.want(t, 303, "", "POST /cart/6", "count=4")
	visitor.want(t, 422, `value="Ada"`, "POST /orders", "name=Ada&email=ada", browser)
	visitor.want(t, 409, "Gyokuro: only 3 left", "POST /orders", "name=Ada&email=ada@example.com", browser)
	visitor.want(t, 303, "", "POST /cart/6", "count=3")
	visitor.want(t, 303, "", "POST /orders", "name=Ada&email=ada@example.com")
	visitor.want(t, 200, "3 × Gyokuro", "GET /orders", "")
	visitor.want(t, 200, "Sold out", "GET /?q=Gyokuro", "")
	visitor.want(t, 404, "<h1>Not Found</h1>", "GET /nothing", "", browser)
	visitor.want(t, 405, `"title":"Method Not Allowed"`, "DELETE /cart", "")
	visitor.want(t, 403, "<h1>Staff only</h1>", "GET /routes/", "", browser)
	staff.want(t, 403, "the password is wrong", "POST /login", "password=guess", browser)
	staff.want(t, 200, "There are no orders.", "GET /orders", "")
	staff.login(t)
	staff.want(t, 200, "3 × Gyokuro", "GET /orders", "")
	staff.want(t, 200, "create-product", "GET /routes/", "")
	staff.want(t, 303, "", "POST /logout", "")
	staff.want(t, 403, "", "GET /routes/", "")

	page := visitor.send("GET /", "").Body.String()
	css := regexp.MustCompile(`/assets/[0-9a-f]+/shop\.css`).FindString(page)
	if got := visitor.want(t, 200, "body {", "GET "+css, "").Header(); got.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.Get("Vary") != "" {
		t.Errorf("%s has the headers %v", css, got)
	}
	visitor.want(t, 404, "", "GET /assets/0/shop.css", "")
	visitor.want(t, 200, "", "GET /healthz", "")
	visitor.want(t, 200, "", "GET /readyz", "")
	s.store.db.Close()
	visitor.want(t, 503, `"title":"Service Unavailable"`, "GET /readyz", "")
}

// TestSession: visitors get no cookie before there is something to keep; the cookie is
// restricted; a login renews it, and a new password ends it.
func TestSession(t *testing.T) {
	var c config
	s := newTestShop(t, func(own *config) { own.secure = true; c = *own })
	visitor := newClient(s)
	if w := visitor.want(t, 200, "", "GET /", ""); len(visitor.cookies) != 0 || w.Header().Get("Strict-Transport-Security") == "" {
		t.Errorf("a visitor gets the headers %v", w.Header())
	}
	visitor.want(t, 303, "", "POST /cart/1", "add=1")
	first := visitor.cookies["__Host-session"]
	if first == nil || !first.HttpOnly || !first.Secure || first.SameSite != http.SameSiteLaxMode || first.Path != "/" || first.Domain != "" {
		t.Fatalf("the cookie is %v", first)
	}
	visitor.login(t)
	if now := visitor.cookies["__Host-session"]; now.Value == first.Value {
		t.Error("the login has not renewed the cookie")
	}
	visitor.want(t, 200, `"name":"Assam"`, "GET /api/cart", "")
	old := newClient(s)
	old.cookies["__Host-session"] = first
	old.want(t, 403, "", "GET /routes/", "")
	old.want(t, 200, `"lines":[]`, "GET /api/cart", "")

	c.registry = prometheus.NewRegistry()
	visitor.Handler = newHandler(c) // the program is restarted
	visitor.want(t, 200, "", "GET /routes/", "")
	c.registry, c.passwordHash = prometheus.NewRegistry(), []byte("another one")
	visitor.Handler = newHandler(c)
	visitor.want(t, 403, "", "GET /routes/", "")
	visitor.want(t, 200, `"name":"Assam"`, "GET /api/cart", "")
}

func TestCrossOrigin(t *testing.T) {
	c := newClient(newTestShop(t))
	c.login(t)
	for _, header := range []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://evil.example"} {
		for _, line := range []string{"POST /cart/1", "POST /orders", "POST /login", "POST /logout", "POST /api/orders", "DELETE /api/products/1"} {
			c.want(t, 403, `"detail":"the request comes from another site"`, line, "", header)
		}
	}
	c.want(t, 200, "", "GET /", "", "Sec-Fetch-Site: cross-site") // a link
	c.want(t, 303, "", "POST /cart/1", "add=1", "Sec-Fetch-Site: same-origin", "Origin: http://example.com")
}

func TestRateLimit(t *testing.T) {
	c := newClient(newTestShop(t))
	for range 5 {
		c.want(t, 403, "", "POST /login", "password=guess")
	}
	w := c.want(t, 429, `"title":"Too Many Requests"`, "POST /login", "password="+password)
	if w.Header().Get("Retry-After") == "" || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Errorf("got the headers %v", w.Header())
	}
	c.want(t, 200, "", "GET /", "")

	c = newClient(newTestShop(t, func(c *config) { c.proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} }))
	for range 6 {
		c.send("POST /login", "password=guess", "X-Forwarded-For: 203.0.113.7")
	}
	c.want(t, 429, "", "POST /login", "password=guess", "X-Forwarded-For: 203.0.113.7")
	c.want(t, 403, "", "POST /login", "password=guess", "X-Forwarded-For: 203.0.113.8")
}

// TestInternalError: the text of an error is logged and not sent.
func TestInternalError(t *testing.T) {
	s := newTestShop(t)
	if _, err := s.store.db.ExecContext(t.Context(), "ALTER TABLE products RENAME TO gone"); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ line, accept string }{
		{"GET /api/products", "Accept: application/json"},
		{"GET /", "Accept: text/html"},
	} {
		w := newClient(s).want(t, 500, "Internal Server Error", row.line, "", row.accept)
		if strings.Contains(w.Body.String(), "no such table") {
			t.Errorf("%s: sent %s", row.line, w.Body)
		}
		if lines := strings.Split(strings.TrimSpace(s.log.String()), "\n"); !strings.Contains(lines[len(lines)-1], "no such table") {
			t.Errorf("%s: logged %s", row.line, lines[len(lines)-1])
		}
	}
}

// TestOpenAPI: the document is valid, and says which operations are for staff.
func TestOpenAPI(t *testing.T) {
	w := newClient(newTestShop(t)).want(t, 200, "", "GET /api/openapi.json", "")
	doc, err := openapi3.NewLoader().LoadFromData(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	operations := 0
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			operations++
			if staff := op.Security != nil; staff != (path[:5] == "/prod" && method != "GET") {
				t.Errorf("%s %s: for staff is %v", method, path, staff)
			}
		}
	}
	if operations != 9 {
		t.Errorf("got %d operations, want 9", operations)
	}
}

// TestObservation: logs, metrics and spans have the pattern of the route, and no text that
// clients choose becomes a label.
func TestObservation(t *testing.T) {
	s := newTestShop(t)
	c := newClient(s)
	c.want(t, 303, "", "POST /cart/1", "add=1")
	c.want(t, 201, "", "POST /api/orders", `{"name":"Ada","email":"ada@example.com"}`)
	for i := range 50 {
		c.send(fmt.Sprintf("GET /api/products/%d", i), "")
		c.send(fmt.Sprintf("GET /nothing/%d", i), "")
		c.send(fmt.Sprintf("M%d /", i), "")
	}
	families, err := s.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var series []string
	for _, m := range families[1].Metric { // families[0] are the durations
		series = append(series, fmt.Sprint(m.Label[0].GetValue(), " ", m.Label[2].GetValue(), " ", m.Counter.GetValue()))
	}
	want := "200 GET /api/products/{id:uint} 14, 201 POST /api/orders 1, 303 POST /cart/{id:uint} 1, 404 GET /api/products/{id:uint} 36, 404 none 50, 405 none 50"
	if got := strings.Join(series, ", "); got != want {
		t.Errorf("the series are\n%s, want\n%s", got, want)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(strings.Split(s.log.String(), "\n")[1]), &line); err != nil {
		t.Fatal(err)
	}
	span := s.spans.Ended()[1]
	for key, want := range map[string]any{
		"pattern": "POST /api/orders", "status": 201.0, "order": 1.0, "total": 690.0, "trace_id": span.SpanContext().TraceID().String(),
	} {
		if line[key] != want {
			t.Errorf("the log has %s=%v, want %v", key, line[key], want)
		}
	}
	if span.Name() != "POST /api/orders" {
		t.Errorf("the span is called %q", span.Name())
	}
}
