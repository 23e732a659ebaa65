package staticpath

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// checkStatic checks a static table of the given paths.
func checkStatic(t *testing.T, what string, paths, others []string) *Table {
	t.Helper()
	var entries []Path
	for i, p := range paths {
		entries = append(entries, Path{p, uint32(i + 1)})
	}
	s := Build(entries)
	for i, p := range paths {
		if got := s.Find(p); got != uint32(i+1) || !s.May(p) {
			t.Fatalf("%s: find(%q): got %d, want %d; may(%d) is %v", what, p, got, i+1, len(p), s.May(p))
		}
	}
	known := make(map[string]bool)
	for _, p := range paths {
		known[p] = true
	}
	for _, p := range others {
		if got := s.Find(p); got != 0 && !known[p] {
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
	if empty.May("/") || empty.slots != nil || empty.others != nil {
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
	list, err := os.ReadFile("../../routes/static.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if _, path, ok := strings.Cut(strings.TrimSpace(line), " "); ok && path[0] == '/' {
			sets["static.txt"] = append(sets["static.txt"], path)
		}
	}
	if n := len(sets["static.txt"]); n < 100 {
		t.Errorf("static.txt has %d paths", n)
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
