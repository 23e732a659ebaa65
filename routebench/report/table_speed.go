package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// speedTable returns the table of a scenario of requests at a GOMAXPROCS: the fastest
// router first, and the row without a router set apart.
func speedTable(run *result.Run, s *result.Scenario, cpu int) *table {
	t := &table{
		title: fmt.Sprintf("%s at GOMAXPROCS=%d", s.Name, cpu),
		about: fmt.Sprintf("%s (%s in an operation, %s)", s.About, plural(s.Requests, "request"), plural(s.Routes, "route")),
		heads: []string{"router", "ns/op", "95 %", "ratio", "B/op", "allocs/op"},
	}
	base := s.Row(run.Settings.Baseline, cpu)
	if base != nil {
		t.heads = append(t.heads, "vs "+run.Settings.Baseline)
	}
	ranked := rank(s, cpu, result.Time)
	bests := best(ranked, result.Time)
	for _, r := range byTime(s, cpu) {
		t.rows = append(t.rows, speedRow(run, s, r, base, ranked, bests))
		if r.Router == result.Floor {
			t.apart++
		}
	}
	t.notes = append(partNotes(s, cpu), leftOut(s, cpu)...)
	return t
}

// byTime returns the rows of a scenario that have times, the fastest first, and the
// row without a router last.
func byTime(s *result.Scenario, cpu int) []*result.Row {
	var places []place
	for i := range s.Rows {
		r := &s.Rows[i]
		if sum, ok := r.Summarize(result.Time, nil); ok && r.CPU == cpu && r.LeftOut == "" {
			p := place{r.Router, r, sum.Center}
			if r.Router == result.Floor {
				p.center = math.Inf(1)
			}
			places = append(places, p)
		}
	}
	order(places, result.Time)
	var rows []*result.Row
	for _, p := range places {
		rows = append(rows, p.row)
	}
	return rows
}

// speedRow returns the row of a router in the table of a scenario.
func speedRow(run *result.Run, s *result.Scenario, r, base *result.Row, ranked, bests []place) []cell {
	sum, _ := r.Summarize(result.Time, base)
	_, isBest := find(bests, r.Router)
	name, ratio := label(run, r.Router), ""
	if r.Router != result.Floor {
		if !whole(s, r) {
			name += partial
		}
		if len(ranked) > 0 && ranked[0].center > 0 {
			ratio = ratioText(sum.Center / ranked[0].center)
		}
	}
	row := []cell{
		{name, isBest},
		{nanoseconds(sum.Center), isBest},
		{interval(sum), false},
		{ratio, isBest},
		{median(r, result.Bytes), false},
		{median(r, result.Allocs), false},
	}
	if base != nil {
		row = append(row, cell{change(r, base, sum), false})
	}
	return row
}

// nanoseconds returns a time for a column of such.
func nanoseconds(ns float64) string {
	if ns < 99.95 {
		return digits(ns)
	}
	return commas(fmt.Sprintf("%.0f", ns))
}

// median returns the median of a row in a unit for a table.
func median(r *result.Row, unit string) string {
	sum, ok := r.Summarize(unit, nil)
	if !ok {
		return nothing
	}
	return exact(sum.Center)
}

// change returns how a row's time relates to the baseline's.
func change(r, base *result.Row, sum result.Summary) string {
	b, ok := base.Summarize(result.Time, nil)
	switch {
	case r == base:
		return "baseline"
	case !ok || r.Router == result.Floor || b.Center <= 0:
		return ""
	case !sum.Differs || sum.Center == b.Center:
		return "~"
	}
	return fmt.Sprintf("%+.0f%%", 100*(sum.Center/b.Center-1))
}

// partNotes says what part of the requests rows answer that do not answer all, once
// for those that answer as many.
func partNotes(s *result.Scenario, cpu int) []string {
	by := map[int][]string{}
	for _, r := range s.Rows {
		if r.CPU == cpu && r.LeftOut == "" && r.Router != result.Floor && r.Answered < s.Requests {
			by[r.Answered] = append(by[r.Answered], r.Router)
		}
	}
	var notes []string
	for _, answered := range slices.Backward(slices.Sorted(maps.Keys(by))) {
		routers := by[answered]
		slices.Sort(routers)
		n := len(routers)
		note := fmt.Sprintf("%s %s %s %s of %s, and %s measured on those", partial, list(routers), verb(n, "answers", "answer"),
			count(answered), plural(s.Requests, "request"), verb(n, "was", "were"))
		if s.Kind == result.Speed {
			note += "; the figures are extrapolated to all"
		}
		notes = append(notes, note)
	}
	return notes
}

// leftOut says which rows there are no figures for, and why.
func leftOut(s *result.Scenario, cpu int) []string {
	var notes []string
	for _, r := range s.Rows {
		if r.CPU == cpu && r.LeftOut != "" {
			notes = append(notes, fmt.Sprintf("%s is left out of %s: %s", r.Router, s.Name, r.LeftOut))
		}
	}
	slices.Sort(notes)
	return notes
}

// overview returns the ratios to the best of the routers in scenarios at a
// GOMAXPROCS, a row for each router, the fastest first, and behind them the ratios of
// the geometric means. The title has a word on which scenarios they are.
func overview(run *result.Run, scenarios []*result.Scenario, which string, cpu int) *table {
	o := rankAll(scenarios, cpu, result.Time)
	t := &table{
		title: fmt.Sprintf("Time as a ratio to the best%s at GOMAXPROCS=%d", which, cpu),
		heads: []string{"router"},
	}
	routers := o.routers()
	for _, router := range routers {
		t.rows = append(t.rows, []cell{{text: label(run, router)}})
	}
	for _, s := range o.every {
		t.heads = append(t.heads, s.Name)
		ranked := rank(s, cpu, result.Time)
		bests := best(ranked, result.Time)
		for i, router := range routers {
			t.rows[i] = append(t.rows[i], overviewCell(s, s.Row(router, cpu), ranked, bests))
		}
	}
	if len(o.scenarios) > 1 && len(o.places) > 1 {
		t.addMeans(&o, routers)
	}
	return t
}

// overviewCell returns the ratio of a row to the best.
func overviewCell(s *result.Scenario, r *result.Row, ranked, bests []place) cell {
	if r == nil || r.LeftOut != "" || len(ranked) == 0 || ranked[0].center <= 0 {
		return cell{text: nothing}
	}
	sum, ok := r.Summarize(result.Time, nil)
	if !ok {
		return cell{text: nothing}
	}
	_, isBest := find(bests, r.Router)
	text := ratioText(sum.Center / ranked[0].center)
	if !whole(s, r) {
		text += partial
	}
	return cell{text, isBest}
}

const geometricMean = "geometric mean"

// addMeans adds the column of geometric means.
func (t *table) addMeans(o *overall, routers []string) {
	t.heads = append(t.heads, geometricMean)
	bests := best(o.places, o.unit)
	for i, router := range routers {
		c := cell{text: nothing}
		if p, ok := find(o.places, router); ok {
			_, isBest := find(bests, router)
			c = cell{ratioText(ratio(p, o.places[0])), isBest}
		}
		t.rows[i] = append(t.rows[i], c)
	}
	if len(o.scenarios) < len(o.every) {
		t.notes = append(t.notes, fmt.Sprintf("geometric mean: over the %s that every ranked router answers completely",
			plural(len(o.scenarios), "scenario")))
	}
}
