//go:build race

package long

// raceEnabled: the race detector takes ten times as long.
const raceEnabled = true
