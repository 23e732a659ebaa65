package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/pattern"
)

// sourceLine is the place of a registration in this file.
var sourceLine = regexp.MustCompile(`\(\S*check_test.go:\d+\)`)

func TestCheck(t *testing.T) {
	odd := Constraint("odd", func(v string) bool { return len(v)%2 == 1 })
	long := Constraint("long", func(v string) bool { return len(v) > 500 })
	for _, row := range []struct {
		routes string
		want   string
	}{
		{"/a;/b;/c/{x}", ""},
		{"/users/me;/users/{id}", "/users/me before /users/{id}: literal beats parameter at segment 2: GET /users/me"},
		{"/a/{x};/{y}/b", "crossing: /a/{x} before /{y}/b: literal beats parameter at segment 1: GET /a/b"},
		{"GET /{x};/a", "crossing: /a before GET /{x}: literal beats parameter at segment 1: GET /a"},
		{"GET /a;POST /a;/a", "GET /a before /a: method: GET beats any method: GET /a\nPOST /a before /a: method: POST beats any method: POST /a"},
		{"{t}.h/a;h.{u}/a;h.h/a", ""},
		{"{t}.h/a;{u}.h/{x}", "{t}.h/a before {u}.h/{x}: literal beats parameter at segment 1: GET t.h/a"},
		{"/{x:int};/{y:uint}", "/{x:int} before /{y:uint}: constraint int was registered before constraint uint at segment 1: GET /0\nunreachable: /{y:uint} by /{x:int}"},
		{"/{y:uint};/{x:int}", "/{y:uint} before /{x:int}: constraint uint was registered before constraint int at segment 1: GET /0"},
		{"/{x:int};/{y:alpha}", ""},
		{"/{id}:apply;/{id}:cancel;/{id}", "/{id}:apply before /{id}: literal with parameters beats parameter at segment 1: GET /id:apply\n/{id}:cancel before /{id}: literal with parameters beats parameter at segment 1: GET /id:cancel"},
		{"/{a:[a-z]+};/{b:[a-z]{2}}/x", ""},
		{"/{a:[a-m].*};/{b:[n-z].*};/{c:[a-z].*}", "/{a:[a-m].*} before /{c:[a-z].*}: constraint [a-m].* was registered before constraint [a-z].* at segment 1: GET /c\n" +
			"/{b:[n-z].*} before /{c:[a-z].*}: constraint [n-z].* was registered before constraint [a-z].* at segment 1: GET /n\nunreachable: /{c:[a-z].*}: 2 routes together match all that {c:[a-z].*} does, such as /{a:[a-m].*} (check_test.go)"},
		{"/{x:odd};/{y}", "/{x:odd} before /{y}: constrained parameter beats parameter at segment 1: GET /y"},
		{"/{x:long}", "unreachable: /{x:long}: unknown"},
		{"/{x:odd};/{y:long}", "crossing: /{x:odd} before /{y:long}: constraint odd was registered before constraint long at segment 1: unknown\nunreachable: /{y:long}: unknown"},
		{"/{p...}/raw;/{p...};/a/{x}", "/{p...}/raw before /{p...}: catch-all in the middle beats catch-all at segment 1: GET /p/raw\n" +
			"crossing: /a/{x} before /{p...}/raw: literal beats catch-all in the middle at segment 1: GET /a/raw\n/a/{x} before /{p...}: literal beats catch-all at segment 1: GET /a/x"},
		{"//a;CONNECT /b/../c", ""},
		{"GET h:80/x;CONNECT h:80/y;{t}.h:80/", "unreachable: GET h:80/x: only CONNECT requests have a port in their host; omit :80"},
		{"/{a:b};GET /x", "bad"},
	} {
		m := New(odd, long)
		var got []string
		for _, pattern := range strings.Split(row.routes, ";") {
			if _, err := m.Add(pattern, http.NotFoundHandler()); err != nil {
				got = append(got, "bad")
			}
		}
		report := m.Check()
		for _, o := range report.Overlaps {
			line := fmt.Sprintf("%v before %v: %s: %s %s", o.First, o.Second, o.Rule, o.Method, o.Host+o.Path)
			if o.Path == "" {
				line = fmt.Sprintf("%v before %v: %s: unknown", o.First, o.Second, o.Rule)
			}
			if o.Crossing {
				line = "crossing: " + line
			}
			got = append(got, line)
		}
		for _, u := range report.Unreachable {
			switch {
			case u.By != nil:
				got = append(got, fmt.Sprintf("unreachable: %v by %v", u.Route, u.By))
			case u.Reason != "":
				got = append(got, fmt.Sprintf("unreachable: %v: %s", u.Route, sourceLine.ReplaceAllString(u.Reason, "(check_test.go)")))
			default:
				got = append(got, fmt.Sprintf("unreachable: %v: unknown", u.Route))
			}
		}
		if strings.Join(got, "\n") != row.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", row.routes, strings.Join(got, "\n"), row.want)
		}
	}
}

// TestCheckMatchers: routes with matchers hide others only if these ask for as
// much.
func TestCheckMatchers(t *testing.T) {
	type route struct {
		pattern string
		options []RouteOption
	}
	with := func(pattern string, options ...RouteOption) route { return route{pattern, options} }
	beta, gamma := Headers("X-Beta", "1"), Headers("X-Gamma", "1")
	html, json := Accept("text/html"), Accept("application/json")
	always := MatchFunc(func(*http.Request) bool { return true })
	for _, row := range []struct {
		name   string
		routes []route
		want   string
	}{
		{"one has matchers", []route{with("/a"), with("/a", beta)}, "1 before 0: a matcher beats none"},
		{"both have others", []route{with("/a", beta), with("/a", gamma)}, "0 before 1: registered first among those with matchers"},
		{"the same", []route{with("/a/{x}", beta), with("/a/{y}", beta)}, "0 before 1: registered first among those with matchers\n" +
			`1 never, for 0: /a/{x} (check_test.go) has the same matchers, Headers("X-Beta", "1"), and takes precedence`},
		{"the same in another order", []route{with("/a", beta, gamma), with("/a", gamma, beta)}, "0 before 1: registered first among those with matchers\n" +
			`1 never, for 0: /a (check_test.go) has the same matchers, Headers("X-Gamma", "1"), Headers("X-Beta", "1"), and takes precedence`},
		{"less asked before", []route{with("/a", beta), with("/a", beta, gamma)}, "0 before 1: registered first among those with matchers\n1 never, for 0: /a (check_test.go) matches all of its requests"},
		{"more asked before", []route{with("/a", beta, gamma), with("/a", beta)}, "0 before 1: registered first among those with matchers"},
		{"the same for the first method", []route{with("GET /a", beta), with("GET,HEAD /a", beta)}, "0 before 1: registered first among those with matchers"},
		{"a better path without matchers", []route{with("/{x:int}", beta), with("/{y:[0-9]+}")}, "0 before 1: constraint int was registered before constraint [0-9]+ at segment 1"},
		{"a better path that asks for nothing", []route{with("/{x:int}"), with("/{y:[0-9]+}", beta)}, "0 before 1: constraint int was registered before constraint [0-9]+ at segment 1\n1 never, for 0: /{x:int} (check_test.go) matches all of its requests"},
		{"a better path that asks for the same", []route{with("/{x:int}", beta), with("/{y:[0-9]+}", gamma, beta)}, "0 before 1: constraint int was registered before constraint [0-9]+ at segment 1\n1 never, for 0: /{x:int} (check_test.go) matches all of its requests"},
		{"crossing by path", []route{with("/a/{x}", beta), with("/{y}/b")}, "0 crosses 1: literal beats parameter at segment 1"},
		{"media types", []route{with("/a", json), with("/a", html), with("/a")}, "0 before 1: registered first among those with matchers\n0 before 2: a matcher beats none\n1 before 2: a matcher beats none"},
		{"one of the media types is left", []route{with("/a", json), with("/a", Accept("application/json", "text/html"))}, "0 before 1: registered first among those with matchers"},
		{"schemes", []route{with("/a", Schemes("http")), with("/a", Schemes("http", "https")), with("/b", Schemes("https")), with("/b")}, "0 before 1: registered first among those with matchers\n2 before 3: a matcher beats none"},
		{"no scheme is left", []route{with("/a", Schemes("http")), with("/a", Schemes("https")), with("/a")}, "0 before 1: registered first among those with matchers\n0 before 2: a matcher beats none\n1 before 2: a matcher beats none\n2 perhaps"},
		{"functions of one name", []route{with("/a", always), with("/a", always)}, "0 before 1: registered first among those with matchers\n1 perhaps"},
		{"a body of any type", []route{with("POST /a", ContentType("text/*")), with("POST /a")}, "0 before 1: a matcher beats none"},
	} {
		m := New()
		var routes []*Route
		for _, rt := range row.routes {
			added, err := m.Add(rt.pattern, http.NotFoundHandler(), rt.options...)
			if err != nil {
				t.Fatal(err)
			}
			routes = append(routes, added)
		}
		number := func(rt *Route) int { return slices.Index(routes, rt) }
		var got []string
		report := m.Check()
		for _, o := range report.Overlaps {
			got = append(got, fmt.Sprintf("%d %s %d: %s", number(o.First), map[bool]string{true: "crosses", false: "before"}[o.Crossing], number(o.Second), o.Rule))
		}
		for _, u := range report.Unreachable {
			line := fmt.Sprintf("%d perhaps", number(u.Route))
			if u.Reason != "" {
				line = fmt.Sprintf("%d never, for %d: %s", number(u.Route), number(u.By), sourceLine.ReplaceAllString(u.Reason, "(check_test.go)"))
			}
			got = append(got, line)
		}
		if strings.Join(got, "\n") != row.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", row.name, strings.Join(got, "\n"), row.want)
		}
	}
}

// TestCheckMounted: a constraint's name may be another function's in a mounted mux.
func TestCheckMounted(t *testing.T) {
	child := New(Constraint("own", func(v string) bool { return v == "b" }))
	child.Add("/a", http.NotFoundHandler(), Queries("q", "{q:own}"))
	m := New(Constraint("own", func(v string) bool { return v != "b" }))
	m.Add("/p/a", http.NotFoundHandler(), Queries("q", "{q:own}"))
	m.Mount("/p", child)
	for _, u := range m.Check().Unreachable {
		if u.Reason != "" {
			t.Error(u)
		}
	}
}

// TestSampleMatchers: a sample has what its route asks for, and can be sent.
func TestSampleMatchers(t *testing.T) {
	for _, row := range []struct {
		options []RouteOption
		want    string // headers, target, scheme and peer
	}{
		{[]RouteOption{Headers("x-beta", "1", "X-Any", "", "X-Beta", "2")}, "map[X-Any:[x] X-Beta:[1 2]] /id http "},
		{[]RouteOption{HeadersRegexp("X-Version", "v[0-9]+", "X-Any", ".*")}, "map[X-Any:[X-Any] X-Version:[v0]] /id http "},
		{[]RouteOption{HeadersRegexp("X-Empty", "^$")}, "map[X-Empty:[]] /id http "},
		{[]RouteOption{Queries("q", "{q}", "page", "{page:int}", "sort", "", "a b", "c&d"), Queries("v", "v{major:int}.{minor}", "all", "{all...}")}, "map[] /id?q=q&page=0&sort=&a+b=c%26d&v=v0.a&all=all http "},
		{[]RouteOption{Schemes("HTTPS", "http")}, "map[] /id https "},
		{[]RouteOption{Accept("text/csv; header=present", "text/html")}, "map[Accept:[text/csv; header=present]] /id http "},
		{[]RouteOption{ContentType("text/*")}, "map[Content-Type:[text/plain]] /id http "},
		{[]RouteOption{ClientIP([]netip.Prefix{netip.MustParsePrefix("2001:db8::/32")})}, "map[] /id http [2001:db8::]:1234"},
		{[]RouteOption{MatchFunc(func(r *http.Request) bool { return r.TLS != nil && r.Header.Get("Accept") == "" })}, "map[] /id https "},
		{[]RouteOption{MatchFunc(func(*http.Request) bool { return false })}, "none"},
		{[]RouteOption{HeadersRegexp("X", "\x00")}, "none"},
		{[]RouteOption{Headers("Accept", "text/html"), Accept("text/csv")}, "map[Accept:[text/html text/csv]] /id http "},
	} {
		m := New()
		rt, err := m.Add("GET /{id}", http.NotFoundHandler(), row.options...)
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if r, ok := m.Sample(rt); ok {
			scheme := "http"
			if r.TLS != nil {
				scheme = "https"
			}
			got = fmt.Sprintf("%v %s %s %s", r.Header, r.RequestURI, scheme, r.RemoteAddr)
			if u, err := url.ParseRequestURI(r.RequestURI); err != nil || *u != *r.URL {
				t.Errorf("%v: %q is read as %v, want %v", rt.Matchers(), r.RequestURI, u, r.URL)
			}
		}
		if got != row.want {
			t.Errorf("%v: got %s, want %s", rt.Matchers(), got, row.want)
		}
	}
}

// TestCheckIsTrue: what a report says of random routes is so.
func TestCheckIsTrue(t *testing.T) {
	skipUnderRace(t)
	sampled, unknown, covered := 0, 0, 0
	for seed := range uint64(600) {
		src := rand.New(rand.NewPCG(seed, 9))
		gen := []generator{plainPatterns, wholeLanguage, plainMatchers, wholeMatchers}[seed%4]
		m, naive := New(gen.options...), newNaiveMux(SlashRedirect)
		for range 1 + src.IntN(25) {
			if rt, matchers := gen.add(m, src, http.NotFoundHandler()); rt != nil {
				naive.add(rt, matchers)
			}
		}
		routes := naive.routes
		report := m.Check()
		for _, o := range report.Overlaps {
			if o.Path == "" {
				continue
			}
			for _, rt := range []*Route{o.First, o.Second} {
				if best, _ := naiveMatch([]*Route{rt}, o.Method, o.Host, o.Path); rt.pattern.Host == "" && best == nil {
					t.Fatalf("%v and %v are said to match %s %s; %v does not", o.First, o.Second, o.Method, o.Path, rt)
				}
			}
			if naive.matchers[o.First] != nil && pattern.SamePath(o.First.pattern.Segments, o.Second.pattern.Segments) {
				continue // matchers decide
			}
			if best, _ := naiveMatch([]*Route{o.Second, o.First}, o.Method, o.Host, o.Path); o.First.pattern.Host == "" && best != o.First && o.First.pattern.Segments[0].Kind == pattern.Literal {
				t.Fatalf("%v is said to win over %v for %s %s", o.First, o.Second, o.Method, o.Path)
			}
		}
		lost := make(map[*Route]bool)
		for _, u := range report.Unreachable {
			lost[u.Route] = true
			if u.Reason == "" {
				unknown++
				continue
			}
			covered++
			for range 200 {
				if r := gen.request(src); r != nil && m.Explain(r).Route == u.Route {
					t.Fatalf("%v takes %s; routes: %v", u, describeRequest(r), naive)
				}
			}
		}
		for _, rt := range routes {
			r, ok := m.Sample(rt)
			if !ok {
				if !lost[rt] {
					t.Fatalf("no sample for %v, which is not reported as unreachable", rt)
				}
				continue
			}
			sampled++
			if e := m.Explain(r); e.Route != rt {
				t.Fatalf("sample of %v, %s %s%s, goes to\n%v", rt, r.Method, r.Host, r.RequestURI, e)
			}
		}
	}
	t.Logf("%d routes with a sample, %d covered, %d unknown", sampled, covered, unknown)
	if sampled < 1000 || unknown > sampled/10 || covered == 0 {
		t.Errorf("%d routes with a sample, %d covered, %d unknown", sampled, covered, unknown)
	}
}

// TestSampleReaches: these routes have samples, although another route wins
// for what comes to mind.
func TestSampleReaches(t *testing.T) {
	for _, patterns := range []string{
		"/ /{$} /{a}/{$} /{a}/{b}/{$}",
		"/{p...} /{a} /{a}/{b} /{a}/{b}/{c}",
		"/%2e%2e/a /%2e /{x}/{y} /a/%2E%2E/{z...}",
		"/{q...}/%2e%2e /lit/{x}",
		"GET,POST /{x} POST /x GET /{y:int}",
		"-{q.14}-.com/ {a.b}.c/ {x:[.]}.d/x",
	} {
		m := New()
		for _, pattern := range strings.Fields(strings.NewReplacer("GET ", "GET\x00", "POST ", "POST\x00").Replace(patterns)) {
			m.Handle(strings.ReplaceAll(pattern, "\x00", " "), http.NotFoundHandler())
		}
		for _, u := range m.Check().Unreachable {
			if !strings.Contains(u.Route.Pattern(), "[.]") {
				t.Errorf("%s: %v", patterns, u)
			}
		}
	}
	m, other := New(), New()
	m.Handle("/x/{a}", http.NotFoundHandler())
	foreign, err := other.Add("/x/{b}", http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	if r, ok := m.Sample(foreign); ok {
		t.Errorf("a sample of another mux's route: %v", r.URL)
	}
}
