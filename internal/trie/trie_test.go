package trie

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// newPaths returns the paths of patterns, numbered from 1, sorted, and without those
// that have the segments of another one.
func newPaths(t testing.TB, patterns ...string) []*Path {
	t.Helper()
	var paths []*Path
	for i, text := range patterns {
		p, err := pattern.Parse(text, pattern.Rules{Unclean: true})
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, &Path{Pattern: p, Index: int64(i), Number: uint32(i + 1)})
	}
	slices.SortStableFunc(paths, Compare)
	return slices.CompactFunc(paths, func(p, q *Path) bool { return Compare(p, q) == 0 })
}

// String returns the pattern.
func (p *Path) String() string { return p.Pattern.Text }

// config is a Config for paths by number.
func config(recheck Recheck, paths []*Path) Config {
	return Config{
		Number: func(p *Path) uint32 { return p.Number },
		Path: func(number uint32) *Path {
			return paths[slices.IndexFunc(paths, func(p *Path) bool { return p.Number == number })]
		},
		Recheck: recheck,
	}
}

// newTable returns the table of patterns.
func newTable(t testing.TB, patterns ...string) *Table {
	t.Helper()
	paths := newPaths(t, patterns...)
	return Build(config(Slashless, paths), Ranked(paths, 0))
}

// genPath returns a random path of literals, parameters and catch-alls at the end.
func genPath(src random.Source) string {
	var b strings.Builder
	for i := range 1 + src.IntN(4) {
		b.WriteString("/" + random.Pick(src, "a", "b", "c", "abcdefghi", "a%2Fb", fmt.Sprintf("{p%d}", i), fmt.Sprintf("{p%d}", i)))
	}
	return b.String() + random.Pick(src, "", "", "", "/", "/{$}", "/{rest...}")
}

func TestTables(t *testing.T) {
	long := func(n int, end string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "/{p%d}", i)
		}
		return b.String() + end
	}
	for name, patterns := range map[string][]string{
		"nothing":         nil,
		"a catch-all":     {"/"},
		"the root":        {"/{$}"},
		"unclean":         {"//", "//a", "/a//b", "/a//{x}", "/../a/{x}", "/./{x}", "/a/../{x...}", "//{x}/{$}"},
		"slashes as text": {"/a%2Fb/{x}", "/a/b/{x}", "/%2F/{x}", "/%2F%2F/{$}", "/a%2Fb/c/{y}", "/a%2Fb/c/d/{y}"},
		"joined":          {"/v1/users/list/{x}", "/v1/users/list/{x}/all", "/v2/a/b/c/d/e/f/{x...}", "/v2/a/b/c/x"},
		"ends between":    {"/{a}", "/{a}/{b}", "/{a}/{b}/{c}", "/{a}/{b}/{c}/{d}/{$}", "/{a}/{b}/"},
		"long runs":       {long(300, ""), long(299, "/a"), long(150, "/")},
		"end and rest":    {"/a/{$}", "/a/", "/{x}/{$}", "/{x}/"},
		"words alike":     {"/aaaaaaaa/{x}", "/aaaaaaaab/{x}", "/aaaaaaaaaaaaaaaa/{x}", "/aaaaaaaaaaaaaaaaa/{x}", "/aaaaaaaa1aaaaaaaa/{x}", "/aaaaaaaa2aaaaaaaa/{x}", "/a\x00/{x}", "/a/{x}", "/a\x00\x00/{x}"},
		"NUL":             {"/%00/{x}", "/%00%00/{x}", "/%00%00%00%00%00%00%00%00/{x}", "/%00%00%00%00%00%00%00%00%00/{x}"},
	} {
		paths := newPaths(t, patterns...)
		checkTrie(t, name, Build(config(Slashless, paths), paths), paths, false)
	}
	for name, format := range map[string]string{"many": "/%d/{x}", "many and long": "/a-label-of-more-than-eight-bytes-%04d/{x}", "many, different in the middle": "/abcdefgh%05dijklmnop/{x}"} {
		var patterns []string
		for n := range 700 {
			patterns = append(patterns, fmt.Sprintf(format, n))
		}
		paths := newPaths(t, patterns...)
		checkTrie(t, name, Build(config(Slashless, paths), paths), paths, false)
	}
}

// TestChange: a table that was made from another one has the invariants of one that was
// built, and finds the same, also after more tables were made from either.
func TestChange(t *testing.T) {
	for seed := uint64(1); seed <= 300; seed++ {
		src := rand.New(rand.NewPCG(seed, 9))
		recheck := Recheck(src.IntN(3))
		var patterns []string
		for range 1 + src.IntN(40) {
			patterns = append(patterns, genPath(src))
		}
		if seed%10 == 0 { // so many that seeds are kept
			for n := range 2 * manyLiterals {
				patterns = append(patterns, fmt.Sprintf("/%d/{p}", n))
			}
		}
		all := newPaths(t, patterns...)
		c := config(recheck, all)
		var paths []*Path
		for _, p := range all {
			if src.IntN(2) == 0 {
				paths = append(paths, p)
			}
		}
		type version struct {
			table *Table
			paths []*Path
		}
		versions := []version{{Build(c, paths), paths}}
		for step := range 8 {
			from := versions[len(versions)-1]
			if src.IntN(4) == 0 {
				from = versions[src.IntN(len(versions))]
			}
			var changed []*Path
			for range 1 + src.IntN(3) {
				if p := all[src.IntN(len(all))]; !slices.Contains(changed, p) {
					changed = append(changed, p)
				}
			}
			now := slices.DeleteFunc(slices.Clone(all), func(p *Path) bool { return slices.Contains(from.paths, p) == slices.Contains(changed, p) })
			table := from.table.Change(c, Change{Changed: changed, Paths: func(p *Path, depth int) []*Path {
				return slices.DeleteFunc(slices.Clone(now), func(q *Path) bool { return ComparePrefix(q, p, depth) != 0 })
			}})
			versions = append(versions, version{table, now})
			checkFound(t, src, fmt.Sprintf("seed %d, step %d", seed, step), table, c, now)
		}
		for i, v := range versions {
			checkFound(t, src, fmt.Sprintf("seed %d, step %d, at the end", seed, i-1), v.table, c, v.paths)
		}
	}
}

// TestChangeKeepsSize: a table that is changed again and again does not grow.
func TestChangeKeepsSize(t *testing.T) {
	for _, patterns := range [][]string{{"/{x}", "/{x}/{y}"}, {"/a/{x}", "/b/{x}", "/c/d/{x}"}, {"/{x}/a", "/{x}/a/{y}/b", "/{x}/{$}"}, {"/{x:int}/a/{y}", "/{x}/a/{y}", "/{x...}/b"}} {
		all := newPaths(t, patterns...)
		c := config(Slashless, all)
		now := slices.Clone(all)
		table := Build(c, Ranked(now, 0))
		for n := range 2000 {
			p := all[n%len(all)]
			if at := slices.Index(now, p); at >= 0 {
				now = slices.Delete(now, at, at+1)
			} else {
				now = append(now, p)
				slices.SortFunc(now, Compare)
			}
			table = table.Change(c, Change{Changed: []*Path{p}, Paths: func(p *Path, depth int) []*Path {
				return Ranked(slices.DeleteFunc(slices.Clone(now), func(q *Path) bool { return ComparePrefix(q, p, depth) != 0 }), depth)
			}})
			if size := len(table.nodes) + len(table.literals) + len(table.edges) + len(table.constrained) + len(table.text); size > 1000 {
				t.Fatalf("%s: after %d changes: %d nodes, literals, edges and bytes", patterns, n+1, size)
			}
		}
	}
}

// checkFound checks a table that was changed: its invariants, and that it finds what one
// that is built from its paths finds.
func checkFound(t *testing.T, src *rand.Rand, what string, table *Table, c Config, paths []*Path) {
	t.Helper()
	checkTrie(t, what, table, paths, true)
	fresh := Build(c, paths)
	for range 40 {
		path := strings.NewReplacer("{$}", "", "{rest...}", "b/c", "%2F", "/").Replace(genPath(src))
		for i := range 4 {
			path = strings.ReplaceAll(path, fmt.Sprintf("{p%d}", i), random.Pick(src, "a", "x"))
		}
		got, slashes := table.Find(path)
		if want, wantSlashes := fresh.Find(path); got != want || slashes != wantSlashes {
			t.Fatalf("%s: Find(%q) = %d, %b, want %d, %b\npaths: %v", what, path, got, slashes, want, wantSlashes, paths)
		}
		q := Query{Path: path, Escaped: src.IntN(2) == 0, Slash: src.IntN(2) == 0}
		number, exact := table.Search(&q)
		if want, wantExact := fresh.Search(&q); number != want || exact != wantExact {
			t.Fatalf("%s: Search(%+v) = %d, %t, want %d, %t\npaths: %v", what, q, number, exact, want, wantExact, paths)
		}
	}
}

// checkTrie checks the invariants of a table for the paths that it was built from,
// without constraints and inner catch-alls, and returns how many nodes it reaches. If
// the table was changed, it may have others.
func checkTrie(t *testing.T, what string, tab *Table, paths []*Path, changed bool) int {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s: %s\npaths: %v", what, fmt.Sprintf(format, args...), paths)
	}
	c := trieChecker{table: tab, fail: fail, nodes: make(map[uint32]bool), records: make(map[uint32][]string)}
	c.node(tab.root, nil)
	if !changed && len(c.nodes) != len(tab.nodes) {
		fail("%d of %d nodes are reached", len(c.nodes), len(tab.nodes))
	}
	if !changed && c.places != len(tab.literals) {
		fail("%d of %d places for kids are reached", c.places, len(tab.literals))
	}
	static := make(map[uint32]string)
	for p, rec := range tab.Static.All {
		static[rec] = p
	}
	segments, odd := 1, false
	for _, p := range paths {
		inTrie, inStatic := c.records[p.Number], static[p.Number]
		delete(c.records, p.Number)
		delete(static, p.Number)
		segs := p.Pattern.Segments
		segments += len(segs)
		path, only := p.staticPath()
		if want := []string{trieText(segs)}; only && inTrie != nil || !only && !slices.Equal(inTrie, want) {
			fail("%v is reached in the trie by %q, want once by %q: %v", p, inTrie, want, !only)
		}
		end := slices.ContainsFunc(paths, func(q *Path) bool { // "/a/{$}" next to "/a/" replaces it
			other := q.Pattern.Segments
			return q.Pattern.Last().Kind == pattern.Dollar && len(other) == len(segs) && pattern.SamePath(other[:len(segs)-1], segs[:len(segs)-1])
		})
		if want := path; inStatic != want && (inStatic != "" || p.Pattern.Last().Kind != pattern.CatchAll || !end) {
			fail("%v has the static path %q, want %q", p, inStatic, want)
		}
		for _, g := range segs {
			odd = odd || !only && g.Kind == pattern.Literal && !plainLiteral(g.Text)
		}
	}
	if len(c.records)+len(static) > 0 {
		fail("numbers of no path: %v, %v", c.records, static)
	}
	if len(c.nodes) > segments {
		fail("%d nodes for %d segments", len(c.nodes), segments)
	}
	if odd && !tab.hasUnusualLiteral {
		fail("odd is not set")
	}
	return len(c.nodes)
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
	table   *Table
	fail    func(format string, args ...any)
	nodes   map[uint32]bool     // those seen
	places  int                 // for literals, seen
	records map[uint32][]string // the ways to each number, as trieText writes them
}

func (c *trieChecker) record(rec uint32, way string) {
	if rec != 0 {
		c.records[rec] = append(c.records[rec], way)
	}
}

// to checks what is behind a literal or a run of parameters.
func (c *trieChecker) to(ref uint32, way []string) {
	switch {
	case ref == 0:
		c.fail("nothing is behind %q", way)
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
		c.fail("node %d of %d is behind %q, or is reached twice", index, len(c.table.nodes), way)
		return
	}
	c.nodes[index] = true
	n := &c.table.nodes[index]
	text := strings.Join(way, "")
	c.record(n.leaf, text)
	c.record(n.dollar, text+"/{$}")
	c.record(n.catchAll, text+"/{...}")
	if n.slots&(n.slots-1) != 0 {
		c.fail("node %d has %d places", index, n.slots)
	}
	if (n.skip == 0) != (n.param == 0) || n.recheck != Never && n.catchAll == 0 {
		c.fail("node %d: %+v", index, *n)
	}
	if n.slots == 0 && n.param == 0 && n.dollar == 0 && n.catchAll == 0 && index != c.table.root {
		c.fail("nothing is below node %d, behind %q", index, way)
	}
	kids := 0
	for place := n.literals; place < n.literals+n.slots; place++ {
		if k := &c.table.literals[place]; k.to != 0 {
			kids++
			c.kid(n, place, way)
		} else if *k != (literalChild{}) {
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

// kid checks the literal at a place of n.
func (c *trieChecker) kid(n *node, place uint32, way []string) {
	k := &c.table.literals[place]
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
	// From the place of its hash on there is no gap and no other literal of the
	// name before it.
	h := segmentHash(first, n.seed) & (n.slots - 1)
	for at := n.literals + h; at != place; at = n.literals + (at-n.literals+1)&(n.slots-1) {
		if c.table.literals[at].to == 0 {
			c.fail("kid %q at place %d is not found from its own, %d", label, place-n.literals, h)
		}
	}
	if k.more == 0 { // a slash in the label is one of its segment
		label = strings.ReplaceAll(label, "/", "%2F")
	}
	c.to(k.to, append(slices.Clip(way), "/"+label))
}

// TestRecheckBudget: a table too large to search says yes, in a short time.
func TestRecheckBudget(t *testing.T) {
	patterns := []string{"/{y}/", "/{y}/{z}/deep/{$}"}
	for n := range 1000 {
		patterns = append(patterns, fmt.Sprintf("/x%d/{a}/b", n))
	}
	budget := 256
	if !slashBelow(newPaths(t, patterns...), []pattern.Segment{{Kind: pattern.Param, Text: "y"}}, 0, &budget) || budget >= 0 {
		t.Errorf("slashBelow over 1,000 routes: got false, or a budget left: %d", budget)
	}
}

// TestGroupSize compares the search by steps with counting.
func TestGroupSize(t *testing.T) {
	src := rand.New(rand.NewPCG(4, 8))
	for range 2_000 {
		var routes []*Path
		for range 1 + src.IntN(30) {
			p, err := pattern.Parse(random.Pick(src, "/a", "/b", "/{x}", "/a/b", "/a/c", "/a/{y}", "/a/", "/a/{$}", "/{x}/b", "/"), pattern.Rules{})
			if err != nil {
				t.Fatal(err)
			}
			routes = append(routes, &Path{Pattern: p})
		}
		slices.SortStableFunc(routes, Compare)
		for depth := range 2 {
			for i := range routes {
				if len(routes[i].Pattern.Segments) <= depth || depth == 1 && !pattern.SamePath(routes[i].Pattern.Segments[:1], routes[0].Pattern.Segments[:1]) {
					continue
				}
				from := routes[i:]
				want := 0
				for want < len(from) && len(from[want].Pattern.Segments) > depth && pattern.SamePath(from[want].Pattern.Segments[:depth+1], from[0].Pattern.Segments[:depth+1]) {
					want++
				}
				if depth == 1 { // as slashBelow has it: all agree before depth
					n := 1
					for n < len(from) && pattern.SamePath(from[n].Pattern.Segments[:1], from[0].Pattern.Segments[:1]) {
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
