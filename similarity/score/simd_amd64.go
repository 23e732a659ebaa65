//go:build !purego

package score

import "golang.org/x/sys/cpu"

//go:generate go run ../../tools/similarityasm -out simd_amd64.s -stubs stubs_amd64.go -pkg score

// instructions are those that the loops over a text use.
var instructions = bestInstructions()

func bestInstructions() instructionSet {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512BW && x.HasPOPCNT:
		return avx512
	case x.HasAVX2 && x.HasBMI1:
		return avx2
	}
	return generic
}

func masks(text []byte, words, space *[window / 64]uint64) {
	switch instructions {
	case avx512:
		masksAVX512(text, words, space)
	case avx2:
		masksAVX2(text, words, space)
	default:
		swarMasks(text, words, space)
	}
}

func spread(to *[64]uint32, turns uint64, base uint32) {
	switch instructions {
	case avx512:
		spreadAVX512(to, turns, base)
	case avx2:
		spreadAVX2(to, turns, base)
	default:
		swarSpread(to, turns, base)
	}
}

func skipPlain(b []byte, i int) int {
	switch instructions {
	case avx512:
		return skipAVX512(b, i)
	case avx2:
		return skipAVX2(b, i)
	}
	return swarSkip(b, i)
}
