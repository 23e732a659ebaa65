//go:build !purego

package score

// allLoops returns the loops that the processor supports.
func allLoops() map[instructionSet]loops {
	all := map[instructionSet]loops{generic: {swarMasks, swarSpread, swarSkip}}
	if instructions >= avx2 {
		all[avx2] = loops{masksAVX2, spreadAVX2, skipAVX2}
	}
	if instructions >= avx512 {
		all[avx512] = loops{masksAVX512, spreadAVX512, skipAVX512}
	}
	return all
}

// eachInstructions calls f for each set of instructions that the processor supports, while
// the loops use it.
func eachInstructions(f func(instructionSet)) {
	best := instructions
	defer func() { instructions = best }()
	for set := generic; set <= best; set++ {
		instructions = set
		f(set)
	}
}
