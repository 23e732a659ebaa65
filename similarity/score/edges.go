package score

import "math/bits"

// A finder finds where words begin and end, one window of the text at a time. For 64 bytes
// it computes two masks with one bit per byte: part of a word, and white space. The edges
// are where the first mask changes. A byte in neither mask is deleted. If only such bytes are
// between two pieces of a word, the pieces are joined:
//
//	text     d o n ' t   s t o p .
//	words    1 1 1 0 1 0 1 1 1 1 0
//	space    0 0 0 0 0 1 0 0 0 0 0
//	edges    0     3 4 5 6       10
//	joined         ^
type finder struct {
	// edges are alternately the beginnings and the ends of words. An end with the bit
	// joined is the end of a piece that continues at the next beginning.
	edges [window + 66]uint32
	n     int    // how many there are
	word  uint64 // 1 if the byte before is of a word
	glue  uint64 // 1 if there are, before, a word and then only bytes that are deleted
	made  bool   // everything except spaces is part of a word

	words, space [window / 64]uint64
}

const (
	window = 2048    // bytes that are searched at a time; a multiple of 64
	joined = 1 << 31 // texts are shorter
)

// reset prepares the finder for another text.
func (f *finder) reset(made bool) { f.n, f.word, f.glue, f.made = 0, 0, 0, made }

// find finds the edges in a window of a text from base on, and returns where it
// stopped.
func (f *finder) find(text []byte, base int) int {
	part := text[base:min(base+window, len(text))]
	whole := len(part) / 64
	masks(part[:whole*64], &f.words, &f.space)
	if rest := part[whole*64:]; len(rest) > 0 { // the end of the text
		var words, space [window / 64]uint64
		last := blanks
		copy(last[:], rest)
		masks(last[:], &words, &space)
		f.words[whole], f.space[whole] = words[0], space[0]
		whole++
	}
	for i := range f.words[:whole] {
		f.add(f.words[i], f.space[i], uint32(base+64*i))
	}
	end := base + len(part)
	if end == len(text) && f.word == 1 {
		f.edges[f.n] = uint32(end)
		f.n++
	}
	return end
}

// final returns how many edges are final, two for each piece. A beginning without an end
// and a piece that may still be joined are not.
func (f *finder) final() int {
	if f.glue == 1 {
		return f.n - 2
	}
	return f.n &^ 1
}

// blanks pad the last 64 bytes of a text.
var blanks = [64]byte([]byte("                                                                "))

// add adds the edges in 64 bytes.
func (f *finder) add(words, space uint64, base uint32) {
	if f.made {
		words = ^space
	}
	before := words<<1 | f.word
	turns := words ^ before
	f.word = words >> 63

	// Where deleted bytes follow a word, adding a bit there carries it to the first
	// byte behind them.
	deleted := ^(words | space)
	behind, carry := bits.Add64(deleted, deleted&before, f.glue)
	f.glue = carry

	spread((*[64]uint32)(f.edges[f.n:]), turns, base)
	for joins := behind &^ deleted & words; joins != 0; joins &= joins - 1 {
		first := joins & -joins
		f.edges[f.n+bits.OnesCount64(turns&(first-1))-1] |= joined
	}
	f.n += bits.OnesCount64(turns)
}
