package muxwell

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// A request is written as one line, parts of which stand between bars:
//
//	/path?query | Name: value | peer 192.0.2.1:80 | tls | body

// matcherRequest returns the request of a line.
func matcherRequest(line string) *http.Request {
	parts := strings.Split(line, " | ")
	r := newBenchRequest("GET", parts[0])
	r.RemoteAddr = "192.0.2.1:1234"
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, ":")
		switch {
		case strings.HasPrefix(part, "peer "):
			r.RemoteAddr = strings.TrimPrefix(part, "peer ")
		case part == "tls":
			r.TLS = new(tls.ConnectionState)
		case part == "body":
			r.ContentLength = -1
		default:
			r.Header.Add(name, strings.TrimPrefix(value, " "))
		}
	}
	return r
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

// missOf returns why the route's matchers do not take a request, or "".
func missOf(rt *Route, r *http.Request, proxies ...netip.Prefix) string {
	for _, m := range rt.info.Matchers {
		if !m.Matches(r, proxies) {
			return m.Miss(r, proxies)
		}
	}
	return ""
}

// A matcherRow says what becomes of a request that meets the matcher of an
// option.
type matcherRow struct {
	option  RouteOption
	request string
	want    string // why it is not taken; "" if it is
}

func checkMatchers(t *testing.T, rows []matcherRow, options ...Option) {
	t.Helper()
	proxies := New(options...).config.proxies
	for _, row := range rows {
		rt := matcherRoute(t, row.option)
		if got := missOf(rt, matcherRequest(row.request), proxies...); got != row.want {
			t.Errorf("%s, request %s: got %q, want %q", rt.info.Matchers[0].Text, row.request, got, row.want)
		}
	}
}

// checkOptionErrors compares what registration says about options with what it
// should say.
func checkOptionErrors(t *testing.T, rows map[string][]RouteOption) {
	t.Helper()
	for want, options := range rows {
		m := New(Constraint("even", func(v string) bool { return len(v)%2 == 0 }))
		_, err := m.Add("GET /{id}", http.NotFoundHandler(), options...)
		e, ok := errors.AsType[*OptionError](err)
		if !ok {
			t.Errorf("got error %v, want an OptionError: %s", err, want)
			continue
		}
		if got := e.Option + ": " + e.Reason; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if e.Pattern != "GET /{id}" || !strings.HasPrefix(e.Error(), `muxwell: pattern "GET /{id}": `) {
			t.Errorf("%s: pattern %q", e, e.Pattern)
		}
		for range m.Routes() {
			t.Errorf("%s: the route was registered", want)
		}
	}
}

// isBeta is a function for MatchFunc.
func isBeta(r *http.Request) bool { return r.Header.Get("X-Beta") == "1" }

type betaTester struct{ value string }

func (b *betaTester) is(r *http.Request) bool { return r.Header.Get("X-Beta") == b.value }

func genericBeta[T any](r *http.Request) bool { return isBeta(r) }

func TestMatchFunc(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{MatchFunc(isBeta), "/ | X-Beta: 1", ""},
		{MatchFunc(isBeta), "/", "MatchFunc(muxwell.isBeta) returned false"},
		{MatchFunc((&betaTester{"2"}).is), "/", "MatchFunc(muxwell.(*betaTester).is) returned false"},
		{MatchFunc(func(*http.Request) bool { return false }), "/", "MatchFunc(muxwell.TestMatchFunc) returned false"},
		{MatchFunc(genericBeta[netip.Addr]), "/", "MatchFunc(muxwell.genericBeta[...]) returned false"},
	})
	checkOptionErrors(t, map[string][]RouteOption{
		"MatchFunc(nil): the function is nil; pass one, or leave the option out": {MatchFunc(nil)},
	})
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

// TestMatcherText: an option is shown as it is written, and its route knows
// nothing of what becomes of the caller's slices.
func TestMatcherText(t *testing.T) {
	pairs := []string{"x-beta", "1"}
	types := []string{"text/csv"}
	allow := []netip.Prefix{netip.MustParsePrefix("::ffff:10.0.0.0/104"), netip.MustParsePrefix("fd00::1/8")}
	trusted := []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}
	options := []RouteOption{
		Headers(pairs...), HeadersRegexp(pairs...), Queries(pairs...), Accept(types...), ContentType(types...),
		ClientIP(allow, trusted...), Schemes("HTTPS"),
	}
	pairs[0], pairs[1], types[0], allow[0], trusted[0] = "", "", "", netip.Prefix{}, netip.Prefix{}
	for range 2 { // an option is for any number of routes
		rt := matcherRoute(t, options...)
		want := []string{
			`Headers("x-beta", "1")`, `HeadersRegexp("x-beta", "1")`, `Queries("x-beta", "1")`, `Accept("text/csv")`, `ContentType("text/csv")`,
			`ClientIP([::ffff:10.0.0.0/104, fd00::1/8], 192.0.2.1/32)`, `Schemes("HTTPS")`,
		}
		for i, m := range rt.info.Matchers {
			if m.Text != want[i] {
				t.Errorf("got %s, want %s", m.Text, want[i])
			}
		}
		r := matcherRequest("/?x-beta=1 | X-Beta: 1 | Content-Type: text/csv | X-Forwarded-For: 10.1.2.3 | tls")
		if got := missOf(rt, r); got != "" {
			t.Errorf("%s", got)
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
	{"matchfunc", MatchFunc(isBeta), "/ | X-Beta: 1"},
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
