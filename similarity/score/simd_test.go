//go:build goexperiment.simd && amd64

package score

import (
	"math/rand/v2"
	"testing"
)

// TestSIMD compares the loops with those that take eight bytes at a time.
func TestSIMD(t *testing.T) {
	if !useSIMD {
		t.Skip("the processor has no AVX-512 VBMI2")
	}
	const frequent = " \t\n\f\r\v\x00_09azAZ/:@[`{\"\\.x"
	rng := rand.New(rand.NewPCG(9, 10))
	for range 20_000 {
		text := make([]byte, rng.IntN(window+1))
		for i := range text {
			text[i] = byte(rng.IntN(256))
			if rng.IntN(8) > 0 {
				text[i] = frequent[rng.IntN(len(frequent))]
			}
		}
		var got, want [2][window / 64]uint64
		simdMasks(text, &got[0], &got[1])
		swarMasks(text, &want[0], &want[1])
		if got != want {
			t.Fatalf("masks of %q: %x, want %x", text, got, want)
		}
		var spread1, spread2 [64]uint32
		turns := rng.Uint64() >> rng.IntN(64)
		simdSpread(&spread1, turns, 5)
		swarSpread(&spread2, turns, 5)
		for i, n := 0, turns; n != 0; i, n = i+1, n&(n-1) {
			if spread1[i] != spread2[i] {
				t.Fatalf("spread of %x: %d, want %d", turns, spread1, spread2)
			}
		}
		a, b := scanner{b: text}, scanner{b: text}
		a.i, b.i = simdSkip(text, 0), swarSkip(text, 0)
		if ascii1, ascii2 := a.runAny(), b.runAny(); a.i != b.i || ascii1 != ascii2 {
			t.Fatalf("run in %q: to %d %v, want %d %v", text, a.i, ascii1, b.i, ascii2)
		}
	}
}
