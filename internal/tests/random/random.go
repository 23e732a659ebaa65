// Package random makes the choices of generated tests: at random from a seeded
// generator, or from the bytes that a fuzzer provides, so that one generator
// serves both.
package random

// A Source makes choices. A [math/rand/v2.Rand] is one, and so is a [Bytes].
type Source interface {
	// IntN returns a number from 0 to n-1. n is positive.
	IntN(n int) int
}

// Bytes takes its choices from Data, and is 0 when that is used up. Fewer than 257
// choices can be told apart by a byte.
type Bytes struct{ Data []byte }

// IntN returns the next byte modulo n.
func (b *Bytes) IntN(n int) int {
	if len(b.Data) == 0 {
		return 0
	}
	c := b.Data[0]
	b.Data = b.Data[1:]
	return int(c) % n
}

// Pick returns one of the texts.
func Pick(src Source, of ...string) string { return of[src.IntN(len(of))] }
