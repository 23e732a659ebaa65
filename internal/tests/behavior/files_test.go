package behavior

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/policies"
	"github.com/muxwell/muxwell/internal/tests/random"
)

var siteFS = muxtest.FS("a.txt", "my file.txt", "index.html", "css/site.css", "docs/index.html", "docs/api/x.html", "bare/b.txt", "page.html")

// newSite returns a mux that serves siteFS where the pattern says.
func newSite(pattern string, options ...muxwell.FilesOption) *muxwell.Mux {
	m := muxwell.New()
	m.Files(pattern, siteFS, options...)
	return m
}

// fileLine returns the answer to a request as one line: the status, and the
// Location or the body.
func fileLine(h http.Handler, method, target string, header ...string) string {
	r := muxtest.NewRequest(method, target)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := muxtest.AnswerTo(h, r)
	switch {
	case w.Header().Get("Location") != "":
		return fmt.Sprint(w.Code, " ", w.Header().Get("Location"))
	case w.Code == 200 || w.Code == 206:
		return fmt.Sprint(w.Code, " ", strings.Join(strings.Fields(w.Body.String()), " "))
	}
	return fmt.Sprint(w.Code)
}

func TestFiles(t *testing.T) {
	bareList := `200 <!doctype html> <meta name="viewport" content="width=device-width"> <pre> <a href="b.txt">b.txt</a> </pre>`
	for _, row := range []struct{ pattern, request, want string }{
		{"/", "GET /a.txt", "200 a.txt"},
		{"/", "HEAD /a.txt", "200 "},
		{"/", "POST /a.txt", "405"},
		{"/", "GET /", "200 index.html"},
		{"/", "GET /index.html", "301 ./"},
		{"/", "GET /index.html?q=1", "301 ./?q=1"},
		{"/", "GET /nothing", "404"},
		{"/", "GET /a.txt/x", "404"},
		{"/", "GET /docs", "301 docs/"},
		{"/", "GET /docs?q=//evil.com", "301 docs/?q=//evil.com"},
		{"/", "GET /docs/", "200 docs/index.html"},
		{"/", "GET /docs/api/x.html", "200 docs/api/x.html"},
		{"/", "GET /a.txt/", "301 ../a.txt"},
		{"/", "GET /my%20file.txt", "200 my file.txt"},
		{"/", "GET /my%20file.txt/?q", "301 ../my%20file.txt?q"},
		{"/", "GET /%61.txt", "200 a.txt"},
		{"/", "GET /bare/", bareList},
		{"/", "GET /bare", "301 bare/"},
		{"/{p...}", "GET /docs/api/x.html", "200 docs/api/x.html"},
		{"/static/", "GET /static/a.txt", "200 a.txt"},
		{"/static/", "GET /static/", "200 index.html"},
		{"/static/", "GET /static", "307 /static/"},
		{"/static/", "GET /a.txt", "404"},
		{"/static/{p...}", "GET /static/docs", "301 docs/"},
		{"/static/{p...}", "GET /static/docs/index.html", "301 ./"},
		{"/u/{user}/www/", "GET /u/ann/www/a.txt", "200 a.txt"},
		{"/u/{user}/www/", "GET /u/a%2Fb/www/a.txt", "200 a.txt"},
		{"/u/{user}/www/", "GET /u/a%2Fb/www/docs", "301 docs/"},
		{"/u/{user}/www/", "GET /u/%2e%2e/www/docs/", "200 docs/index.html"},
		{"/u/{user}/www/", "GET /u/a%2Fb/www/my%20file.txt", "200 my file.txt"},
		{"/u/{user}/www/", "GET /u/ann%20b/www/docs?x=y", "301 docs/?x=y"},
		{"/v{major:int}.{minor:int}/{p...}", "GET /v1.2/css/site.css", "200 css/site.css"},
		{"/a%2Fb/", "GET /a%2Fb/a.txt", "200 a.txt"},
		{"/{x:(a/|b)c}/", "GET /bc/a.txt", "200 a.txt"},
		{"/{x:(a/|b)c}/", "GET /a%2Fc/css/site.css", "200 css/site.css"},
		{"example.com/s/", "GET /s/a.txt", "200 a.txt"},
		{"{t}.com/s/{p...}", "GET /s/docs", "301 docs/"},
		{"GET /s/", "HEAD /s/a.txt", "200 "},
		{"GET,HEAD /s/", "GET /s/a.txt", "200 a.txt"},
		{"HEAD /s/", "GET /s/a.txt", "405"},
		{" \t/s/", "POST /s/a.txt", "405"},
	} {
		method, target, _ := strings.Cut(row.request, " ")
		m := newSite(row.pattern)
		if got := fileLine(m, method, target); got != row.want {
			t.Errorf("%q: %s: got %s, want %s", row.pattern, row.request, got, row.want)
		}
	}
}

// TestFilesKeepsRequest: the request that middleware sees afterwards is as the mux
// made it.
func TestFilesKeepsRequest(t *testing.T) {
	m := newSite("/u/{user}/{p...}")
	r := muxtest.NewRequest("GET", "/u/a%20b/docs/")
	u := *r.URL
	w := muxtest.AnswerTo(m, r)
	if w.Code != 200 || *r.URL != u || r.Pattern != "GET /u/{user}/{p...}" || r.PathValue("user") != "a b" || r.PathValue("p") != "docs/" {
		t.Errorf("got %d, URL %+v, pattern %q, values %q and %q", w.Code, *r.URL, r.Pattern, r.PathValue("user"), r.PathValue("p"))
	}
	if h, pattern := m.Handler(r); pattern != r.Pattern || h == nil {
		t.Errorf("Handler: got %T, %q", h, pattern)
	} else if got := fmt.Sprintf("%T", h); got != "*muxwell.files" {
		t.Errorf("Handler: got %s, want *muxwell.files", got)
	}
}

// TestFilesOfChangedPath: a path that is not the one that was matched is no
// file's.
func TestFilesOfChangedPath(t *testing.T) {
	m := newSite("/a/b/{p...}")
	h, _ := m.Handler(muxtest.NewRequest("GET", "/a/b/a.txt"))
	for _, path := range []string{"", "a.txt", "/a.txt", "/a"} {
		r := muxtest.NewRequest("GET", "/")
		r.URL = &url.URL{Path: path}
		if w := muxtest.AnswerTo(h, r); w.Code != 404 {
			t.Errorf("path %q: got %d, want 404", path, w.Code)
		}
	}
}

// TestFaultFileServerReadsPathAnew: echo (GHSA-vfp3-v2gw-7wfq), traefik, caddy
// and heimdall matched one reading of a path and served another. No spelling
// but a file's own reaches it, so a guard next to the files holds.
func TestFaultFileServerReadsPathAnew(t *testing.T) {
	fsys := muxtest.FS("private/key.txt", "private/index.html", "open/a.txt", `back\slash.txt`, "index.html")
	for _, prefix := range []string{"", "/s", "/u/{x}"} {
		base := strings.ReplaceAll(prefix, "{x}", "ann")
		policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
			for _, fallback := range [][]muxwell.FilesOption{nil, {muxwell.FallbackPage("index.html")}, {muxwell.NoListing()}} {
				m := muxwell.New(options...)
				m.Handle(prefix+"/private/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
				m.Files(prefix+"/", fsys, fallback...)
				for _, target := range []string{
					"/private%2Fkey.txt", "/private%2fkey.txt", "/%2Fprivate/key.txt", "/%2fprivate%2fkey.txt", "/private%5Ckey.txt", `/private\key.txt`, `/\private/key.txt`,
					"/x/%2e%2e/private/key.txt", "/x/%2E%2e/private/key.txt", "/%2e/private/key.txt", "/x/.%2e/private/key.txt", "/x/..%2fprivate/key.txt", "/%2e%2e/private/key.txt",
					"//private/key.txt", "/./private/key.txt", "/x/../private/key.txt", "/../private/key.txt", "/open//../private/key.txt", "//private//key.txt", "/open/./a.txt", "/open//a.txt",
					"/private%00/key.txt", "/private/key.txt%00", "/open/a.txt%00", "/back%5Cslash.txt", `/back\slash.txt`, "/open/%2e", "/open/.", "/open/..", "/open/%2e%2e/", "/open/a.txt/.", "//", "///", "/open//", "/%80",
					"/private", "/private/", "/private/key.txt", "/%70rivate/key.txt",
				} {
					r := muxtest.NewRequest("GET", base+target)
					w := muxtest.AnswerTo(m, r)
					served := w.Code == 200 && (strings.Contains(w.Body.String(), "private") || strings.Contains(w.Body.String(), "slash") || strings.Contains(w.Body.String(), "open/a"))
					if served || w.Code >= 500 {
						t.Errorf("%s%s: got %d %q", base, target, w.Code, w.Body)
					}
					// What a clean spelling of the path leads to is the router's to say;
					// what is left is refused.
					odd := strings.Contains(target, "%2") || strings.Contains(target, "%5") || strings.Contains(target, `\`) || strings.Contains(target, "%0") || strings.Contains(target, "%8")
					if odd && w.Code == 200 {
						t.Errorf("%s%s: got 200 %q, want it refused", base, target, w.Body)
					}
				}
				if got, want := fileLine(m, "GET", base+"/open/a.txt"), "200 open/a.txt"; got != want {
					t.Errorf("%s/open/a.txt: got %s, want %s", base, got, want)
				}
			}
		})
	}
}

// TestFilesRefusesPaths says what becomes of each sort of path where the mux
// serves paths as they were sent.
func TestFilesRefusesPaths(t *testing.T) {
	m := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
	m.Files("/s/{p...}", siteFS, muxwell.FallbackPage("index.html"))
	for target, want := range map[string]string{
		"/s/":               "200 index.html",
		"/s/css/site.css":   "200 css/site.css",
		"/s/route/x":        "200 index.html",
		"/s/%63ss/site.css": "200 css/site.css",
		"/s/css%2Fsite.css": "404",
		"/s/route%2Fx":      "404",
		`/s/css\site.css`:   "404",
		"/s/css%5csite.css": "404",
		"/s/./a.txt":        "404",
		"/s/.":              "404",
		"/s/./":             "404",
		"/s/%2e":            "404",
		"/s/%2e/":           "404",
		"/s/x/../a.txt":     "404",
		"/s/x/%2E%2E/a.txt": "404",
		"/s//a.txt":         "404",
		"/s//":              "404",
		"/s/docs//":         "404",
		"/s/a.txt%00":       "404",
		"/s/%ff":            "404",
		"/s/..a":            "404", // it looks like a file
		"/s/...":            "404",
	} {
		if got := fileLine(m, "GET", target); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

// TestFallbackPageAndGroup: the page answers what no route matches, also below the prefix
// of a group. A route of the group for what is left keeps it out.
func TestFallbackPageAndGroup(t *testing.T) {
	for _, tt := range []struct {
		rest       bool // the group has a route "/"
		path, want string
	}{
		{false, "/api/users", "403"},
		{false, "/api/nope", "200 index.html"},
		{false, "/nope", "200 index.html"},
		{true, "/api/users", "403"},
		{true, "/api/nope", "403"},
		{true, "/api/", "403"},
		{true, "/nope", "200 index.html"},
	} {
		m := muxwell.New()
		m.Route("/api", func(g *muxwell.Group) {
			g.Use(func(http.Handler) http.Handler { return muxtest.Tells(http.StatusForbidden) })
			g.Get("/users", muxtest.OK)
			if tt.rest {
				g.Handle("/", http.NotFoundHandler())
			}
		})
		m.Files("/", muxtest.FS("index.html"), muxwell.FallbackPage("index.html"))
		w := muxtest.AnswerTo(m, httptest.NewRequest("GET", tt.path, nil))
		if got := strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Body)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("GET %s, with a route for the rest %v: got %q, want %q", tt.path, tt.rest, got, tt.want)
		}
	}
}

// TestFilesSlashIgnored: a directory's pages have relative links, so the
// pattern's own slash is redirected to, as FileServer does for the others.
func TestFilesSlashIgnored(t *testing.T) {
	m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashIgnore))
	m.Files("/s/", siteFS)
	m.Files("/u/{x}/{p...}", siteFS)
	for target, want := range map[string]string{
		"/s":              "301 s/",
		"/s?a=b":          "301 s/?a=b",
		"/s/":             "200 index.html",
		"/s/docs":         "301 docs/",
		"/s/a.txt/":       "301 ../a.txt",
		"/u/ann":          "301 ann/",
		"/u/https:evil":   "301 ./https:evil/",
		`/u/\evil.com`:    "301 %5Cevil.com/",
		"/u/%2Fevil.com":  "301 %2Fevil.com/",
		"/u/%3Fq":         "301 %3Fq/",
		"/u/javascript:1": "301 ./javascript:1/",
	} {
		if got := fileLine(m, "GET", target); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

// TestFilesRedirectsOfOddNames: wherever a redirect leads, it is on this site, and
// what is there is what was asked for. FileServer alone redirects a directory
// called "a?b" to "a?b/", and one called "https:b" to another site.
func TestFilesRedirectsOfOddNames(t *testing.T) {
	names := []string{"plain", "a b", " a", "a?b", "a#b", "a%2Fb", "a%", "a:b", "https:evil.com", "javascript:alert(1)", "é", "a\tb", "a\r\nb", "a&b;c", "a=b", "..a", "a+b", `"a"`, "\x7f"}
	for _, options := range [][]muxwell.FilesOption{nil, {muxwell.NoListing()}, {muxwell.FallbackPage("page")}} {
		fsys := muxtest.FS("page")
		for _, name := range names {
			fsys["d/"+name+"/index.html"] = &fstest.MapFile{Data: []byte(name)}
			fsys["f/"+name] = &fstest.MapFile{Data: []byte(name)}
		}
		m := muxwell.New()
		m.Files("/s/{x}/{p...}", fsys, options...)
		srv := httptest.NewServer(m)
		for _, name := range names {
			for _, target := range []string{"d/" + url.PathEscape(name), "f/" + url.PathEscape(name) + "/"} {
				redirects := 0
				srv.Client().CheckRedirect = func(r *http.Request, via []*http.Request) error {
					redirects++
					if r.URL.Host != via[0].URL.Host {
						t.Errorf("%s: redirected to %s", target, r.URL)
					}
					return nil
				}
				resp, err := srv.Client().Get(srv.URL + "/s/x%2Fy/" + target + "?q=1")
				if err != nil {
					t.Fatalf("%s: %v", target, err)
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != 200 || string(body) != name || redirects != 1 || resp.Request.URL.RawQuery != "q=1" {
					t.Errorf("%s: got %d %q after %d redirects to %s, want 200 %q after one", target, resp.StatusCode, body, redirects, resp.Request.URL, name)
				}
			}
		}
		srv.Close()
	}
}

// TestFaultFileRedirectLeavesTheSite: no Location of files leaves the site, for
// paths put together at random.
func TestFaultFileRedirectLeavesTheSite(t *testing.T) {
	fsys := muxtest.FS("index.html", "evil.com/index.html", "http:/evil.com/index.html", "x/evil.com", "a/x/index.html", "@/index.html", "e:/index.html", "%5Cevil.com/index.html")
	pieces := []string{"/", "/", "//", `\`, "%5C", "%2F", ".", "..", "%2e", "evil.com", "index.html", "a", "x", "e:", "@", "http:", "%3F", "%25", "\t", "%09", "%0D%0A", "%00"}
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		m := muxwell.New(options...)
		m.Files("/", fsys)
		m.Files("/a/{u}/", fsys, muxwell.FallbackPage("index.html"))
		src, redirects := rand.New(rand.NewPCG(3, 4)), 0
		for range 5_000 {
			var b strings.Builder
			for range 1 + src.IntN(6) {
				b.WriteString(random.Pick(src, pieces...))
			}
			u, err := url.ParseRequestURI("/" + b.String())
			if err != nil {
				u = &url.URL{Path: "/" + b.String()}
			}
			u.RawQuery = random.Pick(src, "", "//evil.com", "a\r\nb")
			r := muxtest.NewRequest("GET", "/")
			r.URL = u
			w := muxtest.AnswerTo(m, r)
			location := w.Header().Get("Location")
			if location == "" {
				continue
			}
			redirects++
			to := location
			if w.Code == http.StatusMovedPermanently { // relative; what is in front of it stays
				first, _, _ := strings.Cut(location, "/")
				if strings.Contains(first, ":") {
					t.Fatalf("%q: Location %q begins with a scheme", u, location)
				}
				to = "/" + location
			}
			if why := muxtest.OffSite(to); why != "" {
				t.Fatalf("%q: Location %q: %s", u, location, why)
			}
		}
		if redirects < 100 {
			t.Errorf("%d redirects, want more", redirects)
		}
	})
}

func TestFallbackPage(t *testing.T) {
	const html, any = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", "*/*"
	for _, row := range []struct{ page, request, accept, want string }{
		{"page.html", "GET /s/", "", "200 index.html"},
		{"page.html", "GET /s/users/42", "", "200 page.html"},
		{"page.html", "GET /s/users/42/", any, "200 page.html"},
		{"page.html", "HEAD /s/users/42", any, "200 "},
		{"page.html", "POST /s/users/42", any, "405"},
		{"page.html", "GET /s/a.txt", any, "200 a.txt"},
		{"page.html", "GET /s/a.txt/", any, "301 ../a.txt"},
		{"page.html", "GET /s/a.txt/x", any, "200 page.html"},
		{"page.html", "GET /s/docs", any, "301 docs/"},
		{"page.html", "GET /s/docs/", any, "200 docs/index.html"},
		{"page.html", "GET /s/bare", any, "200 page.html"},
		{"page.html", "GET /s/bare/", any, "200 page.html"},
		{"page.html", "GET /s/app.js", "", "404"},
		{"page.html", "GET /s/app.js", any, "404"},
		{"page.html", "GET /s/app.js", "text/*", "404"},
		{"page.html", "GET /s/app.js", "text/html;q=0", "404"},
		{"page.html", "GET /s/app.js", "text/html; q=0.000, */*", "404"},
		{"page.html", "GET /s/app.js", html, "200 page.html"},
		{"page.html", "GET /s/app.js", "text/plain, TEXT/HTML ;level=1;q=0.1", "200 page.html"},
		{"page.html", "GET /s/v1.2/notes", any, "200 page.html"},
		{"page.html", "GET /s/v1.2/", any, "200 page.html"},
		{"page.html", "GET /s/app%2Ejs", any, "404"},
		{"page.html", "GET /s/none/index.html", any, "404"},
		{"page.html", "GET /s/none/index.html", html, "200 page.html"},
		{"index.html", "GET /s/", any, "200 index.html"},
		{"index.html", "GET /s/index.html", any, "301 ./"},
		{"index.html", "GET /s/users/42", any, "200 index.html"},
		{"index.html", "GET /s/none/index.html", html, "200 index.html"},
		{"docs/index.html", "GET /s/users/42", any, "200 docs/index.html"},
		{"docs/api/x.html", "GET /s/%C3%A9%20%3F", any, "200 docs/api/x.html"},
	} {
		method, target, _ := strings.Cut(row.request, " ")
		var header []string
		if row.accept != "" {
			header = []string{"Accept", row.accept}
		}
		if got := fileLine(newSite("/s/", muxwell.FallbackPage(row.page)), method, target, header...); got != row.want {
			t.Errorf("page %s: %s, Accept %q: got %s, want %s", row.page, row.request, row.accept, got, row.want)
		}
	}
	if got, want := fileLine(newSite("/", muxwell.FallbackPage("page.html")), "GET", "/x.y", "Accept", any, "Accept", html), "200 page.html"; got != want {
		t.Errorf("two Accept headers: got %s, want %s", got, want)
	}
}

// TestFallbackPageHeaders: the page is served as a file is.
func TestFallbackPageHeaders(t *testing.T) {
	m := newSite("/s/", muxwell.FallbackPage("docs/index.html"))
	get := func(method, target string, header ...string) *httptest.ResponseRecorder {
		r := muxtest.NewRequest(method, target)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return muxtest.AnswerTo(m, r)
	}
	w := get("HEAD", "/s/users")
	want := map[string]string{"Content-Type": "text/html; charset=utf-8", "Content-Length": "15", "Accept-Ranges": "bytes", "Last-Modified": muxtest.Changed.Format(http.TimeFormat), "Cache-Control": "no-cache"}
	for name, value := range want {
		if got := w.Header().Get(name); got != value {
			t.Errorf("HEAD: %s: got %q, want %q", name, got, value)
		}
	}
	if w := get("GET", "/s/users", "Range", "bytes=5-9"); w.Code != 206 || w.Body.String() != "index" {
		t.Errorf("range: got %d %q, want 206 index", w.Code, w.Body)
	}
	if w := get("GET", "/s/users", "If-Modified-Since", muxtest.Changed.Format(http.TimeFormat)); w.Code != 304 || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("If-Modified-Since: got %d %v, want 304 and no-cache", w.Code, w.Header())
	}
	for target, want := range map[string]string{"/s/docs/": "no-cache", "/s/": "", "/s/a.txt": "", "/s/x.js": "", "/s/x%2Fy": ""} {
		if got := get("GET", target).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: got Cache-Control %q, want %q", target, got, want)
		}
	}
	for target, want := range map[string]string{"/s/x.js": "Accept", "/s/x": "", "/s/a.txt": ""} {
		if got := get("GET", target).Header().Get("Vary"); got != want {
			t.Errorf("%s: got Vary %q, want %q", target, got, want)
		}
	}
	rec := httptest.NewRecorder()
	rec.Header().Set("Cache-Control", "private")
	m.ServeHTTP(rec, muxtest.NewRequest("GET", "/s/users"))
	if got := rec.Header().Get("Cache-Control"); got != "private" {
		t.Errorf("set before: got Cache-Control %q, want private", got)
	}
}

func TestNoListing(t *testing.T) {
	for target, want := range map[string]string{
		"/":              "200 index.html",
		"/docs":          "301 docs/",
		"/docs/":         "200 docs/index.html",
		"/docs/api":      "404",
		"/docs/api/":     "404",
		"/bare":          "404",
		"/bare/":         "404",
		"/bare/b.txt":    "200 bare/b.txt",
		"/bare/b.txt/":   "301 ../b.txt",
		"/my%20file.txt": "200 my file.txt",
		"/none":          "404",
	} {
		if got := fileLine(newSite("/", muxwell.NoListing()), "GET", target); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

func TestFilesRegistration(t *testing.T) {
	page := func(name string) []muxwell.FilesOption { return []muxwell.FilesOption{muxwell.FallbackPage(name)} }
	for _, row := range []struct {
		pattern string
		fsys    fs.FS
		options []muxwell.FilesOption
		want    string
	}{
		{"", siteFS, nil, `muxwell: pattern "": at offset 0: the pattern is empty`},
		{"static", siteFS, nil, `muxwell: pattern "GET static": at offset 10: no path`},
		{"/static", siteFS, nil, `muxwell: pattern "GET /static": at offset 11: files need a pattern that ends in a slash or a catch-all; write "/static/"`},
		{"GET h.com/static", siteFS, nil, `muxwell: pattern "GET h.com/static": at offset 16: files need a pattern that ends in a slash or a catch-all; write "/static/"`},
		{"/static/{$}", siteFS, nil, `at offset 15: files need a pattern that ends in a slash or a catch-all; write "/static/"`},
		{"/static/{path}", siteFS, nil, `files need a pattern that ends in a slash or a catch-all; write "/static/{path...}"`},
		{"/static/{id:int}", siteFS, nil, `write "/static/{id:int}/"`},
		{"/static/v{x}", siteFS, nil, `write "/static/v{x}/"`},
		{"/{path...}/raw", siteFS, nil, `files need a pattern that ends in its only catch-all; omit what follows it`},
		{"POST /static/", siteFS, nil, `muxwell: pattern "POST /static/": at offset 0: files are served for GET and HEAD only; omit the methods`},
		{"GET,HEAD,G /static/", siteFS, nil, `at offset 9: files are served for GET and HEAD only`},
		{"/static/", nil, nil, `muxwell: pattern "GET /static/": at offset 4: the file system is nil; pass one, such as os.DirFS returns`},
		{"/static/", nil, page("page.html"), `the file system is nil`},
		{"/static/", siteFS, page(""), `muxwell: pattern "GET /static/": FallbackPage(""): the name is not valid; write it from the root of the file system, without slashes at the beginning and end`},
		{"/static/", siteFS, page("/page.html"), `FallbackPage("/page.html"): the name is not valid`},
		{"/static/", siteFS, page("../page.html"), `the name is not valid`},
		{"/static/", siteFS, page("nothing"), `FallbackPage("nothing"): the file system cannot open it: open nothing: file does not exist`},
		{"/static/", siteFS, page("."), `FallbackPage("."): it is a directory; name a file`},
		{"/static/", siteFS, page("docs"), `it is a directory; name a file`},
	} {
		m := muxwell.New()
		func() {
			defer func() {
				err, ok := recover().(error)
				var p *muxwell.PatternError
				var o *muxwell.OptionError
				if !ok || !strings.Contains(err.Error(), row.want) || !errors.As(err, &p) && !errors.As(err, &o) {
					t.Errorf("Files(%q): panic with %v, want %s", row.pattern, err, row.want)
				}
			}()
			m.Files(row.pattern, row.fsys, row.options...)
		}()
		if routes := slices.Collect(m.Routes()); len(routes) > 0 {
			t.Errorf("Files(%q): registered %v", row.pattern, routes)
		}
	}
	m := newSite("/s/", muxwell.FilesOption{}, muxwell.FallbackPage("nothing"), muxwell.FallbackPage("page.html"))
	if got := fileLine(m, "GET", "/s/x"); got != "200 page.html" {
		t.Errorf("the later page: got %s", got)
	}
	if rt := slices.Collect(m.Routes())[0]; rt.Pattern() != "GET /s/" || !strings.Contains(rt.Source(), "files_test.go:") {
		t.Errorf("got the route %v from %s", rt, rt.Source())
	}
	defer func() {
		if err := recover(); err == nil || !strings.Contains(fmt.Sprint(err), "conflicts") {
			t.Errorf("the same pattern again: panic with %v, want a conflict", err)
		}
	}()
	m.Files("/s/", siteFS)
}

//go:embed files_test.go testdata/site/page.txt
var embedded embed.FS

// TestFilesOfFileSystems: what a file system is made of makes no difference.
func TestFilesOfFileSystems(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.txt")
	for name, text := range map[string]string{filepath.Join(dir, "a.txt"): "a.txt", filepath.Join(dir, "sub", "index.html"): "sub/index.html", filepath.Join(dir, "bare", "b.txt"): "b.txt", outside: "secret"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	links := os.Symlink(outside, filepath.Join(dir, "link.txt")) == nil
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, fsys := range map[string]fs.FS{"DirFS": os.DirFS(dir), "Root": root.FS()} {
		for _, options := range [][]muxwell.FilesOption{nil, {muxwell.FallbackPage("a.txt")}} {
			m := muxwell.New()
			m.Files("/s/", fsys, options...)
			want := map[string]string{"/s/a.txt": "200 a.txt", "/s/sub": "301 sub/", "/s/sub/": "200 sub/index.html", "/s/none": "404", "/s/a.txt/x": "404", "/s/%2e%2e/secret.txt": "404", "/s/..%2fa.txt": "404"}
			if options != nil {
				maps.Copy(want, map[string]string{"/s/none": "200 a.txt", "/s/a.txt/x": "200 a.txt", "/s/bare/": "200 a.txt", "/s/bare": "200 a.txt"})
			}
			if links && name == "Root" {
				want["/s/link.txt"] = "500"
			}
			for target, want := range want {
				if got := fileLine(m, "GET", target); got != want {
					t.Errorf("%s, %d options: %s: got %s, want %s", name, len(options), target, got, want)
				}
			}
		}
	}
	m := muxwell.New()
	m.Files("/", embedded, muxwell.NoListing())
	for target, want := range map[string]string{"/files_test.go": "200 package", "/testdata/site": "404", "/testdata/site/": "404", "/testdata/site/page.txt": "200 A page.", "/testdata/site/none": "404"} {
		if got := fileLine(m, "GET", target); !strings.HasPrefix(got, want) {
			t.Errorf("embedded: %s: got %.40s, want %s", target, got, want)
		}
	}
}

// A brokenFS fails in the ways that file systems do.
type brokenFS struct{ err error }

func (b brokenFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: b.err}
}

// TestFilesErrors: an error is answered as FileServer does, without its text.
func TestFilesErrors(t *testing.T) {
	for err, want := range map[error]string{fs.ErrPermission: "403", fs.ErrNotExist: "404", errors.New("secret"): "500"} {
		for _, options := range [][]muxwell.FilesOption{nil, {muxwell.NoListing()}} {
			m := muxwell.New()
			m.Files("/s/", brokenFS{err}, options...)
			for _, target := range []string{"/s/a", "/s/a%20b", "/s/d/"} {
				if got := fileLine(m, "GET", target); got != want {
					t.Errorf("%v, %d options: %s: got %s, want %s", err, len(options), target, got, want)
				}
			}
		}
	}
	fsys := muxtest.FS("page.html")
	m := muxwell.New()
	m.Files("/", fsys, muxwell.FallbackPage("page.html"))
	delete(fsys, "page.html")
	w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/x"))
	if w.Code != 404 || w.Header().Get("Cache-Control") != "" {
		t.Errorf("the page is gone: got %d %v, want 404", w.Code, w.Header())
	}
}

// TestFilesMountedWithDefaults: files in a mounted mux, at two prefixes with defaults
// around the mount, are found under both and in their own mux.
func TestFilesMountedWithDefaults(t *testing.T) {
	inner := muxwell.New()
	inner.Files("/site/", fstest.MapFS{"a.txt": {Data: []byte("a")}, "index.html": {Data: []byte("page")}}, muxwell.FallbackPage("index.html", "api"))
	m := muxwell.New()
	for _, prefix := range []string{"/x", "/y/z"} {
		g := m.Route(prefix, nil)
		g.Defaults(muxwell.Meta("a", 1), muxwell.Headers("Needed", ""))
		g.Mount("/m", inner)
	}
	for path, want := range map[string]string{"/x/m/site/a.txt": "a", "/y/z/m/site/a.txt": "a", "/y/z/m/site/b": "page", "/x/m/site/api/b": "404 page not found\n", "/y/z/m/site/api": "404 page not found\n"} {
		r := muxtest.NewRequest("GET", path)
		r.Header.Set("Needed", "")
		if got := muxtest.AnswerTo(m, r).Body.String(); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
		r.Header.Del("Needed")
		if got := muxtest.AnswerTo(m, r).Code; got != 404 {
			t.Errorf("%s without the header of the defaults: got %d", path, got)
		}
	}
	for path, want := range map[string]string{"/site/a.txt": "a", "/site/b": "page", "/site/api/b": "404 page not found\n"} {
		if got := muxtest.AnswerTo(inner, muxtest.NewRequest("GET", path)).Body.String(); got != want {
			t.Errorf("%s in its own mux: got %q, want %q", path, got, want)
		}
	}
}
