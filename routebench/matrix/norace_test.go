//go:build !race

package matrix

// raceEnabled reports whether the race detector is on.
const raceEnabled = false
