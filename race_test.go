//go:build race

package muxwell

const raceEnabled = true
