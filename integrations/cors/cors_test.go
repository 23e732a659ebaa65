package cors_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/cors"
	"github.com/muxwell/muxwell/middleware"
)

const app = "https://app.example.com"

// newServer returns a server whose mux has CORS outside of authentication.
func newServer(t *testing.T) string {
	m := muxwell.New()
	m.Use(
		middleware.RequestID(nil),
		cors.New(app, "https://*.partner.example"),
		middleware.BearerAuth("api", middleware.Tokens(map[string]string{"s3cret": "alice"})),
	)
	m.Put("/users/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) })
	m.Get("/docs/", func(http.ResponseWriter, *http.Request) {})
	return serve(t, m)
}

func serve(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// fetch sends a request as a browser does for a page of an origin, without following
// redirects: what a page may see of the answer depends on the headers of each.
func fetch(t *testing.T, method, url, origin string, headers ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", origin)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// wantHeaders compares headers, each "Name: value", where an empty value is none.
func wantHeaders(t *testing.T, resp *http.Response, want ...string) {
	t.Helper()
	for _, header := range want {
		name, value, _ := strings.Cut(header, ": ")
		if got := strings.Join(resp.Header.Values(name), ", "); got != value {
			t.Errorf("%s %s: %s = %q, want %q", resp.Request.Method, resp.Request.URL.Path, name, got, value)
		}
	}
}

func wantStatus(t *testing.T, resp *http.Response, want int) {
	t.Helper()
	if resp.StatusCode != want {
		t.Errorf("%s %s: status %d, want %d", resp.Request.Method, resp.Request.URL.Path, resp.StatusCode, want)
	}
}

// preflight are the headers of a browser's preflight for a PUT with a token.
var preflight = []string{"Access-Control-Request-Method: PUT", "Access-Control-Request-Headers: authorization,content-type"}

func TestPreflight(t *testing.T) {
	url := newServer(t) + "/users/7"
	tests := []struct {
		name, origin, method, headers string
		want                          string // Access-Control-Allow-Origin
	}{
		{"the app", app, "PUT", "authorization,content-type", app},
		{"a partner", "https://eu.partner.example", "PUT", "authorization", "https://eu.partner.example"},
		{"a method that the path has no route for", app, "DELETE", "", app},
		{"another origin", "https://evil.example", "PUT", "authorization", ""},
		{"the app without TLS", "http://app.example.com", "PUT", "", ""},
		{"a header that is not allowed", app, "PUT", "x-debug", ""},
		{"a method that is not allowed", app, "TRACE", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			headers := []string{"Access-Control-Request-Method: " + tt.method}
			if tt.headers != "" {
				headers = append(headers, "Access-Control-Request-Headers: "+tt.headers)
			}
			resp := fetch(t, http.MethodOptions, url, tt.origin, headers...)
			wantStatus(t, resp, http.StatusNoContent) // without credentials
			wantHeaders(t, resp, "Access-Control-Allow-Origin: "+tt.want)
			if tt.want != "" {
				wantHeaders(t, resp,
					"Access-Control-Allow-Methods: "+tt.method, "Access-Control-Allow-Headers: "+tt.headers,
					"Access-Control-Allow-Credentials: true", "Access-Control-Max-Age: 600",
					"Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
			}
		})
	}
}

func TestActualRequest(t *testing.T) {
	base := newServer(t)
	const token = "Authorization: Bearer s3cret"
	tests := []struct {
		name, method, path, origin, header string
		status                             int
		want                               string // Access-Control-Allow-Origin
	}{
		{"with the token", "PUT", "/users/7", app, token, 200, app},
		{"without it: the page may read the 401", "PUT", "/users/7", app, "", 401, app},
		{"a method without a route", "DELETE", "/users/7", app, token, 405, app},
		{"nothing there", "GET", "/nothing", app, token, 404, app},
		{"a redirect", "GET", "/docs", app, token, 307, app},
		{"another origin", "PUT", "/users/7", "https://evil.example", token, 200, ""},
		{"OPTIONS that is not a preflight", "OPTIONS", "/users/7", app, token, 405, app},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var headers []string
			if tt.header != "" {
				headers = append(headers, tt.header)
			}
			resp := fetch(t, tt.method, base+tt.path, tt.origin, headers...)
			wantStatus(t, resp, tt.status)
			wantHeaders(t, resp, "Access-Control-Allow-Origin: "+tt.want, "Vary: Origin")
			if tt.want != "" {
				wantHeaders(t, resp, "Access-Control-Allow-Credentials: true", "Access-Control-Expose-Headers: X-Request-Id")
			}
		})
	}
}

// On a group the middleware answers preflights below the group's prefix, whether the
// group answers 405 itself or not, and leaves the others alone.
func TestOnAGroup(t *testing.T) {
	refuse := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no such method here", http.StatusMethodNotAllowed)
	})
	tests := []struct {
		name string
		more func(*muxwell.Group)
	}{
		{"nothing else", func(*muxwell.Group) {}},
		{"its own 405", func(g *muxwell.Group) { g.MethodNotAllowed(refuse) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := muxwell.New()
			m.Put("/elsewhere/{id}", func(http.ResponseWriter, *http.Request) {})
			m.Route("/api", func(g *muxwell.Group) {
				g.Use(cors.New(app))
				g.Put("/users/{id}", func(http.ResponseWriter, *http.Request) {})
				tt.more(g)
			})
			url := serve(t, m)
			resp := fetch(t, http.MethodOptions, url+"/api/users/7", app, preflight...)
			wantStatus(t, resp, http.StatusNoContent)
			wantHeaders(t, resp, "Access-Control-Allow-Origin: "+app)
			resp = fetch(t, http.MethodOptions, url+"/elsewhere/7", app, preflight...)
			wantStatus(t, resp, http.StatusMethodNotAllowed)
			wantHeaders(t, resp, "Access-Control-Allow-Origin: ")
		})
	}
}

// In a group without a prefix, the paths with a route for OPTIONS have preflights.
func TestWithoutAPrefix(t *testing.T) {
	m := muxwell.New()
	g := m.With(cors.New(app))
	for _, path := range []string{"/with/{id}", "/without/{id}"} {
		g.Put(path, func(http.ResponseWriter, *http.Request) {})
	}
	g.Options("/with/{id}", http.NotFound)
	url := serve(t, m)
	resp := fetch(t, http.MethodOptions, url+"/with/7", app, preflight...)
	wantStatus(t, resp, http.StatusNoContent)
	wantHeaders(t, resp, "Access-Control-Allow-Origin: "+app)
	resp = fetch(t, http.MethodOptions, url+"/without/7", app, preflight...)
	wantStatus(t, resp, http.StatusMethodNotAllowed)
	wantHeaders(t, resp, "Access-Control-Allow-Origin: ")
}

// Inside of authentication no preflight succeeds.
func TestInsideOfAuth(t *testing.T) {
	m := muxwell.New()
	m.Use(middleware.BearerAuth("api", middleware.Tokens(map[string]string{"s3cret": "alice"})), cors.New(app))
	m.Put("/users/{id}", func(http.ResponseWriter, *http.Request) {})
	resp := fetch(t, http.MethodOptions, serve(t, m)+"/users/7", app, preflight...)
	wantStatus(t, resp, http.StatusUnauthorized)
	wantHeaders(t, resp, "Access-Control-Allow-Origin: ")
}
