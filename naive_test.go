package muxwell

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// The naive matcher says what DESIGN's order means with none of the structures
// that make it fast: it looks at every route and takes the best that matches.

// naiveMatch returns the best of routes for a request whose path was sent as
// path, in escaped form, and the values of its parameters.
func naiveMatch(routes []*Route, method, host, path string) (best *Route, values []string) {
	for _, rt := range routes {
		vals, ok := naivePath(rt.segs, strings.Split(path, "/")[1:], method == "CONNECT")
		if !ok || naiveMethod(rt, method) == 0 || rt.host != "" && rt.host != host {
			continue
		}
		if best == nil || naiveCompare(rt, best, method) < 0 {
			best, values = rt, vals
		}
	}
	return best, values
}

func naivePath(segs []segment, path []string, connect bool) (values []string, ok bool) {
	for i, g := range segs {
		switch {
		case i == len(path):
			return nil, false
		case g.kind == rest && g.text != "":
			return append(values, naiveUnescape(strings.Join(path[i:], "/"))), true
		case g.kind == rest:
			return values, true
		case g.kind == param && (path[i] == "" || !connect && (path[i] == "." || path[i] == "..")),
			g.kind == end && (path[i] != "" || i != len(path)-1),
			g.kind == literal && (naiveUnescape(path[i]) != g.text || path[i] == "" && i == len(path)-1):
			return nil, false
		case g.kind == param:
			values = append(values, naiveUnescape(path[i]))
		}
	}
	return values, len(segs) == len(path)
}

// naiveMethod returns 3 for a method by name, 2 for GET as HEAD, 1 for a
// pattern without method, 0 for no match.
func naiveMethod(rt *Route, method string) int {
	switch {
	case rt.methods == nil:
		return 1
	case slices.Contains(rt.methods, method):
		return 3
	case method == "HEAD" && slices.Contains(rt.methods, "GET"):
		return 2
	}
	return 0
}

// naiveCompare orders two routes that both match: host, then segment by
// segment, then method.
func naiveCompare(a, b *Route, method string) int {
	if c := cmp.Compare(len(b.host), len(a.host)); c != 0 {
		return c // one of the two is ""
	}
	for i := range min(len(a.segs), len(b.segs)) {
		if c := cmp.Compare(a.segs[i].kind, b.segs[i].kind); c != 0 {
			return c
		}
	}
	return naiveMethod(b, method) - naiveMethod(a, method)
}

func naiveUnescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// A source makes choices: at random, or from the bytes that a fuzzer provides.
type source interface{ IntN(n int) int }

// bytesSource takes its choices from bytes, and 0 when they are used up.
type bytesSource struct{ data []byte }

func (b *bytesSource) IntN(n int) int {
	if len(b.data) == 0 {
		return 0
	}
	c := b.data[0]
	b.data = b.data[1:]
	return int(c) % n
}

func pick(src source, of ...string) string { return of[src.IntN(len(of))] }

// genPattern returns a pattern; few texts and names, so that patterns meet.
func genPattern(src source, methods, hosts []string) string {
	var b strings.Builder
	b.WriteString(pick(src, methods...))
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(pick(src, hosts...))
	names := []string{"x", "y", "z", "longer_name", "w"}
	for i := range 1 + src.IntN(4) {
		b.WriteByte('/')
		switch k := src.IntN(12); {
		case k < 4:
			b.WriteString(pick(src, "a", "b", "c"))
		case k < 5:
			b.WriteString(pick(src, "a%2Fb", "%61", "x%20y", "subscriptions", "subscribers", "commit_activity_of_it", "..x", ".w", "p:q", "a%zz"))
		case k < 10:
			b.WriteString("{" + names[i] + "}")
		case k == 10:
			b.WriteString("{" + names[i] + "...}")
			return b.String()
		default:
			b.WriteString("{$}")
			return b.String()
		}
	}
	if src.IntN(3) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// genPath returns the path of a request line.
func genPath(src source) string {
	var b strings.Builder
	for range 1 + src.IntN(5) {
		b.WriteByte('/')
		switch k := src.IntN(20); {
		case k < 14:
			b.WriteString(pick(src, "a", "b", "c"))
		case k < 16:
			b.WriteString(pick(src, "subscriptions", "subscribers", "commit_activity_of_it", "commit_activity_of_us", "..x", ".w", "p:q", "long-"+strings.Repeat("x", 60)))
		case k < 18:
			b.WriteString(pick(src, "%61", "x%20y", "a%2Fb", "a%2fb", "%2e%2e", "%2E", "a%25zz", "%5C", "%00", "é", "a;b", "a%21", "%2F"))
		default:
			b.WriteString(pick(src, "", "", ".", ".."))
		}
	}
	if src.IntN(4) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// genRequest returns a request as a server reads it from a connection, or nil
// if it would refuse it.
func genRequest(src source, methods, hosts []string) *http.Request {
	method, target := pick(src, methods...), genPath(src)
	if src.IntN(5) == 0 {
		target += pick(src, "?", "?q=1", "?q=/../a%2F&é", "?a=\\b")
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil
	}
	r := &http.Request{Method: method, URL: u, Host: pick(src, hosts...), RequestURI: target, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}}
	if method == "CONNECT" {
		r.URL.Host = pick(src, hosts...)
	}
	return r
}

var genMethods = []string{"", "", "GET", "GET", "POST", "HEAD", "PUT", "CONNECT", "M-SEARCH", "GET,POST", "PUT,HEAD"}

// checkLookup compares the tables of a random mux with the naive matcher. It
// returns the number of requests compared.
func checkLookup(t *testing.T, src source, patterns, requests int) (compared int) {
	t.Helper()
	m := New()
	var routes []*Route
	for range patterns {
		rt, err := m.Add(genPattern(src, genMethods, []string{"", "", "", "h"}), http.NotFoundHandler())
		if err == nil {
			routes = append(routes, rt)
		}
	}
	s := m.publish()
	for range requests {
		r := genRequest(src, []string{"GET", "GET", "HEAD", "POST", "PUT", "CONNECT", "TRACE", "M-SEARCH"}, []string{"h", "g"})
		if r == nil {
			continue
		}
		sent := r.URL.EscapedPath()
		if clean := cleanPath(sent); r.Method != "CONNECT" && sent != clean {
			continue
		}
		compared++
		q := s.query(r, r.Host)
		q.dots = r.Method == "CONNECT"
		rec, _ := q.match(sameSlash)
		want, wantValues := naiveMatch(routes, r.Method, r.Host, sent)
		if got := s.records[rec].route; got != want {
			t.Fatalf("match: %s %s%s: got %v, want %v\nroutes: %v", r.Method, r.Host, sent, got, want, routes)
		}
		if want != nil {
			if got := matchedValues(s, rec, &q); !slices.Equal(got, wantValues) {
				t.Fatalf("values: %s %s: pattern %v: got %q, want %q", r.Method, sent, want, got, wantValues)
			}
		}
		if r.URL.RawPath != "" {
			continue
		}
		if fast, _ := s.find(r); isRecord(fast) && fast != rec || fast == 0 && rec != 0 {
			t.Fatalf("find: %s %s%s: got %v, want %v\nroutes: %v", r.Method, r.Host, sent, fast, want, routes)
		}
	}
	return compared
}

// matchedValues returns the values of a match's parameters, and checks that
// both forms of Params agree on them.
func matchedValues(s *snapshot, rec uint32, q *query) []string {
	rt := s.records[rec].route
	vals := make([]string, len(rt.params.names))
	if q.escaped {
		rt.fillEscaped(vals, q.path)
	} else {
		rt.fill(vals, q.path, shortSlashes(q.path))
		p := Params{q.path, rt, shortSlashes(q.path)}
		for i, v := range vals {
			if p.At(i) != v {
				panic(fmt.Sprintf("Params.At(%d) is %q, fill says %q", i, p.At(i), v))
			}
		}
	}
	p, i := packParams(rt, vals), 0
	if q.escaped {
		p = packEscaped(rt, q.path)
	}
	for name, v := range p.All() {
		if v != vals[i] || p.At(i) != v || p.Get(name) != v {
			panic(fmt.Sprintf("packed %q is %q, %q, %q, want %q", name, v, p.At(i), p.Get(name), vals[i]))
		}
		i++
	}
	return vals
}

func TestLookupIsNaive(t *testing.T) {
	compared, want := 0, 1_000_000
	if raceEnabled || testing.Short() {
		want = 50_000
	}
	for seed := uint64(1); compared < want; seed++ {
		src := rand.New(rand.NewPCG(seed, 0))
		patterns := 1 + src.IntN(20)
		if src.IntN(8) == 0 {
			patterns = 50 + src.IntN(200) // enough for ambiguous tables
		}
		compared += checkLookup(t, src, patterns, 200)
	}
	t.Logf("%d requests compared with the naive matcher", compared)
}

// TestVisitedNodes: a search visits each node once at most, and with classes
// far fewer; a dead end is not looked for twice.
func TestVisitedNodes(t *testing.T) {
	const n = 10
	m := New()
	for _, pattern := range adversarialRoutes(n) {
		m.Handle(pattern, http.NotFoundHandler())
	}
	table := m.publish().anywhere.get
	if table.classes == nil {
		t.Fatal("the table has no classes")
	}
	path := strings.Repeat("/a", n) + "/y"
	w := walk{table: table, path: path, size: len(path)}
	if rec, _ := w.from(0, 1); rec != 0 || w.visited > 2*len(table.nodes) {
		t.Errorf("%s: record %d after %d visits in a table of %d nodes", path, rec, w.visited, len(table.nodes))
	}
	if steps := backtrackSteps(t, table, path); steps > 10*n {
		t.Errorf("%s: %d steps in a table of %d nodes, want at most ten a segment", path, steps, len(table.nodes))
	}
	distinct := slices.Clone(table.classes)
	slices.Sort(distinct)
	if got := len(slices.Compact(distinct)); got > 2*n {
		t.Errorf("%d classes of nodes, want at most two a level: with and without the route that is static", got)
	}
}

// backtrackSteps returns how many steps backtrack takes to find that nothing
// matches path.
func backtrackSteps(t *testing.T, table *table, path string) (steps int) {
	t.Helper()
	all := slashMap(path)&^1 | 1<<len(path)
	back := branches{ends: all}
	index, i, ends := uint32(0), 1, all
	for ; ; steps++ {
		rec, to, next := table.step(&back, index, i, ends, path)
		switch {
		case rec != 0:
			t.Fatalf("%s: record %d, want none", path, rec)
		case to != 0:
			index, i = to, next
		case back.n == 0:
			return steps
		default:
			index, i = back.pop(table)
		}
		ends = all &^ (1<<i - 1)
	}
}

func FuzzLookup(f *testing.F) {
	f.Add([]byte("routes and requests come from these bytes, one choice a byte"))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := &bytesSource{data}
		checkLookup(t, src, 1+src.IntN(16), 16)
	})
}
