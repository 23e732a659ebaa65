//go:build !goexperiment.simd || !amd64

package score

func masks(text []byte, words, space *[window / 64]uint64) { swarMasks(text, words, space) }

func spread(to *[64]uint32, turns uint64, base uint32) { swarSpread(to, turns, base) }

func skipPlain(b []byte, i int) int { return swarSkip(b, i) }

// SIMD reports whether the loops over texts read 64 bytes at a time, with AVX-512. They do
// if the program was built with GOEXPERIMENT=simd for amd64 and the processor has AVX-512
// VBMI2.
func SIMD() bool { return false }
