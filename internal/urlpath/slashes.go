package urlpath

import (
	"math/bits"
	"strings"
)

// SegmentEnd returns where the segment ends that begins at i.
func SegmentEnd(path string, i int) int {
	if j := strings.IndexByte(path[i:], '/'); j >= 0 {
		return i + j
	}
	return len(path)
}

// Slashes returns a bitmap of the slashes of a path of up to 63 bytes. It takes
// eight bytes at a time, the last eight first; the rest without a loop, which
// would cost as much as the work.
func Slashes(path string) uint64 {
	n := len(path)
	if n < 8 {
		return SlashBits(ShortWord(path))
	}
	m := SlashBits(Word(path, n-8)) << (uint(n-8) & 63)
	if n <= 8 {
		return m
	}
	m |= SlashBits(Word(path, 0))
	if n <= 16 {
		return m
	}
	m |= SlashBits(Word(path, 8)) << 8
	if n <= 24 {
		return m
	}
	m |= SlashBits(Word(path, 16)) << 16
	if n <= 32 {
		return m
	}
	m |= SlashBits(Word(path, 24)) << 24
	if n <= 40 {
		return m
	}
	m |= SlashBits(Word(path, 32)) << 32
	if n <= 48 {
		return m
	}
	m |= SlashBits(Word(path, 40)) << 40
	if n <= 56 {
		return m
	}
	return m | SlashBits(Word(path, 48))<<48
}

// MaxShort is the length of the longest path whose slashes fit a bitmap, with the
// highest bit to spare.
const MaxShort = 63

// SlashBits returns a bit for each byte of a little-endian word, set where it is a
// slash. The search for zero bytes is the exact one; the product gathers their high
// bits.
func SlashBits(word uint64) uint64 {
	const (
		ones = 0x0101010101010101
		lows = 0x7f * ones
	)
	word ^= '/' * ones
	return ^(word&lows + lows | word | lows) * 0x0002040810204081 >> 56
}

// ValueEnd returns where the segment that begins at start ends: at the next slash,
// or with the path. slashes is what [ShortSlashes] returns for the path.
func ValueEnd(path string, slashes uint64, start int) int {
	if slashes != 0 {
		if ahead := slashes >> (start & 63); ahead != 0 {
			return start + bits.TrailingZeros64(ahead)
		}
		return len(path)
	}
	return SegmentEnd(path, start)
}

// WithoutLast returns where a path ends without its last n segments.
func WithoutLast(path string, n int) int {
	stop := len(path)
	for range n {
		stop = strings.LastIndexByte(path[:stop], '/')
	}
	return stop
}

// ShortSlashes returns the bitmap of a plain path's slashes if it is short
// enough for one, and 0 otherwise.
func ShortSlashes(path string) uint64 {
	if len(path) > MaxShort {
		return 0
	}
	return Slashes(path)
}
