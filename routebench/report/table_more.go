package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
)

// unitTable returns the figures of routers in scenarios in a unit, a row for each
// router, the one that is best in the last scenario first; nil if there are none.
func unitTable(run *result.Run, scenarios []*result.Scenario, cpu int, unit string, form func(float64) string) *table {
	t := &table{heads: []string{"router"}}
	var routers []string
	for _, s := range slices.Backward(scenarios) {
		for _, p := range ordered(s, cpu, unit) {
			if !slices.Contains(routers, p.router) {
				routers = append(routers, p.router)
			}
		}
	}
	if len(routers) == 0 {
		return nil
	}
	for _, router := range routers {
		t.rows = append(t.rows, []cell{{text: label(run, router)}})
	}
	for _, s := range scenarios {
		t.heads = append(t.heads, s.Name)
		bests := best(rank(s, cpu, unit), unit)
		for i, router := range routers {
			t.rows[i] = append(t.rows[i], unitCell(s, router, cpu, unit, bests, form))
		}
		t.notes = append(t.notes, leftOut(s, cpu)...)
	}
	return t
}

// ordered returns all rows with figures in a unit, the best first, also those that
// answer only a part.
func ordered(s *result.Scenario, cpu int, unit string) []place {
	var places []place
	for i := range s.Rows {
		r := &s.Rows[i]
		if sum, ok := r.Summarize(unit, nil); ok && r.CPU == cpu && r.LeftOut == "" && r.Router != result.Floor {
			places = append(places, place{r.Router, r, sum.Center})
		}
	}
	order(places, unit)
	return places
}

// unitCell returns the figure of a router in a scenario.
func unitCell(s *result.Scenario, router string, cpu int, unit string, bests []place, form func(float64) string) cell {
	r := s.Row(router, cpu)
	if r == nil || r.LeftOut != "" {
		return cell{text: nothing}
	}
	sum, ok := r.Summarize(unit, nil)
	if !ok {
		return cell{text: nothing}
	}
	_, isBest := find(bests, router)
	text := form(sum.Center)
	if !whole(s, r) {
		text += partial
	}
	return cell{text, isBest}
}

// memoryTables returns the tables of what the routers keep, and how long they take to
// load.
func memoryTables(run *result.Run) []*table {
	scenarios := of(run, result.Memory)
	return unitTables(run, scenarios, scenarioHeads(scenarios), []unitOf{
		{"Memory of the routing structure", result.HeapBytes, size},
		{"Time to load the routes", result.LoadTime, duration},
	})
}

// growthTables returns the tables over the number of routes.
func growthTables(run *result.Run) []*table {
	scenarios := bySize(run)
	var heads []string
	for _, s := range scenarios {
		heads = append(heads, plural(s.Routes, "route"))
	}
	return unitTables(run, scenarios, heads, []unitOf{
		{"Growth: time of a request", result.Time, duration},
		{"Growth: time to load, for each route", result.RoutesLoad, duration},
		{"Growth: memory, for each route", result.RoutesHeap, size},
	})
}

// scenarioHeads returns the names of scenarios for memory with their routes.
func scenarioHeads(scenarios []*result.Scenario) []string {
	var heads []string
	for _, s := range scenarios {
		heads = append(heads, fmt.Sprintf("%s (%s)", strings.TrimPrefix(s.Name, "Memory/"), count(s.Routes)))
	}
	return heads
}

// A unitOf is the subject of a table.
type unitOf struct {
	title, unit string
	form        func(float64) string
}

// unitTables returns a table for each subject and GOMAXPROCS.
func unitTables(run *result.Run, scenarios []*result.Scenario, heads []string, subjects []unitOf) []*table {
	var tables []*table
	all := cpus(scenarios)
	for _, subject := range subjects {
		for _, cpu := range all {
			t := unitTable(run, scenarios, cpu, subject.unit, subject.form)
			if t == nil {
				continue
			}
			t.title = subject.title
			if len(all) > 1 {
				t.title += fmt.Sprintf(" at GOMAXPROCS=%d", cpu)
			}
			copy(t.heads[1:], heads)
			tables = append(tables, t)
		}
	}
	return tables
}

// serverTable returns the table of a server, the router with the most requests first.
func serverTable(run *result.Run, s *result.Scenario, cpu int) *table {
	t := &table{
		title: fmt.Sprintf("%s at GOMAXPROCS=%d", s.Name, cpu),
		about: s.About,
		heads: []string{"router", "requests/s", "95 %", "CPU/request", "p50", "p99"},
	}
	all, speed := shares(run, s, cpu)
	if len(all) > 0 {
		t.heads = append(t.heads, "routing")
		t.notes = append(t.notes, "routing: its share of the CPU time of a request, by its time in "+speed.Name)
	}
	bests := best(rank(s, cpu, result.Throughput), result.Throughput)
	for _, p := range ordered(s, cpu, result.Throughput) {
		t.rows = append(t.rows, serverRow(run, s, p, bests, all))
	}
	t.notes = append(t.notes, append(partNotes(s, cpu), leftOut(s, cpu)...)...)
	return t
}

// serverRow returns the row of a router in the table of a server.
func serverRow(run *result.Run, s *result.Scenario, p place, bests []place, all []share) []cell {
	_, isBest := find(bests, p.router)
	name := label(run, p.router)
	if !whole(s, p.row) {
		name += partial
	}
	sum, _ := p.row.Summarize(result.Throughput, nil)
	row := []cell{{name, isBest}, {digits(p.center), isBest}, {interval(sum), false}}
	for _, unit := range []string{result.CPUTime, result.MedianDelay, result.TailDelay} {
		text := nothing
		if x, ok := p.row.Summarize(unit, nil); ok {
			text = duration(x.Center)
		}
		row = append(row, cell{text: text})
	}
	if len(all) > 0 {
		text := nothing
		if i := slices.IndexFunc(all, func(x share) bool { return x.router == p.router }); i >= 0 {
			text = percent(all[i].part())
		}
		row = append(row, cell{text: text})
	}
	return row
}

// matrixTable returns what the routers can do, a row for each probe.
func matrixTable(run *result.Run) *table {
	t := &table{title: "What the routers can do", heads: []string{""}}
	var routers []string
	for _, p := range run.Matrix {
		for _, a := range p.Answers {
			if !slices.Contains(routers, a.Router) {
				routers = append(routers, a.Router)
				t.heads = append(t.heads, label(run, a.Router))
			}
		}
	}
	for _, p := range run.Matrix {
		row := []cell{{text: p.Name}}
		for _, router := range routers {
			row = append(row, cell{text: answer(p, router)})
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// answer returns whether a router can do what a probe asks.
func answer(p result.Probe, router string) string {
	for _, a := range p.Answers {
		if a.Router == router {
			if a.Yes {
				return "yes"
			}
			return "no"
		}
	}
	return nothing
}

// serverTables returns a table for each server and GOMAXPROCS.
func serverTables(run *result.Run) []*table {
	var tables []*table
	for _, s := range of(run, result.Server) {
		for _, cpu := range cpus([]*result.Scenario{s}) {
			tables = append(tables, serverTable(run, s, cpu))
		}
	}
	return tables
}
