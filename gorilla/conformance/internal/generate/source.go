// Package generate generates programs at random or from the bytes of a fuzzer. It
// draws templates and requests from small sets, so that routes overlap and requests match or
// almost match them.
package generate

import "math/rand/v2"

// A Source returns the numbers for random choices. *rand.Rand is one.
type Source interface {
	// IntN returns a number from 0 to n-1.
	IntN(n int) int
}

// Seeded returns a source that returns the same numbers for the same seed.
func Seeded(seed uint64) Source {
	return rand.New(rand.NewPCG(seed, 0x6d7578))
}

// Bytes is a source that uses one byte of a text for each number, and returns zeros after
// the last byte.
type Bytes struct{ Text []byte }

// IntN returns the next number.
func (b *Bytes) IntN(n int) int {
	if len(b.Text) == 0 {
		return 0
	}
	c := b.Text[0]
	b.Text = b.Text[1:]
	return int(c) % n
}

// pick returns one of list.
func pick[T any](s Source, list []T) T { return list[s.IntN(len(list))] }

// oneIn returns true once in n times.
func oneIn(s Source, n int) bool { return s.IntN(n) == n-1 }
