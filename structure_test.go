package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// The structures that make a lookup fast have invariants of their own, which
// hold whether or not a lookup comes across them.

// checkStatic checks a static table of the given paths.
func checkStatic(t *testing.T, what string, paths, others []string) *staticTable {
	t.Helper()
	var entries []staticPath
	for i, p := range paths {
		entries = append(entries, staticPath{p, uint32(i + 1)})
	}
	s := buildStatic(entries)
	for i, p := range paths {
		if got := s.find(p); got != uint32(i+1) || !s.may(p) {
			t.Fatalf("%s: find(%q): got %d, want %d; may(%d) is %v", what, p, got, i+1, len(p), s.may(p))
		}
		if got := s.findBytes([]byte(p)); got != uint32(i+1) {
			t.Fatalf("%s: findBytes(%q): got %d, want %d", what, p, got, i+1)
		}
	}
	known := make(map[string]bool)
	for _, p := range paths {
		known[p] = true
	}
	for _, p := range others {
		if got := s.find(p) | s.findBytes([]byte(p)); got != 0 && !known[p] {
			t.Fatalf("%s: %q, which is not in the table, is record %d", what, p, got)
		}
	}
	used := 0
	for _, slot := range s.slots {
		if slot.record != 0 {
			used++
			if p := s.text[slot.text : slot.text+slot.size]; paths[slot.record-1] != p {
				t.Fatalf("%s: the slot of record %d has the text %q, want %q", what, slot.record, p, paths[slot.record-1])
			}
		}
	}
	if n := len(s.slots); n&(n-1) != 0 || used+len(s.others) != len(paths) || n > 0 && (2*used > n || 1<<(64-s.shift) != n) {
		t.Fatalf("%s: %d of %d slots are used, %d others, %d paths, shift %d", what, used, n, len(s.others), len(paths), s.shift)
	}
	return &s
}

// neighbours returns texts that differ from the paths by little.
func neighbours(paths []string) (near []string) {
	near = append(near, "", "/", "//", "\x00", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 100_000))
	for _, p := range paths {
		near = append(near, p+"/", p+"\x00", p[:len(p)-1], p[1:], p+p, strings.ToUpper(p), p+strings.Repeat("x", 64))
		for _, at := range []int{0, len(p) / 3, len(p) / 2, len(p) - 1} {
			near = append(near, p[:at]+"\x01"+p[at+1:])
		}
	}
	return near
}

func TestStaticTable(t *testing.T) {
	empty := checkStatic(t, "none", nil, neighbours(nil))
	if empty.may("/") || empty.slots != nil || empty.others != nil {
		t.Errorf("the table of no paths: %+v", empty)
	}
	src := rand.New(rand.NewPCG(3, 8))
	sets := map[string][]string{
		"one":         {"/"},
		"one long":    {"/" + strings.Repeat("a", 1000)},
		"around 63":   nil,
		"every size":  nil,
		"same size":   nil,
		"same ends":   nil,
		"many":        nil,
		"static.txt":  nil,
		"every byte":  nil,
		"long, alike": nil,
	}
	for _, n := range []int{61, 62, 63, 64, 65, 127, 128, 129} {
		sets["around 63"] = append(sets["around 63"], "/"+strings.Repeat("b", n-1), "/"+strings.Repeat("c", n-1))
	}
	for n := range 140 {
		sets["every size"] = append(sets["every size"], "/"+strings.Repeat("d", n))
	}
	for n := range 1000 {
		sets["same size"] = append(sets["same size"], fmt.Sprintf("/users/%04d/keys", n))
		sets["same ends"] = append(sets["same ends"], fmt.Sprintf("/beginning/%05d/%05d/the-end", n, src.IntN(10)))
		sets["many"] = append(sets["many"], fmt.Sprintf("/%x", src.Uint64()>>src.IntN(56)))
		sets["long, alike"] = append(sets["long, alike"], fmt.Sprintf("/%s/%04d/%s", strings.Repeat("x", 40), n, strings.Repeat("y", 40)))
	}
	for c := range 256 {
		sets["every byte"] = append(sets["every byte"], "/"+string([]byte{byte(c)}), "/abcdefgh"+string([]byte{byte(c)})+"ijklmnop")
	}
	for _, rt := range loadRoutes("static") {
		_, path, _ := strings.Cut(rt, " ")
		sets["static.txt"] = append(sets["static.txt"], path)
	}
	for what, paths := range sets {
		slices.Sort(paths)
		checkStatic(t, what, slices.Compact(paths), neighbours(paths[:min(len(paths), 200)]))
	}
}

// TestStaticTableCollisions: paths that have the same three words have the same
// hash; those that find no slot are in the map, and are found.
func TestStaticTableCollisions(t *testing.T) {
	const size = 60 // words at 0, 26 and 52
	var paths []string
	for n := range 100 {
		p := []byte(strings.Repeat("a", size))
		copy(p[10:], fmt.Sprintf("%04d", n))
		paths = append(paths, "/"+string(p[1:]))
	}
	for _, p := range paths[1:] {
		if keyOf(p) != keyOf(paths[0]) {
			t.Fatalf("the keys of %q and %q differ; the test is void", p, paths[0])
		}
	}
	s := checkStatic(t, "the same key", paths, neighbours(paths))
	if len(s.others) != len(paths)-maxProbes {
		t.Errorf("%d of %d paths with the same key are in the map, want all but %d", len(s.others), len(paths), maxProbes)
	}
	// And together with others that are not.
	for n := range 100 {
		paths = append(paths, fmt.Sprintf("/%d", n), fmt.Sprintf("/%s/%d", strings.Repeat("z", 80), n))
	}
	checkStatic(t, "the same key, short and long paths", paths, neighbours(paths))
}

// checkTrie checks the invariants of a table for the routes that it was built
// from, and returns how many nodes it has.
func checkTrie(t *testing.T, what string, tab *table, method string, routes []*Route) int {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s, method %q: %s\nroutes: %v", what, method, fmt.Sprintf(format, args...), routes)
	}
	c := trieChecker{table: tab, fail: fail, nodes: make(map[uint32]bool), records: make(map[uint32][]string)}
	if len(tab.nodes) > 0 {
		c.node(0, nil)
	}
	if len(c.nodes) != len(tab.nodes) {
		fail("%d of %d nodes are reached", len(c.nodes), len(tab.nodes))
	}
	if c.places != len(tab.kids) {
		fail("%d of %d places for kids are reached", c.places, len(tab.kids))
	}
	static := make(map[uint32]string)
	for _, slot := range tab.static.slots {
		if slot.record != 0 {
			static[slot.record] = tab.static.text[slot.text : slot.text+slot.size]
		}
	}
	for p, rec := range tab.static.others {
		static[rec] = p
	}
	segments, odd := 1, false
	for _, rt := range routes {
		best := rt
		for _, q := range routes {
			if q.fit(method) > best.fit(method) && pattern.SamePath(q.pattern.Segments, rt.pattern.Segments) {
				best = q
			}
		}
		inTrie, inStatic := c.records[rt.record()], static[rt.record()]
		delete(c.records, rt.record())
		delete(static, rt.record())
		if rt.fit(method) == 0 || best != rt {
			if inTrie != nil || inStatic != "" {
				fail("%v is reached by %q and %q, but does not take the method or not first", rt, inTrie, inStatic)
			}
			continue
		}
		segments += len(rt.pattern.Segments)
		path, only := rt.staticPath()
		if want := []string{trieText(rt.pattern.Segments)}; only && inTrie != nil || !only && !slices.Equal(inTrie, want) {
			fail("%v is reached in the trie by %q, want once by %q: %v", rt, inTrie, want, !only)
		}
		end := slices.ContainsFunc(routes, func(q *Route) bool { // "/a/{$}" beside "/a/" takes its place
			return q.fit(method) > 0 && q.pattern.Last().Kind == pattern.Dollar && len(q.pattern.Segments) == len(rt.pattern.Segments) && pattern.SamePath(q.pattern.Segments[:len(q.pattern.Segments)-1], rt.pattern.Segments[:len(rt.pattern.Segments)-1])
		})
		if want := path; inStatic != want && (inStatic != "" || rt.pattern.Last().Kind != pattern.CatchAll || !end) {
			fail("%v has the static path %q, want %q", rt, inStatic, want)
		}
		for _, g := range rt.pattern.Segments {
			odd = odd || !only && g.Kind == pattern.Literal && !plainLiteral(g.Text)
		}
	}
	if len(c.records)+len(static) > 0 {
		fail("records of no route: %v, %v", c.records, static)
	}
	if len(tab.nodes) > segments {
		fail("%d nodes for %d segments", len(tab.nodes), segments)
	}
	if tab.odd != odd {
		fail("odd is %v, want %v", tab.odd, odd)
	}
	return len(tab.nodes)
}

// trieText writes a path's segments without the names of parameters; a slash
// inside a segment as %2F.
func trieText(segs []pattern.Segment) string {
	var b strings.Builder
	for _, g := range segs {
		switch g.Kind {
		case pattern.Literal:
			b.WriteString("/" + strings.ReplaceAll(g.Text, "/", "%2F"))
		case pattern.Param:
			b.WriteString("/{}")
		case pattern.Dollar:
			b.WriteString("/{$}")
		case pattern.CatchAll:
			b.WriteString("/{...}")
		}
	}
	return b.String()
}

// A trieChecker walks over a table once.
type trieChecker struct {
	table   *table
	fail    func(format string, args ...any)
	nodes   map[uint32]bool     // those seen
	places  int                 // for kids, seen
	records map[uint32][]string // the ways to each record, as trieText writes them
}

func (c *trieChecker) record(rec uint32, way string) {
	if rec != 0 {
		c.records[rec] = append(c.records[rec], way)
	}
}

// to checks what stands behind a kid or a run of parameters.
func (c *trieChecker) to(ref uint32, way []string) {
	switch {
	case ref == 0:
		c.fail("nothing stands behind %q", way)
	case ref&leafOnly != 0:
		if ref&^leafOnly == 0 {
			c.fail("a leaf without a record behind %q", way)
		}
		c.record(ref&^leafOnly, strings.Join(way, ""))
	default:
		c.node(ref, way)
	}
}

// node checks a node and all below it.
func (c *trieChecker) node(index uint32, way []string) {
	if index >= uint32(len(c.table.nodes)) || c.nodes[index] {
		c.fail("node %d of %d stands behind %q, or is reached twice", index, len(c.table.nodes), way)
		return
	}
	c.nodes[index] = true
	n := &c.table.nodes[index]
	text := strings.Join(way, "")
	c.record(n.leaf, text)
	c.record(n.end, text+"/{$}")
	c.record(n.rest, text+"/{...}")
	if n.slots&(n.slots-1) != 0 {
		c.fail("node %d has %d places", index, n.slots)
	}
	if (n.skip == 0) != (n.param == 0) || n.recheck != never && n.rest == 0 {
		c.fail("node %d: %+v", index, *n)
	}
	if n.slots == 0 && n.param == 0 && n.end == 0 && n.rest == 0 && len(c.table.nodes) > 1 {
		c.fail("nothing is below node %d, behind %q", index, way)
	}
	kids := 0
	for place := n.kids; place < n.kids+n.slots; place++ {
		if k := &c.table.kids[place]; k.to != 0 {
			kids++
			c.kid(n, place, way)
		} else if *k != (kid{}) {
			c.fail("an empty place holds %+v", *k)
		}
	}
	c.places += int(n.slots)
	if n.slots == 1 && kids != 1 || n.slots > 1 && (kids < 2 || 2*kids > int(n.slots) || 4*kids <= int(n.slots)) {
		c.fail("node %d has %d kids in %d places", index, kids, n.slots)
	}
	if n.param != 0 {
		c.to(n.param, append(slices.Clip(way), strings.Repeat("/{}", int(n.skip))))
	}
}

// kid checks the kid at a place of n.
func (c *trieChecker) kid(n *node, place uint32, way []string) {
	k := &c.table.kids[place]
	label := c.table.label(k)
	first := label[:k.len]
	if head, tail := segmentWords(first); k.head != head || k.tail != tail {
		c.fail("kid %q has the words %x and %x, want %x and %x", label, k.head, k.tail, head, tail)
	}
	if k.more == 1 || k.more > 0 && (label[k.len] != '/' || !plainLiteral(first)) {
		c.fail("kid %q: the first segment is %q", label, first)
	}
	if k.more > 0 {
		for _, s := range strings.Split(label[k.len+1:], "/") {
			if !plainLiteral(s) {
				c.fail("kid %q is joined with %q", label, s)
			}
		}
	}
	// From the place of its hash on there is no gap and no other kid of the
	// name before it.
	h := segmentHash(first, n.seed) & (n.slots - 1)
	for at := n.kids + h; at != place; at = n.kids + (at-n.kids+1)&(n.slots-1) {
		if c.table.kids[at].to == 0 {
			c.fail("kid %q at place %d is not found from its own, %d", label, place-n.kids, h)
		}
	}
	if k.more == 0 { // a slash in the label is one of its segment
		label = strings.ReplaceAll(label, "/", "%2F")
	}
	c.to(k.to, append(slices.Clip(way), "/"+label))
}

// checkTables checks all tables of a mux and returns the number of their nodes.
func checkTables(t *testing.T, what string, m *Mux) (nodes int) {
	t.Helper()
	s := m.publish()
	byHost := make(map[string][]*Route)
	for _, rt := range m.routes {
		byHost[rt.pattern.Host] = append(byHost[rt.pattern.Host], rt)
		if rec := &s.records[rt.record()]; rec.route != rt || rec.pattern != rt.pattern.Text || int(rec.params) != len(rt.pattern.Names()) {
			t.Fatalf("%s: record %d is %+v, want that of %v", what, rt.record(), *rec, rt)
		}
	}
	if byHost[""] == nil {
		byHost[""] = []*Route{}
	}
	if len(byHost)-1 != len(s.hosts) || (s.get != nil) != (s.hosts == nil) || len(s.records) < len(m.routes)+1 {
		t.Fatalf("%s: %d tables for the hosts %v, %d records", what, len(s.hosts), byHost, len(s.records))
	}
	for host, routes := range byHost {
		h := &s.anywhere
		if host != "" {
			h = s.host(host)
		}
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "M-SEARCH", "get", ""} {
			nodes += checkTrie(t, what+", host "+host, h.of(method), method, routes)
		}
	}
	return nodes
}

func TestTables(t *testing.T) {
	for _, name := range []string{"github", "gplus", "parse", "static"} {
		m := New()
		for _, rt := range loadRoutes(name) {
			m.HandleFunc(rt, ok)
		}
		if nodes := checkTables(t, name, m); nodes == 0 && name != "static" {
			t.Errorf("%s: no nodes", name)
		}
	}
	for name, patterns := range map[string][]string{
		"nothing":         nil,
		"a catch-all":     {"/"},
		"the root":        {"/{$}"},
		"unclean":         {"//", "//a", "/a//b", "/a//{x}", "/../a/{x}", "/./{x}", "/a/../{x...}", "//{x}/{$}"},
		"slashes as text": {"/a%2Fb/{x}", "/a/b/{x}", "/%2F/{x}", "/%2F%2F/{$}", "/a%2Fb/c/{y}", "/a%2Fb/c/d/{y}"},
		"joined":          {"/v1/users/list/{x}", "/v1/users/list/{x}/all", "/v2/a/b/c/d/e/f/{x...}", "/v2/a/b/c/x"},
		"ends between":    {"/{a}", "/{a}/{b}", "/{a}/{b}/{c}", "/{a}/{b}/{c}/{d}/{$}", "/{a}/{b}/"},
		"long runs":       {numberParams(strings.Repeat("/{@}", 300)), numberParams(strings.Repeat("/{@}", 299) + "/a"), numberParams(strings.Repeat("/{@}", 150) + "/")},
		"methods":         {"GET /{x}", "HEAD /{x}", "/{x}", "POST,PUT /{x}", "GET /a/{x}", "HEAD /a/", "/a/", "M-SEARCH /a/{y...}"},
		"end and rest":    {"/a/{$}", "/a/", "GET /a/{$}", "POST /a/", "/{x}/{$}", "/{x}/"},
		"words alike":     {"/aaaaaaaa/{x}", "/aaaaaaaab/{x}", "/aaaaaaaaaaaaaaaa/{x}", "/aaaaaaaaaaaaaaaaa/{x}", "/aaaaaaaa1aaaaaaaa/{x}", "/aaaaaaaa2aaaaaaaa/{x}", "/a\x00/{x}", "/a/{x}", "/a\x00\x00/{x}"},
		"NUL":             {"/%00/{x}", "/%00%00/{x}", "/%00%00%00%00%00%00%00%00/{x}", "/%00%00%00%00%00%00%00%00%00/{x}"},
	} {
		checkTables(t, name, newMuxOf(patterns))
	}
	for name, format := range map[string]string{"many": "/%d/{x}", "many and long": "/a-label-of-more-than-eight-bytes-%04d/{x}", "many, different in the middle": "/abcdefgh%05dijklmnop/{x}"} {
		m := New()
		for n := range 700 {
			m.HandleFunc("GET "+fmt.Sprintf(format, n), ok)
		}
		checkTrie(t, name, m.publish().get, "GET", m.routes)
	}
	for seed := uint64(1); seed <= 100; seed++ {
		src := rand.New(rand.NewPCG(seed, 9))
		m := New(TrailingSlash(slashPolicies[src.IntN(3)]), UncleanPath(pathPolicies[src.IntN(3)]))
		for range 1 + src.IntN(40) {
			pattern := genPattern(src, genMethods, []string{"", "", "", "h", "H.:80"})
			if src.IntN(15) == 0 {
				pattern = strings.Replace(pattern, "/", random.Pick(src, "//", "/../", "/./"), 1)
			}
			m.Add(pattern, http.HandlerFunc(ok))
		}
		checkTables(t, fmt.Sprint("seed ", seed), m)
	}
}

// TestDeadEnds: in a table with many branches a dead end is remembered by what
// may match below it. Two subtrees that differ in that, reached at the same
// place of a path, are not taken for each other.
func TestDeadEnds(t *testing.T) {
	tails := []string{"/a%2Fb/{z}", "/a/b/{z}", "/a%2Fb", "/a/b", "/{z}/b", "/a/{z}", "/a/{z}/c", "/a/b/", "/a/b/{$}", "/{z}/{w}/{v}", "/{z}/{w}", "/{z...}", "/a%2Fb%2Fc/{z}", "/a/b%2Fc/{z}"}
	paths := genPaths([]string{"a", "b", "c"}, []string{"a", "b", "c", ""}, 3)
	paths = append(paths, []string{"a%2Fb", "c"}, []string{"a%2Fb"}, []string{"a", "b%2Fc", "a"})
	for _, first := range tails {
		for _, second := range tails {
			m := New(TrailingSlash(SlashStrict))
			for _, pattern := range adversarialRoutes(6) { // enough for classes
				m.HandleFunc("GET /deep"+strings.TrimPrefix(pattern, "GET "), ok)
			}
			for _, pattern := range []string{"/lit" + first, "/{x}" + second, "/{all...}"} {
				m.HandleFunc(pattern, ok)
			}
			if m.publish().anywhere.get.classes == nil {
				t.Fatal("the table has no classes")
			}
			for _, p := range paths {
				path := "/lit/" + strings.Join(p, "/")
				want, _ := naiveMatch(m.routes, "GET", "", path)
				if got := matchOf(m, "GET", path); got != want.pattern.Text {
					t.Fatalf("GET %s beside /lit%s and /{x}%s: got %s, want %v", path, first, second, got, want)
				}
			}
		}
	}
}

// TestFit holds how well methods fit.
func TestFit(t *testing.T) {
	for _, row := range []struct {
		methods, method string
		want            int
	}{
		{"", "GET", 1},
		{"", "HEAD", 1},
		{"", "POST", 1},
		{"", "", 1},
		{"", "x", 1},
		{"GET", "GET", 3},
		{"GET", "HEAD", 2},
		{"GET", "POST", 0},
		{"GET", "get", 0},
		{"GET", "", 0},
		{"HEAD", "HEAD", 3},
		{"HEAD", "GET", 0},
		{"GET,HEAD", "HEAD", 3},
		{"HEAD,GET", "HEAD", 3},
		{"GET,HEAD", "GET", 3},
		{"POST,GET", "HEAD", 2},
		{"POST,GET", "GET", 3},
		{"POST,PUT", "HEAD", 0},
		{"M-SEARCH", "M-SEARCH", 3},
		{"M-SEARCH", "SEARCH", 0},
		{"OPTIONS,TRACE", "TRACE", 3},
	} {
		rt := &Route{}
		if row.methods != "" {
			rt.pattern.Methods = strings.Split(row.methods, ",")
		}
		if got := rt.fit(row.method); got != row.want {
			t.Errorf("fit of %q for %q: got %d, want %d", row.methods, row.method, got, row.want)
		}
		if got := naiveMethod(rt, row.method); got != row.want {
			t.Errorf("naiveMethod of %q for %q: got %d, want %d", row.methods, row.method, got, row.want)
		}
	}
}

// TestRecheck: where a catch-all is not rechecked, no path that it takes
// without a final slash matches exactly with one more.
func TestRecheck(t *testing.T) {
	texts := []string{"a", "b", "c"}
	var paths []string
	for _, p := range genPaths(texts, texts, 4) {
		paths = append(paths, "/"+strings.Join(p, "/"))
	}
	set, unset, needed := 0, 0, 0
	for seed := uint64(1); seed <= 250; seed++ {
		src := rand.New(rand.NewPCG(seed, 10))
		policy := []SlashPolicy{SlashRedirect, SlashRedirect, SlashRedirect, SlashStrict, SlashIgnore}[src.IntN(5)]
		m := New(TrailingSlash(policy))
		for range 1 + src.IntN(12) {
			m.Add(genPattern(src, []string{"", "GET", "POST", "HEAD"}, []string{""}), http.HandlerFunc(ok))
		}
		m.Add(random.Pick(src, "/", "/{x...}", "/a/", "GET /{x}/", "/{x}/b/{y...}"), http.HandlerFunc(ok))
		s := m.publish()
		for _, method := range []string{"GET", "HEAD", "PUT"} {
			tab := s.anywhere.of(method)
			rechecked := make(map[uint32]bool)
			for i := range tab.nodes {
				if n := &tab.nodes[i]; n.rest != 0 {
					rechecked[n.rest] = n.recheck != never
					if n.recheck != never {
						set++
					} else {
						unset++
					}
					if policy == SlashStrict && n.recheck != never {
						t.Errorf("%v under SlashStrict is rechecked", s.records[n.rest].route)
					}
				}
			}
			if policy == SlashStrict {
				continue
			}
			for _, path := range paths {
				rt, _ := naiveMatch(m.routes, method, "", path)
				more, _ := naiveMatch(m.routes, method, "", path+"/")
				if rt == nil || more == nil || naiveExact(rt, path) || !naiveExact(more, path+"/") {
					continue
				}
				needed++
				if !rechecked[rt.record()] {
					t.Fatalf("%s %s goes to %v, but %s/ exactly to %v, and recheck is not set\nroutes: %v", method, path, rt, path, more, m.routes)
				}
			}
		}
	}
	if set < 100 || unset < 100 || needed < 300 {
		t.Errorf("%d catch-alls are rechecked, %d are not; %d paths need it", set, unset, needed)
	}
}

// naiveExact reports whether no catch-all of rt takes any of the path's text.
func naiveExact(rt *Route, path string) bool {
	return rt.pattern.Last().Kind != pattern.CatchAll || strings.Count(path, "/") == len(rt.pattern.Segments) && strings.HasSuffix(path, "/")
}

// TestRecheckBudget: a table too large to search says yes, in a short time.
func TestRecheckBudget(t *testing.T) {
	m := New()
	for n := range 1000 {
		m.HandleFunc(fmt.Sprintf("/x%d/{a}/b", n), ok)
	}
	m.HandleFunc("/{y}/", ok)
	m.HandleFunc("/{y}/{z}/deep/{$}", ok)
	budget := 256
	routes := slices.SortedFunc(m.Routes(), func(a, b *Route) int { return compareSegments(a.pattern.Segments, b.pattern.Segments) })
	if !slashBelow(routes, []pattern.Segment{{Kind: pattern.Param, Text: "y"}}, 0, &budget) || budget >= 0 {
		t.Errorf("slashBelow over 1,000 routes: got false, or a budget left: %d", budget)
	}
	if got := matchOf(m, "GET", "/q/r/deep"); got != "307" {
		t.Errorf("GET /q/r/deep: got %s, want 307", got)
	}
}

// TestGroupSize compares the search by steps with counting.
func TestGroupSize(t *testing.T) {
	src := rand.New(rand.NewPCG(4, 8))
	for range 2_000 {
		var routes []*Route
		for range 1 + src.IntN(30) {
			p, err := parse(random.Pick(src, "/a", "/b", "/{x}", "/a/b", "/a/c", "/a/{y}", "/a/", "/a/{$}", "/{x}/b", "/"), noRules)
			if err != nil {
				t.Fatal(err)
			}
			routes = append(routes, &Route{pattern: *p})
		}
		slices.SortStableFunc(routes, func(a, b *Route) int { return compareSegments(a.pattern.Segments, b.pattern.Segments) })
		for depth := range 2 {
			for i := range routes {
				if len(routes[i].pattern.Segments) <= depth || depth == 1 && !pattern.SamePath(routes[i].pattern.Segments[:1], routes[0].pattern.Segments[:1]) {
					continue
				}
				from := routes[i:]
				want := 0
				for want < len(from) && len(from[want].pattern.Segments) > depth && pattern.SamePath(from[want].pattern.Segments[:depth+1], from[0].pattern.Segments[:depth+1]) {
					want++
				}
				if depth == 1 { // as slashBelow has it: all agree before depth
					n := 1
					for n < len(from) && pattern.SamePath(from[n].pattern.Segments[:1], from[0].pattern.Segments[:1]) {
						n++
					}
					from = from[:n]
				}
				if got := groupSize(from, depth); got != want {
					t.Fatalf("groupSize(%v, %d): got %d, want %d", from, depth, got, want)
				}
			}
		}
	}
}

// TestIdentities: each route is found by its own copy of the pattern, and by
// none else.
func TestIdentities(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 10, 1000} {
		m := New()
		pattern := "/same/{x}/" + strings.Repeat("y", 20)
		for i := range n {
			m.HandleFunc(fmt.Sprintf("%s/%d", pattern, i), ok)
		}
		s := m.publish()
		ids := newIdentities(s.records)
		if size := len(ids); size&(size-1) != 0 || size < 2*n {
			t.Errorf("%d routes: a table of %d places", n, size)
		}
		for _, rt := range m.routes {
			if got := ids.find(s.records, rt.pattern.Text); got != rt {
				t.Errorf("%d routes: %v is found as %v", n, rt, got)
			}
			if got := ids.find(s.records, strings.Clone(rt.pattern.Text)); got != nil && !safeBuild || got != rt && safeBuild {
				t.Errorf("%d routes: a copy of the text of %v is found as %v", n, rt, got)
			}
			if got := ids.find(s.records, rt.pattern.Text[:len(rt.pattern.Text)-1]); got != nil && !safeBuild {
				t.Errorf("%d routes: a part of the text of %v is found as %v", n, rt, got)
			}
		}
		for _, text := range []string{"", "/", "/other"} {
			if got := ids.find(s.records, text); got != nil {
				t.Errorf("%d routes: %q is found as %v", n, text, got)
			}
		}
	}
}

// TestHostTables: a snapshot finds the tables of a host by any spelling, and no
// others by a spelling of any length.
func TestHostTables(t *testing.T) {
	m := newMuxOf([]string{"Example.com/", "[::1]/", "h/", "a:80/", strings.Repeat("x", 200) + ".org/"})
	s := m.publish()
	for _, row := range []struct{ host, want string }{
		{"example.com", "example.com"},
		{"EXAMPLE.COM.", "example.com"},
		{"::1", "::1"},
		{"[::1]", "::1"},
		{"[::1].", "::1"},
		{"h", "h"},
		{"H.", "h"},
		{"A.:80", "a:80"},
		{strings.Repeat("X", 200) + ".ORG.", strings.Repeat("x", 200) + ".org"},
		{"", ""},
		{"a", ""},
		{"example.com.x", ""},
		{"hh", ""},
		{strings.Repeat("X", 10_000), ""},
		{strings.Repeat("x", 10_000), ""},
		{"[h]", ""},
		{"h:80", ""},
	} {
		if got := s.host(row.host); got != s.hosts[row.want] || (got != nil) != (row.want != "") {
			t.Errorf("host %.40q: got %p, want %p, the tables of %.40q", row.host, got, s.hosts[row.want], row.want)
		}
	}
	if len(s.hosts) != 5 {
		t.Errorf("%d hosts have tables, want 5", len(s.hosts))
	}
}
