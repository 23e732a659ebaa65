package routing

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/trie"
)

// tablesOfHosts returns tables with an entry for each pattern. Patterns that have no other
// host than one before are left out.
func tablesOfHosts(t testing.TB, patterns []string) *Tables {
	t.Helper()
	entries, seen := []*Entry{nil}, make(map[string]bool)
	for _, text := range patterns {
		p, err := pattern.Parse(text, pattern.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		if !seen[p.Host] {
			seen[p.Host] = true
			n := len(entries)
			entries = append(entries, &Entry{Path: trie.Path{Pattern: p, Index: int64(n), Number: uint32(n)}, Matchers: new(matcher.Set)})
		}
	}
	return Build(Policy{}, List(entries))
}

// TestHostIndex: the tables that a cursor finds by the index are those that it finds
// without it, in the same order.
func TestHostIndex(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 8))
	pick := func(texts ...string) string { return texts[src.IntN(len(texts))] }
	join := func(n int, label func() string) string {
		labels := make([]string, n)
		for i := range labels {
			labels[i] = label()
		}
		return strings.Join(labels, ".")
	}
	indexed, matched := 0, 0
	for range 400 {
		var patterns []string
		for range 2 + src.IntN(30) {
			names, catchAll := 0, false
			host := join(1+src.IntN(4), func() string {
				names++
				switch src.IntN(6) {
				case 0:
					return fmt.Sprintf("{p%d}", names)
				case 1:
					return fmt.Sprintf("a-{p%d}", names)
				case 2:
					if !catchAll {
						catchAll = true
						return fmt.Sprintf("{p%d...}", names)
					}
				}
				return pick("a", "b", "com", "a-b")
			})
			if src.IntN(10) == 0 {
				host += ":80"
			}
			patterns = append(patterns, host+"/")
		}
		tables := tablesOfHosts(t, patterns)
		if tables.index != nil {
			indexed++
		}
		slow := &Tables{anywhere: tables.anywhere, hosts: tables.hosts, longest: tables.longest, forms: tables.forms}
		for range 30 {
			host := join(src.IntN(5), func() string { return pick("a", "b", "com", "a-b", "A", "x", "") }) + pick("", "", "", ".", ":80", ".:80")
			got := hostCursor{tables: tables, host: host}
			want := hostCursor{tables: slow, host: host}
			for n := 0; ; n++ {
				g, w := got.next(), want.next()
				if g != w && !(g != nil && w != nil && g == &tables.anywhere && w == &slow.anywhere) {
					t.Fatalf("%q: tables %d by the index are not those without it\npatterns: %q", host, n, patterns)
				}
				if g == nil {
					break
				}
				matched += min(n, 1)
			}
		}
	}
	if indexed < 200 || matched < 2000 {
		t.Errorf("%d tables have an index, %d hosts matched one with parameters", indexed, matched)
	}
}

// BenchmarkHosts finds the tables of the last of some hosts with parameters.
func BenchmarkHosts(b *testing.B) {
	for _, n := range []int{1, 4, 100, 1000} {
		b.Run(fmt.Sprintf("hosts=%d", n), func(b *testing.B) {
			var patterns []string
			for i := range n {
				patterns = append(patterns, fmt.Sprintf("{tenant}.site%04d.example.com/", i))
			}
			t := tablesOfHosts(b, patterns)
			host := fmt.Sprintf("acme.site%04d.example.com", n-1)
			for b.Loop() {
				c := hostCursor{tables: t, host: host}
				if c.next() == &t.anywhere {
					b.Fatal("no host with parameters matches")
				}
			}
		})
	}
}
