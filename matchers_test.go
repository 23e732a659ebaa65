package muxwell

import (
	"net/http"
	"net/netip"
	"slices"
	"testing"
)

// matcherRoute returns a route with the options.
func matcherRoute(t testing.TB, options ...RouteOption) *Route {
	t.Helper()
	rt, err := New(Constraint("even", func(v string) bool { return len(v)%2 == 0 })).Add("/{id}", http.NotFoundHandler(), options...)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

func TestSymbolName(t *testing.T) {
	for _, row := range []struct{ symbol, want string }{
		{"main.isBeta", "main.isBeta"},
		{"example.com/a/b.isBeta", "b.isBeta"},
		{"example.com/a/b.(*T).is-fm", "b.(*T).is"},
		{"example.com/a/b.f[example.com/c/d.T]", "b.f[example.com/c/d.T]"},
		{"main.logs.func1", "main.logs"},
		{"main.logs.func1.2", "main.logs"},
		{"example.com/a/b.(*T).logs.func1.gowrap3", "b.(*T).logs"},
		{"main.func1", "main.func1"},
		{"main.init.func1", "main.init"},
		{"main.f1", "main.f1"},
		{"", ""},
	} {
		if got := symbolName(row.symbol); got != row.want {
			t.Errorf("%q: got %q, want %q", row.symbol, got, row.want)
		}
	}
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

func TestRouteSchemes(t *testing.T) {
	if got := matcherRoute(t, Schemes("HTTPS", "http")).set().Schemes; !slices.Equal(got, []string{"https", "http"}) {
		t.Errorf("got %q", got)
	}
	for _, rt := range []*Route{matcherRoute(t), matcherRoute(t, Name("n"))} {
		if got := rt.set().Schemes; got != nil {
			t.Errorf("got %q, want none", got)
		}
	}
}
