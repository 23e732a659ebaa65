package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// A place is where a router is in a ranking.
type place struct {
	router string
	row    *result.Row
	center float64 // the median
}

// whole reports whether a row answers all requests, so that it is compared.
func whole(s *result.Scenario, r *result.Row) bool {
	return r.Router != result.Floor && r.LeftOut == "" && r.Answered >= s.Requests
}

// rank returns the rows of a scenario that are compared in a unit, the best first,
// those of one median in the order of names.
func rank(s *result.Scenario, cpu int, unit string) []place {
	var places []place
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.CPU != cpu || !whole(s, r) {
			continue
		}
		if sum, ok := r.Summarize(unit, nil); ok {
			places = append(places, place{r.Router, r, sum.Center})
		}
	}
	order(places, unit)
	return places
}

// order sorts places, the best first.
func order(places []place, unit string) {
	slices.SortFunc(places, func(a, b place) int {
		if c := cmp.Compare(a.center, b.center); c != 0 {
			if result.HigherIsBetter(unit) {
				return -c
			}
			return c
		}
		return cmp.Compare(a.router, b.router)
	})
}

// lead returns the first of a ranking with those that are level with it, and the
// others: those that are worse than the first at a significance of 5 %.
func lead(places []place, unit string) (level, behind []place) {
	for i, p := range places {
		if i == 0 || !differ(places[0], p, unit) {
			level = append(level, p)
		} else {
			behind = append(behind, p)
		}
	}
	return level, behind
}

// best returns those of a ranking that tables show as the best: the first and what is
// level with it; only the first if there are too few samples to tell.
func best(places []place, unit string) []place {
	if len(places) > 0 && !enough(places, unit) {
		return places[:1]
	}
	level, _ := lead(places, unit)
	return level
}

// differ reports whether two places differ in a unit at a significance of 5 %, and
// not only in how much their samples spread.
func differ(a, b place, unit string) bool {
	sum, ok := b.row.Summarize(unit, a.row)
	return ok && sum.Differs && a.center != b.center
}

// last returns the last of a ranking with those before it that are level with it.
func last(places []place, unit string) []place {
	end := places[len(places)-1]
	return slices.DeleteFunc(slices.Clone(places), func(p place) bool { return differ(end, p, unit) })
}

// next names the first of those who are behind, as the end of a clause, with those
// who are level with it.
func next(behind []place, unit string) string {
	level, _ := lead(behind, unit)
	if len(level) == 1 {
		return behind[0].router + ", the next"
	}
	return fmt.Sprintf("%s, the next (level with %s)", behind[0].router, few(names(without(level, behind[0].router)), 3))
}

// find returns the place of a router.
func find(places []place, router string) (place, bool) {
	i := slices.IndexFunc(places, func(p place) bool { return p.router == router })
	if i < 0 {
		return place{}, false
	}
	return places[i], true
}

// names returns the routers of places, sorted by name.
func names(places []place) []string {
	var out []string
	for _, p := range places {
		out = append(out, p.router)
	}
	slices.Sort(out)
	return out
}

// without returns the places that are none of a router's.
func without(places []place, router string) []place {
	return slices.DeleteFunc(slices.Clone(places), func(p place) bool { return p.router == router })
}

// significant is how many samples two rows have at the least if a difference between
// them can be significant.
const significant = 4

// enough reports whether all places have samples enough to be told apart.
func enough(places []place, unit string) bool {
	for _, p := range places {
		if len(p.row.Samples[unit]) < significant {
			return false
		}
	}
	return true
}
