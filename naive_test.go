package muxwell

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/naive"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/trie"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// The naive matcher is that of package naive, for routes with all that these have
// besides a path and methods. What it needs to know of a pattern it takes from the
// parser, which has tests of its own.

// naiveSegments returns the segments of a pattern for package naive.
func naiveSegments(segs []pattern.Segment) []naive.Segment {
	converted := make([]naive.Segment, len(segs))
	for i, g := range segs {
		to := &converted[i]
		switch to.Kind = naive.Kind(g.Kind); g.Kind {
		case pattern.Literal:
			to.Text = g.Text
		case pattern.Composite, pattern.Constrained:
			to.Parts = naiveParts(g.Matcher)
		default:
			to.Name = g.Text
		}
	}
	return converted
}

func naiveParts(f *pattern.SegmentMatcher) (parts []naive.Part) {
	add := func(text string) {
		if text != "" {
			parts = append(parts, naive.Part{Text: text})
		}
	}
	add(f.Prefix)
	for i, c := range f.Constraints {
		if i > 0 {
			add(f.Between[i-1])
		}
		parts = append(parts, naive.Part{Name: f.Names[i], Param: true, Constraint: c.Text, Key: c.Key, Expr: c.Expr, Check: c.Check})
	}
	add(f.Suffix)
	return parts
}

// naiveMatch returns the best of routes, which are in registration order, for a
// request whose path was sent as path, in escaped form, and the values of its
// parameters.
func naiveMatch(routes []*Route, method, host, path string) (best *Route, values []string) {
	for _, rt := range routes {
		hostValues, ok := naiveHost(rt, host)
		if !ok || naiveMethod(rt, method) == 0 {
			continue
		}
		pathValues, ok := naivePath(rt.pattern.Segments, strings.Split(path, "/")[1:], method == "CONNECT")
		if !ok {
			continue
		}
		if best == nil || naiveCompare(routes, rt, best, method) < 0 {
			best, values = rt, append(hostValues, pathValues...)
		}
	}
	return best, values
}

// naiveHost matches a folded host label by label.
func naiveHost(rt *Route, host string) (values []string, ok bool) {
	f := rt.pattern.HostPattern()
	if f == nil {
		return nil, rt.pattern.Host == "" || rt.pattern.Host == host
	}
	if !strings.HasSuffix(host, f.Port) {
		return nil, false
	}
	host = strings.TrimSuffix(host, f.Port)
	if f.Port == "" && strings.Count(host, ":") == 1 || strings.HasPrefix(host, "[") {
		return nil, false // it has a port
	}
	segs := slices.Clone(f.Labels)
	for i := range segs {
		if segs[i].Kind == pattern.CatchAll {
			segs[i].Kind = pattern.InnerCatchAll
		}
	}
	labels := strings.Split(host, ".")
	if slices.Contains(labels, "") {
		return nil, false
	}
	values, ok = naivePath(segs, labels, true)
	for i, v := range values {
		values[i] = strings.ReplaceAll(v, "/", ".") // of {x...}
	}
	return values, ok
}

// naivePath matches a path, of which path has the segments.
func naivePath(segs []pattern.Segment, path []string, connect bool) (values []string, ok bool) {
	return naive.Match(naiveSegments(segs), path, connect)
}

// naiveForm matches a segment.
func naiveForm(f *pattern.SegmentMatcher, text string) (values []string, ok bool) {
	return naive.MatchParts(naiveParts(f), text)
}

// naiveMethod returns 3 for a method by name, 2 for GET as HEAD, 1 for a
// pattern without method, 0 for no match.
func naiveMethod(rt *Route, method string) int { return naive.MatchMethod(rt.pattern.Methods, method) }

// naiveCompare orders two routes that both match: host, then path, then what they
// are at the prefix of a mount, then method.
func naiveCompare(routes []*Route, a, b *Route, method string) int {
	if a.pattern.Host != b.pattern.Host {
		return naiveCompareHosts(routes, a, b)
	}
	first := func(segs []naive.Segment, i int) int {
		begin := naive.Order(segs)[:i+1]
		return slices.IndexFunc(routes, func(q *Route) bool {
			order := naive.Order(naiveSegments(q.pattern.Segments))
			return q.pattern.Host == a.pattern.Host && len(order) > i && slices.EqualFunc(order[:i+1], begin, naive.Segment.Same)
		})
	}
	if c := naive.Compare(naiveSegments(a.pattern.Segments), naiveSegments(b.pattern.Segments), first); c != 0 {
		return c
	}
	if c := naiveRoot(a) - naiveRoot(b); c != 0 {
		return c
	}
	return naiveMethod(b, method) - naiveMethod(a, method)
}

// naiveRoot returns 1 for the "/{$}" of a mounted mux at the prefix without a
// slash, 2 for its catch-all there, and 0 for every other route.
func naiveRoot(rt *Route) int {
	for ; rt.isMounted(); rt = rt.info.origin {
		root := rt.info.origin.Path()
		switch {
		case strings.HasSuffix(rt.Path(), root) || strings.LastIndexByte(root, '/') > 0:
		case root == "/{$}":
			return 1
		case root == "/" || strings.HasSuffix(root, "...}"):
			return 2
		}
	}
	return 0
}

func naiveCompareHosts(routes []*Route, a, b *Route) int {
	class := func(rt *Route) int {
		switch {
		case rt.pattern.Host == "":
			return 2
		case rt.pattern.HostPattern() != nil:
			return 1
		}
		return 0
	}
	if c := class(a) - class(b); c != 0 {
		return c
	}
	f, g := a.pattern.HostPattern(), b.pattern.HostPattern()
	text := func(f *pattern.HostPattern) (n int) {
		for _, g := range f.Labels {
			if g.Kind == pattern.Literal {
				n += len(g.Text)
			} else if g.Matcher != nil {
				n += g.Matcher.Literals
			}
		}
		return n
	}
	if c := text(g) - text(f); c != 0 {
		return c
	}
	switch {
	case f.CatchAll < 0 && g.CatchAll >= 0:
		return -1
	case f.CatchAll >= 0 && g.CatchAll < 0:
		return 1
	}
	if f.Constraints != g.Constraints {
		return g.Constraints - f.Constraints
	}
	first := func(rt *Route) int {
		return slices.IndexFunc(routes, func(q *Route) bool { return q.pattern.Host == rt.pattern.Host })
	}
	return first(a) - first(b)
}

// genWhole is genPattern for the whole language.
func genWhole(src random.Source, methods, hosts []string) string {
	var b strings.Builder
	b.WriteString(random.Pick(src, methods...))
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(random.Pick(src, hosts...))
	names, catchAll := 0, false
	name := func() string { names++; return string(rune('m' + names)) }
	for n := 1 + src.IntN(4); n > 0; n-- {
		b.WriteByte('/')
		switch k := src.IntN(20); {
		case k < 5:
			b.WriteString(random.Pick(src, "a", "b", "c", "a.b", "1", "%61", "a%2Fb"))
		case k < 9:
			b.WriteString("{" + name() + "}")
		case k < 12:
			b.WriteString("{" + name() + ":" + random.Pick(src, genConstraints...) + "}")
		case k < 17:
			text, parts := random.Pick(src, "", "a", "v", "a."), 1+src.IntN(3)
			if text == "" && parts == 1 {
				text = "a"
			}
			b.WriteString(text)
			for i := range parts {
				if i > 0 {
					b.WriteString(random.Pick(src, "-", ".", "...", "a", "%2F"))
				}
				b.WriteString("{" + name())
				if src.IntN(4) == 0 {
					b.WriteString(":" + random.Pick(src, genConstraints...))
				}
				b.WriteString("}")
			}
			b.WriteString(random.Pick(src, "", "", ".b", ":a", "1"))
		case k < 19 && !catchAll:
			b.WriteString("{" + name() + "...}")
			catchAll = true
		case k == 19 && n == 1:
			b.WriteString("{$}")
			return b.String()
		default:
			b.WriteString("a")
		}
	}
	if src.IntN(4) == 0 && !catchAll {
		b.WriteByte('/')
	}
	return b.String()
}

// genConstraints are constraints; "even" is the one of genOption.
var genConstraints = []string{"int", "uint", "alpha", "slug", "[a-c]+", "(a|b)", "even", ".+", "[^a]*", "a.*", "[0-9]{1,2}", "[a-z]+-[a-z]+", "x*a?", "(?i)ab?"}

var genOption = Constraint("even", func(v string) bool { return len(v)%2 == 0 })

// genWholePath is genPath for the whole language.
func genWholePath(src random.Source) string {
	var b strings.Builder
	for range 1 + src.IntN(5) {
		b.WriteByte('/')
		switch k := src.IntN(20); {
		case k < 4:
			b.WriteString(random.Pick(src, "a", "b", "c", "1", "12", "-3"))
		case k < 16:
			for range 1 + src.IntN(5) {
				b.WriteString(random.Pick(src, "a", "b", "v", "1", "2", "-", ".", "a.", "a-b", "...", ":a", "ab"))
			}
		case k < 19:
			b.WriteString(random.Pick(src, "%61", "a%2Fb", "a%2fb-1", "%2e%2e", "a.%2E", "%2F", "é", "a%0A", "%ff.a"))
		default:
			b.WriteString(random.Pick(src, "", ".", ".."))
		}
	}
	if src.IntN(4) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

var genMethods = []string{"", "", "GET", "GET", "POST", "HEAD", "PUT", "CONNECT", "M-SEARCH", "GET,POST", "PUT,HEAD"}

// A generator makes patterns, matchers and requests for checkLookup.
type generator struct {
	options  []Option
	pattern  func(random.Source) string
	matchers func(random.Source) []naiveMatcher // nil for none
	request  func(random.Source) *http.Request
}

// Add adds a route to m. The matchers are its own, nil for none.
func (g *generator) add(m *Mux, src random.Source, handler http.Handler) (rt *Route, matchers []naiveMatcher) {
	var options []RouteOption
	if g.matchers != nil {
		matchers = g.matchers(src)
		for _, nm := range matchers {
			options = append(options, nm.option)
		}
	}
	rt, err := m.Add(g.pattern(src), handler, options...)
	if err != nil {
		return nil, nil
	}
	return rt, matchers
}

var requestMethods = []string{"GET", "GET", "HEAD", "POST", "PUT", "CONNECT", "TRACE", "M-SEARCH"}

// plainPatterns are those of http.ServeMux, wholeLanguage has all that there is.
var (
	plainPatterns = generator{
		pattern: func(src random.Source) string { return genPattern(src, genMethods, []string{"", "", "", "h"}) },
		request: func(src random.Source) *http.Request { return genRequest(src, requestMethods, []string{"h", "g"}) },
	}
	wholeLanguage = generator{
		options: []Option{genOption},
		pattern: func(src random.Source) string {
			return genWhole(src, genMethods, []string{"", "", "", "", "h", "a.h", "{t}.h", "*.h", "{t...}.h", "{t:alpha}.h", "{t}.{u}", "a{t}.h", "{t:[a-b]+}.{u...}", "{t}", "{t}.h:80", "b.{t...}.h"})
		},
		request: func(src random.Source) *http.Request {
			return genRequestFor(src, genWholePath(src), requestMethods, []string{"h", "g", "a.h", "b.h", "1.h", "ab.h", "b.a.h", "b.a.1.h", "a.h:80", "A.H", "B.a.H.", "[::1]", "a..h", ".h"})
		},
	}
)

// A lookupCount says what checkLookup has compared.
type lookupCount struct {
	requests, matched int
	statuses          map[int]int // by status: answers that are no route's
}

// checkLookup compares the tables of a random mux with the naive matcher.
func checkLookup(t *testing.T, src random.Source, gen generator, patterns, requests int, count *lookupCount) {
	t.Helper()
	slash, options := SlashRedirect, gen.options
	if gen.matchers != nil {
		slash = SlashPolicy(src.IntN(3))
		options = append(options[:len(options):len(options)], TrailingSlash(slash))
	}
	m, naive := New(options...), newNaiveMux(slash)
	for range patterns {
		if rt, matchers := gen.add(m, src, http.NotFoundHandler()); rt != nil {
			naive.add(rt, matchers)
		}
	}
	routes := naive.routes
	s := m.publish()
	for range requests {
		r := gen.request(src)
		if r == nil {
			continue
		}
		sent := r.URL.EscapedPath()
		if clean := urlpath.Clean(sent); r.Method != "CONNECT" && sent != clean {
			continue
		}
		count.requests++
		host := r.Host
		if r.Method != "CONNECT" {
			host = hostname.StripPort(host)
		}
		path, escaped := routing.SentPath(r)
		rec := s.tables.Match(r, host, path, escaped)
		want, wantValues, _ := naive.match(routes, r, hostname.Fold(host), sent)
		if got := s.endpoints.At(rec).route; got != want {
			t.Fatalf("match: %s: got %v, want %v\nroutes: %v", describeRequest(r), got, want, naive)
		}
		if want != nil {
			count.matched++
			if got := matchedValues(s, rec, r, path, escaped); !slices.Equal(got, wantValues) {
				t.Fatalf("values: %s: pattern %v: got %q, want %q", describeRequest(r), want, got, wantValues)
			}
		}
		a, wantAnswer := s.resolve(r), naive.answer(r, sent)
		if a.Status != wantAnswer.status || s.endpoints.At(a.Number).route != wantAnswer.route || !slices.Equal(a.Allowed, wantAnswer.allowed) {
			t.Fatalf("resolve: %s: got %v, status %d, allowed %v, want %+v\nroutes: %v", describeRequest(r), s.endpoints.At(a.Number).route, a.Status, a.Allowed, wantAnswer, naive)
		}
		count.statuses[a.Status]++
		if r.URL.RawPath != "" {
			continue
		}
		fast, _ := s.tables.Find(r)
		if trie.IsNumber(fast) && fast&trie.Conditional != 0 {
			if fast = s.tables.Choose(r, fast, new(matcher.State)); fast == 0 {
				continue // the fallback decides
			}
		}
		if trie.IsNumber(fast) && fast != rec || fast == 0 && rec != 0 {
			t.Fatalf("find: %s: got %v, want %v\nroutes: %v", describeRequest(r), s.endpoints.At(fast).route, want, naive)
		}
	}
}

// describeRequest returns all of a request that matchers look at.
func describeRequest(r *http.Request) string {
	return fmt.Sprintf("%s %s%s (URL host %q), header %v, TLS %t, peer %q, length %d", r.Method, r.Host, r.RequestURI, r.URL.Host, r.Header, r.TLS != nil, r.RemoteAddr, r.ContentLength)
}

// matchedValues returns the values of a match's parameters, and checks that
// all ways to read them agree.
func matchedValues(s *snapshot, rec uint32, r *http.Request, path string, escaped bool) []string {
	rt := s.endpoints.At(rec).route
	vals := make([]string, len(rt.layout.Names.List))
	at := params.SourceOf(path, escaped)
	rt.layout.Values(vals, hostname.Of(r), at)
	rt.layout.QueryValues(vals, r)
	if rt.layout.Plain && !escaped {
		plain := make([]string, len(vals))
		rt.layout.Fill(plain, path, at.Slashes)
		if !slices.Equal(plain, vals) {
			panic(fmt.Sprintf("fill says %q, values %q", plain, vals))
		}
	}
	for _, p := range []Params{{rt.layout.Of(r, at)}, {params.Encoded(&rt.layout, vals, false)}} {
		i := 0
		for name, v := range p.All() {
			if v != vals[i] || p.At(i) != v || p.Get(name) != v {
				panic(fmt.Sprintf("%q is %q, %q, %q, want %q", name, v, p.At(i), p.Get(name), vals[i]))
			}
			i++
		}
	}
	return vals
}

func TestLookupIsNaive(t *testing.T) {
	skipUnderRace(t)
	for _, row := range []struct {
		name             string
		gen              generator
		normal, requests int
	}{
		{"plain", plainPatterns, 100_000, 1_000_000},
		{"whole", wholeLanguage, 60_000, 500_000},
		{"plain with matchers", plainMatchers, 50_000, 250_000},
		{"whole with matchers", wholeMatchers, 50_000, 150_000},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.requests = long.Rounds(t, "requests", 50_000, row.normal, row.requests)
			count := lookupCount{statuses: make(map[int]int)}
			for seed := uint64(1); count.requests < row.requests; seed++ {
				src := rand.New(rand.NewPCG(seed, 0))
				patterns := 1 + src.IntN(20)
				if src.IntN(8) == 0 {
					patterns = 50 + src.IntN(200) // enough for ambiguous tables
				}
				checkLookup(t, src, row.gen, patterns, 200, &count)
			}
			t.Logf("%d requests compared with the naive matcher, %d matched; by status: %v", count.requests, count.matched, count.statuses)
			if count.matched < count.requests/8 {
				t.Errorf("only %d of %d requests match", count.matched, count.requests)
			}
			for _, status := range []int{404, 405, 406, 415} {
				if (row.gen.matchers != nil || status < 406) && count.statuses[status] < count.requests/1000 {
					t.Errorf("%d of %d requests are answered with %d", count.statuses[status], count.requests, status)
				}
			}
		})
	}
}

func FuzzLookup(f *testing.F) {
	f.Add([]byte("routes and requests come from these bytes, one choice a byte"))
	f.Add(bytes.Repeat([]byte("the whole language \x00\x05\x09\x0c\x11\x13"), 8))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := &random.Bytes{Data: data}
		gen := []generator{plainPatterns, wholeLanguage, plainMatchers, wholeMatchers}[src.IntN(4)]
		checkLookup(t, src, gen, 1+src.IntN(16), 16, &lookupCount{statuses: make(map[int]int)})
	})
}
