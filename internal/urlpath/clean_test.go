package urlpath

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/random"
)

// naiveClean is IsClean by what clean means.
func naiveClean(path string) bool {
	segs := strings.Split(path[1:], "/")
	for i, s := range segs {
		if s == "" && i < len(segs)-1 || s == "." || s == ".." {
			return false
		}
	}
	return true
}

// TestIsClean compares it with Clean and with what it means.
func TestIsClean(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 8))
	clean := 0
	for n := range 60_000 {
		var path string
		if n%2 == 0 {
			path = "/" + genNearSlash(src, src.IntN(12))
		} else {
			path = "/" + random.Pick(src, "a", ".", "..", "...", "", ".a", "a.", "%2e") + random.Pick(src, "/", "//", "") + random.Pick(src, "", "a", ".", "..", "...", "..a") + random.Pick(src, "", "/", "//", "/.")
		}
		got := IsClean(path)
		if want := naiveClean(path); got != want || got != (Clean(path) == path) {
			t.Fatalf("isClean(%q): got %v, want %v; cleanPath gives %q", path, got, want, Clean(path))
		}
		if again := Clean(Clean(path)); again != Clean(path) || !IsClean(again) || strings.HasSuffix(path, "/") && !strings.HasSuffix(again, "/") {
			t.Fatalf("cleanPath(%q): got %q, and of that %q", path, Clean(path), again)
		}
		if got {
			clean++
		}
	}
	if clean < 5_000 || clean > 55_000 {
		t.Errorf("%d of 60,000 paths are clean", clean)
	}
	for path, want := range map[string]string{"": "/", "a": "/a", "a/": "/a/", "/": "/", "//": "/", ".": "/", "..": "/", "./a/": "/a/", "/a/..": "/", "/a/../": "/", "/a/b/../": "/a/", "*": "/*"} {
		if got := Clean(path); got != want {
			t.Errorf("cleanPath(%q): got %q, want %q", path, got, want)
		}
	}
}
