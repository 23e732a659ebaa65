// Package faults has a test for each fault that a router had, or has. It uses the API
// of package muxwell only.
package faults

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/naive"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/policies"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Each TestFault is a bug that a router had, or has; some were security
// advisories. Its name says what the router did, and what must not happen here.

// must panics with the error of a registration.
func must(_ *muxwell.Route, err error) {
	if err != nil {
		panic(err)
	}
}

// The patterns redirect all sorts of paths: a final slash is missing, and most
// of what follows the first slashes matches.
var offSitePatterns = []string{"/{x}/", "/{x}/{y}/", "/{x}/{y}/{z}/{$}", "/a/b/", "GET /evil.com/", "CONNECT /{x}/{y}/"}

// TestFaultRedirectLeavesTheSite: gin, httprouter, httptreemux, gorilla/mux,
// chi, powermux and echo redirected to "//evil.com" and the like.
func TestFaultRedirectLeavesTheSite(t *testing.T) {
	targets := []string{
		"//evil.com", "//evil.com/", "///evil.com", "////evil.com//", "//evil.com/..", "//evil.com/%2e%2e", "//evil.com/a//b",
		"/%2Fevil.com", "/%2Fevil.com/", "/%2f%2fevil.com", "/%2F/evil.com", "//%2Fevil.com", "/%2e%2e//evil.com", "/.//evil.com", "/..//evil.com",
		`/\evil.com`, `/\evil.com/`, `/\/evil.com`, `\\evil.com`, `/\\evil.com`, `//\evil.com`, "/%5Cevil.com", "/%5Cevil.com/", "/%5c%5cevil.com", "//%5cevil.com",
		"/%09/evil.com", "//%09evil.com", "/%0d%0aLocation:%20//evil.com", "/%0a/evil.com", "/%00//evil.com", "/%20//evil.com", "/%7f/evil.com",
		"http://evil.com", "http://evil.com/a", "http://evil.com//a", "http://evil.com//evil.org/", `http://evil.com/\evil.org`, "https://evil.com/a/b", "http:evil.com/a", "http:///evil.com",
		"//user@evil.com", "//evil.com:80/a", "//[::1]/a", "/evil.com", "/http://evil.com", "//http://evil.com", "/a?next=//evil.com", "/a?/../..//evil.com", `/a?\\evil.com`, "//?//evil.com", "/;//evil.com", "//#/evil.com",
		"*", "evil.com", "/é//evil.com", "/\x80//evil.com", "/\x01/evil.com", "/\x7f/evil.com",
	}
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		srv := httptest.NewServer(muxtest.MuxOf(muxwell.New, offSitePatterns, options...))
		defer srv.Close()
		redirects := 0
		for _, target := range targets {
			for _, method := range []string{"GET", "POST", "CONNECT"} {
				resp := rawRequest(t, srv.Listener.Addr(), method, target)
				if resp == nil || resp.StatusCode/100 != 3 {
					continue
				}
				redirects++
				if why := muxtest.OffSite(resp.Header.Get("Location")); why != "" {
					t.Errorf("%s %s: status %d, Location %q: %s", method, target, resp.StatusCode, resp.Header.Get("Location"), why)
				}
				if cookies := resp.Header.Values("Set-Cookie"); len(cookies) > 0 {
					t.Errorf("%s %s: the client made the server set cookies %q", method, target, cookies)
				}
			}
		}
		t.Logf("%d redirects", redirects)
	})
}

// rawRequest sends a request line as it is to a server, and returns the answer,
// or nil if the server hung up.
func rawRequest(t *testing.T, addr net.Addr, method, target string) *http.Response {
	t.Helper()
	conn, err := net.Dial(addr.Network(), addr.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n", method, target)
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return nil
	}
	resp.Body.Close()
	return resp
}

// TestFaultGeneratedRedirectLeavesTheSite is TestFaultRedirectLeavesTheSite
// for paths put together at random, as a server reads them and as middleware
// may set them.
func TestFaultGeneratedRedirectLeavesTheSite(t *testing.T) {
	pieces := []string{"/", "/", "//", `\`, "%5C", "%2F", "%2f", ".", "..", "%2e", "evil.com", "a", "x", ":", "@", "http:", "?", "#", "\t", "%09", "\r\n", "%0D%0A", " ", "%20", "\x00", "\x7f", "é", "\x80", "%zz", "%"}
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		m := muxtest.MuxOf(muxwell.New, offSitePatterns, options...)
		src, redirects := rand.New(rand.NewPCG(1, 2)), 0
		for range 5_000 {
			var b strings.Builder
			for range 1 + src.IntN(8) {
				b.WriteString(random.Pick(src, pieces...))
			}
			text, query := b.String(), random.Pick(src, "", "", "//evil.com", "a\r\nb", "\t\\")
			urls := []*url.URL{{Path: text, RawQuery: query}, {Path: "/" + text, RawPath: "/" + random.Pick(src, pieces...), RawQuery: query}}
			if u, err := url.ParseRequestURI("/" + text); err == nil {
				urls = append(urls, u)
			}
			for _, u := range urls {
				r := muxtest.NewRequest(random.Pick(src, "GET", "POST", "CONNECT"), "/")
				r.URL = u
				w := muxtest.AnswerTo(m, r)
				if w.Code/100 != 3 {
					continue
				}
				redirects++
				if why := muxtest.OffSite(w.Header().Get("Location")); why != "" {
					t.Fatalf("%s %#v: status %d, Location %q: %s", r.Method, u, w.Code, w.Header().Get("Location"), why)
				}
			}
		}
		t.Logf("%d redirects", redirects)
	})
}

// TestRedirectsAreSent guards the two tests above against passing because
// nothing is redirected.
func TestRedirectsAreSent(t *testing.T) {
	m := muxtest.MuxOf(muxwell.New, offSitePatterns)
	for target, want := range map[string]string{
		"//evil.com":           "/evil.com/",
		"//evil.com/":          "/evil.com/",
		"/evil.com":            "/evil.com/",
		"/%2Fevil.com":         "/%2Fevil.com/",
		`/\evil.com`:           "/%5Cevil.com/",
		"/%5Cevil.com":         "/%5Cevil.com/",
		"/%09/evil.com":        "/%09/evil.com/",
		"http://evil.com/a":    "/a/",
		"http://evil.com//a":   "/a/",
		"/a?next=//evil.com":   "/a/?next=//evil.com",
		"/..//evil.com":        "/evil.com/",
		"/%0d%0aLocation:%20x": "/%0d%0aLocation:%20x/",
	} {
		w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", target))
		if got := w.Header().Get("Location"); w.Code != http.StatusTemporaryRedirect || got != want {
			t.Errorf("GET %s: got status %d, Location %q, want 307, %q", target, w.Code, got, want)
		}
	}
}

// TestFaultRedirectTurnsPathIntoQuery: a path with an escaped question mark
// was redirected to a path and a query.
func TestFaultRedirectTurnsPathIntoQuery(t *testing.T) {
	m := muxtest.MuxOf(muxwell.New, []string{"/q/{id}/"})
	for target, want := range map[string]string{
		"/q/what%3Fz":        "/q/what%3Fz/",
		"/q/what%3fz?a=b":    "/q/what%3fz/?a=b",
		"/q/what%23z":        "/q/what%23z/",
		"/q/a%2Fb":           "/q/a%2Fb/",
		"/q/%41%25":          "/q/%41%25/",
		"//q/what%3Fz":       "/q/what%3Fz/",
		"/q/./what%3Fz/?%3F": "/q/what%3Fz/?%3F",
	} {
		w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", target))
		got := w.Header().Get("Location")
		if w.Code != http.StatusTemporaryRedirect || got != want {
			t.Errorf("GET %s: got status %d, Location %q, want 307, %q", target, w.Code, got, want)
			continue
		}
		if pattern := muxtest.MatchOf(m, "GET", got); pattern != "/q/{id}/" {
			t.Errorf("GET %s, redirected to %s: got %s, want pattern /q/{id}/", target, got, pattern)
		}
	}
}

// TestFaultSlashRedirectLeadsNowhere: a redirect to "/foo" or "/foo/" was sent
// though neither was a route, or only for another method.
func TestFaultSlashRedirectLeadsNowhere(t *testing.T) {
	for _, slash := range policies.Slash {
		m := muxtest.MuxOf(muxwell.New, []string{"/foo/bar", "/foobar", "POST /only/", "GET /{id}/posts/{$}"}, muxwell.TrailingSlash(slash))
		for target, want := range map[string]string{
			"/foo": "404", "/foo/": "404", "/foo/ba": "404", "/foo/ba/": "404", "/fooba": "404", "/fooba/": "404", "/": "404",
			"/only/x/": "405", "/7/post": "404", "/7/posts/x": "404",
		} {
			if got := muxtest.MatchOf(m, "GET", target); got != want {
				t.Errorf("GET %s, slash policy %d: got %s, want %s", target, slash, got, want)
			}
		}
	}
}

// TestFaultGeneratedSlashRedirectLeadsNowhere follows slash redirects in
// random muxes: each must end at a route.
func TestFaultGeneratedSlashRedirectLeadsNowhere(t *testing.T) {
	followed := 0
	for seed := uint64(1); seed <= 400; seed++ {
		src := rand.New(rand.NewPCG(seed, 3))
		m := muxwell.New(muxwell.UncleanPath(policies.Path[src.IntN(3)]))
		var patterns []string
		for range 1 + src.IntN(12) {
			p := muxtest.RandomPattern(src, []string{"", "GET", "POST", "HEAD", "GET,POST"}, []string{"", "", "h"})
			if _, err := m.Add(p, http.HandlerFunc(muxtest.OK)); err == nil {
				patterns = append(patterns, p)
			}
		}
		for range 200 {
			r := muxtest.RandomRequest(src, []string{"GET", "HEAD", "POST", "PUT"}, []string{"h", "g"})
			if r == nil {
				continue
			}
			w := muxtest.AnswerTo(m, r)
			path, _, _ := strings.Cut(w.Header().Get("Location"), "?")
			if w.Code != http.StatusTemporaryRedirect || path == urlpath.Clean(r.URL.EscapedPath()) {
				continue
			}
			followed++
			next := muxtest.NewRequest(r.Method, w.Header().Get("Location"))
			next.Host = r.Host
			if w := muxtest.AnswerTo(m, next); w.Code != http.StatusOK || next.Pattern != r.Pattern {
				t.Fatalf("%s %s%s was redirected to %s: got status %d, pattern %q, want 200, %q\npatterns: %q", r.Method, r.Host, r.RequestURI, next.RequestURI, w.Code, next.Pattern, r.Pattern, patterns)
			}
		}
	}
	if followed < 1_000 {
		t.Errorf("only %d slash redirects followed", followed)
	}
}

// TestFaultTwoReadingsOfOnePath: the router matched the path as it was sent,
// the handler read it unescaped, and a sibling's guard was bypassed (echo
// GHSA-vfp3-v2gw-7wfq; traefik, caddy and heimdall likewise). Here literals
// are compared with, and parameters get, the same reading of a segment.
func TestFaultTwoReadingsOfOnePath(t *testing.T) {
	const guard, open = "/files/private/{f}", "/files/{path...}"
	var pattern, value string
	m := muxwell.New()
	m.HandleFunc(guard, func(_ http.ResponseWriter, r *http.Request) { pattern, value = r.Pattern, r.PathValue("f") })
	m.HandleFunc(open, func(_ http.ResponseWriter, r *http.Request) { pattern, value = r.Pattern, r.PathValue("path") })
	m.HandleParams("/value"+guard, func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
		pattern, value = r.Pattern[len("/value"):], p.Get("f")
	})
	m.HandleParams("/value"+open, func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
		pattern, value = r.Pattern[len("/value"):], p.Get("path")
	})
	for _, row := range []struct{ target, pattern, value string }{
		{"/files/private/a", guard, "a"},
		{"/files/%70rivate/a", guard, "a"},
		{"/files/%70%72%69%76%61%74%65/%61", guard, "a"},
		{"/files/private/a%2Fb", guard, "a/b"},
		{"/files/private/..%2Fa", guard, "../a"},
		{"/files/private/..%5Ca", guard, `..\a`},
		{"/files/private/%252F", guard, "%2F"},
		{"/files/private/%2E%2E", guard, ".."},
		// One segment, which is not "private": a file server must refuse it,
		// or be given the path as it was sent.
		{"/files/private%2Fa", open, "private/a"},
		{"/files/private%252Fa", open, "private%2Fa"},
		{"/files/private%5Ca", open, `private\a`},
		{"/files/Private/a", open, "Private/a"},
		{"/files/private/a/b", open, "private/a/b"},
		{"/files/private/a/%2e%2e", open, "private/a/.."},
		{"/files/private", open, "private"},
	} {
		for _, base := range []string{"", "/value"} {
			pattern, value = "", ""
			w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", base+row.target))
			if pattern != row.pattern || value != row.value {
				t.Errorf("GET %s: got pattern %q with %q (status %d), want %q with %q", base+row.target, pattern, value, w.Code, row.pattern, row.value)
			}
		}
	}
}

// TestFaultGeneratedTwoReadingsOfOnePath checks, in random muxes, that the
// values a handler sees stand in the path where its pattern says, between the
// pattern's own literals.
func TestFaultGeneratedTwoReadingsOfOnePath(t *testing.T) {
	matched := 0
	for seed := uint64(1); seed <= 300; seed++ {
		src := rand.New(rand.NewPCG(seed, 4))
		m := muxwell.New(muxwell.UncleanPath(muxwell.PathStrict), muxwell.TrailingSlash(muxwell.SlashStrict))
		for range 1 + src.IntN(12) {
			m.Add(muxtest.RandomPattern(src, []string{""}, []string{""}), http.HandlerFunc(muxtest.OK))
		}
		for range 200 {
			r := muxtest.RandomRequest(src, []string{"GET"}, []string{"h"})
			if r == nil || muxtest.AnswerTo(m, r).Code != http.StatusOK {
				continue
			}
			matched++
			p, err := pattern.Parse(r.Pattern, pattern.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := rebuild(p, r), unescapedSegments(r.URL.EscapedPath(), len(p.Segments)); !slices.Equal(got, want) {
				t.Fatalf("GET %s on %s: the handler sees segments %q, the path has %q", r.RequestURI, r.Pattern, got, want)
			}
		}
	}
	if matched < 10_000 {
		t.Errorf("only %d requests matched", matched)
	}
}

// rebuild returns the segments that p's literals and r's values make. The last
// is all the rest of the path; that of an anonymous catch-all is not looked at.
func rebuild(p *pattern.Pattern, r *http.Request) []string {
	var segs []string
	for _, g := range p.Segments {
		switch {
		case g.Kind == pattern.Literal:
			segs = append(segs, g.Text)
		case g.Kind == pattern.Dollar:
			segs = append(segs, "")
		case g.Text == "":
			segs = append(segs, unescapedSegments(r.URL.EscapedPath(), len(p.Segments))[len(p.Segments)-1])
		default:
			segs = append(segs, r.PathValue(g.Text))
		}
	}
	return segs
}

// unescapedSegments splits an escaped path into at most n segments.
func unescapedSegments(path string, n int) []string {
	segs := strings.SplitN(path[1:], "/", n)
	for i, s := range segs {
		segs[i] = naive.Unescape(s)
	}
	return segs
}

// TestFaultParametersBeyondAnArray: more than 30 parameters were written past
// a fixed array (fiber GHSA-mrq8-rjmw-wpq3).
func TestFaultParametersBeyondAnArray(t *testing.T) {
	for _, n := range []int{1, 30, 31, 63, 64, 65, 255, 256, 300} {
		var pattern, path, escaped strings.Builder
		for i := range n {
			fmt.Fprintf(&pattern, "/{p%d}", i)
			fmt.Fprintf(&path, "/v%d", i)
			fmt.Fprintf(&escaped, "/v%%2F%d", i)
		}
		for target, value := range map[string]string{path.String(): "v%d", escaped.String(): "v/%d"} {
			calls := 0
			m := muxwell.New()
			m.HandleFunc(pattern.String(), func(_ http.ResponseWriter, r *http.Request) {
				calls++
				for i := range n {
					if got, want := r.PathValue(fmt.Sprintf("p%d", i)), fmt.Sprintf(value, i); got != want {
						t.Errorf("%d parameters, PathValue %d of %s: got %q, want %q", n, i, target, got, want)
					}
				}
			})
			m.HandleParams("/value"+pattern.String(), func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
				calls++
				for i := range n {
					if got, want := p.At(i), fmt.Sprintf(value, i); got != want || p.Get(fmt.Sprintf("p%d", i)) != want {
						t.Errorf("%d parameters, Params %d of %s: got %q and %q, want %q", n, i, target, got, p.Get(fmt.Sprintf("p%d", i)), want)
					}
				}
			})
			muxtest.AnswerTo(m, muxtest.NewRequest("GET", target))
			muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/value"+target))
			if calls != 2 {
				t.Errorf("%d parameters: %d handlers called for %s, want 2", n, calls, target)
			}
		}
	}
}

// TestFaultEmptySegmentMatchesParameter: "/e//z" ran the handler of
// "/e/{x}/z".
func TestFaultEmptySegmentMatchesParameter(t *testing.T) {
	long := "/" + strings.Repeat("a", 70)
	rows := []struct {
		pattern, control string
		paths            []string
	}{
		{"/e/{x}/z", "/e/1/z", []string{"/e//z", "/e///z", "/e/z", "//e/z", "/e//z/"}},
		{"/e/{x}", "/e/1", []string{"/e/", "/e", "/e//"}},
		{"/e/{x}/", "/e/1/", []string{"/e//", "/e/", "/e"}},
		{"/e/{x}/{$}", "/e/1/", []string{"/e//", "/e/", "/e"}},
		{"/{x}", "/1", []string{"/", "//"}},
		{"/{x}/{y}", "/1/2", []string{"//", "///", "/a/", "//a", "/a//", "//%2F", "/%2F/"}},
		{"/{x}/{y}/{z...}", "/1/2/", []string{"///", "//a/b", "/a//b", "/a/"}},
		{long + "/{x}/z", long + "/1/z", []string{long + "//z", long + "/z"}},
		{long + "/{x}", long + "/1", []string{long + "/", long}},
		{long + "/{x}/{y}", long + "/1/2", []string{long + "//", long + "/a/", long + "//%2F"}},
	}
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		for _, row := range rows {
			m := muxtest.MuxOf(muxwell.New, []string{row.pattern}, options...)
			for _, method := range []string{"GET", "CONNECT"} {
				if got := muxtest.MatchOf(m, method, row.control); got != row.pattern {
					t.Errorf("%s %s: got %s, want pattern %s", method, row.control, got, row.pattern)
				}
				for _, path := range row.paths {
					if got := muxtest.MatchOf(m, method, path); got != "404" && got != "307" {
						t.Errorf("%s %s: got %s, want no match with %s", method, path, got, row.pattern)
					}
				}
			}
		}
	})
}

// TestFaultRequestKeptByGoroutine: a pooled request handed one user's
// parameters to another's goroutine, and a derived context crashed the process
// (MuxMaster).
func TestFaultRequestKeptByGoroutine(t *testing.T) {
	const clients, requests = 8, 200
	type kept struct {
		requests [3]*http.Request
		params   muxwell.Params
	}
	type clientKey struct{}
	keep := make([]kept, clients) // one for each client, which sends one request at a time
	client := func(r *http.Request) *kept { return r.Context().Value(clientKey{}).(*kept) }
	m := muxwell.New()
	m.HandleFunc("/keep/{user}/{token}", func(_ http.ResponseWriter, r *http.Request) {
		ctx := context.WithoutCancel(r.Context())
		client(r).requests = [3]*http.Request{r, r.WithContext(ctx), r.Clone(ctx)}
	})
	m.HandleParams("/value/{user}/{token}", func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) { client(r).params = p })

	var serving, reading sync.WaitGroup
	served := make(chan struct{})
	for c := range clients {
		serving.Go(func() {
			ctx := context.WithValue(t.Context(), clientKey{}, &keep[c])
			for n := range requests {
				user, token := fmt.Sprintf("user%d", c), fmt.Sprintf("token%d-%d", c, n)
				for _, base := range []string{"/keep/", "/value/"} {
					m.ServeHTTP(httptest.NewRecorder(), muxtest.NewRequest("GET", base+user+"/"+token).WithContext(ctx))
				}
				mine := keep[c]
				check := func() {
					for i, r := range mine.requests {
						if u, s := r.PathValue("user"), r.PathValue("token"); u != user || s != token {
							t.Errorf("copy %d of the request of %s, %s: got %q, %q", i, user, token, u, s)
						}
					}
					if u, s := mine.params.Get("user"), mine.params.Get("token"); u != user || s != token {
						t.Errorf("Params of the request of %s, %s: got %q, %q", user, token, u, s)
					}
				}
				reading.Go(check)
				reading.Go(func() { <-served; check() })
			}
		})
	}
	serving.Wait()
	close(served)
	reading.Wait()
}

// TestFaultCopyInNestedMux: a copy of a request that another mux serves leaves
// the values of the request alone.
func TestFaultCopyInNestedMux(t *testing.T) {
	inner := muxwell.New()
	var innerID string
	inner.HandleFunc("/outer/{name}/{id}", func(_ http.ResponseWriter, r *http.Request) { innerID = r.PathValue("id") })
	outer, called := muxwell.New(), false
	outer.HandleFunc("/outer/{id}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		called = true
		for name, c := range map[string]*http.Request{"WithContext": r.WithContext(r.Context()), "Clone": r.Clone(r.Context())} {
			innerID = ""
			inner.ServeHTTP(w, c)
			if innerID != "2" {
				t.Errorf("inner mux with a copy by %s: got id %q, want 2", name, innerID)
			}
			if id, rest := r.PathValue("id"), r.PathValue("rest"); id != "1" || rest != "2" {
				t.Errorf("after an inner mux served a copy by %s: got id %q, rest %q, want 1, 2", name, id, rest)
			}
		}
	})
	if muxtest.AnswerTo(outer, muxtest.NewRequest("GET", "/outer/1/2")); !called {
		t.Error("GET /outer/1/2 did not reach the outer handler")
	}
}

// TestFaultRequestIsCopied: a handler was given a copy of the request, so that
// the server did not clean up after it.
func TestFaultRequestIsCopied(t *testing.T) {
	var got *http.Request
	keep := func(_ http.ResponseWriter, r *http.Request) { got = r }
	m := muxwell.New(muxwell.NotFound(http.HandlerFunc(keep)), muxwell.MethodNotAllowed(http.HandlerFunc(keep)))
	m.HandleFunc("GET /static", keep)
	m.HandleFunc("GET /param/{x}", keep)
	m.HandleFunc("GET h/host/{x...}", keep)
	m.HandleParams("GET /value/{x}", func(_ http.ResponseWriter, r *http.Request, _ muxwell.Params) { got = r })
	for _, line := range []string{"GET /static", "GET /param/1", "GET /param/%2F", "GET /host/a/b", "GET /value/1", "GET /value/%2F", "GET /none", "PUT /static"} {
		method, target, _ := strings.Cut(line, " ")
		r := muxtest.NewRequest(method, target)
		r.Host, got = "h", nil
		if muxtest.AnswerTo(m, r); got != r {
			t.Errorf("%s: the handler was given request %p, the mux %p", line, got, r)
		}
	}
}

// TestFaultMultipartFilesAreLeftBehind: the server removes the temporary files
// of a multipart form from its own request only.
func TestFaultMultipartFilesAreLeftBehind(t *testing.T) {
	checkUploads(t, []string{"/upload/a", "/upload/%2F", "/value/a", "/value/%2F"}, func(m *muxwell.Mux, upload http.HandlerFunc) {
		m.Post("/upload/{name}", upload)
		m.HandleParams("POST /value/{name}", func(w http.ResponseWriter, r *http.Request, _ muxwell.Params) { upload(w, r) })
	})
}

// checkUploads sends a form with a file to each path of a server, whose mux register
// gives routes with a handler that reads it, and checks that no temporary file is
// left.
func checkUploads(t *testing.T, paths []string, register func(m *muxwell.Mux, upload http.HandlerFunc)) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	files := func() []string {
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	m := muxwell.New()
	register(m, func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		} else if len(files()) == 0 {
			http.Error(w, "the form is not in a file; the test is void", http.StatusInternalServerError)
		}
	})
	for _, path := range paths {
		srv := httptest.NewServer(m)
		body, contentType := multipartFile(t)
		resp, err := http.Post(srv.URL+path, contentType, body)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		srv.Close() // waits until the server is done with the request
		if left := files(); resp.StatusCode != http.StatusOK || len(left) != 0 {
			t.Errorf("POST %s: status %d, temporary files left: %q", path, resp.StatusCode, left)
		}
		for _, name := range files() {
			os.Remove(name)
		}
	}
}

// multipartFile returns a form with a file of some kilobytes.
func multipartFile(t *testing.T) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = new(bytes.Buffer)
	form := multipart.NewWriter(body)
	w, err := form.CreateFormFile("file", "data.bin")
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 64<<10))
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return body, form.FormDataContentType()
}

// TestFaultRouteIsLost: a route displaced another that shares its beginning,
// or the names of parameters in the same place had to agree, or a catch-all
// and its siblings excluded each other.
func TestFaultRouteIsLost(t *testing.T) {
	for _, row := range []struct {
		patterns []string
		want     map[string]string // target → pattern or status
	}{
		{[]string{"/a/{id}/x", "/a/{id}/y"}, map[string]string{"/a/1/x": "/a/{id}/x", "/a/1/y": "/a/{id}/y", "/a/1/z": "404", "/a/1": "404"}},
		{[]string{"/{a}/x", "/{b}/y"}, map[string]string{"/1/x": "/{a}/x", "/1/y": "/{b}/y", "/x/x": "/{a}/x"}},
		{[]string{"/u/{id}", "/u/{name}/posts", "/u/me"}, map[string]string{"/u/7": "/u/{id}", "/u/7/posts": "/u/{name}/posts", "/u/me": "/u/me", "/u/me/posts": "/u/{name}/posts"}},
		{[]string{"/{rest...}", "/api/users/{id}", "/api/", "/{$}"}, map[string]string{
			"/": "/{$}", "/index.html": "/{rest...}", "/deep/er/app.js": "/{rest...}", "/api/users/7": "/api/users/{id}",
			"/api/users": "/api/", "/api/": "/api/", "/apis": "/{rest...}", "/api/users/7/x": "/api/",
		}},
		{[]string{"/a/{id:[0-9]+}/x", "/a/{id:[0-9]+}/y"}, map[string]string{
			"/a/1/x": "/a/{id:[0-9]+}/x", "/a/1/y": "/a/{id:[0-9]+}/y", "/a/b/x": "404", "/a/1": "404", "/a/1/": "404",
		}},
		{[]string{"/{t:[0-9]+}/b/x", "/{n:int}"}, map[string]string{
			"/1/b/x": "/{t:[0-9]+}/b/x", "/1/": "404", "/1/b": "404", "/1": "/{n:int}", "/1/b/x/": "404",
		}},
		{[]string{"/{id:[0-9]+}.json", "/{id:[0-9]+}"}, map[string]string{
			"/7.json": "/{id:[0-9]+}.json", "/7": "/{id:[0-9]+}", "/x.json": "404", "/7xjson": "404", "/.json": "404", "/7.json/": "404",
		}},
		{[]string{"/r/compare/{base}...{head}", "/r/compare/{basehead}", "/jobs/{id}:apply", "/jobs/{id}:cancel", "/jobs/{id}", "/@{user}", "/{page}"}, map[string]string{
			"/r/compare/a...b": "/r/compare/{base}...{head}", "/r/compare/a..b": "/r/compare/{basehead}", "/r/compare/a...": "/r/compare/{basehead}",
			"/jobs/7:apply": "/jobs/{id}:apply", "/jobs/7:cancel": "/jobs/{id}:cancel", "/jobs/7:other": "/jobs/{id}", "/jobs/:apply": "/jobs/{id}",
			"/@gopher": "/@{user}", "/@": "/{page}", "/gopher": "/{page}",
		}},
		{[]string{"/repos/{path...}/raw/{file}", "/repos/{path...}", "/repos/new"}, map[string]string{
			"/repos/a/b/raw/f": "/repos/{path...}/raw/{file}", "/repos/raw/raw/f": "/repos/{path...}/raw/{file}", "/repos/raw/f": "/repos/{path...}",
			"/repos/new": "/repos/new", "/repos/a/raw/f/": "/repos/{path...}",
		}},
		{[]string{"/a/b/c", "/a/{x}/d", "/{y...}"}, map[string]string{"/a/b/c": "/a/b/c", "/a/b/d": "/a/{x}/d", "/a/b/e": "/{y...}"}},
	} {
		for _, reversed := range []bool{false, true} {
			patterns := slices.Clone(row.patterns)
			if reversed {
				slices.Reverse(patterns)
			}
			m := muxtest.MuxOf(muxwell.New, patterns)
			for target, want := range row.want {
				if got := muxtest.MatchOf(m, "GET", target); got != want {
					t.Errorf("GET %s, patterns %q: got %s, want %s", target, patterns, got, want)
				}
			}
		}
	}
}

// TestFaultValuesUnderOtherNames: two names in one place each had to give the
// value to their own route.
func TestFaultValuesUnderOtherNames(t *testing.T) {
	m := muxwell.New()
	var got string
	for pattern, names := range map[string][2]string{"/{a}/x": {"a", "b"}, "/{b}/y": {"b", "a"}} {
		m.HandleFunc(pattern, func(_ http.ResponseWriter, r *http.Request) {
			got = r.PathValue(names[0]) + "," + r.PathValue(names[1])
		})
	}
	for _, target := range []string{"/1/x", "/1/y"} {
		got = ""
		if muxtest.AnswerTo(m, muxtest.NewRequest("GET", target)); got != "1," {
			t.Errorf("GET %s: the route's name and the other's give %q, want %q", target, got, "1,")
		}
	}
}

// TestFaultBadPatternIsAccepted: a pattern that no request can match, or that
// says something else than it seems to, was registered.
func TestFaultBadPatternIsAccepted(t *testing.T) {
	for _, pattern := range []string{
		"", "a", "GET", "GET ", "GET a", "GET, POST /a", "GET,,POST /a", ",GET /a", "GET,GET /a", "G@T /a",
		"/{", "/{a", "/a{b", "/{}", "/{...}", "/{a}/{a}", "/{a}/{a...}", "/{$}/b", "/{a...}/", "/{$}/", "/{$...}", "/{a{b}", "/{a/b}",
		"/{a}{b}", "/x{a...}", "/{a...}/{b...}", "/{a...}/b/", "/{a:}", "/{a:no}", "/{a:[}", "/{a:(}", "/{a:^$}", "/{a...:int}", "/{a:int...}", "/{$}x",
		"{h", "{h}", "{h}.{h}/", "{h}/{h}", "*x.h/", "{h:no}/", "{h}..x/", "{h}:{p}/",
		"{h}/a{", "GET //a", "GET /a//b", "GET /a/../b", "GET /./a", "GET /a/..", "GET h i/a",
	} {
		m := muxwell.New()
		rt, err := m.Add(pattern, http.HandlerFunc(muxtest.OK))
		var e *muxwell.PatternError
		if !errors.As(err, &e) || rt != nil {
			t.Errorf("Add(%q): got route %v, error %v, want a *PatternError", pattern, rt, err)
			continue
		}
		if e.Pattern != pattern || e.Offset < 0 || e.Offset > len(pattern) || e.Reason == "" {
			t.Errorf("Add(%q): error %#v", pattern, e)
		}
		for rt := range m.Routes() {
			t.Errorf("Add(%q) failed and registered %v", pattern, rt)
		}
		if v := muxtest.Recovered(func() { m.HandleFunc(pattern, muxtest.OK) }); fmt.Sprint(v) != e.Error() {
			t.Errorf("HandleFunc(%q): panicked with %v, want %v", pattern, v, e)
		}
	}
}

// TestFaultNilHandlerIsAccepted: a nil handler was found out by the first
// request.
func TestFaultNilHandlerIsAccepted(t *testing.T) {
	m := muxwell.New()
	for name, register := range map[string]func(){
		"Handle":              func() { m.Handle("/a", nil) },
		"Handle, HandlerFunc": func() { m.Handle("/a", http.HandlerFunc(nil)) },
		"HandleFunc":          func() { m.HandleFunc("/a", nil) },
		"HandleParams":        func() { m.HandleParams("/a", nil) },
		"Get":                 func() { m.Get("/a", nil) },
		"Query":               func() { m.Query("/a", nil) },
		"Add": func() {
			_, err := m.Add("/a", nil)
			must(nil, err)
		},
		"Add, ParamsFunc": func() {
			_, err := m.Add("/a", muxwell.ParamsFunc(nil))
			must(nil, err)
		},
		"Add, ErrorFunc": func() {
			_, err := m.Add("/a", muxwell.ErrorFunc(nil))
			must(nil, err)
		},
	} {
		err, _ := muxtest.Recovered(register).(error)
		var e *muxwell.PatternError
		if !errors.Is(err, muxwell.ErrNilHandler) || !errors.As(err, &e) || !strings.HasSuffix(e.Pattern, "/a") {
			t.Errorf("%s with a nil handler: panicked with %v, want a *PatternError for ErrNilHandler", name, err)
		}
	}
	if got := muxtest.MatchOf(m, "GET", "/a"); got != "404" {
		t.Errorf("GET /a after nil handlers were refused: got %s, want 404", got)
	}
	for name, option := range map[string]func(http.Handler) muxwell.Option{"NotFound": muxwell.NotFound, "MethodNotAllowed": muxwell.MethodNotAllowed} {
		if v := muxtest.Recovered(func() { option(nil) }); v == nil {
			t.Errorf("%s(nil) did not panic", name)
		}
	}
}

// TestFaultRegisteringLocksUp: a callback of the walk over the routes that
// registered one waited for itself, as did a handler that registered.
func TestFaultRegisteringLocksUp(t *testing.T) {
	m := muxtest.MuxOf(muxwell.New, []string{"/a", "/b"})
	seen := 0
	for rt := range m.Routes() {
		seen++
		m.HandleFunc(rt.Path()+"/copy", muxtest.OK)
		for range m.Routes() {
			m.RouteOf(muxtest.NewRequest("GET", "/a"))
		}
	}
	if seen != 2 {
		t.Errorf("Routes went over %d routes, want the 2 there were when it began", seen)
	}
	m.HandleFunc("/new/{name}", func(_ http.ResponseWriter, r *http.Request) { m.HandleFunc("/"+r.PathValue("name"), muxtest.OK) })
	for _, row := range [][2]string{{"/a/copy", "/a/copy"}, {"/c", "404"}, {"/new/c", "/new/{name}"}, {"/c", "/c"}} {
		if got := muxtest.MatchOf(m, "GET", row[0]); got != row[1] {
			t.Errorf("GET %s: got %s, want %s", row[0], got, row[1])
		}
	}
}

// TestFaultFirstAnswerIsCached: a first 404 fixed the routes, or what stood
// around them, for ever.
func TestFaultFirstAnswerIsCached(t *testing.T) {
	m := muxwell.New()
	for _, row := range []struct{ register, request, before, after string }{
		{"GET /a/{x}", "GET /a/1", "404", "GET /a/{x}"},
		{"GET /a/b", "GET /a/b", "GET /a/{x}", "GET /a/b"},
		{"POST /a/b", "POST /a/b", "405", "POST /a/b"},
		{"h/a/b", "GET /a/b", "GET /a/b", "h/a/b"},
		{"/s/", "GET /s", "404", "307"},
		{"/s", "GET /s", "307", "/s"},
	} {
		request := func() string {
			method, target, _ := strings.Cut(row.request, " ")
			r := muxtest.NewRequest(method, target)
			r.Host = "h"
			if w := muxtest.AnswerTo(m, r); w.Code != http.StatusOK {
				return fmt.Sprint(w.Code)
			}
			return r.Pattern
		}
		if got := request(); got != row.before {
			t.Errorf("%s before %q was registered: got %s, want %s", row.request, row.register, got, row.before)
		}
		m.HandleFunc(row.register, muxtest.OK)
		if got := request(); got != row.after {
			t.Errorf("%s after %q was registered: got %s, want %s", row.request, row.register, got, row.after)
		}
	}
}

// TestFaultRegisteringRacesWithServing: routes registered while requests were
// served made a data race. A request that begins after a registration sees its
// route.
func TestFaultRegisteringRacesWithServing(t *testing.T) {
	m := muxtest.MuxOf(muxwell.New, []string{"/first/{x}"})
	var wg sync.WaitGroup
	for c := range 4 {
		wg.Go(func() {
			for n := range 50 {
				pattern := fmt.Sprintf("/%d/%d/{x}", c, n)
				m.HandleFunc(pattern, muxtest.OK)
				if got := muxtest.MatchOf(m, "GET", fmt.Sprintf("/%d/%d/v", c, n)); got != pattern {
					t.Errorf("GET /%d/%d/v: got %s, want %s", c, n, got, pattern)
				}
				if got := muxtest.MatchOf(m, "GET", "/first/v"); got != "/first/{x}" {
					t.Errorf("GET /first/v: got %s, want /first/{x}", got)
				}
			}
		})
	}
	wg.Wait()
}

// TestFaultAbortIsSwallowed: a handler's panic with http.ErrAbortHandler tells
// the server to drop the connection, and must reach it.
func TestFaultAbortIsSwallowed(t *testing.T) {
	abort := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	m := muxwell.New(muxwell.NotFound(http.HandlerFunc(abort)), muxwell.MethodNotAllowed(http.HandlerFunc(abort)))
	m.Get("/handler/{x}", abort)
	m.HandleParams("GET /value/{x}", func(http.ResponseWriter, *http.Request, muxwell.Params) { panic(http.ErrAbortHandler) })
	for _, line := range []string{"GET /handler/1", "GET /handler/%2F", "GET /value/1", "GET /value/%2F", "GET /none", "POST /handler/1"} {
		method, target, _ := strings.Cut(line, " ")
		if v := muxtest.Recovered(func() { muxtest.AnswerTo(m, muxtest.NewRequest(method, target)) }); v != http.ErrAbortHandler {
			t.Errorf("%s: recovered %v, want http.ErrAbortHandler", line, v)
		}
	}
	srv := httptest.NewServer(m)
	defer srv.Close()
	if resp := rawRequest(t, srv.Listener.Addr(), "GET", "/handler/1"); resp != nil {
		t.Errorf("GET /handler/1: the server answered with status %d, want a dropped connection", resp.StatusCode)
	}
}

// A long path is looked up another way; it must not match what a short one may
// not.
func TestFaultLongUncleanPath(t *testing.T) {
	long := strings.Repeat("a", 70)
	for _, tail := range []string{"//b", "/./b", "/../b"} {
		for _, prefix := range []string{"/{x}", "/" + long} {
			for _, policy := range []muxwell.PathPolicy{muxwell.PathRedirect, muxwell.PathStrict} {
				m := muxwell.New(muxwell.UncleanPath(policy))
				m.HandleFunc(prefix+tail, func(http.ResponseWriter, *http.Request) {})
				w := httptest.NewRecorder()
				m.ServeHTTP(w, httptest.NewRequest("GET", "/"+long+tail, nil))
				want := http.StatusTemporaryRedirect
				if policy == muxwell.PathStrict {
					want = http.StatusNotFound
				}
				if w.Code != want {
					t.Errorf("pattern %s%s, policy %d: status %d, want %d", prefix, tail, policy, w.Code, want)
				}
			}
		}
	}
}

// TestFaultFunctionLocksUp: a constraint's function that looked at the mux, while
// a registration that failed asked it for an example, waited for ever.
func TestFaultFunctionLocksUp(t *testing.T) {
	for _, options := range [][]muxwell.Option{nil, {muxwell.StrictConflicts()}} {
		var m *muxwell.Mux
		asked := 0
		m = muxwell.New(append(options, muxwell.Constraint("known", func(v string) bool {
			for rt := range m.Routes() {
				asked++
				if rt.Name() == v {
					return true
				}
			}
			return false
		}))...)
		m.Handle("/{x:known}", http.HandlerFunc(muxtest.OK))
		if _, err := m.Add("/{y:known}", http.HandlerFunc(muxtest.OK)); err == nil {
			t.Error("a duplicate was registered")
		}
		if _, err := m.Add("/{y:int}", http.HandlerFunc(muxtest.OK)); (err != nil) != (options != nil) {
			t.Errorf("a second constraint: got error %v", err)
		}
		if m.Check(); asked == 0 {
			t.Error("the function was never called")
		}
	}
}

// TestFaultReadingRunsCompilers: where a catch-all was empty, reading it compiled
// the pattern's expressions again.
func TestFaultReadingRunsCompilers(t *testing.T) {
	m := muxwell.New()
	var value string
	var err error
	m.HandleFunc(`/{v:(?i)[\pL\pN]{1,50}x}/{rest...}`, func(_ http.ResponseWriter, r *http.Request) {
		value, err = muxwell.Param[string](r, "rest")
	})
	r, w := muxtest.NewRequest("GET", "/ax/"), muxtest.NewWriter()
	if m.ServeHTTP(w, r); r.Pattern == "" || value != "" || err != nil {
		t.Fatalf("pattern %q, value %q, error %v", r.Pattern, value, err)
	}
	if allocs := testing.AllocsPerRun(10, func() { m.ServeHTTP(w, r) }); allocs > 30 && !muxtest.RaceEnabled {
		t.Errorf("%v allocations to read an empty catch-all, want at most 30", allocs)
	}
}

// TestFaultCopyAtEachCatchAll: each catch-all in the middle on the way copied and
// scanned the path anew.
func TestFaultCopyAtEachCatchAll(t *testing.T) {
	m, prefix := muxwell.New(), ""
	for range 300 {
		m.HandleFunc(prefix+"/{x...}/z", muxtest.OK)
		prefix += "/a"
	}
	r, w := muxtest.NewRequest("GET", strings.Repeat("/a", 1<<16)), muxtest.NewWriter()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	if w.Status != 404 || after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("status %d, %d bytes allocated for a path of %d", w.Status, after.TotalAlloc-before.TotalAlloc, len(r.URL.Path))
	}
}
