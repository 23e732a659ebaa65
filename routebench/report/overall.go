package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// An overall is a ranking over scenarios. Which scenarios and which routers it is of
// depend on each other: only scenarios that all its routers answer wholly count, so
// a router that answers few would leave few. Those that answer wholly less than half
// as many as the router that answers most are not ranked.
//
// In each round the figure of a router is the geometric mean of its times in that
// round. The ratio of two such figures is the geometric mean of the ratios; and since
// every router has one in each round, two routers are compared over all scenarios as
// they are in one of them.
type overall struct {
	cpu       int
	unit      string
	scenarios []*result.Scenario // those that count
	every     []*result.Scenario // all that there are at this GOMAXPROCS
	places    []place            // the best first
	unranked  []string           // routers that answer too few, sorted
}

// rankAll returns the ranking over scenarios at a GOMAXPROCS, by a unit. A scenario
// that was interrupted before it had enough rounds is left out, if others have them.
func rankAll(scenarios []*result.Scenario, cpu int, unit string) overall {
	o := overall{cpu: cpu, unit: unit}
	least := 1
	for _, s := range scenarios {
		if roundsOf(s, cpu, unit) >= significant {
			least = significant
		}
	}
	answers := map[string][]*result.Scenario{}
	var routers []string
	for _, s := range scenarios {
		if roundsOf(s, cpu, unit) < least {
			continue
		}
		o.every = append(o.every, s)
		for i := range s.Rows {
			r := &s.Rows[i]
			if r.CPU != cpu || r.Router == result.Floor {
				continue
			}
			if !slices.Contains(routers, r.Router) {
				routers = append(routers, r.Router)
			}
			if whole(s, r) && len(r.Samples[unit]) >= least {
				answers[r.Router] = append(answers[r.Router], s)
			}
		}
	}
	var ranked []string
	ranked, o.scenarios = choose(routers, answers)
	for _, router := range ranked {
		o.places = append(o.places, o.mean(router))
	}
	order(o.places, unit)
	o.unranked = slices.DeleteFunc(routers, func(router string) bool { return slices.Contains(ranked, router) })
	slices.Sort(o.unranked)
	return o
}

// routers returns all routers, those that are ranked before the others.
func (o *overall) routers() []string {
	var all []string
	for _, p := range o.places {
		all = append(all, p.router)
	}
	return append(all, o.unranked...)
}

// Means returns for each router that is ranked over scenarios of requests at a
// GOMAXPROCS the geometric mean of its times as a multiple of the best mean, as
// [Summary] and the tables have it, and of how many of the scenarios it is.
func Means(scenarios []*result.Scenario, cpu int) (of map[string]float64, count int) {
	o := rankAll(scenarios, cpu, result.Time)
	of = map[string]float64{}
	for _, p := range o.places {
		of[p.router] = ratio(p, o.places[0])
	}
	return of, len(o.scenarios)
}

// roundsOf returns how many samples the row of a router has that has most.
func roundsOf(s *result.Scenario, cpu int, unit string) int {
	n := 0
	for i := range s.Rows {
		if r := &s.Rows[i]; r.CPU == cpu && r.Router != result.Floor {
			n = max(n, len(r.Samples[unit]))
		}
	}
	return n
}

// choose returns which routers are ranked, and by which scenarios.
func choose(routers []string, answers map[string][]*result.Scenario) (ranked []string, common []*result.Scenario) {
	ranked = slices.Clone(routers)
	slices.SortFunc(ranked, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(answers[b]), len(answers[a])), cmp.Compare(a, b))
	})
	if len(ranked) == 0 || len(answers[ranked[0]]) == 0 {
		return nil, nil
	}
	most := len(answers[ranked[0]])
	ranked = slices.DeleteFunc(ranked, func(router string) bool { return 2*len(answers[router]) < most })
	for {
		common = slices.DeleteFunc(slices.Clone(answers[ranked[0]]), func(s *result.Scenario) bool {
			return slices.ContainsFunc(ranked, func(router string) bool { return !slices.Contains(answers[router], s) })
		})
		if len(common) > 0 {
			return ranked, common
		}
		ranked = ranked[:len(ranked)-1]
	}
}

// mean returns the place of a router by the geometric means of the rounds.
func (o *overall) mean(router string) place {
	var all [][]float64
	for _, s := range o.scenarios {
		all = append(all, s.Row(router, o.cpu).Samples[o.unit])
	}
	return series(router, o.unit, meanOf(all))
}

// series returns the place of a router with samples.
func series(router, unit string, samples []float64) place {
	p := place{router: router, row: &result.Row{Router: router, Samples: map[string][]float64{unit: samples}}}
	if sum, ok := p.row.Summarize(unit, nil); ok {
		p.center = sum.Center
	}
	return p
}

// meanOf returns the geometric mean of each round, as many as all have.
func meanOf(all [][]float64) []float64 {
	rounds := len(all[0])
	for _, samples := range all {
		rounds = min(rounds, len(samples))
	}
	means := make([]float64, rounds)
	for i := range means {
		sum := 0.0
		for _, samples := range all {
			sum += math.Log(max(samples[i], 1e-9))
		}
		means[i] = math.Exp(sum / float64(len(all)))
	}
	return means
}
