package score

import (
	"encoding/binary"
	"math/bits"
)

// The loops over a text, eight bytes at a time. What did not help:
//
//   - words read one after another without masks, as each begins where the one before
//     ends (50 µs for two texts of 10,000 characters, not 41; 58 without branches);
//   - constants in memory instead of in the code (the same);
//   - edges from a table, eight bits at a time (46 µs);
//   - with SIMD, keys in vectors and two rounds of AES for a hash (the same);
//   - keys and hashes in a separate loop before the table lookups (45 µs, not 41),
//     a table of fixed size (39), profile-guided optimisation (the same).

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
	lows  = 0x7f * ones

	// gather times a word of which only high bits are set has these, in their order, in
	// its highest byte.
	gather = 0x0002040810204081
)

// swarMasks sets, for each 64 bytes of a text, in words which are of words, and in
// space which are white space.
func swarMasks(text []byte, words, space *[window / 64]uint64) {
	for i := 0; len(text) >= 64 && i < len(words); i++ {
		words[i], space[i] = plainMasks((*[64]byte)(text))
		text = text[64:]
	}
}

// plainMasks returns the masks of 64 bytes. As long as all are ASCII and no control
// characters, no sum or difference in it is carried from one byte to the next.
func plainMasks(p *[64]byte) (words, space uint64) {
	const ( // high bits of x+from are set from there on, those of to-x up to there
		fromA, toZ         = (0x80 - 'a') * ones, (0x80 + 'z') * ones
		from0, to9         = (0x80 - '0') * ones, (0x80 + '9') * ones
		fromBlank, toBlank = (0x80 - ' ') * ones, (0x80 + ' ') * ones
	)
	seen, plain := uint64(0), uint64(highs)
	for i := 0; i < len(p); i += 16 {
		x, y := binary.LittleEndian.Uint64(p[i:]), binary.LittleEndian.Uint64(p[i+8:])
		seen |= x | y
		plain &= (x + fromBlank) & (y + fromBlank)
		xs, ys := x|' '*ones, y|' '*ones // small letters
		xw := (xs+fromA)&(toZ-xs) | (x+from0)&(to9-x) | (highs - (x ^ '_'*ones))
		yw := (ys+fromA)&(toZ-ys) | (y+from0)&(to9-y) | (highs - (y ^ '_'*ones))
		words = words>>16 | (xw&highs)*gather>>56<<48 | (yw&highs)*gather>>56<<56
		space = space>>16 | ((toBlank-x)&highs)*gather>>56<<48 | ((toBlank-y)&highs)*gather>>56<<56
	}
	if plain&^seen&highs != highs {
		return anyMasks(p)
	}
	return words, space
}

// anyMasks is plainMasks for all bytes there are.
func anyMasks(p *[64]byte) (words, space uint64) {
	for i := 0; i < len(p); i += 8 {
		x := binary.LittleEndian.Uint64(p[i:])
		low := x & lows
		small := low | ' '*ones
		letters := (small + (0x80-'a')*ones) &^ (small + (0x7f-'z')*ones)
		digits := (low + (0x80-'0')*ones) &^ (low + (0x7f-'9')*ones)
		score := ^((low ^ '_'*ones) + lows)
		blanks := ^((low ^ ' '*ones) + lows)
		breaks := (low + (0x80-'\t')*ones) &^ (low + (0x7f-'\r')*ones) & ((low ^ '\v'*ones) + lows)
		ascii := ^x & highs
		words = words>>8 | ((letters|digits|score)&ascii)*gather>>56<<56
		space = space>>8 | ((blanks|breaks)&ascii)*gather>>56<<56
	}
	return words, space
}

// swarSpread writes base and the index of each bit of turns, added, to to. What it
// writes behind does not matter.
func swarSpread(to *[64]uint32, turns uint64, base uint32) {
	for i, count := 0, bits.OnesCount64(turns); i < count; i += 8 {
		p := (*[8]uint32)(to[i:])
		p[0] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[1] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[2] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[3] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[4] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[5] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[6] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
		p[7] = base + uint32(bits.TrailingZeros64(turns))
		turns &= turns - 1
	}
}

// swarSkip moves on from i over ASCII characters as long as none is a quote, a
// backslash or a control character, and stops at the first or a little before it.
func swarSkip(b []byte, i int) int {
	for ; i <= len(b)-16; i += 16 {
		p := b[i:][:16]
		x, y := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:])
		stop := (highs - (x ^ '"'*ones)) | (highs - (x ^ '\\'*ones)) | (highs - (y ^ '"'*ones)) | (highs - (y ^ '\\'*ones)) | x | y
		plain := (x + (0x80-' ')*ones) & (y + (0x80-' ')*ones)
		if (stop|^plain)&highs != 0 {
			break
		}
	}
	return i
}
