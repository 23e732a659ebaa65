//go:build race

package conformance

// raceEnabled reports whether the race detector is on, with which everything takes
// ten times as long.
const raceEnabled = true
