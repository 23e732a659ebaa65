// Package long decides how long a test runs. There are three amounts of work:
//
//	go test -short     the least; also under the race detector, which is slower
//	go test            enough to notice most bugs, in a few minutes for all modules
//	MUXWELL_LONG=1     everything
//
// The package knows nothing of what is tested. A test is told how many rounds to run, or
// is skipped; how many rounds it did run it logs itself, or lets [Rounds] log.
package long

import (
	"os"
	"testing"
)

// Variable is the environment variable that asks for everything. Any value does but
// the empty one and 0.
const Variable = "MUXWELL_LONG"

// Enabled reports whether everything was asked for and neither the flag -short nor the
// race detector asks for less.
func Enabled() bool { return asked() && !Short() }

// Short reports whether the least was asked for, by the flag -short or by the race
// detector.
func Short() bool { return raceEnabled || testing.Short() }

func asked() bool {
	value := os.Getenv(Variable)
	return value != "" && value != "0"
}

// Rounds returns the number of rounds for a test, of something that the test names such
// as "requests": short if [Short], long if [Enabled], and normal otherwise. It logs a
// number that is not long, and how to ask for that. Each number must be at least 1,
// and none may be more than the one for a longer run.
func Rounds(t testing.TB, of string, short, normal, long int) int {
	t.Helper()
	if short < 1 || normal < short || long < normal {
		t.Fatalf("%d, %d, %d %s: want numbers from 1 on that do not fall", short, normal, long, of)
	}
	rounds := normal
	switch {
	case Short():
		rounds = short
	case Enabled():
		rounds = long
	}
	if rounds < long {
		t.Logf("%d %s; %d with %s=1", rounds, of, long, Variable)
	}
	return rounds
}

// Only skips a test unless [Enabled]. The reason says what takes long.
func Only(t testing.TB, reason string) {
	t.Helper()
	if !Enabled() {
		t.Skipf("%s; it runs with %s=1", reason, Variable)
	}
}
