package load

import "fmt"

// The texts that the bodies of a load test are made of.
const (
	TextCount = 1000
	TextSize  = 10_000 // characters
)

// MaxBodies is how many distinct bodies there are: each text with each other one, in
// both orders.
const MaxBodies = TextCount * (TextCount - 1)

// Bodies returns n distinct bodies of requests, {"text1":…,"text2":…}, of two different
// texts each, out of TextCount texts of TextSize characters. The texts are those of
// [Pair], so the first bodies are the same whatever n is. It panics if n is negative or
// more than [MaxBodies].
func Bodies(kind Kind, n int, seed uint64) [][]byte {
	if n < 0 || n > MaxBodies {
		panic(fmt.Sprintf("load: %d bodies: must be from 0 to %d", n, MaxBodies))
	}
	literals := Literals(kind, TextCount, TextSize, seed)
	bodies := make([][]byte, n)
	for k := range bodies {
		bodies[k] = AppendBody(nil, literals, k)
	}
	return bodies
}

// AppendBody appends the body number k of texts, as [Literals] has them: those of
// [Pair]. There must be an even number of them.
func AppendBody(dst []byte, literals [][]byte, k int) []byte {
	i, j := Pair(k, len(literals))
	dst = append(dst, `{"text1":`...)
	dst = append(dst, literals[i]...)
	dst = append(dst, `,"text2":`...)
	dst = append(dst, literals[j]...)
	return append(dst, '}')
}

// Pair returns the two texts of n, an even number from 2 on, that request k compares,
// from 0 on. It is the schedule of a round-robin tournament by the circle method: a
// round has n/2 requests and each text once; after n−1 rounds each text has met each
// other one once. Then the rounds come again with the texts in the other order, and
// after n·(n−1) requests all is repeated.
//
//	n = 6    round 0: 5-0 1-4 2-3    round 1: 5-1 2-0 3-4    …
//
// A text comes again after n/2 requests, or one more or less.
func Pair(k, n int) (i, j int) {
	circle := n - 1 // all texts but the last, which stays at its place
	round, table := k/(n/2), k%(n/2)
	turn := round % circle
	i, j = (turn+table)%circle, (turn-table+circle)%circle
	if table == 0 {
		i = circle
	}
	if round/circle%2 == 1 {
		i, j = j, i
	}
	return i, j
}
