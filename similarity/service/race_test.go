//go:build race

package service

// raceEnabled reports whether the race detector is on, under which pools drop what they
// are given now and then.
const raceEnabled = true
