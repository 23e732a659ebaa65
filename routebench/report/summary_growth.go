package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// growthWords says how the time of a request grows with the number of routes, who is
// the fastest with the most routes, and who does not get that far.
func growthWords(run *result.Run) []string {
	scenarios := bySize(run)
	if len(scenarios) < 2 {
		return nil
	}
	small, large := scenarios[0], scenarios[len(scenarios)-1]
	var out []string
	if cpu := cpus([]*result.Scenario{large}); len(cpu) > 0 {
		if w := growsLeast(small, large, cpu[0]); w != "" {
			out = append(out, w)
		}
		if places := rank(large, cpu[0], result.Time); len(places) > 1 {
			out = append(out, fastestWith(large, places))
		}
	}
	return append(out, stopped(scenarios)...)
}

// bySize returns the scenarios for growth, by the number of routes.
func bySize(run *result.Run) []*result.Scenario {
	scenarios := of(run, result.Growth)
	slices.SortStableFunc(scenarios, func(a, b *result.Scenario) int { return cmp.Compare(a.Routes, b.Routes) })
	return scenarios
}

// growsLeast says whose time of a request grows least and most.
func growsLeast(small, large *result.Scenario, cpu int) string {
	var places []place
	for _, to := range rank(large, cpu, result.Time) {
		from := small.Row(to.router, cpu)
		if from == nil || !whole(small, from) {
			continue
		}
		if g := growth(from.Samples[result.Time], to.row.Samples[result.Time]); len(g) > 0 {
			places = append(places, series(to.router, result.Time, g))
		}
	}
	if len(places) < 2 {
		return ""
	}
	order(places, result.Time)
	span := fmt.Sprintf("From %s to %s routes the time of a request", count(small.Routes), count(large.Routes))
	if !enough(places, result.Time) {
		return byMedians("in how the time of a request grows with the routes", places, func(x float64) string { return times(x) + " times as long" })
	}
	level, behind := lead(places, result.Time)
	if len(behind) == 0 {
		return fmt.Sprintf("%s becomes about %s times as long, without a difference between the routers.", span, times(places[0].center))
	}
	worst := last(behind, result.Time)
	return fmt.Sprintf("%s grows least for %s, to %s times as long, and most for %s, to %s times.",
		span, few(names(level), 6), times(level[0].center), few(names(worst), 6), times(worst[len(worst)-1].center))
}

// growth returns how many times as long each round took.
func growth(from, to []float64) []float64 {
	var g []float64
	for i := range min(len(from), len(to)) {
		if from[i] > 0 {
			g = append(g, to[i]/from[i])
		}
	}
	return g
}

// fastestWith says who is the fastest in a scenario.
func fastestWith(s *result.Scenario, places []place) string {
	if !enough(places, result.Time) {
		return byMedians("with "+plural(s.Routes, "route"), places, duration)
	}
	level, behind := lead(places, result.Time)
	with := fmt.Sprintf("With %s", plural(s.Routes, "route"))
	switch {
	case len(behind) == 0:
		return with + " all routers are level."
	case len(level) > 1:
		return fmt.Sprintf("%s %s are level as the fastest, at about %s per request, against %s of %s.",
			with, few(names(level), 6), duration(level[0].center), duration(behind[0].center), next(behind, result.Time))
	}
	return fmt.Sprintf("%s %s is the fastest, at %s per request: %s %s.",
		with, level[0].router, duration(level[0].center), asFast(ratio(behind[0], level[0])), next(behind, result.Time))
}

// stopped says which routers were left out from some number of routes on.
func stopped(scenarios []*result.Scenario) []string {
	var out, seen []string
	for _, s := range scenarios {
		for _, r := range s.Rows {
			if r.LeftOut != "" && !slices.Contains(seen, r.Router) {
				seen = append(seen, r.Router)
				out = append(out, fmt.Sprintf("%s is left out at %s: %s.", r.Router, plural(s.Routes, "route"), r.LeftOut))
			}
		}
	}
	return out
}
