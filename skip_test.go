package muxwell

import "testing"

// skipUnderRace skips a long test under the race detector, which takes ten times as
// long and sees nothing where nothing runs at once.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("nothing runs at once here")
	}
}
