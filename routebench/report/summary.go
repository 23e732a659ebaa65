package report

import (
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// Summary returns what a run found out in words: whole sentences, each of which
// is complete by itself, the most important first. It is never empty. The texts are plain:
// what does not print is escaped.
//
// No router is said to be better than another unless they differ at a significance
// of 5 % by the Mann-Whitney U test. The row without a router is not ranked.
func Summary(run *result.Run) []string {
	run = plainRun(run)
	var out []string
	if run.Interrupted {
		out = append(out, "The run was interrupted: the results cover only what was measured before that.")
	}
	routers := measured(run)
	if len(routers) == 0 {
		return append(out, "Nothing was measured.")
	}
	if len(routers) == 1 {
		out = append(out, routers[0]+" is the only router that was measured, so there is no router to compare it with.")
	}
	for _, subject := range []func(*result.Run) []string{speedWords, allocationWords, memoryWords, growthWords, serverWords, faultWords, noiseWords} {
		out = append(out, subject(run)...)
	}
	if len(out) == 0 {
		return []string{"The figures do not show that any router is better than another."}
	}
	return out
}

// measured returns the routers that have samples, sorted.
func measured(run *result.Run) []string {
	var routers []string
	for i := range run.Scenarios {
		for _, r := range run.Scenarios[i].Rows {
			if hasSamples(&r) && r.Router != result.Floor && !slices.Contains(routers, r.Router) {
				routers = append(routers, r.Router)
			}
		}
	}
	slices.Sort(routers)
	return routers
}

func hasSamples(r *result.Row) bool {
	for _, samples := range r.Samples {
		if len(samples) > 0 {
			return true
		}
	}
	return false
}

// baselineWords returns how a router that is not the first of a ranking relates to
// it, as the end of a sentence; "" if there is no such baseline.
func baselineWords(run *result.Run, first place, behind []place) string {
	base, ok := find(behind, run.Settings.Baseline)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s %s, the baseline", asFast(ratio(base, first)), base.router)
}

// byMedians returns the sentence about a ranking that has too few samples for any
// difference to be significant.
func byMedians(in string, places []place, form func(float64) string) string {
	last := places[len(places)-1]
	return fmt.Sprintf("There are too few rounds to tell who is first %s; by the medians alone it is %s with %s, and %s is last with %s.",
		in, places[0].router, form(places[0].center), last.router, form(last.center))
}

// ratio returns how many times as much a place has as another, of what is better the
// less it is.
func ratio(worse, better place) float64 { return worse.center / better.center }
