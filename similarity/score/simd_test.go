package score

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// A loops has the loops over a text with one set of instructions.
type loops struct {
	masks  func(text []byte, words, space *[window / 64]uint64)
	spread func(to *[64]uint32, turns uint64, base uint32)
	skip   func(b []byte, i int) int
}

// TestLoops compares the loops with those that take eight bytes at a time.
func TestLoops(t *testing.T) {
	for set, l := range allLoops() {
		t.Run(set.String(), func(t *testing.T) { testLoops(t, l) })
	}
}

func testLoops(t *testing.T, l loops) {
	const frequent = " \t\n\f\r\v\x00_09azAZ/:@[`{\"\\.x\x7f\x80"
	rng := rand.New(rand.NewPCG(9, 10))
	for n := range 20_000 {
		text := make([]byte, rng.IntN(window+100))
		for i := range text {
			text[i] = byte(rng.IntN(256))
			if rng.IntN(8) > 0 {
				text[i] = frequent[rng.IntN(len(frequent))]
			} else if n%2 == 0 {
				text[i] = 'a'
			}
		}
		var got, want [2][window / 64]uint64
		l.masks(text, &got[0], &got[1])
		swarMasks(text, &want[0], &want[1])
		if got != want {
			t.Fatalf("masks of %q: %x, want %x", text, got, want)
		}
		var spread1, spread2 [64]uint32
		turns := rng.Uint64() >> rng.IntN(65)
		if n%100 == 0 {
			turns = ^uint64(0)
		}
		l.spread(&spread1, turns, 5)
		swarSpread(&spread2, turns, 5)
		if n := bits.OnesCount64(turns); [64]uint32(append(spread1[:n:n], spread2[n:]...)) != spread2 {
			t.Fatalf("spread of %x: %d, want %d", turns, spread1, spread2)
		}
		for _, text := range [][]byte{text, plainText(rng)} {
			from := rng.IntN(len(text) + 1)
			a, b := scanner{b: text}, scanner{b: text}
			a.i, b.i = l.skip(text, from), swarSkip(text, from)
			if a.i < from || a.i > len(text) {
				t.Fatalf("skip in %q from %d: %d", text, from, a.i)
			}
			if ascii1, ascii2 := a.runAny(), b.runAny(); a.i != b.i || ascii1 != ascii2 {
				t.Fatalf("run in %q from %d: to %d %v, want %d %v", text, from, a.i, ascii1, b.i, ascii2)
			}
		}
	}
}

// plainText returns a text with at most one character at which a run ends.
func plainText(rng *rand.Rand) []byte {
	text := make([]byte, rng.IntN(500))
	for i := range text {
		text[i] = byte(' ' + rng.IntN(0x7f-' '+1))
		if text[i] == '"' || text[i] == '\\' {
			text[i] = 'x'
		}
	}
	if len(text) > 0 && rng.IntN(4) > 0 {
		text[rng.IntN(len(text))] = "\"\\\x00\x1f\x80\xff\n"[rng.IntN(7)]
	}
	return text
}
