//go:build !race

package score

// raceEnabled reports whether the race detector is on.
const raceEnabled = false
