package muxwell

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// A naiveMux is what naiveMatch is for patterns, for whole routes: it knows what
// their matchers take from what the options say, and which of several routes that
// share a path wins from the documentation of Accept and of the order.
type naiveMux struct {
	routes   []*Route // in registration order
	matchers map[*Route][]naiveMatcher
	slash    SlashPolicy
}

func newNaiveMux(slash SlashPolicy) *naiveMux {
	return &naiveMux{matchers: make(map[*Route][]naiveMatcher), slash: slash}
}

func (n *naiveMux) add(rt *Route, matchers []naiveMatcher) {
	n.routes = append(n.routes, rt)
	n.matchers[rt] = matchers
}

// String lists the routes with their matchers.
func (n *naiveMux) String() string {
	var b strings.Builder
	for _, rt := range n.routes {
		b.WriteString("\n\t" + rt.pattern.Text + " " + strings.Join(rt.Matchers(), " "))
	}
	return b.String()
}

// A naiveMatcher is an option with what it means.
type naiveMatcher struct {
	option  RouteOption
	takes   func(*http.Request) bool
	status  int                       // of the answer if it does not; 0 for 404
	quality func(*http.Request) int   // nil but for Accept
	values  func(url.Values) []string // nil but for Queries
}

// match returns the best of among for a request that asks for path, with the
// values of its parameters. If there is none, missed is the status that the routes
// call for which match but for their matchers, or 0.
func (n *naiveMux) match(among []*Route, r *http.Request, host, path string) (best *Route, values []string, missed int) {
	var fitting []*Route
	for _, rt := range among {
		if fits, _ := naiveMatch([]*Route{rt}, r.Method, host, path); fits != nil {
			fitting = append(fitting, rt)
		}
	}
	bare := func(rt *Route) int {
		if len(n.matchers[rt]) == 0 {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(fitting, func(a, b *Route) int {
		if c := naiveCompare(n.routes, a, b, r.Method); c != 0 {
			return c
		}
		return bare(a) - bare(b)
	})
	quality := 0
	for _, rt := range fitting {
		status, q := n.ask(rt, r)
		switch {
		case status != 0 && (missed == 0 || missed == 404):
			missed = status
		case status != 0:
		case best == nil:
			best, quality = rt, q
		case q > quality && naiveCompare(n.routes, rt, best, r.Method) == 0 && bare(rt) == bare(best):
			best, quality = rt, q
		}
	}
	if best == nil {
		return nil, nil, missed
	}
	_, values = naiveMatch([]*Route{best}, r.Method, host, path)
	query := naiveParseQuery(r.URL.RawQuery)
	for _, m := range n.matchers[best] {
		if m.values != nil {
			values = append(values, m.values(query)...)
		}
	}
	return best, values, 0
}

// Ask returns the status that the matchers of rt call for, or 0 and how much the
// client wants what it has.
func (n *naiveMux) ask(rt *Route, r *http.Request) (status, quality int) {
	for _, m := range n.matchers[rt] {
		switch {
		case !m.takes(r) && m.status == 0:
			return 404, 0
		case !m.takes(r) && status == 0:
			status = m.status
		case m.quality != nil && quality == 0:
			quality = m.quality(r)
		case m.quality != nil:
			quality = min(quality, m.quality(r))
		}
	}
	if quality == 0 {
		quality = 1000 // without Accept
	}
	return status, quality
}

type naiveReply struct {
	route   *Route
	status  int
	allowed []string
}

// answer returns what becomes of a request for a clean path, or of a CONNECT.
func (n *naiveMux) answer(r *http.Request, path string) naiveReply {
	host, allowHost := hostname.Fold(hostname.StripPort(r.Host)), hostname.Fold(hostname.StripPort(r.Host))
	if r.Method == "CONNECT" {
		host, allowHost = hostname.Fold(r.Host), hostname.Fold(r.URL.Host)
	}
	other := ""
	switch {
	case n.slash == SlashStrict || path == "/":
	case !strings.HasSuffix(path, "/"):
		other = path + "/"
	case n.slash == SlashIgnore:
		other = strings.TrimSuffix(path, "/")
	}
	exact := func(host, path string) *Route {
		if rt, _, _ := n.match(n.routes, r, host, path); rt != nil && naiveExact(rt, path) {
			return rt
		}
		return nil
	}
	if other != "" && n.slash == SlashRedirect && exact(allowHost, path) == nil && exact(allowHost, other) != nil {
		return naiveReply{status: 307}
	}
	if other != "" && n.slash == SlashIgnore && exact(host, path) == nil && exact(host, other) != nil {
		return naiveReply{route: exact(host, other)}
	}
	rt, _, missed := n.match(n.routes, r, host, path)
	if other != "" && (missed == 0 || missed == 404) && (r.Method != "CONNECT" || n.slash == SlashIgnore) {
		if _, _, m := n.match(n.routes, r, host, other); m != 0 {
			missed = m
		}
	}
	if rt != nil {
		return naiveReply{route: rt}
	}
	if missed != 0 {
		return naiveReply{status: missed}
	}
	var allowed []string
	for _, rt := range n.routes {
		_, fits := naiveHost(rt, allowHost)
		_, same := naivePath(rt.pattern.Segments, strings.Split(path, "/")[1:], r.Method == "CONNECT")
		if !same && other != "" {
			_, same = naivePath(rt.pattern.Segments, strings.Split(other, "/")[1:], r.Method == "CONNECT")
		}
		if status, _ := n.ask(rt, r); !fits || !same || status != 0 {
			continue
		}
		allowed = append(allowed, rt.pattern.Methods...)
		if slices.Contains(rt.pattern.Methods, "GET") {
			allowed = append(allowed, "HEAD")
		}
	}
	if allowed == nil {
		return naiveReply{status: 404}
	}
	slices.Sort(allowed)
	return naiveReply{status: 405, allowed: slices.Compact(allowed)}
}

// Order returns those of among that match a request in the order in which one wins
// first when those before it are gone.
func (n *naiveMux) order(among []*Route, r *http.Request, host, path string) (order []*Route) {
	among = slices.Clone(among)
	for {
		best, _, _ := n.match(among, r, host, path)
		if best == nil {
			return order
		}
		order = append(order, best)
		among = slices.DeleteFunc(among, func(rt *Route) bool { return rt == best })
	}
}

// The naive meanings of some options. Headers are X, queries q and n.

func naiveHeader(takes func(line string) bool) func(*http.Request) bool {
	return func(r *http.Request) bool { return slices.ContainsFunc(r.Header.Values("X"), takes) }
}

// naiveQuery is a part of a query; read returns the values of its parameters.
func naiveQuery(key, template string, read func(value string) (values []string, ok bool)) naiveMatcher {
	return naiveMatcher{
		option: Queries(key, template),
		takes: func(r *http.Request) bool {
			q := naiveParseQuery(r.URL.RawQuery)
			_, ok := read(q.Get(key))
			return ok && q.Has(key)
		},
		values: func(q url.Values) []string {
			values, _ := read(q.Get(key))
			return values
		},
	}
}

// naiveParseQuery returns the values of a query: what can be read of it, and nothing
// of one that is too long.
func naiveParseQuery(rawQuery string) url.Values {
	if len(rawQuery) > 16384 || len(strings.Split(rawQuery, "&")) > 1000 {
		return nil
	}
	values, _ := url.ParseQuery(rawQuery)
	return values
}

// naiveAccepts are Accept headers with what they say about text/html and
// application/json.
var naiveAccepts = []struct {
	header     string
	html, json int
}{
	{"", 1000, 1000},
	{"text/html", 1000, 0},
	{"application/json", 0, 1000},
	{"text/html;q=0.5, application/json", 500, 1000},
	{"text/*;q=0.7, */*;q=0.1", 700, 100},
	{"application/xml", 0, 0},
	{"text/html;q=0, */*", 0, 1000},
	{"application/json;q=0.3,text/html;q=0.3", 300, 300},
	{"nonsense", 1000, 1000},
	{strings.Repeat("a/b,", 255) + "text/html", 1000, 0},
	{strings.Repeat("a/b,", 256) + "text/html", 0, 0},
	{strings.Repeat(" ", 4096-len("text/html")) + "text/html", 1000, 0},
	{strings.Repeat(" ", 4097-len("text/html")) + "text/html", 0, 0},
}

func naiveAccept(of func(html, json int) int, types ...string) naiveMatcher {
	quality := func(r *http.Request) int {
		for _, a := range naiveAccepts {
			if a.header == r.Header.Get("Accept") {
				return of(a.html, a.json)
			}
		}
		panic("no such header in naiveAccepts")
	}
	return naiveMatcher{
		option: Accept(types...), status: 406, quality: quality,
		takes: func(r *http.Request) bool { return quality(r) > 0 },
	}
}

func naiveBody(taken ...string) func(*http.Request) bool {
	return func(r *http.Request) bool {
		if v := r.Header.Get("Content-Type"); v != "" {
			return slices.Contains(taken, v)
		}
		return r.ContentLength == 0
	}
}

var naiveMatchers = []naiveMatcher{
	{option: Headers("X", "1"), takes: naiveHeader(func(line string) bool { return line == "1" })},
	{option: Headers("x", ""), takes: naiveHeader(func(string) bool { return true })},
	{option: HeadersRegexp("X", "[12]+"), takes: naiveHeader(func(line string) bool { return line != "" && strings.Trim(line, "12") == "" })},
	naiveQuery("q", "", func(string) ([]string, bool) { return nil, true }),
	naiveQuery("q", "1", func(v string) ([]string, bool) { return nil, v == "1" }),
	naiveQuery("q", "{qq}", func(v string) ([]string, bool) { return []string{v}, v != "" }),
	naiveQuery("q", "{qr...}", func(v string) ([]string, bool) { return []string{v}, true }),
	naiveQuery("q", "{qa}-{qb}", func(v string) ([]string, bool) {
		for i := 1; i < len(v); i++ {
			if v[i] == '-' && i+1 < len(v) {
				return []string{v[:i], v[i+1:]}, true
			}
		}
		return []string{"", ""}, false
	}),
	naiveQuery("n", "{nn:int}", func(v string) ([]string, bool) {
		digits := strings.TrimPrefix(v, "-")
		return []string{v}, digits != "" && strings.Trim(digits, "0123456789") == ""
	}),
	{option: Schemes("https"), takes: func(r *http.Request) bool { return r.TLS != nil }},
	{option: Schemes("http"), takes: func(r *http.Request) bool { return r.TLS == nil }},
	naiveAccept(func(html, _ int) int { return html }, "text/html"),
	naiveAccept(func(_, json int) int { return json }, "application/json"),
	naiveAccept(func(html, json int) int { return max(html, json) }, "application/json", "text/html"),
	{option: ContentType("application/json"), status: 415, takes: naiveBody("application/json", "application/json; charset=utf-8")},
	{option: ContentType("text/*"), status: 415, takes: naiveBody("text/plain", "TEXT/csv")},
	{option: ClientIP([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}), takes: func(r *http.Request) bool { return strings.HasPrefix(r.RemoteAddr, "10.") }},
	{option: MatchFunc(isOdd), takes: isOdd},
}

// TestNaiveMatchers: each matcher of the API has a naive reference.
func TestNaiveMatchers(t *testing.T) {
	api, err := os.ReadFile("testdata/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	options := regexp.MustCompile(`(?m)^pkg muxwell: func ([A-Z]\w*)\(.*\) RouteOption$`).FindAllSubmatch(api, -1)
	if len(options) < 10 {
		t.Fatalf("testdata/api.txt has %d options of routes, want 10 at least", len(options))
	}
	known := map[string]bool{"Name": true, "Meta": true, "Source": true} // these require nothing of a request
	for _, n := range naiveMatchers {
		name, _, _ := strings.Cut(matcherRoute(t, n.option).Matchers()[0], "(")
		known[name] = true
	}
	for _, o := range options {
		if name := string(o[1]); !known[name] {
			t.Errorf("%s has no naive reference", name)
		}
	}
}

func isOdd(r *http.Request) bool { return len(r.URL.Path)%2 == 1 }

// genMatchers returns the matchers of a route, none for a third of them.
func genMatchers(src random.Source) (matchers []naiveMatcher) {
	for range []int{0, 1, 1, 1, 2, 0}[src.IntN(6)] {
		matchers = append(matchers, naiveMatchers[src.IntN(len(naiveMatchers))])
	}
	return matchers
}

// genMet changes a request so that matchers may take it.
func genMet(src random.Source, r *http.Request) *http.Request {
	if r == nil {
		return nil
	}
	for range src.IntN(3) {
		r.Header.Add("X", random.Pick(src, "1", "2", "12", "", "x"))
	}
	if src.IntN(2) == 0 {
		r.URL.RawQuery = random.Pick(src, "q=1", "q=", "q", "q=a-b", "n=7&q=a-b-c", "q=a%2Fb+c&n=x", "n=-12", "x=1&q=%zz&q=2", "q=1;&q=-&n=5", "q=-a&n=")
		switch src.IntN(20) {
		case 0: // as many pairs as are read, or one more
			r.URL.RawQuery += strings.Repeat("&", 999-strings.Count(r.URL.RawQuery, "&")+src.IntN(2))
		case 1: // as many bytes
			r.URL.RawQuery += "&" + strings.Repeat("x", 16384-1-len(r.URL.RawQuery)+src.IntN(2))
		}
		r.RequestURI, _, _ = strings.Cut(r.RequestURI, "?")
		r.RequestURI += "?" + r.URL.RawQuery
	}
	if src.IntN(2) == 0 {
		r.TLS = new(tls.ConnectionState)
	}
	if accept := naiveAccepts[src.IntN(len(naiveAccepts))].header; accept != "" {
		r.Header.Set("Accept", accept)
	}
	if src.IntN(2) == 0 {
		r.Header.Set("Content-Type", random.Pick(src, "application/json", "application/json; charset=utf-8", "text/plain", "TEXT/csv", "image/png", "nonsense"))
	}
	r.ContentLength = int64(src.IntN(2))
	r.RemoteAddr = random.Pick(src, "10.1.2.3:4", "192.0.2.1:80", "", "10.0.0.1")
	return r
}

// fewPatterns makes patterns that are often the same.
func fewPatterns(src random.Source) string {
	return random.Pick(src, "", "", "GET ", "GET ", "POST ", "HEAD ", "PUT ", "GET,POST ", "CONNECT ") + random.Pick(src, "", "", "", "h", "{t}") +
		random.Pick(src, "/a", "/a", "/a/", "/{x}", "/{x}", "/{x}/b", "/a/{x}", "/a/{x...}", "/{x}/{y}", "/", "/a/{$}", "/{x...}/b", "/{x...}/{y}")
}

// plainMatchers and wholeMatchers are plainPatterns and wholeLanguage with
// matchers; more patterns are the same, so that matchers decide.
var (
	plainMatchers = generator{
		pattern: func(src random.Source) string {
			if src.IntN(4) > 0 {
				return fewPatterns(src)
			}
			return plainPatterns.pattern(src)
		},
		matchers: genMatchers,
		request:  func(src random.Source) *http.Request { return genMet(src, plainPatterns.request(src)) },
	}
	wholeMatchers = generator{
		options: wholeLanguage.options,
		pattern: func(src random.Source) string {
			if src.IntN(2) > 0 {
				return fewPatterns(src)
			}
			return wholeLanguage.pattern(src)
		},
		matchers: genMatchers,
		request:  func(src random.Source) *http.Request { return genMet(src, wholeLanguage.request(src)) },
	}
)
