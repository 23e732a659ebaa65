package report

import "github.com/muxwell/muxwell/routebench/result"

// A Score is how a router did in a scenario of requests, or over several.
type Score struct {
	Router string
	Time   float64 // the median of an operation, in nanoseconds
	Ratio  float64 // the time as a multiple of the best
	// Best says that the router is the best, or does not differ from it at a
	// significance of 5 %. Tables have it in bold.
	Best bool
}

// Scores returns the routers that answer all requests of a scenario, the fastest
// first, as the tables have them.
func Scores(s *result.Scenario, cpu int) []Score {
	return scores(rank(s, cpu, result.Time))
}

// MeanScores returns the routers that are ranked over scenarios of requests, the
// fastest first. Time is the geometric mean of the scenarios.
func MeanScores(scenarios []*result.Scenario, cpu int) []Score {
	o := rankAll(scenarios, cpu, result.Time)
	return scores(o.places)
}

func scores(places []place) []Score {
	bests := best(places, result.Time)
	var out []Score
	for _, p := range places {
		_, isBest := find(bests, p.router)
		out = append(out, Score{p.router, p.center, ratio(p, places[0]), isBest})
	}
	return out
}

// Scenarios returns the scenarios of a suite.
func Scenarios(run *result.Run, suite string) []*result.Scenario {
	var found []*result.Scenario
	for i := range run.Scenarios {
		if run.Scenarios[i].Suite == suite {
			found = append(found, &run.Scenarios[i])
		}
	}
	return found
}

// Circumstances returns where and how a run was: the processor, the system, the release
// of Go, the day, and the rounds.
func Circumstances(run *result.Run) []string { return circumstances(run) }

// Nanoseconds returns a time as tables of nanoseconds have it: 24.1, 1,240.
func Nanoseconds(ns float64) string { return nanoseconds(ns) }

// Ratio returns a ratio as tables have it: 1.75, 22.0.
func Ratio(x float64) string { return ratioText(x) }

// Duration returns nanoseconds with their unit: 24.1 ns, 1.24 µs.
func Duration(ns float64) string { return duration(ns) }

// Size returns bytes with their unit: 512 B, 71.1 kB.
func Size(bytes float64) string { return size(bytes) }
