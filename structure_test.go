package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/trie"
)

// The structures that make a lookup fast have invariants of their own, which
// hold whether or not a lookup comes across them.

// checkRecords checks that each route has the record of its number, and the tables its
// entry.
func checkRecords(t *testing.T, what string, m *Mux) {
	t.Helper()
	s := m.publish()
	known := 0
	for number := range s.tables.Len() {
		if s.tables.Entry(uint32(number)) != nil {
			known++
		}
	}
	if known != len(m.routes) || s.endpoints.Len() != s.tables.Len() {
		t.Errorf("%s: %d entries of %d, %d records, %d routes", what, known, s.tables.Len(), s.endpoints.Len(), len(m.routes))
	}
	for _, rt := range m.routes {
		rec := s.endpoints.At(rt.entry.Number)
		if rec.route != rt || rec.layout != &rt.layout || rec.pattern != rt.pattern.Text || int(rec.params) != len(rt.allNames()) || s.tables.Entry(rt.entry.Number) != &rt.entry {
			t.Errorf("%s: record %d is %+v, want that of %v", what, rt.entry.Number, *rec, rt)
		}
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
			if !m.publish().get.Remembers() {
				t.Fatal("the table remembers no dead ends")
			}
			for _, p := range paths {
				path := "/lit/" + strings.Join(p, "/")
				want, _ := naiveMatch(m.routes, "GET", "", path)
				if got := matchOf(m, "GET", path); got != want.pattern.Text {
					t.Fatalf("GET %s next to /lit%s and /{x}%s: got %s, want %v", path, first, second, got, want)
				}
			}
		}
	}
}

// TestRouteOfCopies: each route is found by its own copy of the pattern, and by none
// else.
func TestRouteOfCopies(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 10, 1000} {
		m := New()
		pattern := "/same/{x}/" + strings.Repeat("y", 20)
		for i := range n {
			m.HandleFunc(fmt.Sprintf("%s/%d", pattern, i), ok)
		}
		find := func(text string) *Route { return m.RouteOf(&http.Request{Pattern: text}) }
		for _, rt := range m.routes {
			if got := find(rt.pattern.Text); got != rt {
				t.Errorf("%d routes: %v is found as %v", n, rt, got)
			}
			if got := find(strings.Clone(rt.pattern.Text)); got != nil && !safeBuild || got != rt && safeBuild {
				t.Errorf("%d routes: a copy of the text of %v is found as %v", n, rt, got)
			}
			if got := find(rt.pattern.Text[:len(rt.pattern.Text)-1]); got != nil && !safeBuild {
				t.Errorf("%d routes: a part of the text of %v is found as %v", n, rt, got)
			}
		}
		for _, text := range []string{"", "/", "/other"} {
			if got := find(text); got != nil {
				t.Errorf("%d routes: %q is found as %v", n, text, got)
			}
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
			for _, path := range paths {
				rt, _ := naiveMatch(m.routes, method, "", path)
				more, _ := naiveMatch(m.routes, method, "", path+"/")
				if rt == nil || naiveExact(rt, path) {
					continue
				}
				number, _ := s.tables.Find(newBenchRequest(method, path))
				if number == trie.Undecided {
					set++
				} else {
					unset++
				}
				if policy == SlashStrict {
					if number == trie.Undecided {
						t.Errorf("%s %s, which goes to %v, is undecided under SlashStrict", method, path, rt)
					}
					continue
				}
				if more == nil || !naiveExact(more, path+"/") {
					continue
				}
				needed++
				if number != trie.Undecided {
					t.Fatalf("%s %s goes to %v, but %s/ exactly to %v, and it is decided\nroutes: %v", method, path, rt, path, more, m.routes)
				}
			}
		}
	}
	if set < 100 || unset < 100 || needed < 300 {
		t.Errorf("%d paths of catch-alls are undecided, %d are not; %d need it", set, unset, needed)
	}
}

// naiveExact reports whether no catch-all of rt takes any of the path's text.
func naiveExact(rt *Route, path string) bool {
	return rt.pattern.Last().Kind != pattern.CatchAll || strings.Count(path, "/") == len(rt.pattern.Segments) && strings.HasSuffix(path, "/")
}
