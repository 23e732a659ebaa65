package explorer

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

func TestHandlerFiles(t *testing.T) {
	h := Handler(shop(t), Title("Shop"))
	for _, tt := range []struct{ target, contentType, has string }{
		{"/", "text/html; charset=utf-8", "<title>Shop · muxwell</title>"},
		{"/any/prefix/", "text/html; charset=utf-8", "<title>Shop"},
		{"/routes.json", "application/json", `"title": "Shop"`},
		{"/any/prefix/routes.json", "application/json", `"title": "Shop"`},
		{"/openapi.json", "application/json", `"openapi": "3.1.0"`},
		{"/routes.md", "text/markdown; charset=utf-8", "# Shop"},
		{"/routes.dot", "text/vnd.graphviz; charset=utf-8", "digraph routes"},
		{"/match?method=GET&url=/users/7", "application/json", `"pattern": "GET /users/{id:int}"`},
		{"/explorer.js", "text/javascript; charset=utf-8", "use strict"},
		{"/operation.js", "text/javascript; charset=utf-8", "Try it"},
		{"/explorer.css", "text/css; charset=utf-8", "color-scheme"},
	} {
		w := request(h, http.MethodGet, tt.target)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != tt.contentType || !strings.Contains(w.Body.String(), tt.has) {
			t.Errorf("GET %s: %d, %q, want 200, %q and %q in\n%s", tt.target, w.Code, w.Header().Get("Content-Type"), tt.contentType, tt.has, w.Body)
		}
		checkHeaders(t, tt.target, w.Header())
		head := request(h, http.MethodHead, tt.target)
		if head.Code != http.StatusOK || head.Body.Len() != 0 || head.Header().Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
			t.Errorf("HEAD %s: %d, %d bytes, Content-Length %s, want 200, none, %d", tt.target, head.Code, head.Body.Len(), head.Header().Get("Content-Length"), w.Body.Len())
		}
	}
}

func checkHeaders(t *testing.T, target string, h http.Header) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		"X-Content-Type-Options":  "nosniff",
		"Referrer-Policy":         "no-referrer",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: %s is %q, want %q", target, name, got, want)
		}
	}
	if c := h.Get("Cache-Control"); c != "no-store" && (c != "no-cache" || h.Get("ETag") == "") {
		t.Errorf("%s: Cache-Control %q", target, c)
	}
}

func TestHandlerRefuses(t *testing.T) {
	h := Handler(shop(t))
	for _, tt := range []struct {
		method, target string
		status         int
	}{
		{"POST", "/", 405},
		{"DELETE", "/routes.json", 405},
		{"OPTIONS", "/", 405},
		{"GET", "/routes.xml", 404},
		{"GET", "/../page.html", 404},
		{"GET", "/page.go", 404},
		{"GET", "/match", 400},
		{"GET", "/match?url=", 400},
		{"GET", "/match?method=a+b&url=/", 400},
		{"GET", "/match?url=/%25zz", 400},
		{"GET", "/?q=" + strings.Repeat("x", 32<<10), 414},
		{"GET", "/?q=" + strings.Repeat("x", 32<<10-2), 200},
		{"HEAD", "/match?url=/" + strings.Repeat("x", 32<<10), 414},
	} {
		w := request(h, tt.method, tt.target)
		if w.Code != tt.status {
			t.Errorf("%s %s: status %d, want %d: %s", tt.method, tt.target, w.Code, tt.status, w.Body)
		}
		if allow := w.Header().Get("Allow"); (tt.status == 405) != (allow == "GET, HEAD") {
			t.Errorf("%s %s: Allow %q", tt.method, tt.target, allow)
		}
		checkHeaders(t, tt.target, w.Header())
	}
}

// However the handler is mounted, its page is at the final slash, and its links
// lead to its files.
func TestHandlerMounted(t *testing.T) {
	for name, mount := range map[string]func(*muxwell.Mux, http.Handler){
		"Mount":       func(m *muxwell.Mux, h http.Handler) { m.Mount("/admin/routes", h) },
		"subtree":     func(m *muxwell.Mux, h http.Handler) { m.Handle("GET /admin/routes/", h) },
		"both":        func(m *muxwell.Mux, h http.Handler) { m.Handle("/admin/routes/", h); m.Handle("/admin/routes", h) },
		"StripPrefix": func(m *muxwell.Mux, h http.Handler) { m.Handle("/admin/", http.StripPrefix("/admin/routes", h)) },
		"group": func(m *muxwell.Mux, h http.Handler) {
			m.Route("/admin", func(g *muxwell.Group) { g.Handle("GET /routes/{rest...}", h) })
		},
	} {
		m := muxwell.New()
		mount(m, Handler(m))
		srv := httptest.NewServer(m)
		resp, err := http.Get(srv.URL + "/admin/routes?view=table")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Request.URL.RequestURI(); resp.StatusCode != http.StatusOK || got != "/admin/routes/?view=table" {
			t.Errorf("%s: GET /admin/routes?view=table ends at %s with %s", name, got, resp.Status)
		}
		for _, file := range []string{"", "routes.json", "explorer.js"} {
			if resp, err := http.Get(srv.URL + "/admin/routes/" + file); err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("%s: GET %s: %v, %v", name, file, resp, err)
			} else {
				resp.Body.Close()
			}
		}
		srv.Close()
	}
}

// Also a file can be registered by itself.
func TestHandlerOfOneFile(t *testing.T) {
	m := muxwell.New()
	m.Handle("GET /debug/routes.json", Handler(m))
	if w := request(m, http.MethodGet, "/debug/routes.json"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"pattern": "GET /debug/routes.json"`) {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestHandlerPanics(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "another mux") {
			t.Errorf("the panic is %q", text)
		}
	}()
	Handler(muxwell.New(), Counts(Observe(muxwell.New())))
	t.Error("no panic for the Observer of another mux")
}

func TestAssetIsCached(t *testing.T) {
	h := Handler(muxwell.New())
	tag := request(h, http.MethodGet, "/explorer.js").Header().Get("ETag")
	r := httptest.NewRequest(http.MethodGet, "/explorer.js", nil)
	r.Header.Set("If-None-Match", tag)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusNotModified {
		t.Errorf("status %d for the tag %s it gave, want 304", w.Code, tag)
	}
}

// The page and the files have the routes of the moment.
func TestHandlerAfterUpdate(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /a", nothing)
	h := Handler(m)
	before := request(h, http.MethodGet, "/").Body.String()
	err := m.Update(func(tx *muxwell.Tx) error {
		for rt := range tx.Routes() {
			if err := tx.Remove(rt); err != nil {
				return err
			}
		}
		_, err := tx.Add("GET /b", http.HandlerFunc(nothing))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", "routes.json", "openapi.json", "routes.md", "routes.dot"} {
		if got := request(h, http.MethodGet, "/"+file).Body.String(); !strings.Contains(got, "/b") || strings.Contains(got, "/a\"") || strings.Contains(got, "/a<") {
			t.Errorf("/%s has not the routes of after: %s", file, got)
		}
	}
	if after := request(h, http.MethodGet, "/").Body.String(); versionOf(t, before) == versionOf(t, after) {
		t.Error("the version of the page is that of before")
	}
}

func versionOf(t *testing.T, page string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `data-version="`)
	version, _, _ := strings.Cut(rest, `"`)
	if !ok || version == "" {
		t.Fatal("the page has no version")
	}
	return version
}

func TestMatch(t *testing.T) {
	h := Handler(shop(t))
	tests := []struct{ query, want string }{
		{"url=/users/7", "GET /users/{id:int} id=7; not GET /users/{name} (matched)"},
		{"method=PATCH&url=/users/eve", "PATCH /users/{name} name=eve"},
		{"url=http://Acme.example.com:8080/a%252Fb%2520c/1", "GET {tenant}.example.com/a%2Fb c/{x} tenant=acme x=1"},
		{"method=POST&url=https://example.com/v", "POST /v; not /v (matched)"},
		{"url=/nothing", "404"},
		{"method=PUT&url=/users", "405"},
		{"url=/docs", "307 /docs/"},
		{"method=OPTIONS&url=*", "400"},
		{"url=/users/7%23top", "GET /users/{id:int} id=7; not GET /users/{name} (matched)"},
		{"url=++/users/7+", "GET /users/{id:int} id=7; not GET /users/{name} (matched)"},
		{"url=/files/%253Cscript%253E", "/files/{path...} path=<script>"},
	}
	for _, tt := range tests {
		w := request(h, http.MethodGet, "/match?"+tt.query)
		var e explanation
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || w.Code != http.StatusOK {
			t.Errorf("%s: %d, %v: %s", tt.query, w.Code, err, w.Body)
			continue
		}
		got := ""
		if e.Route != nil {
			got = e.Route.Pattern
		} else {
			got = strings.TrimSpace(fmt.Sprint(e.Status, " ", e.Location))
		}
		for _, p := range e.Params {
			got += " " + p.Name + "=" + p.Value
		}
		for _, o := range e.Others {
			if o.Reason == "" {
				t.Errorf("%s: no reason for %s", tt.query, o.Pattern)
			}
			if o.Matched {
				got += "; not " + o.Pattern + " (matched)"
			}
		}
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.query, got, tt.want)
		}
	}
}

// Every fault of what is asked names it and says what to do.
func TestMatchFaults(t *testing.T) {
	for _, tt := range []struct{ method, target, want string }{
		{"GET", "users/7", `write "/users/7"`},
		{"GET", "", `write "/"`},
		{"GET", "/a b", "%20"},
		{"GET", "/%zz", "%25"},
		{"GET", "http:///x", "missing host"},
		{"GE T", "/", "invalid method"},
		{"<b>", "/", "invalid method"},
		{"GET", "/" + strings.Repeat("a", maxURL), "longer than 8192 bytes"},
		{strings.Repeat("A", 65), "/", "invalid method"},
	} {
		if _, err := parseRequest(tt.method, tt.target, "localhost"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q %q: %v, want %q in it", tt.method, abridge(tt.target), err, tt.want)
		}
	}
}

func TestShortener(t *testing.T) {
	tests := []struct{ sources, want string }{
		{"/home/eve/shop/main.go:1 /home/eve/shop/api/users.go:2", "main.go:1 api/users.go:2"},
		{"/home/eve/shop/main.go:1", "main.go:1"},
		{"/home/eve/shop/api/a.go:1 /home/eve/shopper/b.go:2", "shop/api/a.go:1 shopper/b.go:2"},
		{"/home/eve/go/pkg/mod/example.com/x@v1.0.0/a.go:3 /srv/a.go:1", "example.com/x@v1.0.0/a.go:3 srv/a.go:1"},
		{"C:/Users/eve/shop/main.go:1 C:/Users/eve/shop/b/b.go:1", "main.go:1 b/b.go:1"},
		{"C:/a/main.go:1 /b/c.go:2", "a/main.go:1 b/c.go:2"},
		{"github.com/acme/shop/main.go:1 routes.txt:7 routes/github.txt:1", "github.com/acme/shop/main.go:1 routes.txt:7 routes/github.txt:1"},
		{"unknown", "unknown"},
		{"/tmp/lists/a.txt:1 /root/build/muxwell/cmd/site.go:2", "lists/a.txt:1 cmd/site.go:2"},
		{"/x.go:1 /a/y.go:2", "x.go:1 a/y.go:2"},
	}
	for _, tt := range tests {
		sources := strings.Fields(tt.sources)
		s := newShortener(sources)
		for i := range sources {
			sources[i] = s.short(sources[i])
		}
		if got := strings.Join(sources, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.sources, got, tt.want)
		}
	}
}
