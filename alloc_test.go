package muxwell

import (
	"io"
	"net/http"
	"net/netip"
	"os/exec"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestAllocs holds what doc.go and README promise.
func TestAllocs(t *testing.T) {
	github := loadRoutes("github")
	segments := func(n int) string { return "GET " + strings.Repeat("/s", n) }
	tests := []struct {
		name    string
		routes  []string
		request string
		value   bool
		want    float64 // allocations a request; of slabs, which hold 63 values, the share is 0
	}{
		{"static route", github, "GET /user/repos", false, 0},
		{"static route by value", github, "GET /user/repos", true, 0},
		{"long static route", []string{segments(1000)}, segments(1000), false, 0},
		{"HEAD of a static route", github, "HEAD /user/repos", false, 0},
		{"one parameter by value", github, "GET /users/rob", true, 0},
		{"four parameters by value", github, "GET /legacy/issues/search/a/b/open/c", true, 0},
		{"twenty parameters by value", []string{"GET " + strings.Repeat("/{@}", 20)}, "GET " + strings.Repeat("/x", 20), true, 0},
		{"three hundred parameters by value", []string{"GET " + strings.Repeat("/{@}", 300)}, "GET " + strings.Repeat("/x", 300), true, 0},
		{"a path of 1,000 segments by value", []string{"GET /{a}/{path...}"}, segments(1000), true, 0},
		{"a path of 2 segments by value", []string{"GET /{a}/{path...}"}, segments(2), true, 0},
		{"host by value", []string{"GET Example.com/{x}"}, "GET /x", true, 0},
		{"catch-all beside a subtree, by value", []string{"GET /{path...}", "GET /api/", "GET /api/x/{y}"}, "GET /assets/app.js", true, 0},
		{"slash ignored, by value", github, "GET /users/rob/", true, 0},
		{"constraint by value", []string{"GET /u/{x:int}", "GET /u/{x:[a-z]+}", "GET /u/{x}"}, "GET /u/gordon", true, 0},
		{"constraint left to regexp, by value", []string{"GET /u/{x:.*o.*}"}, "GET /u/gordon", true, 0},
		{"parameters in a segment by value", []string{"GET /f/{n}.{e}", "GET /f/{n:int}.{e:alpha}"}, "GET /f/7.go", true, 0},
		{"catch-all in the middle by value", []string{"GET /r/{p...}/raw/{f}"}, "GET /r/a/b/c/raw/f", true, 0},
		{"long path with a catch-all in the middle by value", []string{"GET /{p...}/s/{f}"}, segments(1000), true, 0},
		{"many forks by value", adversarialRoutes(6), "GET /a/b/a/b/a/b/z", true, 0},
		{"*.host by value", []string{"GET *.com/{x}"}, "GET /x", true, 0},
		{"parameter in a host by value", []string{"GET {h}.com/{x}"}, "GET /x", true, 1},
		{"parameter in a host by name", []string{"GET {h}.com/{x}"}, "GET /x", false, 0},
		{"parameters in a segment by name", []string{"GET /f/{n}.{e}"}, "GET /f/7.go", false, 0},
		{"one parameter by name", github, "GET /users/rob", false, 0},
		{"four parameters by name", github, "GET /legacy/issues/search/a/b/open/c", false, 0},
		{"three hundred parameters by name", []string{"GET " + strings.Repeat("/{@}", 300)}, "GET " + strings.Repeat("/x", 300), false, 1},
		{"a path of 1,000 segments by name", []string{"GET /{a}/{path...}"}, segments(1000), false, 1},
		{"an escaped path by value", github, "GET /users/a%2Fb", true, 2}, // net/url's own, the private string
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if safeBuild && !test.value && strings.Contains(test.name, "by name") {
				t.Skip("the build tag muxwell_safe sets values by SetPathValue, which allocates; it promises no more")
			}
			var options []Option
			if strings.HasPrefix(test.name, "slash ignored") {
				options = append(options, TrailingSlash(SlashIgnore))
			}
			m := New(options...)
			for _, rt := range test.routes {
				rt = numberParams(rt)
				if test.value {
					m.HandleParams(rt, func(_ http.ResponseWriter, _ *http.Request, p Params) {
						if p.Len() > 0 {
							io.WriteString(io.Discard, p.At(p.Len()-1))
						}
					})
				} else {
					m.HandleFunc(rt, func(_ http.ResponseWriter, r *http.Request) { io.WriteString(io.Discard, r.PathValue("p0")) })
				}
			}
			method, path, _ := strings.Cut(test.request, " ")
			r, w := newBenchRequest(method, path), muxtest.NewWriter()
			m.ServeHTTP(w, r)
			if r.Pattern == "" || w.Status != 0 {
				t.Fatalf("%s: status %d, pattern %q", test.request[:min(40, len(test.request))], w.Status, r.Pattern)
			}
			if got := testing.AllocsPerRun(1000, func() { m.ServeHTTP(w, r) }); got > test.want && !raceEnabled {
				t.Errorf("%v allocations, want %v", got, test.want)
			}
			if m.RouteOf(r) == nil {
				t.Errorf("RouteOf: no route for %q", r.Pattern)
			}
			if got := testing.AllocsPerRun(100, func() { m.RouteOf(r) }); got != 0 {
				t.Errorf("RouteOf: %v allocations, want 0", got)
			}
		})
	}
}

// TestAllocsOfLongSegments: a segment that is too long for any literal is not
// unescaped at each node that might compare it.
func TestAllocsOfLongSegments(t *testing.T) {
	m := New()
	for _, pattern := range adversarialRoutes(6) {
		m.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
	}
	r, w := newBenchRequest("GET", strings.Repeat("/a", 6)+"/"+strings.Repeat("%61", 1000)), muxtest.NewWriter()
	m.ServeHTTP(w, r)
	if w.Status != http.StatusNotFound {
		t.Fatalf("status %d, want 404", w.Status)
	}
	if got := testing.AllocsPerRun(100, func() { m.ServeHTTP(w, r) }); got > 10 {
		t.Errorf("%v allocations for a path that reaches %d nodes with an escaped segment, want at most 10", got, 1<<6)
	}
}

// numberParams gives the parameters called @ in a pattern names of their own.
func numberParams(pattern string) string {
	for i := 0; strings.Contains(pattern, "{@}"); i++ {
		pattern = strings.Replace(pattern, "{@}", "{p"+string(rune('a'+i%26))+strings.Repeat("_", i/26)+"}", 1)
	}
	return pattern
}

// TestParamsTravelInRegisters: the calling convention passes a struct in
// registers if it has at most four fields of a word each, a string being two.
// Nothing that a handler does with one by value may move it to the heap.
func TestParamsTravelInRegisters(t *testing.T) {
	typ := reflect.TypeFor[Params]()
	words := 0
	for i := range typ.NumField() {
		words += int(typ.Field(i).Type.Size() / reflect.TypeFor[uintptr]().Size())
	}
	if strconv.IntSize == 64 && (typ.NumField() > 4 || words > 4 || typ.Size() > 32) {
		t.Errorf("Params has %d fields, %d words and %d bytes; want at most 4, 4 and 32", typ.NumField(), words, typ.Size())
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", ".", "./internal/params").CombinedOutput()
	if err != nil {
		t.Fatalf("go build -gcflags=-m: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "params.go:") && strings.Contains(line, "moved to heap: p") ||
			strings.Contains(line, "values.go:") && strings.Contains(line, "moved to heap: v") ||
			strings.Contains(line, "Params{...} escapes") || strings.Contains(line, "Values{...} escapes") {
			t.Errorf("the compiler moves Params to the heap: %s", line)
		}
	}
	if !strings.Contains(string(out), "params.go") || !strings.Contains(string(out), "values.go") {
		t.Error("the compiler said nothing about params.go or values.go")
	}
}

// matcherRoute returns a route with the options.
func matcherRoute(t testing.TB, options ...RouteOption) *Route {
	t.Helper()
	rt, err := New(Constraint("even", func(v string) bool { return len(v)%2 == 0 })).Add("/{id}", http.NotFoundHandler(), options...)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// matcherCases has an option of each kind with a request that it takes, for what
// matchers cost.
var matcherCases = []struct {
	kind    string
	option  RouteOption
	request string
}{
	{"headers", Headers("X-Beta", "1", "X-Region", ""), "/ | X-Beta: 1 | X-Region: eu"},
	{"headersregexp", HeadersRegexp("X-Version", "v[0-9]+"), "/ | X-Version: v12"},
	{"queries", Queries("page", "{page:int}", "sort", ""), "/?filter=a&sort=name&page=7"},
	{"queries-escaped-key", Queries("a b", "{q}"), "/?a+c=1&a%20b=2"},
	{"schemes", Schemes("https"), "/ | tls"},
	{"schemes-proxy", Schemes("https"), "/ | peer 10.0.0.1:80 | X-Forwarded-Proto: http, https"},
	{"accept", Accept("application/json"), "/ | Accept: application/json"},
	{"accept-browser", Accept("text/html", "application/json"), "/ | Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"},
	{"accept-quoted", Accept("text/csv; header=present"), `/ | Accept: text/csv; header="pre\sent"; q=0.5`},
	{"contenttype", ContentType("application/json"), "/ | body | Content-Type: application/json; charset=utf-8"},
	{"clientip", ClientIP([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}), "/"},
	{"clientip-proxies", ClientIP([]netip.Prefix{netip.MustParsePrefix("2001:db8::/32")}), "/ | peer [::ffff:10.0.0.1%eth0]:80 | X-Forwarded-For: 1.1.1.1, 2001:db8::1, 10.0.0.2:4711 | X-Forwarded-For: [::ffff:10.0.0.3]"},
	{"matchfunc", MatchFunc(func(r *http.Request) bool { return r.Header.Get("X-Beta") == "1" }), "/ | X-Beta: 1"},
}

var matcherProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}

func TestMatcherAllocs(t *testing.T) {
	for _, row := range matcherCases {
		m, r := matcherRoute(t, row.option).info.Matchers[0], matcherRequest(row.request)
		if !m.Matches(r, matcherProxies) {
			t.Errorf("%s does not take %s: %s", m.Text, row.request, m.Miss(r, matcherProxies))
		}
		if got := testing.AllocsPerRun(100, func() { m.Matches(r, matcherProxies) }); got != 0 && !raceEnabled {
			t.Errorf("%s, request %s: %v allocations, want 0", m.Text, row.request, got)
		}
	}
}

func BenchmarkMatcher(b *testing.B) {
	for _, row := range matcherCases {
		b.Run("kind="+row.kind, func(b *testing.B) {
			m, r := matcherRoute(b, row.option).info.Matchers[0], matcherRequest(row.request)
			if !m.Matches(r, matcherProxies) {
				b.Fatalf("%s does not take %s", m.Text, row.request)
			}
			b.ReportAllocs()
			for b.Loop() {
				m.Matches(r, matcherProxies)
			}
		})
	}
}

// TestUpdateBytes: a change of one route of many allocates a small part of what all
// tables take.
func TestUpdateBytes(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, so that bytes cannot be counted")
	}
	const most = 300_000
	m := New()
	for _, pattern := range scaleRoutes(10_000) {
		m.Handle(pattern, http.NotFoundHandler())
	}
	m.publish()
	for _, pattern := range []string{"GET /updated/{id}", "GET /api/resource7/{id}/updated"} {
		var rt *Route
		update := func() {
			err := m.Update(func(tx *Tx) (err error) {
				if rt != nil {
					err, rt = tx.Remove(rt), nil
					return err
				}
				rt, err = tx.Add(pattern, http.NotFoundHandler())
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		update() // the first one allocates the space that the others use
		update()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const updates = 64
		for range updates {
			update()
		}
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / updates; got > most {
			t.Errorf("%s: an update allocates %d bytes, want at most %d", pattern, got, most)
		}
	}
}

// TestBytesOfRoutes: what a route takes is bounded, its part of the tables included.
func TestBytesOfRoutes(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, so that bytes cannot be counted")
	}
	const n, most = 10_000, 570
	routes := scaleRoutes(n)
	before := muxtest.LiveBytes()
	m := New()
	for _, pattern := range routes {
		m.Handle(pattern, http.NotFoundHandler())
	}
	m.publish()
	if got := (muxtest.LiveBytes() - before) / n; got > most {
		t.Errorf("%d bytes a route, want at most %d", got, most)
	}
	runtime.KeepAlive(m)
	runtime.KeepAlive(routes)
}
