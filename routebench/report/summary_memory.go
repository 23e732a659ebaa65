package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// allocationWords says who serves without allocating, of the scenarios that can be
// served so, and who allocates most.
func allocationWords(run *result.Run) []string {
	free := map[string]int{} // scenarios without an allocation
	asked := map[string]int{}
	var most place
	var mostIn string
	possible := 0
	for _, s := range of(run, result.Speed) {
		for _, cpu := range cpus([]*result.Scenario{s}) {
			places := rank(s, cpu, result.Allocs)
			if len(places) == 0 {
				continue
			}
			if last := places[len(places)-1]; last.center/requests(s) > most.center {
				most, mostIn = place{router: last.router, center: last.center / requests(s)}, s.Name
			}
			if places[0].center > 0 {
				continue
			}
			possible++
			for _, p := range places {
				asked[p.router]++
				if p.center == 0 {
					free[p.router]++
				}
			}
		}
	}
	var out []string
	none := freeOf(free, asked, possible)
	switch {
	case possible == 0 && mostIn != "":
		out = append(out, "Every router allocates in every scenario.")
	case len(none) > 0:
		out = append(out, fmt.Sprintf("%s %s nothing in any scenario that some router serves without allocating.",
			list(none), verb(len(none), "allocates", "allocate")))
	case possible > 0:
		out = append(out, "No router serves all the scenarios without allocating that can be served so.")
	}
	if mostIn != "" {
		out = append(out, fmt.Sprintf("%s in %s allocates the most: %s per request.", most.router, mostIn, allocations(most.center)))
	}
	return out
}

// freeOf returns the routers that were asked in at least half of the scenarios and
// allocated in none, sorted.
func freeOf(free, asked map[string]int, possible int) []string {
	var none []string
	for router, n := range asked {
		if free[router] == n && 2*n >= possible {
			none = append(none, router)
		}
	}
	slices.Sort(none)
	return none
}

// requests returns how many requests an operation serves.
func requests(s *result.Scenario) float64 { return float64(max(1, s.Requests)) }

func allocations(n float64) string {
	if n == 1 {
		return "1 allocation"
	}
	return exact(n) + " allocations"
}

// memoryWords says who keeps the least memory for the largest set of routes that
// most routers hold, and who loads it fastest.
func memoryWords(run *result.Run) []string {
	scenarios := of(run, result.Memory)
	if len(scenarios) == 0 {
		return nil
	}
	cpu := cpus(scenarios)
	if len(cpu) == 0 {
		return nil
	}
	held := func(s *result.Scenario) int { return len(rank(s, cpu[0], result.HeapBytes)) }
	s := slices.MaxFunc(scenarios, func(a, b *result.Scenario) int {
		return cmp.Or(cmp.Compare(held(a), held(b)), cmp.Compare(a.Routes, b.Routes))
	})
	var out []string
	for _, w := range []string{keepsLeast(run, s, cpu[0]), loadsFastest(s, cpu[0])} {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// keepsLeast says who keeps the least memory for some routes, who the most, and how
// much the baseline does.
func keepsLeast(run *result.Run, s *result.Scenario, cpu int) string {
	places := rank(s, cpu, result.HeapBytes)
	if len(places) < 2 {
		return ""
	}
	routes := plural(s.Routes, "route")
	if !enough(places, result.HeapBytes) {
		return byMedians("in the memory kept for "+routes, places, size)
	}
	level, behind := lead(places, result.HeapBytes)
	if len(behind) == 0 {
		return fmt.Sprintf("The routers do not differ in the memory that they keep for %s, about %s.", routes, size(places[0].center))
	}
	worst := last(behind, result.HeapBytes)
	most := worst[len(worst)-1]
	words := fmt.Sprintf("For %s %s %s the least memory, %s; %s %s the most, %s, %s times as much",
		routes, few(names(level), 6), verb(len(level), "keeps", "keep"), size(level[0].center),
		few(names(worst), 6), verb(len(worst), "keeps", "keep"), size(most.center), times(ratio(most, level[0])))
	if base, ok := find(behind, run.Settings.Baseline); ok && base.router != most.router {
		words += fmt.Sprintf(", and %s, the baseline, %s", base.router, size(base.center))
	}
	return words + "."
}

// loadsFastest says who loads some routes fastest.
func loadsFastest(s *result.Scenario, cpu int) string {
	places := rank(s, cpu, result.LoadTime)
	if len(places) < 2 {
		return ""
	}
	routes := plural(s.Routes, "route")
	if !enough(places, result.LoadTime) {
		return byMedians("in loading "+routes, places, duration)
	}
	level, behind := lead(places, result.LoadTime)
	if len(behind) == 0 {
		return fmt.Sprintf("The routers do not differ in the time to load %s, about %s.", routes, duration(places[0].center))
	}
	first, slowest := duration(level[0].center), last(behind, result.LoadTime)
	words := fmt.Sprintf("%s loads %s fastest, in %s", level[0].router, routes, first)
	if len(level) > 1 {
		words = fmt.Sprintf("%s load %s fastest and are level, in about %s", few(names(level), 6), routes, first)
	}
	return fmt.Sprintf("%s; %s, the slowest, %s %s.",
		words, few(names(slowest), 6), verb(len(slowest), "takes", "take about"), duration(slowest[len(slowest)-1].center))
}
