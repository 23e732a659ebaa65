package urlpath

import (
	"encoding/binary"
	"math/rand/v2"
	"net/url"
	"testing"
)

// TestSlashBits compares the bits with a loop over the bytes, among them those that
// a search which is not exact takes for a slash: one bit away, and behind one.
func TestSlashBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var b [8]byte
		want := uint64(0)
		for i := range b {
			if b[i] = []byte{'/', '.', '/' ^ 0x80, '/' ^ 1, 0, 'a', byte(rng.IntN(256))}[rng.IntN(7)]; b[i] == '/' {
				want |= 1 << i
			}
		}
		if got := SlashBits(binary.LittleEndian.Uint64(b[:])); got != want {
			t.Fatalf("%q: %08b, want %08b", b, got, want)
		}
	}
}

// FuzzUnescapesTo compares it with net/url.
func FuzzUnescapesTo(f *testing.F) {
	for _, raw := range []string{"", "a", "a+b", "%61", "%6", "%zz", "a%2Fb", "%C3%A9", "%c3%a9x"} {
		f.Add(raw, "a b")
	}
	f.Fuzz(func(t *testing.T, raw, text string) {
		want, err := url.QueryUnescape(raw)
		if got := UnescapesTo(raw, text); got != (err == nil && want == text) {
			t.Errorf("UnescapesTo(%q, %q) = %v; net/url makes %q, %v", raw, text, got, want, err)
		}
		if err == nil && !UnescapesTo(raw, want) {
			t.Errorf("UnescapesTo(%q, %q) is false", raw, want)
		}
	})
}
