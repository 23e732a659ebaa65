package trie

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// patternOf returns the pattern of the path that a table finds, or 404.
func patternOf(paths []*Path, t *Table, path string) string {
	number, _ := t.Search(&Query{Path: path})
	if number == 0 {
		return "404"
	}
	return paths[slices.IndexFunc(paths, func(p *Path) bool { return p.Number == number })].Pattern.Text
}

// TestVisitedNodes: a search visits each node once at most, and with classes
// far fewer; a dead end is not looked for twice.
func TestVisitedNodes(t *testing.T) {
	const n = 10
	table := newTable(t, everyPath("", n, "/z", "a", "{@}")...)
	if table.classes == nil {
		t.Fatal("the table has no classes")
	}
	path := strings.Repeat("/a", n) + "/y"
	w := slowSearch{table: table, path: path, size: len(path)}
	if rec, _ := w.from(0, 1, nil); rec != 0 || w.visited > 2*len(table.nodes) {
		t.Errorf("%s: record %d after %d visits in a table of %d nodes", path, rec, w.visited, len(table.nodes))
	}
	w = slowSearch{table: table, path: path, size: len(path)}
	if rec, _ := w.search(0, 1); rec != 0 || w.visited > 12*n {
		t.Errorf("%s: record %d after %d visits with a memory of dead ends, want at most twelve a segment", path, rec, w.visited)
	}
	distinct := slices.Clone(table.classes)
	slices.Sort(distinct)
	if got := len(slices.Compact(distinct)); got > 2*n {
		t.Errorf("%d classes of nodes, want at most two a level: with and without the route that is static", got)
	}
}

// ways returns the number of ways in a table, with the one to its root: a search
// that takes each once at most visits no more.
func ways(t *Table) (ways int) {
	ways = 1
	count := func(to uint32) {
		if to != 0 {
			ways++
		}
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		count(n.param)
		count(t.innerCatchAllOf(n))
		for _, a := range t.constrainedOf(n) {
			count(a.to)
		}
		for _, k := range t.literals[n.literals : n.literals+n.slots] {
			count(k.to)
		}
	}
	return ways
}

// everyPath returns the patterns of n segments that are each one of the options,
// between head and tail.
func everyPath(head string, n int, tail string, options ...string) (patterns []string) {
	patterns = []string{head}
	for range n {
		var longer []string
		for _, p := range patterns {
			for _, o := range options {
				longer = append(longer, p+"/"+o)
			}
		}
		patterns = longer
	}
	for i, p := range patterns {
		p += tail
		for j := 0; strings.Contains(p, "{@"); j++ {
			p = strings.Replace(p, "{@", fmt.Sprintf("{p%d", j), 1)
		}
		patterns[i] = p
	}
	return patterns
}

// TestVisitedWays: a search takes each way of a table once at most, however many
// of them a path fits. With a memory of dead ends it takes few.
func TestVisitedWays(t *testing.T) {
	a := func(n int, seg string) string { return strings.Repeat("/"+seg, n) }
	var depths []string // an inner catch-all at each of many depths
	for i := range 40 {
		depths = append(depths, a(i, "a")+"/{p...}/b", a(i, "a")+"/{p...}/c/{x:alpha}/b", a(i, "a")+"/{p...}/{x:alpha}/d/{y}/{z}")
	}
	for _, row := range []struct {
		name     string
		patterns []string
		few      int // the most visits with a memory of dead ends; 0 for as many as there are ways
		miss     string
		hit      string // the same but for what decides
		want     string
	}{
		{"literal or parameter", everyPath("", 10, "/z", "a", "{@}"), 120, a(10, "a") + "/y", a(9, "b") + "/a/z", "/{p0}/{p1}/{p2}/{p3}/{p4}/{p5}/{p6}/{p7}/{p8}/a/z"},
		{"constraints", everyPath("", 6, "/z", "{@:a+b?}", "{@:a*}", "{@:[a-c]+}", "{@}"), 30, a(6, "a") + "/y", a(5, "d") + "/b/z", "/{p0}/{p1}/{p2}/{p3}/{p4}/{p5:[a-c]+}/z"},
		{"forms", everyPath("", 5, "/z", "aa", "a{@}", "{@}a", "a{@:(a)}", "{@:a+}", "{@}"), 30, a(5, "aa") + "/y", a(4, "b") + "/ba/z", "/{p0}/{p1}/{p2}/{p3}/{p4}a/z"},
		{"texts between", everyPath("", 4, "/z", "{@}.{@}", "{@}.a.{@}", "a.{@}", "{@}.{@}.{@}", "{@:[a.]+}.{@}", "{@}.{@:[a.]+}"), 30, a(4, "a.a.a.a") + "/y", a(3, "b.b") + "/b.b.b/z", "/{p0}.{p1}/{p2}.{p3}/{p4}.{p5}/{p6}.{p7}.{p8}/z"},
		{"behind a catch-all", everyPath("/{p...}/z", 9, "", "a", "{@}"), 0, "/q/y" + a(9, "a"), "/q/z/a" + a(8, "b"), "/{p...}/z/a/{p0}/{p1}/{p2}/{p3}/{p4}/{p5}/{p6}/{p7}"},
		{"forms behind a catch-all", everyPath("/{p...}/z", 5, "", "aa", "a{@}", "{@}a", "{@:a+}", "{@}"), 0, "/q/y" + a(5, "aa"), "/q/z" + a(4, "b") + "/ba", "/{p...}/z/{p0}/{p1}/{p2}/{p3}/{p4}a"},
		{"catch-alls behind all", everyPath("", 8, "/{p...}/z", "a", "{@}"), 0, a(9, "a") + "/y", "/a" + a(8, "b") + "/z", "/a/{p0}/{p1}/{p2}/{p3}/{p4}/{p5}/{p6}/{p...}/z"},
		{"catch-alls at all depths", depths, 0, a(300, "a"), a(300, "a") + "/c/e/b", a(39, "a") + "/{p...}/c/{x:alpha}/b"},
		{"constraints and a catch-all", append(everyPath("", 6, "/z", "{@:a+b?}", "{@:a*}", "{@}"), "/{p...}"), 30, "", a(6, "a") + "/y", "/{p...}"},
	} {
		t.Run(row.name, func(t *testing.T) {
			paths := newPaths(t, row.patterns...)
			table := newTable(t, row.patterns...)
			for path, want := range map[string]string{row.miss: "404", row.hit: row.want} {
				if path == "" {
					continue
				}
				if got := patternOf(paths, table, path); got != want {
					t.Errorf("%.100s: got %s, want %s", path, got, want)
				}
				for _, escaped := range []bool{false, true} {
					forgetful := slowSearch{table: table, path: path, size: len(path), escaped: escaped}
					rec, _ := forgetful.from(0, 1, nil)
					w := slowSearch{table: table, path: path, size: len(path), escaped: escaped}
					if again, _ := w.search(0, 1); again != rec || rec != 0 && row.patterns[rec-1] != want || rec == 0 && want != "404" {
						t.Errorf("%.100s: got records %d, %d, want %s", path, rec, again, want)
					}
					if most := ways(table); forgetful.visited > most || w.visited > most {
						t.Errorf("%.100s: %d visits, %d with a memory of dead ends, for %d ways", path, forgetful.visited, w.visited, most)
					}
					if row.few > 0 && w.visited > row.few {
						t.Errorf("%.100s: %d visits with a memory of dead ends, want at most %d; without it %d", path, w.visited, row.few, forgetful.visited)
					}
				}
			}
		})
	}
}

// TestVisitedNodesOfMatchers: routes whose matchers fail do not multiply the work.
// A node is visited once at most, and each matcher asked once at a time.
func TestVisitedNodesOfMatchers(t *testing.T) {
	const n = 10
	for _, row := range []struct {
		name    string
		matched func(i int) bool // the routes that have a matcher
		visits  int              // at most
	}{
		{"all", func(int) bool { return true }, 3 << n}, // the nodes and the leaves
		{"half", func(i int) bool { return i%2 == 0 }, 3 << n},
		{"few", func(i int) bool { return i == 77 || i == 1<<n-1 }, 40 * n},
		{"none", func(int) bool { return false }, 12 * n},
	} {
		asked := 0
		patterns := everyPath("", n, "/z", "a", "{@}")
		paths := newPaths(t, patterns...)
		c := config(Slashless, paths)
		c.Number = func(p *Path) uint32 {
			if row.matched(int(p.Index)) {
				return p.Number | Conditional
			}
			return p.Number
		}
		table := Build(c, paths)
		if !table.Remembers() {
			t.Fatal("the table remembers no dead ends")
		}
		if table.Conditional != (row.name != "none") {
			t.Errorf("%s: Conditional is %t", row.name, table.Conditional)
		}
		for _, path := range []string{strings.Repeat("/a", n) + "/z", strings.Repeat("/a", n) + "/y", strings.Repeat("/b", n) + "/z", strings.Repeat("/a", n)} {
			asked = 0
			w := slowSearch{table: table, path: path, size: len(path), accept: func(number uint32) uint32 {
				if number&Conditional != 0 {
					asked++
					return 0
				}
				return number
			}}
			number, _ := w.search(0, 1)
			if number != 0 && !strings.HasSuffix(path, "/z") {
				t.Errorf("%s: %s: number %d", row.name, path, number)
			}
			if w.visited > row.visits || asked > len(paths) {
				t.Errorf("%s: %s: %d visits in a table of %d nodes, %d matchers asked; want at most %d and %d", row.name, path, w.visited, len(table.nodes), asked, row.visits, len(paths))
			}
		}
	}
}
