package source

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/routebench/route"
)

// list returns the routes of a list.
func list(t testing.TB, lines ...string) []*route.Route {
	t.Helper()
	rs, err := List("l", strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

func oracle(t testing.TB, lines ...string) *Oracle {
	t.Helper()
	o, err := NewOracle(list(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOracleRequest(t *testing.T) {
	o := oracle(t,
		"GET /",
		"GET /users/{id}",
		"GET /users/{id:int}",
		"POST /users/{id}",
		"GET {t}.example.org/{x...}",
		"GET /q query=q={q}",
		"GET /{b}.{a}",
		"GET /s/{$}",
		"POST /json content-type=application/json",
	)
	tests := []struct {
		method, host, target string
		route, status        int
		values               []string
	}{
		{"GET", "", "/", 0, 200, nil},
		{"GET", "", "/other/b", 0, 200, nil}, // "/" is a subtree
		{"HEAD", "", "/users/x", 1, 200, []string{"x"}},
		{"GET", "", "/users/x%2Fy?z=1", 1, 200, []string{"x/y"}},
		{"GET", "", "/users/42", 2, 200, []string{"42"}},
		{"POST", "", "/users/42", 3, 200, []string{"42"}},
		{"PUT", "", "/users/42", -1, 405, nil},
		{"GET", "A.example.org:80", "/", 4, 200, []string{"a", ""}},
		{"GET", "a.example.org", "/b/c", 4, 200, []string{"a", "b/c"}},
		{"GET", "", "/q?q=x", 5, 200, nil}, // what the query has is none of the pattern's
		{"GET", "", "/x.y", 6, 200, []string{"x", "y"}},
		{"GET", "", "/s", -1, 307, nil},
		{"POST", "", "/json", 8, 200, nil}, // there is no body
		{"POST", "", "/nowhere", -1, 405, nil},
		{"GET", "", "/users/../x", -1, 307, nil},
	}
	for _, tt := range tests {
		q, err := o.Request(tt.method, tt.host, tt.target)
		if err != nil {
			t.Errorf("Request(%q, %q, %q): %v", tt.method, tt.host, tt.target, err)
			continue
		}
		if q.Route != tt.route || q.Status != tt.status || !slices.Equal(q.Values, tt.values) {
			t.Errorf("Request(%q, %q, %q) = route %d, status %d, values %q, want %d, %d, %q",
				tt.method, tt.host, tt.target, q.Route, q.Status, q.Values, tt.route, tt.status, tt.values)
		}
		if q.HTTP.Pattern != "" {
			t.Errorf("Request(%q, %q, %q): the request was changed, its pattern is %q", tt.method, tt.host, tt.target, q.HTTP.Pattern)
		}
	}
	if q, err := o.Request("GET", "", "no path"); err == nil {
		t.Errorf("Request of a target without a slash = %v, want an error", q)
	}
}

func TestNewOracleErrors(t *testing.T) {
	parse := func(pattern, source string) *route.Route {
		r, err := route.Parse(pattern)
		if err != nil {
			t.Fatal(err)
		}
		r.Source = source
		return r
	}
	tests := []struct {
		name   string
		routes []*route.Route
		want   []string
	}{
		{"sources", []*route.Route{parse("GET /a/{x}", "a.txt:3"), parse("GET /a/{y}", "C:\\b.txt:14")}, []string{"GET /a/{x}", "a.txt:3", "GET /a/{y}", "C:\\b.txt:14"}},
		{"none", []*route.Route{parse("GET /a", ""), parse("GET /b", "x:y"), parse("GET /b", "")}, []string{"routes:2", "routes:3", "GET /b"}},
		{"option", []*route.Route{{Method: "GET", Text: "GET /a", Options: []muxwell.RouteOption{muxwell.MatchFunc(nil)}}}, []string{"GET /a", "MatchFunc"}},
	}
	for _, tt := range tests {
		o, err := NewOracle(tt.routes)
		if err == nil {
			t.Errorf("%s: NewOracle = %v, want an error", tt.name, o)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q in it", tt.name, err, want)
			}
		}
	}
}

// TestSamplesReach checks requests for routes of every kind, and that their values
// are such as all routers read alike.
func TestSamplesReach(t *testing.T) {
	builtins := "" // all constraints that have a name
	for _, b := range constraint.Builtins {
		builtins += "/{" + b.Name + ":" + b.Name + "}"
	}
	rs := list(t,
		"GET /", "GET /{$}", "GET /a/", "GET /a/{$}", "GET /a/b%2Fc%7Bd/é,:;@~",
		"GET /users/{id}", "GET /users/{id:int}", "GET /users/me", "GET /users/{id:[0-9]}",
		"GET /{owner}/{repo}/compare/{base}...{head}", "GET /v{major}.{minor:uint}", "GET /x/{a}-{b}/{c}x", "GET /v1/{name}:cancel",
		"GET /t/{tag:[a-z]+-[0-9]{2,}}"+builtins,
		"GET /e/{e:(?i)abc|x*y?z{3}[^a-z0-9]}", "GET /f/{f:.+}", "GET /g/{g:[^/]*}", `GET /h/{h:\bx\b}`,
		"GET /files/{path...}", "GET /files/{path...}/raw", "GET /files/{path...}/{$}",
		"GET example.com/only", "GET *.example.org/{x}", "GET {t}.{u:[a-z]{2}}.example.net/{x}", "GET {s...}.example.edu/", "GET API.example.com./x",
		"CONNECT example.com:443/c", "CONNECT {h}.example.com:443/c", "LINK /odd/{x}", "HEAD /users/{id}",
		`GET /m/{x} header=X-A:1 header-regexp="X-B:v[0-9]" query=q={q} query=n={n:int} scheme=https client=10.0.0.0/8`,
		"GET /m/{x} accept=text/csv", "POST /m/{x} content-type=application/json", "GET /m/{x}",
		"GET /w/{a}", "GET /w/{b:[^x]+}", "GET /w/{c:(?s).*x.*}",
	)
	var unreachable []int
	for i, r := range rs {
		if r.Text == "GET /w/{a}" || r.Text == "GET /users/{id:[0-9]}" { // others take all of theirs
			unreachable = append(unreachable, i)
		}
	}
	qs := checkSamples(t, "kinds", rs, unreachable)
	for _, q := range qs {
		r := rs[q.Route]
		for i, name := range r.Names() {
			if v := q.Values[i]; strings.Contains(r.Text, "{"+name+"}") && (v == "" || strings.Trim(v, letters+digits+"-") != "") {
				t.Errorf("%s: %s has %q for %s, want letters, digits and '-'", r, q, v, name)
			}
		}
		if strings.ContainsAny(q.HTTP.URL.EscapedPath(), "%") && !strings.ContainsAny(r.Text, "% ^é") {
			t.Errorf("%s: %s has escapes", r, q)
		}
		if q.HTTP.URL.RawPath != "" && !strings.Contains(r.Text, "%2F") {
			t.Errorf("%s: %s has a raw path, %q", r, q, q.HTTP.URL.RawPath)
		}
	}
}

func TestSampleMatchers(t *testing.T) {
	o := oracle(t, `POST {t}.example.com/m/{x} header="X-A: 1 2" header-regexp="X-B:v[0-9]" query=q=a{q} scheme=https accept=text/csv content-type=text/plain client=10.0.0.0/8`)
	q, ok := o.Sample(0, rand.New(rand.NewPCG(1, 1)))
	if !ok {
		t.Fatal("no request was found")
	}
	h := q.HTTP
	if h.Header.Get("X-A") != "1 2" || !strings.HasPrefix(h.Header.Get("X-B"), "v") || h.Header.Get("Accept") != "text/csv" || h.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("headers are %v", h.Header)
	}
	if h.TLS == nil || !strings.HasPrefix(h.RemoteAddr, "10.") || !strings.HasPrefix(h.URL.Query().Get("q"), "a") || !strings.HasSuffix(h.RequestURI, "?"+h.URL.RawQuery) {
		t.Errorf("TLS is %v, the client %s, the target %s", h.TLS, h.RemoteAddr, h.RequestURI)
	}
	if len(q.Values) != 2 || h.Host != q.Values[0]+".example.com" || h.URL.Path != "/m/"+q.Values[1] {
		t.Errorf("host %s and path %s, but values %q", h.Host, h.URL.Path, q.Values)
	}
}

// TestSamplesStay checks that requests depend on the seed, and not on what routes
// come behind.
func TestSamplesStay(t *testing.T) {
	lines := []string{
		"GET /a/{x}/{id}", "GET /b/{y:[a-z]{3}[0-9]*}", "POST {t}.example.com/{z...}", "GET /c/{x} header=X-A", "GET /c/{x} query=q={q}", "/d/{x}-{y}",
	}
	text := func(qs []*route.Request) (all []string) {
		for _, q := range qs {
			all = append(all, fmt.Sprint(q, q.Route, q.Values, q.HTTP.Header, q.HTTP.RemoteAddr, q.HTTP.TLS != nil))
		}
		return all
	}
	first, _ := oracle(t, lines...).Samples(1)
	again, _ := oracle(t, lines...).Samples(1)
	if got, want := text(again), text(first); !slices.Equal(got, want) {
		t.Errorf("the same seed gives\n%s\nand\n%s", want, got)
	}
	longer, _ := oracle(t, append(lines, "GET /e/{x}")...).Samples(1)
	if got, want := text(longer)[:len(first)], text(first); !slices.Equal(got, want) {
		t.Errorf("with a route more the requests are\n%s\nwant\n%s", got, want)
	}
	other, _ := oracle(t, lines...).Samples(2)
	for i, got := range text(other) {
		if got == text(first)[i] {
			t.Errorf("seeds 1 and 2 give the same request, %s", got)
		}
	}
}

func TestOracleConcurrent(t *testing.T) {
	o := oracle(t, "GET /a/{x}", "GET {t}.example.com/{x}")
	want, _ := o.Samples(3)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				got, _ := o.Samples(3)
				for i, q := range got {
					if q.String() != want[i].String() || !slices.Equal(q.Values, want[i].Values) {
						t.Errorf("request %d is %s with %q, want %s with %q", i, q, q.Values, want[i], want[i].Values)
					}
				}
			}
		})
	}
	wg.Wait()
}

// FuzzSamples checks for any route that its requests reach it in a mux of their
// own, with the values that the oracle says.
func FuzzSamples(f *testing.F) {
	for _, pattern := range []string{
		"GET /a/{id}/{x...}", "PUT {t}.b.{c:[a-z]{2}}.com/v{x}.{y:[^/]+}", `GET /{x:(a|b)+\d{3,5}[^c-z]?}`, "CONNECT *.com:1/", "GET /%2f%7B/{m...}/raw",
	} {
		f.Add(pattern, uint64(1))
	}
	f.Fuzz(func(t *testing.T, pattern string, seed uint64) {
		r, err := route.Parse(pattern)
		if err != nil {
			return
		}
		o, err := NewOracle([]*route.Route{r})
		if err != nil {
			t.Fatalf("%q is a route, but: %v", pattern, err)
		}
		qs, unreachable := o.Samples(seed)
		if len(qs)+len(unreachable) != 1 {
			t.Fatalf("%q: %d requests, unreachable %v", pattern, len(qs), unreachable)
		}
		for _, q := range qs {
			m := muxwell.New()
			reached := false
			m.HandleFunc(pattern, func(_ http.ResponseWriter, req *http.Request) {
				reached = true
				for i, name := range r.Names() {
					if got := req.PathValue(name); got != q.Values[i] {
						t.Fatalf("%q: %s has %q for %s, want %q", pattern, q, q.Values[i], name, got)
					}
				}
			})
			m.ServeHTTP(&answer{header: http.Header{}}, q.HTTP)
			if !reached {
				t.Fatalf("%q: %s does not reach it", pattern, q)
			}
		}
	})
}
