package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// means returns for each router the geometric mean of its times at one GOMAXPROCS
// as a multiple of the best mean, and of how many scenarios it is.
//
// Means can be compared only if they are of the same scenarios: those that all
// routers answer wholly. As in the summary, a router that answers wholly less than
// half as many as the one that answers most has no mean, since it would leave few.
func means(scenarios []*result.Scenario, routers []result.Router, cpu int) (of map[string]float64, count int) {
	wholly := map[string][]*result.Scenario{}
	most := 0
	for _, r := range routers {
		for _, s := range scenarios {
			if answersWholly(s, s.Row(r.Name, cpu)) {
				wholly[r.Name] = append(wholly[r.Name], s)
			}
		}
		most = max(most, len(wholly[r.Name]))
	}
	var ranked []string
	for _, r := range routers {
		if n := len(wholly[r.Name]); n > 0 && 2*n >= most {
			ranked = append(ranked, r.Name)
		}
	}
	slices.SortFunc(ranked, func(a, b string) int { return cmp.Or(cmp.Compare(len(wholly[b]), len(wholly[a])), cmp.Compare(a, b)) })
	common := shared(ranked, wholly)
	for len(ranked) > 0 && len(common) == 0 {
		ranked = ranked[:len(ranked)-1]
		common = shared(ranked, wholly)
	}
	of = map[string]float64{}
	best := math.Inf(1)
	for _, name := range ranked {
		sum := 0.0
		for _, s := range common {
			v, _ := s.Row(name, cpu).Summarize(result.Time, nil)
			sum += math.Log(max(v.Center, 1e-9))
		}
		of[name] = math.Exp(sum / float64(len(common)))
		best = min(best, of[name])
	}
	for name := range of {
		of[name] /= best
	}
	return of, len(common)
}

// shared returns the scenarios that all routers answer wholly.
func shared(routers []string, wholly map[string][]*result.Scenario) []*result.Scenario {
	if len(routers) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(wholly[routers[0]]), func(s *result.Scenario) bool {
		return slices.ContainsFunc(routers, func(name string) bool { return !slices.Contains(wholly[name], s) })
	})
}

// answersWholly reports whether a row has times and answers all requests.
func answersWholly(s *result.Scenario, r *result.Row) bool {
	return r != nil && r.LeftOut == "" && r.Answered >= s.Requests && len(r.Samples[result.Time]) > 0
}
