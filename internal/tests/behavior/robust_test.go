package behavior

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/policies"
)

var parameter = regexp.MustCompile(`\{([^}.]+)(\.\.\.)?\}`)

// TestRobustRequests sends what no client should: an error or an answer, never
// a panic.
func TestRobustRequests(t *testing.T) {
	size := long.Rounds(t, "bytes", 1<<18, 1<<18, 1<<20)
	one := "/" + strings.Repeat("x", size) // segment
	deep := strings.Repeat("/x", size/2)
	urls := []*url.URL{
		{},
		{Path: "/"},
		{Path: "*"},
		{Path: "a"},
		{Path: "//"},
		{Path: "/."},
		{Path: "/.."},
		{Path: "/a//"},
		{Path: "/\x00"},
		{Path: "/a\x00b/c"},
		{Path: "/\xff\xfe/\xc0"},
		{Path: "/%zz"},
		{Path: "/%"},
		{Path: "/a\r\nb"},
		{Path: "/a b", RawPath: "/a%20b"},
		{Path: "/a", RawPath: "/b"},
		{Path: "/a", RawPath: "/%zz"},
		{Path: "/a/b", RawPath: "/a%2Fb"},
		{Path: "", RawPath: "/x"},
		{Path: "/x", RawPath: "x"},
		{Path: "/a", RawQuery: "\r\nSet-Cookie: x"},
		{Path: "//a", RawQuery: "\x00\x7f"},
		{Opaque: "x:y"},
		{Scheme: "http", Host: "example.com", Path: "//evil.com"},
		{Path: one},
		{Path: deep},
		{Path: deep + "/"},
		{Path: deep + "//x"},
		{Path: one, RawPath: "/%78" + one[2:]},
		{Path: deep, RawPath: "/%78" + deep[2:]},
		{Path: strings.Repeat("/", size)},
		{Path: strings.Repeat("/.", size/2)},
		{Path: "/" + strings.Repeat("x", 62)},
		{Path: "/" + strings.Repeat("x", 63)},
		{Path: strings.Repeat("/", 63)},
		{Path: strings.Repeat("/x", 31) + "/"},
		{Path: strings.Repeat("/x", 32)},
	}
	hosts := []string{"", "h", ".", "..", ":", "::", "[", "]", "[]", "[]:", "[::1", "::1]", "[::1]:80", "h:", ":80", "h:80:80", "H.", "\x00", "é", strings.Repeat("h", 1<<16), "[" + strings.Repeat("H", 300) + "]."}
	methods := []string{"GET", "HEAD", "POST", "CONNECT", "OPTIONS", "", "get", "G T", strings.Repeat("M", 1<<16)}
	for _, slash := range policies.Slash {
		for _, unclean := range policies.Path {
			m := muxwell.New(muxwell.TrailingSlash(slash), muxwell.UncleanPath(unclean), muxwell.AutoOptions())
			for _, pattern := range []string{"GET /{a}", "POST /{a}/{b}", "/{a}/{b}/{c...}", "h/{x...}", "GET h/{x}/", "/a/{$}", "CONNECT /{a}/b", "[::1]/x", "//dbl", "/a/../b"} {
				m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.PathValue("a"), r.PathValue("c")) })
			}
			m.HandleParams("PUT /{a}/x/{p...}", func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) { fmt.Fprint(w, p.Get("a"), p.Get("p")) })
			for _, u := range urls {
				for i, method := range methods {
					if len(u.Path) > 1<<16 && i%3 != 0 {
						continue
					}
					r := &http.Request{Method: method, URL: u, Host: hosts[i%len(hosts)], Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
					checkAnswer(t, m, r)
				}
			}
			for _, host := range hosts {
				checkAnswer(t, m, &http.Request{Method: "GET", URL: &url.URL{Path: "/x", Host: host}, Host: host, Header: http.Header{}})
				checkAnswer(t, m, &http.Request{Method: "CONNECT", URL: &url.URL{Path: "/x", Host: host}, Host: host, Header: http.Header{}})
			}
		}
	}
}

// checkAnswer serves r and checks that the answer is one, and stays on site.
func checkAnswer(t *testing.T, m *muxwell.Mux, r *http.Request) {
	t.Helper()
	if h, _ := m.Handler(r); h == nil {
		t.Fatalf("Handler returned nil for %s %.80q host %.80q", r.Method, r.URL.Path, r.Host)
	}
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	switch location := w.Header().Get("Location"); w.Code {
	case 200, 204, 404, 405:
	case 307:
		if !strings.HasPrefix(location, "/") || strings.HasPrefix(location, "//") || strings.ContainsAny(location, "\\\r\n\x00") {
			t.Fatalf("%.20s %.80q: Location %.80q", r.Method, r.URL.Path, location)
		}
	default:
		t.Fatalf("%.20s %.80q host %.80q: status %d", r.Method, r.URL.Path, r.Host, w.Code)
	}
}

func TestRobustPatterns(t *testing.T) {
	var many, deep strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "/{p%d}", i)
	}
	for i := range 1 << 14 {
		fmt.Fprintf(&deep, "/{p%d}/x", i)
	}
	m := muxwell.New()
	var values []string
	for _, pattern := range []string{many.String(), deep.String(), "/lit/" + strings.Repeat("x", 1<<20) + "/{p0}", strings.Repeat("/s", 1<<16)} {
		rt, err := m.Add(pattern, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			names := m.RouteOf(r).ParamNames()
			for _, name := range names[:min(300, len(names))] {
				values = append(values, r.PathValue(name))
			}
		}))
		if err != nil {
			t.Fatalf("%.40s…: %v", pattern, err)
		}
		values = nil
		path := parameter.ReplaceAllString(pattern, "$1")
		w := httptest.NewRecorder()
		m.ServeHTTP(w, &http.Request{Method: "GET", URL: &url.URL{Path: path}, Header: http.Header{}})
		if w.Code != 200 {
			t.Errorf("%.40s…: status %d", pattern, w.Code)
		}
		names := rt.ParamNames()
		for i, v := range values {
			if v != names[i] {
				t.Errorf("%.40s…: parameter %s is %q", pattern, names[i], v)
			}
		}
	}
}

// TestManyRoutes registers 100,000 routes in each of the shapes that could
// make registration or the build quadratic.
func TestManyRoutes(t *testing.T) {
	n := long.Rounds(t, "routes", 10_000, 20_000, 100_000)
	for _, format := range []string{"GET /static/page-%d", "GET /r%d/{id}", "GET /{id}/r%d", "/a/{x}/b/r%d/{p...}", "GET h%d.example.com/{x}", "M%d /{x}", "/{x}/r%d/"} {
		if strings.HasPrefix(format, "M%d") {
			n := n / 100 // a table a method, of all methods that are named
			manyRoutes(t, format, n)
			continue
		}
		manyRoutes(t, format, n)
	}
}

func manyRoutes(t *testing.T, format string, n int) {
	t.Helper()
	m := muxwell.New()
	for i := range n {
		if _, err := m.Add(fmt.Sprintf(format, i), http.NotFoundHandler()); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < n; i += n / 50 {
		pattern := fmt.Sprintf(format, i)
		method, target, ok := strings.Cut(pattern, " ")
		if !ok {
			method, target = "GET", pattern
		}
		slash := strings.IndexByte(target, '/')
		r := &http.Request{Method: method, Host: target[:slash], URL: &url.URL{Path: parameter.ReplaceAllString(target[slash:], "$1")}, Header: http.Header{}}
		if _, got := m.Handler(r); got != pattern {
			t.Errorf("%s %s: got %q, want %q", method, r.URL.Path, got, pattern)
		}
		m.ServeHTTP(httptest.NewRecorder(), r)
		if r.Pattern != pattern {
			t.Errorf("%s %s: r.Pattern is %q, want %q", method, r.URL.Path, r.Pattern, pattern)
		}
	}
}

// TestRegisterWhileServing: a route answers from the moment its registration
// returned, and all that were there before go on answering right.
func TestRegisterWhileServing(t *testing.T) {
	const routes = 300
	m := muxwell.New()
	var registered atomic.Int64
	var wg sync.WaitGroup
	register := func(i int) {
		pattern := fmt.Sprintf("GET /r%d/{id}", i)
		m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Pattern, " ", r.PathValue("id")) })
		registered.Store(int64(i + 1))
	}
	register(0)
	for g := range 8 {
		wg.Go(func() {
			for n := 0; ; n++ {
				have := registered.Load()
				if n > 100 && have == routes {
					return
				}
				i := (int64(n)*7 + int64(g)) % have
				w := httptest.NewRecorder()
				m.ServeHTTP(w, httptest.NewRequest("GET", fmt.Sprintf("/r%d/v%d-%d", i, g, n), nil))
				if got, want := w.Body.String(), fmt.Sprintf("GET /r%d/{id} v%d-%d", i, g, n); got != want {
					t.Errorf("got %q, want %q", got, want)
					return
				}
				for range m.Routes() {
					break
				}
			}
		})
	}
	for i := 1; i < routes; i++ {
		register(i)
		runtime.Gosched()
	}
	wg.Wait()
}

// TestKeptRequests: values stay right for as long as anyone keeps the request
// or a copy of it, whatever is served meanwhile.
func TestKeptRequests(t *testing.T) {
	m := muxwell.New()
	type kept struct {
		r, copied, cloned *http.Request
		p                 muxwell.Params
		want              string
	}
	var all []kept
	m.HandleFunc("GET /r/{a}/{b}", func(_ http.ResponseWriter, r *http.Request) {
		all = append(all, kept{r: r, copied: r.WithContext(context.WithValue(r.Context(), &all, 1)), cloned: r.Clone(r.Context()), want: r.URL.Path})
	})
	m.HandleParams("POST /r/{a}/{b}", func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
		all = append(all, kept{p: p, want: r.URL.Path})
	})
	for i := range 5000 {
		method := []string{"GET", "POST"}[i%2]
		r := httptest.NewRequest(method, fmt.Sprintf("/r/a%d/%s", i, strings.Repeat("b", i%600)+"b"), nil)
		m.ServeHTTP(httptest.NewRecorder(), r)
	}
	runtime.GC()
	for _, k := range all {
		if k.r == nil {
			if got := "/r/" + k.p.Get("a") + "/" + k.p.Get("b"); got != k.want {
				t.Fatalf("Params: got %q, want %q", got, k.want)
			}
			continue
		}
		for name, r := range map[string]*http.Request{"request": k.r, "WithContext": k.copied, "Clone": k.cloned} {
			if got := "/r/" + r.PathValue("a") + "/" + r.PathValue("b"); got != k.want {
				t.Fatalf("%s: got %q, want %q", name, got, k.want)
			}
			if rt := m.RouteOf(r); rt == nil || rt.Pattern() != "GET /r/{a}/{b}" {
				t.Fatalf("%s: RouteOf is %v", name, rt)
			}
		}
	}
}

// TestConcurrentValues: requests that are served at the same time do not meet
// each other's values.
func TestConcurrentValues(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /{a}/{b}/{c...}", func(w http.ResponseWriter, r *http.Request) {
		runtime.Gosched()
		fmt.Fprintf(w, "/%s/%s/%s", r.PathValue("a"), r.PathValue("b"), r.PathValue("c"))
	})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 2000 {
				path := fmt.Sprintf("/g%d/i%d/%s", g, i, strings.Repeat("x", i%80))
				w := httptest.NewRecorder()
				m.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
				if got := w.Body.String(); got != path {
					t.Errorf("got %q, want %q", got, path)
				}
			}
		})
	}
	wg.Wait()
}
