package load

import (
	_ "embed"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// The vocabulary of documents has ranks from 0, the most frequent word first. The first
// 4096 are in words.txt, each with the number of times it occurs in 515,057 words of 1,645
// English man pages of Debian 12, 2 KB of each, at most 20 pages that start with the same
// word. Words of fewer than five pages are not in it. Rarer words are invented. The command
// measure makes such lists.
//
//go:embed words.txt
var frequentText string

const (
	listed = 4096
	// The ranks from 4096<<k to 4096<<(k+1) are as frequent, per million words, as
	// tailFirst for k = 0, and for each k after it 79 % of that before.
	tailOctaves = 12
	tailFirst   = 26_000
)

// A frequencyTable draws words with their frequencies, by Vose's alias method. Its entries
// are the listed words and the octaves of the tail.
type frequencyTable struct {
	words []string
	keep  []uint32 // the probability of an entry within its slot, in 1/2³²
	alias []uint32
}

var frequencies = sync.OnceValue(func() *frequencyTable {
	t := &frequencyTable{}
	var weights []uint64
	var sum uint64
	for line := range strings.Lines(frequentText) {
		word, count, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		weight, err := strconv.ParseUint(count, 10, 32)
		if err != nil {
			panic(err)
		}
		t.words, weights = append(t.words, word), append(weights, weight<<20)
		sum += weight
	}
	tail := sum << 20 / 1_000_000 * tailFirst
	for range tailOctaves {
		weights = append(weights, tail)
		tail = tail * 79 / 100
	}
	t.build(weights)
	return t
})

// build makes the alias table, in integers, so that it is the same on every machine.
func (t *frequencyTable) build(weights []uint64) {
	n := uint64(len(weights))
	var sum uint64
	for _, w := range weights {
		sum += w
	}
	// Slots have a size of sum. An entry has n times its weight to fill them with.
	var small, large []uint32
	t.keep, t.alias = make([]uint32, n), make([]uint32, n)
	for i := range weights {
		if weights[i] *= n; weights[i] < sum {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		keep, _ := bits.Div64(weights[s]>>32, weights[s]<<32, sum)
		t.keep[s], t.alias[s] = uint32(keep), l
		if weights[l] -= sum - weights[s]; weights[l] < sum {
			large, small = large[:len(large)-1], append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		t.keep[i], t.alias[i] = 1<<32-1, i
	}
}

// draw returns the rank of a word for two random numbers.
func (t *frequencyTable) draw(x, y uint64) uint32 {
	high, low := bits.Mul64(x, uint64(len(t.keep)))
	entry := uint32(high)
	if uint32(low>>32) >= t.keep[entry] {
		entry = t.alias[entry]
	}
	if entry < listed {
		return entry
	}
	k := entry - listed
	return listed<<k | uint32(y)&(listed<<k-1)
}

// Rare words are four syllables of an onset and a nucleus.
const (
	rareOnsets = "bdfgklmnprstvzhw" // 16
	rareNuclei = "aeio"             // 4
)

// appendWord appends the word of a rank.
func appendWord(dst []byte, rank uint32) []byte {
	if rank < listed {
		return append(dst, frequencies().words[rank]...)
	}
	// An odd factor permutes the numbers of 24 bits, so that similar ranks have
	// different words.
	x := rank * 0x9e3779b1 & (1<<24 - 1)
	for range 4 {
		dst = append(dst, rareOnsets[x&15], rareNuclei[x>>4&3])
		x >>= 6
	}
	return dst
}

// wordLen returns the length of the word of a rank.
func wordLen(rank uint32) int {
	if rank < listed {
		return len(frequencies().words[rank])
	}
	return 8
}
