package mux

import "math/bits"

// A set is a set of small numbers. It stores only the blocks of 64 that are not empty.
// The nil set is empty.
type set struct {
	blocks []uint64 // a bit for each stored block
	before []uint32 // for each of blocks the number of words for those before it
	words  []uint64
	few    [fewBlocks]uint64 // the first blocks
}

// fewBlocks is the number of blocks up to which sets are intersected at once.
const fewBlocks = 4

// newSet returns the set of the numbers in a sorted list, which are less than
// size. Sets of the same size can be intersected.
func newSet(list []int, size int) *set {
	groups := (size + 64*64 - 1) / (64 * 64)
	s := &set{blocks: make([]uint64, groups), before: make([]uint32, groups)}
	last := -1
	for _, n := range list {
		block := n / 64
		if block != last {
			s.blocks[block/64] |= 1 << (block % 64)
			s.words = append(s.words, 0)
			last = block
		}
		s.words[len(s.words)-1] |= 1 << (n % 64)
		if block < fewBlocks {
			s.few[block] |= 1 << (n % 64)
		}
	}
	count := 0
	for i, b := range s.blocks {
		s.before[i] = uint32(count)
		count += bits.OnesCount64(b)
	}
	return s
}

// group returns 64 of the bits for stored blocks.
func (s *set) group(i int) uint64 {
	if s == nil {
		return 0
	}
	return s.blocks[i]
}

// word returns a block.
func (s *set) word(block int) uint64 {
	if s == nil {
		return 0
	}
	group, bit := s.blocks[block/64], uint64(1)<<(block%64)
	if group&bit == 0 {
		return 0
	}
	return s.words[int(s.before[block/64])+bits.OnesCount64(group&(bit-1))]
}

// A union is that of two sets.
type union struct{ a, b *set }

// A few is a set of routes of a router that does not have many.
type few struct {
	blocks int
	words  [fewBlocks]uint64
}

// start sets f to all of size routes.
func (f *few) start(size int) {
	f.blocks = (size + 63) / 64
	for i := range f.blocks {
		f.words[i] = ^uint64(0)
	}
	if size%64 != 0 {
		f.words[f.blocks-1] = 1<<(size%64) - 1
	}
}

// keep removes from f what is not in u.
func (f *few) keep(u union) {
	if u.b == nil {
		for i := range f.blocks {
			f.words[i] &= u.a.few[i]
		}
		return
	}
	for i := range f.blocks {
		f.words[i] &= u.a.few[i] | u.b.few[i]
	}
}

// decided reports whether f has one route at the most.
func (f *few) decided() bool {
	seen := false
	for _, word := range f.words[:f.blocks] {
		if word == 0 {
			continue
		}
		if seen || word&(word-1) != 0 {
			return false
		}
		seen = true
	}
	return true
}

// next returns the first route from i on, or -1.
func (f *few) next(i int) int {
	for block := i / 64; block < f.blocks; block++ {
		word := f.words[block]
		if block == i/64 {
			word &= ^uint64(0) << (i % 64)
		}
		if word != 0 {
			return block*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}

// nextOf returns the first number from i on, less than size, that is in all unions,
// or -1.
func nextOf(unions []union, size, i int) int {
	first := i / 64
	for g := first / 64; g*64*64 < size; g++ {
		group := ^uint64(0)
		if g == first/64 {
			group <<= first % 64
		}
		for _, u := range unions {
			group &= u.a.group(g) | u.b.group(g)
		}
		for ; group != 0; group &= group - 1 {
			block := g*64 + bits.TrailingZeros64(group)
			word := ^uint64(0)
			if block == first {
				word <<= i % 64
			}
			for _, u := range unions {
				word &= u.a.word(block) | u.b.word(block)
			}
			if word != 0 {
				if n := block*64 + bits.TrailingZeros64(word); n < size {
					return n
				}
				return -1
			}
		}
	}
	return -1
}
