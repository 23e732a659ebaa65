//go:build race

package score

// raceEnabled reports whether the race detector is on, with which everything takes
// ten times as long.
const raceEnabled = true
