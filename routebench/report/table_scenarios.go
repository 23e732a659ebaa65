package report

import (
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// speedOverview returns the ratios to the best of the routers in scenarios at a
// GOMAXPROCS, a row for each scenario, and in front of them the time that the best
// takes.
func speedOverview(run *result.Run, scenarios []*result.Scenario, cpu int) *table {
	wide := overview(run, scenarios, "", cpu)
	wide.addBest(scenarios, cpu)
	last := len(wide.rows) - 1
	wide.rows = slices.Insert(wide.rows[:last:last], 0, wide.rows[last])
	t := wide.transposed()
	t.heads[0], t.heads[1] = "scenario", "best ns/op"
	if n := len(t.rows); n > 0 && t.rows[n-1][0].text == geometricMean {
		t.apart = 1
	}
	return t
}

// allocationTable returns how many allocations an operation of each scenario is to each
// router, a row for each scenario, the routers in the order of [overview].
func allocationTable(run *result.Run, scenarios []*result.Scenario, cpu int) *table {
	o := rankAll(scenarios, cpu, result.Time)
	t := &table{title: fmt.Sprintf("Allocations of an operation at GOMAXPROCS=%d", cpu), heads: []string{"scenario"}}
	routers := o.routers()
	for _, router := range routers {
		t.heads = append(t.heads, label(run, router))
	}
	for _, s := range o.every {
		row := []cell{{text: s.Name}}
		bests := best(rank(s, cpu, result.Allocs), result.Allocs)
		for _, router := range routers {
			row = append(row, unitCell(s, router, cpu, result.Allocs, bests, exact))
		}
		t.rows = append(t.rows, row)
	}
	return t
}
