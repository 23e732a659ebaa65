//go:build race

package docs

// raceEnabled: what runs in processes of its own gains nothing by the race detector.
const raceEnabled = true
