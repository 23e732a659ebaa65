package urlpath

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/random"
)

// naiveSlashes is Slashes, byte by byte.
func naiveSlashes(path string) (slashes uint64) {
	for i := range len(path) {
		if path[i] == '/' {
			slashes |= 1 << i
		}
	}
	return slashes
}

// nearSlash holds bytes that differ from a slash or a dot by little.
var nearSlash = []byte{'/', '/', '/', '/', '.', '.', '.', 0x2d, 0x30, 0x2f ^ 0x80, 0x2e ^ 0x80, 0xae, 0xaf, 0xff, 0x00, 0x01, 0x6f, 'a', 'b'}

func genNearSlash(src random.Source, size int) string {
	b := make([]byte, size)
	for i := range b {
		b[i] = nearSlash[src.IntN(len(nearSlash))]
		if src.IntN(16) == 0 {
			b[i] = byte(src.IntN(256))
		}
	}
	return string(b)
}

func TestSlashes(t *testing.T) {
	src, step := rand.New(rand.NewPCG(1, 8)), 1
	if testing.Short() {
		step = 5
	}
	check := func(path string) {
		t.Helper()
		if got, want := Slashes(path), naiveSlashes(path); got != want {
			t.Fatalf("slashMap(%q): got %b, want %b", path, got, want)
		}
		if got, want := ShortSlashes(path), naiveSlashes(path); got != want {
			t.Fatalf("shortSlashes(%q): got %b, want %b", path, got, want)
		}
	}
	for size := range MaxShort + 1 {
		check(strings.Repeat("/", size))
		check(strings.Repeat(".", size))
		check(strings.Repeat("\xaf", size))
		for at := range size { // each byte in each place
			b := []byte(strings.Repeat("/", size))
			for c := 0; c < 256; c += step {
				b[at] = byte(c)
				check(string(b))
			}
			b[at] = '.'
			check(string(b))
		}
		for range 200 {
			check(genNearSlash(src, size))
		}
	}
	for _, size := range []int{64, 65, 100, 1000} {
		if got := ShortSlashes(strings.Repeat("/", size)); got != 0 {
			t.Errorf("shortSlashes of %d slashes: got %b, want 0", size, got)
		}
	}
}

func FuzzSlashes(f *testing.F) {
	f.Add("/a/./b/../c//")
	f.Fuzz(func(t *testing.T, path string) {
		path = path[:min(len(path), MaxShort)]
		if got, want := Slashes(path), naiveSlashes(path); got != want {
			t.Errorf("slashMap(%q): got %b, want %b", path, got, want)
		}
	})
}
