//go:build goexperiment.simd && amd64

package score

import (
	"math/bits"
	"simd/archsimd"
)

// The loops over a text, 64 bytes at a time, if the processor supports it.

// useSIMD reports whether the processor supports it.
var useSIMD = archsimd.X86.AVX512() && archsimd.X86.AVX512VBMI2()

func masks(text []byte, words, space *[window / 64]uint64) {
	if useSIMD {
		simdMasks(text, words, space)
	} else {
		swarMasks(text, words, space)
	}
}

func spread(to *[64]uint32, turns uint64, base uint32) {
	if useSIMD {
		simdSpread(to, turns, base)
	} else {
		swarSpread(to, turns, base)
	}
}

func skipPlain(b []byte, i int) int {
	if useSIMD {
		return simdSkip(b, i)
	}
	return swarSkip(b, i)
}

// simdMasks is swarMasks.
func simdMasks(text []byte, words, space *[window / 64]uint64) {
	var (
		small  = archsimd.BroadcastUint8x64(' ')
		a      = archsimd.BroadcastUint8x64('a')
		az     = archsimd.BroadcastUint8x64('z' - 'a')
		zero   = archsimd.BroadcastUint8x64('0')
		digits = archsimd.BroadcastUint8x64('9' - '0')
		score  = archsimd.BroadcastUint8x64('_')
		tab    = archsimd.BroadcastUint8x64('\t')
		breaks = archsimd.BroadcastUint8x64('\r' - '\t')
		vtab   = archsimd.BroadcastUint8x64('\v')
	)
	for i := 0; len(text) >= 64 && i < len(words); i++ {
		x := archsimd.LoadUint8x64((*[64]uint8)(text))
		letter := x.Or(small).Sub(a).LessEqual(az).ToBits()
		digit := x.Sub(zero).LessEqual(digits).ToBits()
		words[i] = letter | digit | x.Equal(score).ToBits()
		line := x.Sub(tab).LessEqual(breaks).ToBits()
		space[i] = x.Equal(small).ToBits() | line&^x.Equal(vtab).ToBits()
		text = text[64:]
	}
	archsimd.ClearAVXUpperBits()
}

// indices are the numbers from 0 to 63.
var indices = func() (n [64]uint8) {
	for i := range n {
		n[i] = uint8(i)
	}
	return n
}()

// simdSpread is swarSpread.
func simdSpread(to *[64]uint32, turns uint64, base uint32) {
	at := archsimd.LoadUint8x64(&indices).Compress(archsimd.Mask8x64FromBits(turns))
	first := archsimd.BroadcastUint32x16(base)
	low := at.GetLo()
	low.GetLo().ExtendToUint32().Add(first).Store((*[16]uint32)(to[0:]))
	low.GetHi().ExtendToUint32().Add(first).Store((*[16]uint32)(to[16:]))
	if bits.OnesCount64(turns) > 32 {
		high := at.GetHi()
		high.GetLo().ExtendToUint32().Add(first).Store((*[16]uint32)(to[32:]))
		high.GetHi().ExtendToUint32().Add(first).Store((*[16]uint32)(to[48:]))
	}
	archsimd.ClearAVXUpperBits()
}

// simdSkip is swarSkip.
func simdSkip(b []byte, i int) int {
	var (
		quote = archsimd.BroadcastUint8x64('"')
		slash = archsimd.BroadcastUint8x64('\\')
		blank = archsimd.BroadcastUint8x64(' ')
		del   = archsimd.BroadcastUint8x64(0x7f - ' ')
	)
	for ; i <= len(b)-64; i += 64 {
		x := archsimd.LoadUint8x64((*[64]uint8)(b[i:]))
		plain := x.Sub(blank).LessEqual(del).ToBits()
		if stop := x.Equal(quote).ToBits() | x.Equal(slash).ToBits() | ^plain; stop != 0 {
			i += bits.TrailingZeros64(stop)
			break
		}
	}
	archsimd.ClearAVXUpperBits()
	return i
}

// SIMD reports whether the loops over texts read 64 bytes at a time, with AVX-512. They do
// if the program was built with GOEXPERIMENT=simd for amd64 and the processor has AVX-512
// VBMI2.
func SIMD() bool { return useSIMD }
