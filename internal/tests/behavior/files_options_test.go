package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// newApplication returns a mux with a page at "/" that is not for the paths in except, and
// a group "/api" with middleware, a handler for its 404 and one for its 405. All of them
// write their name to the header Trail.
func newApplication(except []string, options ...muxwell.Option) *muxwell.Mux {
	m := muxwell.New(options...)
	m.Use(muxtest.Mark("mux"))
	m.Route("/api", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("api"))
		g.Get("/users", muxtest.OK)
		g.Route("/v2/{tenant}", func(g *muxwell.Group) {
			g.Use(muxtest.Mark("v2"))
			g.Get("/users", muxtest.OK)
		})
		g.NotFound(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such call", http.StatusNotFound) }))
		g.MethodNotAllowed(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no such method", http.StatusMethodNotAllowed)
		}))
	})
	m.Files("/", muxtest.FS("index.html", "a.txt", "api/file.txt", "apis/file.txt"), muxwell.FallbackPage("index.html", except...))
	return m
}

// applicationLine returns the answer of newApplication as a line: the status, the body and
// the middleware that the request ran through.
func applicationLine(h http.Handler, method, target string) string {
	w := muxtest.AnswerTo(h, muxtest.NewRequest(method, target))
	return fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String()), " ", w.Header()["Trail"])
}

// TestFallbackPageExcept: below the prefix of a group the group gives the 404, in its own
// middleware, once.
func TestFallbackPageExcept(t *testing.T) {
	outer := muxwell.New()
	outer.Mount("/shop/{id}", newApplication([]string{"api", "none"}))
	outermost := muxwell.New()
	outermost.Mount("/a", outer)
	for name, handler := range map[string]http.Handler{
		"":            newApplication([]string{"api", "none"}),
		"/shop/7":     outer,
		"/stripped":   http.StripPrefix("/stripped", newApplication([]string{"api", "none"})),
		"/shop/a%2Fb": outer,
		"/a/shop/7":   outermost,
	} {
		for request, want := range map[string]string{
			"GET /":                 "200 index.html [mux]",
			"GET /users/42":         "200 index.html [mux]",
			"GET /a.txt":            "200 a.txt [mux]",
			"GET /apis":             "200 index.html [mux]",
			"GET /apis/file.txt":    "200 apis/file.txt [mux]",
			"GET /x/api/nope":       "200 index.html [mux]",
			"GET /api/users":        "200  [mux api]",
			"GET /api/nope":         "404 no such call [mux api]",
			"HEAD /api/nope":        "404 no such call [mux api]",
			"GET /api/nope/":        "404 no such call [mux api]",
			"GET /api":              "404 no such call [mux api]",
			"GET /api/":             "404 no such call [mux api]",
			"GET /api/file.txt":     "404 no such call [mux api]",
			"GET /%61pi/nope":       "404 no such call [mux api]",
			"GET /api/a%2Fb":        "404 404 page not found [mux]", // as for any name with an escaped slash
			"GET /api/v2/acme/nope": "404 no such call [mux api v2]",
			"GET /none/x":           "404 404 page not found [mux]",
			"GET /API/nope":         "404 404 page not found [mux]", // which is not the group's
			"POST /api/users":       "405 no such method [mux api]",
			"POST /api/nope":        "404 no such call [mux api]",
			"POST /users/42":        "405 Method Not Allowed [mux]",
		} {
			method, target, _ := strings.Cut(request, " ")
			if got := applicationLine(handler, method, name+target); got != want {
				t.Errorf("%q: %s: got %s, want %s", name, request, got, want)
			}
		}
	}
}

// TestFallbackPageExceptIgnoresCase: a mux that ignores case has the group's 404 for every
// case.
func TestFallbackPageExceptIgnoresCase(t *testing.T) {
	m := newApplication([]string{"api"}, muxwell.CaseInsensitive())
	if got, want := applicationLine(m, "GET", "/Api/nope"), "404 no such call [mux api]"; got != want {
		t.Errorf("GET /Api/nope: got %s, want %s", got, want)
	}
}

// TestFallbackPageExceptLeavesRoutes: what is not the page's may be another route's with
// the same pattern.
func TestFallbackPageExceptLeavesRoutes(t *testing.T) {
	m := muxwell.New()
	m.Files("/", muxtest.FS("index.html"), muxwell.FallbackPage("index.html", "api"))
	m.Get("/{path...}", muxtest.Tells(http.StatusTeapot))
	for target, want := range map[string]int{"/api/nope": 418, "/users": 200} {
		if w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", target)); w.Code != want {
			t.Errorf("%s: got %d, want %d", target, w.Code, want)
		}
	}
	if why := m.Explain(muxtest.NewRequest("GET", "/api/nope")).String(); !strings.Contains(why, `FallbackPage("index.html", "api")`) {
		t.Errorf("Explain does not name the option:\n%s", why)
	}
}

// TestFallbackPageExceptIsChecked: Check finds requests that the route matches.
func TestFallbackPageExceptIsChecked(t *testing.T) {
	if report := newApplication([]string{"api"}).Check(); len(report.Unreachable) > 0 || len(report.Suspicious) > 0 {
		t.Errorf("Check reports %v and %v", report.Unreachable, report.Suspicious)
	}
}

func TestCacheControl(t *testing.T) {
	fsys := muxtest.FS("index.html", "assets/app-1a.js", "assets/app-1a.css", "assets/logo.png")
	m := muxwell.New()
	m.Route("/site", nil).Files("/", fsys, muxwell.FallbackPage("index.html"), muxwell.CacheControl("assets/*", "max-age=60"), muxwell.Immutable("assets/*-*.js", "assets/*-*.css"))
	for target, want := range map[string]string{
		"/site/":                  "no-cache",
		"/site/users":             "no-cache",
		"/site/assets/app-1a.js":  "public, max-age=31536000, immutable",
		"/site/assets/app-1a.css": "public, max-age=31536000, immutable",
		"/site/assets/logo.png":   "max-age=60",
		"/site/assets/none.png":   "",
	} {
		if got := muxtest.AnswerTo(m, muxtest.NewRequest("GET", target)).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control = %q, want %q", target, got, want)
		}
	}
}

func TestPrecompressed(t *testing.T) {
	fsys := muxtest.FS("a.js", "a.js.gz", "a.js.zst", "a.js.br")
	for _, row := range []struct {
		codings []string
		accept  string
		want    string // the body
	}{
		{nil, "gzip, deflate, br, zstd", "a.js.br"}, // as large as a.js.gz
		{nil, "gzip, zstd", "a.js.gz"},              // smaller than a.js.zst
		{nil, "zstd", "a.js.zst"},
		{nil, "", "a.js"},
		{[]string{"gzip"}, "gzip, br, zstd", "a.js.gz"},
		{[]string{"gzip"}, "br, zstd", "a.js"},
		{[]string{"gzip", "br"}, "gzip, br, zstd", "a.js.gz"},
	} {
		m := muxwell.New()
		m.Files("/", fsys, muxwell.Precompressed(row.codings...))
		r := muxtest.NewRequest("GET", "/a.js")
		r.Header.Set("Accept-Encoding", row.accept)
		w := muxtest.AnswerTo(m, r)
		if w.Body.String() != row.want || w.Header().Get("Vary") != "Accept-Encoding" || w.Header().Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("Precompressed(%q), Accept-Encoding %q: got %q %v, want %s", row.codings, row.accept, w.Body, w.Header(), row.want)
		}
	}
}

// TestFilesWithoutTimes: a file of an embed.FS has an ETag, that of its content.
func TestFilesWithoutTimes(t *testing.T) {
	m := muxwell.New()
	m.Files("/", embedded)
	w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/testdata/site/page.txt"))
	tag := w.Header().Get("ETag")
	if w.Code != 200 || !strings.HasPrefix(tag, `"sha256:`) || w.Header().Get("Last-Modified") != "" {
		t.Fatalf("got %d %v, want an ETag", w.Code, w.Header())
	}
	r := muxtest.NewRequest("GET", "/testdata/site/page.txt")
	r.Header.Set("If-None-Match", tag)
	if w := muxtest.AnswerTo(m, r); w.Code != 304 {
		t.Errorf("If-None-Match: got %d, want 304", w.Code)
	}
}

func TestFilesOptionErrors(t *testing.T) {
	for _, row := range []struct {
		option muxwell.FilesOption
		want   string
	}{
		{muxwell.Immutable("a.js", "assets/["), `Immutable("a.js", "assets/["): the glob "assets/[" is not valid; close its brackets, and write \\ before a character that is meant literally`},
		{muxwell.Immutable("/assets/*.js"), `Immutable("/assets/*.js"): no name of a file matches the glob "/assets/*.js"; write it from the root of the file system, without slashes at the beginning and end`},
		{muxwell.Immutable(), `Immutable(): no glob; write one, such as "assets/*-*.js"`},
		{muxwell.Immutable(""), `no name of a file matches the glob ""`},
		{muxwell.CacheControl("assets/", "no-cache"), `CacheControl("assets/", "no-cache"): no name of a file matches the glob "assets/"`},
		{muxwell.CacheControl("*", "a\r\nb"), `CacheControl("*", "a\r\nb"): the value has a control character, which no header can have; omit it`},
		{muxwell.Precompressed("gzip", "deflate"), `Precompressed("gzip", "deflate"): the coding "deflate" is unknown; write br, zstd or gzip, or no coding for all of them`},
		{muxwell.FallbackPage("index.html", "x", "/api/"), `FallbackPage("index.html", "x", "/api/"): "/api/" is not valid; write the path that the page must not answer, without slashes at the beginning and end`},
		{muxwell.FallbackPage("index.html", "."), `"." is not valid`},
		{muxwell.FallbackPage("none", "api"), `FallbackPage("none", "api"): the file system cannot open it`},
	} {
		m := muxwell.New()
		func() {
			defer func() {
				err, _ := recover().(error)
				var e *muxwell.OptionError
				if !errors.As(err, &e) || !strings.Contains(err.Error(), row.want) {
					t.Errorf("got %v, want %s", err, row.want)
				}
			}()
			m.Files("/", muxtest.FS("index.html"), row.option, muxwell.NoListing())
		}()
		for rt := range m.Routes() {
			t.Errorf("registered %v", rt)
		}
	}
}
