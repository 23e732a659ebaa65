package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// A Standing is how a router did over all scenarios at one GOMAXPROCS.
type Standing struct {
	Router string
	// Ratio is the geometric mean of its times as a multiple of the smallest such mean,
	// with a 95% confidence interval that is infinite if it is unknown. All are 0 for
	// a router that answers too few scenarios completely to be ranked.
	Ratio, Lo, Hi float64
	Refused       int // how many routes of the run it cannot express or refuses
	Wrong         int // how many requests of the run it answers wrongly
}

// Standings returns how the routers did at a GOMAXPROCS, the fastest first and those
// that are not ranked last, by name. Its ratios are those of [Means]. compared is how
// many of the scenarios they are the mean of: those that every ranked router answers
// completely. The scenarios are those of requests, or those of growth if there are
// none.
func Standings(run *result.Run, cpu int) (standings []Standing, compared, scenarios int) {
	o := rankAll(timed(run), cpu, result.Time)
	faults := wrongs(run.Faults)
	for _, router := range o.routers() {
		s := Standing{Router: router}
		if p, ok := find(o.places, router); ok && o.places[0].center > 0 {
			sum, _ := p.row.Summarize(o.unit, nil)
			best := o.places[0].center
			s.Ratio, s.Lo, s.Hi = p.center/best, sum.Lo/best, sum.Hi/best
		}
		if i := slices.IndexFunc(faults, func(w wrong) bool { return w.router == router }); i >= 0 {
			s.Refused, s.Wrong = len(faults[i].refused), len(faults[i].answers)
		}
		standings = append(standings, s)
	}
	rank := func(s Standing) float64 {
		if s.Ratio == 0 {
			return math.Inf(1)
		}
		return s.Ratio
	}
	slices.SortStableFunc(standings, func(a, b Standing) int { return cmp.Compare(rank(a), rank(b)) })
	return standings, len(o.scenarios), len(o.every)
}

// timed returns the scenarios in which the times of requests are compared.
func timed(run *result.Run) []*result.Scenario {
	if scenarios := of(run, result.Speed); len(scenarios) > 0 {
		return scenarios
	}
	return of(run, result.Growth)
}

// CPUs returns the values of GOMAXPROCS that [Standings] can be asked for, sorted.
func CPUs(run *result.Run) []int { return cpus(timed(run)) }

// Opening returns at most three sentences: which router is the fastest, which can
// express all routes, and how reliable the times are. Where a run does not answer
// that, they are the first of [Summary]. Sentences that Summary has too have the same
// words there.
func Opening(run *result.Run) []string {
	run = plainRun(run)
	var out []string
	for _, cpu := range CPUs(run) {
		if o := rankAll(timed(run), cpu, result.Time); len(o.places) > 1 {
			out = append(out, overallWords(run, &o)[0])
			break
		}
	}
	if words := expressWords(run); words != "" {
		out = append(out, words)
	}
	if noise := noiseWords(run); len(noise) > 0 {
		out = append(out, noise[len(noise)-1])
	}
	for _, sentence := range Summary(run) {
		if len(out) < sentences && !slices.Contains(out, sentence) {
			out = append(out, sentence)
		}
	}
	return out
}

// sentences is how many sentences an opening has at most.
const sentences = 3

// expressWords returns the sentence about which routers can express all routes and
// answer all requests correctly; "" if nothing was measured.
func expressWords(run *result.Run) string {
	all := CPUs(run)
	if len(all) == 0 {
		return ""
	}
	standings, _, _ := Standings(run, all[0])
	var able []string
	var worst Standing
	for _, s := range standings {
		if s.Refused+s.Wrong == 0 {
			able = append(able, s.Router)
		} else if s.Refused+s.Wrong > worst.Refused+worst.Wrong {
			worst = s
		}
	}
	slices.Sort(able)
	words := "No router can express every route and answer every request correctly"
	switch {
	case len(standings) == 0:
		return ""
	case len(able) == 1 && len(standings) == 1:
		return able[0] + " can express every route and answers every request correctly."
	case len(able) == len(standings):
		return fmt.Sprintf("All %s can express every route and answer every request correctly.", plural(len(able), "router"))
	case len(able) > 0:
		words = fmt.Sprintf("%s of %s routers can express every route and answer every request correctly: %s", count(len(able)), count(len(standings)), few(able, 8))
	}
	return fmt.Sprintf("%s; %s fails on the most, %s.", words, worst.Router, worst.Failures())
}

// Failures returns what a router fails on in words, as in "2 routes and 1 request"; "" if
// it is nothing.
func (s Standing) Failures() string {
	var on []string
	if s.Refused > 0 {
		on = append(on, plural(s.Refused, "route"))
	}
	if s.Wrong > 0 {
		on = append(on, plural(s.Wrong, "request"))
	}
	return list(on)
}
