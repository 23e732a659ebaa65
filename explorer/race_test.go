//go:build race

package explorer

const raceEnabled = true
