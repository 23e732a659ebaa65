package behavior

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

func TestURLMatchers(t *testing.T) {
	for _, row := range []struct {
		pattern string
		options []muxwell.RouteOption
		pairs   string
		want    string // the URL, or the reason why there is none
	}{
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q}")}, "q=x", "/a?q=x"},
		{"/a/{id}", []muxwell.RouteOption{muxwell.Queries("q", "{q}", "n", "{n:int}"), muxwell.Queries("all", "", "on", "1")}, "n=-7,q=a b&c=é%,id=1/2", "/a/1%2F2?q=a+b%26c%3D%C3%A9%25&n=-7&all=&on=1"},
		{"/a", []muxwell.RouteOption{muxwell.Queries("v", "v{major:int}.{minor}", "rest", "{r...}", "a b", "c;d+")}, "major=1,minor=2,r=", "/a?v=v1.2&rest=&a+b=c%3Bd%2B"},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q}")}, "", `no value for "q"; the route has the parameters q`},
		{"/{x}", []muxwell.RouteOption{muxwell.Queries("q", "{q}")}, "x=1", `no value for "q"; the route has the parameters x, q`},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q}", "all", "")}, "q=1,all=2", `no parameter "all"; the route has q`},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q}")}, "q=", `the value of "q" is empty; in a query only {q...} can be empty`},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q:int}")}, "q=x", `{q:int} does not match "x"`},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{a}-{b}")}, "a=1-2,b=3", `{a}-{b} would parse "1-2-3" as ["1" "2-3"]`},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q...}")}, "q=" + strings.Repeat("x", 16382), "/a?q=" + strings.Repeat("x", 16382)},
		{"/a", []muxwell.RouteOption{muxwell.Queries("q", "{q...}")}, "q=" + strings.Repeat("x", 16383), "the query has 16385 bytes, but a route matches at most 16384"},
		{"h/a", []muxwell.RouteOption{muxwell.Schemes("HTTPS", "http")}, "", "https://h/a"},
		{"h/a", []muxwell.RouteOption{muxwell.Schemes("http", "https"), muxwell.Queries("q", "1")}, "", "http://h/a?q=1"},
		{"{t}.h:8443/a", []muxwell.RouteOption{muxwell.Schemes("https")}, "t=x", "https://x.h:8443/a"},
		{"/a", []muxwell.RouteOption{muxwell.Schemes("https")}, "", "/a"},
		{"h/a", []muxwell.RouteOption{muxwell.Headers("X", "1"), muxwell.Accept("text/html")}, "", "//h/a"},
	} {
		m := muxwell.New()
		rt, err := m.Add(row.pattern, http.NotFoundHandler(), append(row.options, muxwell.Name("n"))...)
		if err != nil {
			t.Fatal(err)
		}
		u, err := m.URL("n", splitPairs(row.pairs)...)
		if e, ok := errors.AsType[*muxwell.URLError](err); ok {
			if e.Reason != row.want || u != nil {
				t.Errorf("%v %v with %s: got %v, %s, want %s", rt, rt.Matchers(), row.pairs, u, e.Reason, row.want)
			}
			continue
		}
		if err != nil || u.String() != row.want {
			t.Errorf("%v %v with %s: got %v, error %v, want %s", rt, rt.Matchers(), row.pairs, u, err, row.want)
			continue
		}
		if read, err := url.Parse(u.String()); err != nil || *read != *u {
			t.Errorf("%s is read as %#v, error %v, want %#v", u, read, err, u)
		}
		if path, err := m.Path("n", splitPairs(row.pairs)...); err != nil || path != u.EscapedPath() || strings.Contains(path, "?") {
			t.Errorf("%v with %s: path %q, error %v, want %q", rt, row.pairs, path, err, u.EscapedPath())
		}
	}
}

// TestURLMounted: the routes of mounted muxes have their names in the mux around.
func TestURLMounted(t *testing.T) {
	add := func(m *muxwell.Mux, pattern, name string, options ...muxwell.RouteOption) {
		t.Helper()
		if _, err := m.Add(pattern, http.NotFoundHandler(), append(options, muxwell.Name(name))...); err != nil {
			t.Fatal(err)
		}
	}
	inner, middle, m, twice := muxwell.New(), muxwell.New(), muxwell.New(), muxwell.New()
	add(inner, "/", "home")
	add(inner, "GET /items/{id}", "item", muxwell.Queries("q", "{q}"), muxwell.Schemes("https"))
	add(middle, "/own", "own")
	add(m, "/outer/{x}", "own")
	middle.Mount("/inner/{tenant}", inner)
	m.Mount("{host}.example.com/middle/{version:int}", middle)
	twice.Mount("/a", inner)
	twice.Mount("/b", inner)
	add(inner, "/later/{id}", "later") // what is added later is there too
	all := []string{"host", "acme", "version", "2", "tenant", "t/1"}
	for _, row := range []struct {
		mux   *muxwell.Mux
		name  string
		pairs []string
		want  string
	}{
		{inner, "item", []string{"id", "7", "q", "x"}, "/items/7?q=x"},
		{middle, "item", []string{"id", "7", "q", "x", "tenant", "t"}, "/inner/t/items/7?q=x"},
		{m, "item", append(all, "id", "7", "q", "x"), "https://acme.example.com/middle/2/inner/t%2F1/items/7?q=x"},
		{m, "later", append(all, "id", "7"), "//acme.example.com/middle/2/inner/t%2F1/later/7"},
		{inner, "home", nil, "/"},
		{middle, "home", []string{"tenant", "t"}, "/inner/t/"},
		{m, "home", all, "//acme.example.com/middle/2/inner/t%2F1/"},
		{middle, "own", nil, "/own"},
		{m, "own", []string{"x", "1"}, "/outer/1"}, // its own route wins
		{m, "item", append(all, "id", "7"), `no value for "q"; the route has the parameters host, version, tenant, id, q`},
		{m, "item", []string{"host", "acme", "version", "two", "tenant", "t", "id", "7", "q", "x"}, `{version:int} does not match "two"`},
		{twice, "item", []string{"id", "7", "q", "x"}, `several routes of mounted muxes have this name: "GET /a/items/{id}" and "GET /b/items/{id}"; call Route.URL instead`},
		{twice, "home", nil, `several routes of mounted muxes have this name: "/a/" and "/b/"; call Route.URL instead`},
		{m, "none", nil, "no route has this name; name a route with the option Name"},
	} {
		got := ""
		u, err := row.mux.URL(row.name, row.pairs...)
		if e, ok := errors.AsType[*muxwell.URLError](err); ok {
			got = e.Reason
		} else {
			got = u.String()
		}
		if got != row.want {
			t.Errorf("%s with %q: got %s, want %s", row.name, row.pairs, got, row.want)
		}
	}
}

// queryTemplates have a parameter v that takes any value that allowed says.
var queryTemplates = []struct {
	template string
	allowed  func(v string) bool
}{
	{"{v}", notEmpty},
	{"{v...}", func(string) bool { return true }},
	{"x{v}y", notEmpty},
	{"{v}-{w}", func(v string) bool { return notEmpty(v) && !strings.Contains(v, "-") }},
	{"{w:alpha}.{v}", notEmpty},
	{"{v:(?s).*}", notEmpty},
}

// checkQueryURL builds URLs with v in the query, in the path and in the host, and
// looks whether a request for each gives the values back.
func checkQueryURL(t *testing.T, v string) (built int) {
	t.Helper()
	for _, pattern := range []string{"GET /a/{p}", "GET {h}.example.com/a/{p}", "GET /a/{p...}"} {
		for i, row := range queryTemplates {
			scheme := []string{"https", "http"}[i%2]
			var got []string
			m := muxwell.New()
			rt, err := m.Add(pattern, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				for _, name := range m.RouteOf(r).ParamNames() {
					got = append(got, r.PathValue(name))
				}
			}), muxwell.Queries("fixed", "a&b", "k y", row.template), muxwell.Queries("any", ""), muxwell.Schemes(scheme))
			if err != nil {
				t.Fatal(err)
			}
			var pairs, want []string
			for _, name := range rt.ParamNames() {
				value := map[string]string{"v": v, "p": v, "h": "acme"}[name]
				if name == "w" || name == "p" && v == "" {
					value = "u"
				}
				pairs, want = append(pairs, name, value), append(want, value)
			}
			u, err := rt.URL(pairs...)
			if err != nil {
				if row.allowed(v) && len(url.QueryEscape(v)) < 16_000 {
					t.Fatalf("%v %v with %q: %v", rt, rt.Matchers(), v, err)
				}
				continue
			}
			built++
			read, err := url.Parse(u.String())
			if err != nil || read.Host != u.Host || read.Scheme != u.Scheme || read.RequestURI() != u.RequestURI() {
				t.Fatalf("%v with %q: %q is read as %v, error %v", rt, v, u, read, err)
			}
			sent, err := url.ParseRequestURI(u.RequestURI())
			if err != nil {
				t.Fatalf("%v with %q: %v", rt, v, err)
			}
			r := &http.Request{Method: "GET", URL: sent, Host: u.Host, RequestURI: u.RequestURI(), Header: http.Header{}}
			if u.Scheme != "" && u.Scheme != scheme || (u.Scheme != "") != (u.Host != "") {
				t.Fatalf("%v with %q: scheme %q and host %q, want the scheme %s or none of both", rt, v, u.Scheme, u.Host, scheme)
			}
			if scheme == "https" {
				r.TLS = new(tls.ConnectionState)
			}
			w := httptest.NewRecorder()
			if m.ServeHTTP(w, r); w.Code != 200 || !slices.Equal(got, want) {
				t.Fatalf("%v %v with %q: %s gives status %d and %q, want %q", rt, rt.Matchers(), v, u, w.Code, got, want)
			}
		}
	}
	return built
}
