//go:build race

package muxtest

// RaceEnabled reports whether the race detector is on. It allocates, and is slower.
const RaceEnabled = true
