//go:build !purego

package join

// eachInstructions calls f for each set of instructions that the processor supports, while
// products use it.
func eachInstructions(f func()) {
	best := instructions
	defer func() { instructions = best }()
	for _, set := range []string{generic, avx2, avx512} {
		instructions = set
		f()
		if set == best {
			return
		}
	}
}
