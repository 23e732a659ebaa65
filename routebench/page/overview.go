package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// heats are the classes of ratios to the best, each with the largest ratio that
// has it.
var heats = []struct {
	to    float64
	class string
}{
	{1.05, "h0"},
	{1.5, "h1"},
	{3, "h2"},
	{10, "h3"},
	{50, "h4"},
	{math.Inf(1), "h5"},
}

// overviews returns for each GOMAXPROCS a table of how many times as long as the
// best each router takes in each scenario, and their geometric mean.
func (p *page) overviews() []*table {
	var out []*table
	for _, cpu := range p.CPUs {
		if t := p.overview(cpu); len(t.Rows) > 1 && len(t.Columns) > 2 {
			out, p.OverviewCPUs = append(out, t), append(p.OverviewCPUs, cpu)
		}
	}
	return out
}

// overview returns the table at one GOMAXPROCS: routers below each other, and the
// scenarios next to the mean.
func (p *page) overview(cpu int) *table {
	t := &table{
		Caption: fmt.Sprintf("Times as multiples of the fastest, GOMAXPROCS=%d", cpu),
		Columns: []column{{Title: "router"}, {Title: "geometric mean", Numeric: true}},
	}
	var scenarios []*result.Scenario
	for i := range p.Run.Scenarios {
		s := &p.Run.Scenarios[i]
		if s.Kind == result.Speed && !math.IsNaN(best(s, cpu, result.Time, false)) {
			scenarios = append(scenarios, s)
			t.Columns = append(t.Columns, column{Title: s.Name, Numeric: true})
		}
	}
	means, count := report.Means(scenarios, cpu)
	if 0 < count && count < len(scenarios) {
		t.Caption += fmt.Sprintf("; mean of the %s that every ranked router answers completely", plural(count, "scenario"))
	}
	for _, r := range p.Run.Routers {
		row := tableRow{Class: p.Class(r.Name), Cells: []cell{{Text: r.Name}, {}}}
		some := false
		for _, s := range scenarios {
			c := overviewCell(s, r.Name, cpu)
			row.Cells = append(row.Cells, c)
			some = some || c != none
		}
		if !some {
			continue
		}
		row.Cells[1] = none
		if mean, ok := means[r.Name]; ok {
			row.Cells[1] = heat(mean)
			row.Cells[1].Class += " mean"
		}
		t.Rows = append(t.Rows, row)
	}
	sortBySecond(t)
	return t
}

// overviewCell returns a router's cell for a scenario.
func overviewCell(s *result.Scenario, router string, cpu int) cell {
	r := s.Row(router, cpu)
	if r == nil {
		return none
	}
	v, ok := r.Summarize(result.Time, nil)
	if !ok {
		return none
	}
	c := heat(v.Center / best(s, cpu, result.Time, false))
	if part(s, r) != "" {
		c.Note = "part"
	}
	return c
}

// heat returns a ratio as a cell.
func heat(ratio float64) cell {
	c := cell{Text: number(ratio), Sort: plain(ratio)}
	for _, h := range heats {
		if ratio <= h.to {
			c.Class = h.class
			break
		}
	}
	return c
}

// sortBySecond sorts the rows by their second cell, which is a number or none.
func sortBySecond(t *table) {
	second := func(r tableRow) float64 {
		v, err := strconv.ParseFloat(r.Cells[1].Sort, 64)
		if err != nil {
			return math.Inf(1)
		}
		return v
	}
	slices.SortStableFunc(t.Rows, func(a, b tableRow) int { return cmp.Compare(second(a), second(b)) })
}

// heaps returns the memory that the routers take for each set of routes.
func (p *page) heaps() *table {
	var sets []*result.Scenario
	var all []float64
	for i := range p.Run.Scenarios {
		s := &p.Run.Scenarios[i]
		if values := medians(s, result.HeapBytes); s.Kind == result.Memory && len(values) > 0 {
			sets, all = append(sets, s), append(all, values...)
		}
	}
	if len(sets) < 2 {
		return nil
	}
	slices.Sort(all)
	sc := measure{quantity: size}.scaleOf(all)
	t := &table{Caption: "Memory of the routing structure, in " + sc.Unit, Columns: []column{{Title: "router"}}}
	for _, s := range sets {
		t.Columns = append(t.Columns, column{Title: strings.TrimPrefix(s.Name, "Memory/"), Numeric: true})
	}
	for _, r := range p.Run.Routers {
		row := tableRow{Class: p.Class(r.Name), Cells: []cell{{Text: r.Name}}}
		some := false
		for _, s := range sets {
			c := none
			if x := s.Row(r.Name, s.Rows[0].CPU); x != nil {
				if v, ok := x.Summarize(result.HeapBytes, nil); ok {
					c, some = cell{Text: sc.text(v.Center), Sort: plain(v.Center)}, true
				}
			}
			row.Cells = append(row.Cells, c)
		}
		if some {
			t.Rows = append(t.Rows, row)
		}
	}
	sortBySecond(t)
	return t
}
