//go:build !amd64 || purego

package score

func allLoops() map[instructionSet]loops {
	return map[instructionSet]loops{generic: {swarMasks, swarSpread, swarSkip}}
}

func eachInstructions(f func(instructionSet)) { f(generic) }
