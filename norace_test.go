//go:build !race

package muxwell

const raceEnabled = false
