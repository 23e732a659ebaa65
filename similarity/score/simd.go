package score

// An instructionSet is a set of instructions of a processor.
type instructionSet uint8

const (
	generic instructionSet = iota
	avx2
	avx512
)

func (s instructionSet) String() string {
	return [...]string{"generic", "AVX2", "AVX-512"}[s]
}

// Instructions returns the instructions that the loops over texts use: AVX-512 or AVX2 if the
// processor has them, otherwise generic, as on other processors than amd64's and in a build
// with the tag purego.
func Instructions() string { return instructions.String() }
