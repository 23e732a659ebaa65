//go:build !amd64 || purego

package score

const instructions = generic

func masks(text []byte, words, space *[window / 64]uint64) { swarMasks(text, words, space) }

func spread(to *[64]uint32, turns uint64, base uint32) { swarSpread(to, turns, base) }

func skipPlain(b []byte, i int) int { return swarSkip(b, i) }
