package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/routebench/result"
)

// A table is a table that can be sorted by each of its columns.
type table struct {
	Caption string
	Columns []column
	Rows    []tableRow
}

// A column is the head of a column.
type column struct {
	Title   string
	Unit    string
	Numeric bool
}

// A tableRow is a row, whose first cell is its head.
type tableRow struct {
	Class string
	Cells []cell
}

// A cell is a figure or text.
type cell struct {
	Text  string
	Sort  string // what it is sorted by, if it is not its text
	Class string
	Note  string // what follows it, dimmed
}

// none is the cell of a figure that there is not.
var none = cell{Text: "–", Sort: "none", Class: "none"}

// measuresOf are all measures of the kinds, in the order of their columns.
var measuresOf = map[result.Kind][]measure{
	result.Speed:  {{result.Time, "time", duration, ""}, {result.Bytes, "bytes", size, ""}, {result.Allocs, "allocs", count, ""}},
	result.Memory: {{result.HeapBytes, "heap", size, ""}, {result.LoadTime, "load time", duration, ""}},
	result.Growth: {{result.Time, "time", duration, ""}, {result.RoutesLoad, "load time per route", duration, ""}, {result.RoutesHeap, "heap per route", size, ""}},
	result.Server: {
		{result.Throughput, "requests/s", rate, ""},
		{result.CPUTime, "CPU per request", duration, ""},
		{result.MedianDelay, "p50", duration, ""},
		{result.TailDelay, "p99", duration, result.MedianDelay},
	},
}

// table returns all figures of a scenario.
func (p *page) table(s *result.Scenario) *table {
	var measures []measure
	var scales []scale
	for _, m := range measuresOf[s.Kind] {
		if len(medians(s, m.unit)) > 0 {
			measures, scales = append(measures, m), append(scales, m.scaleIn(s))
		}
	}
	several := len(cpus(s)) > 1
	t := &table{Caption: "All figures of " + s.Name, Columns: []column{{Title: "router"}}}
	if several {
		t.Columns = append(t.Columns, column{Title: "GOMAXPROCS", Numeric: true})
	}
	for i, m := range measures {
		unit := scales[i].Unit
		if m.quantity == rate {
			unit = ""
		}
		t.Columns = append(t.Columns, column{Title: m.title, Unit: unit, Numeric: true})
		if i == 0 {
			t.Columns = append(t.Columns, column{Title: "95 % interval", Numeric: true}, column{Title: "vs. best", Numeric: true},
				column{Title: "vs. " + p.Run.Settings.Baseline, Numeric: true}, column{Title: "p", Numeric: true})
		}
	}
	t.Columns = append(t.Columns, column{Title: "remarks"})
	for _, r := range sorted(s) {
		row := tableRow{Class: p.Class(r.Router), Cells: []cell{{Text: r.Router}}}
		if several {
			row.Cells = append(row.Cells, cell{Text: strconv.Itoa(r.CPU)})
		}
		for k, m := range measures {
			row.Cells = append(row.Cells, p.cells(s, r, m, scales[k], k == 0)...)
		}
		row.Cells = append(row.Cells, cell{Text: p.remarks(s, r, measures), Class: "remarks"})
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cells returns the cells of a row for a measure: its figure and, for the main
// measure, what it is compared with.
func (p *page) cells(s *result.Scenario, r *result.Row, m measure, sc scale, main bool) []cell {
	base := s.Row(p.Run.Settings.Baseline, r.CPU)
	v, ok := r.Summarize(m.unit, base)
	if !ok && main {
		return []cell{none, none, none, none, none}
	}
	if !ok {
		return []cell{none}
	}
	out := []cell{{Text: sc.text(v.Center), Sort: plain(v.Center)}}
	if !main {
		return out
	}
	interval := none
	if !math.IsInf(v.Lo, 0) && !math.IsInf(v.Hi, 0) {
		interval = cell{Text: sc.text(v.Lo) + " – " + sc.text(v.Hi), Sort: plain((v.Hi - v.Lo) / v.Center)}
	}
	descending := result.HigherIsBetter(m.unit)
	toBest := none
	if r.Router != result.Floor {
		b := best(s, r.CPU, m.unit, descending)
		toBest = cell{Text: ratio(v.Center, b, descending), Sort: plain(quotient(v.Center, b, descending))}
	}
	return append(append(out, interval, toBest), toBase(r, base, m.unit, v, descending)...)
}

// toBase returns the two cells of the comparison of a row with the baseline's.
func toBase(r, base *result.Row, unit string, v result.Summary, descending bool) []cell {
	if base == nil || r.Router == result.Floor {
		return []cell{none, none}
	}
	b, ok := base.Summarize(unit, nil)
	if !ok {
		return []cell{none, none}
	}
	to := cell{Text: ratio(v.Center, b.Center, descending), Sort: plain(quotient(v.Center, b.Center, descending))}
	if v.P < 0 {
		return []cell{to, none}
	}
	p := cell{Text: probability(v.P), Sort: plain(v.P)}
	if !v.Differs {
		p.Note = "no difference shown"
	}
	return []cell{to, p}
}

// sorted returns the rows of a scenario by GOMAXPROCS, and those of one with the
// best first.
func sorted(s *result.Scenario) []*result.Row {
	unit := measuresOf[s.Kind][0].unit
	descending := result.HigherIsBetter(unit)
	var rows []*result.Row
	value := map[*result.Row]float64{}
	for i := range s.Rows {
		r := &s.Rows[i]
		rows, value[r] = append(rows, r), math.Inf(1)
		if v, ok := r.Summarize(unit, nil); ok {
			value[r] = v.Center
			if descending {
				value[r] = -v.Center
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b *result.Row) int {
		return cmp.Or(cmp.Compare(a.CPU, b.CPU), cmp.Compare(value[a], value[b]))
	})
	return rows
}

// quotient returns how many times worse a figure is than another.
func quotient(v, than float64, descending bool) float64 {
	if descending {
		return than / v
	}
	return v / than
}

// probability returns a p-value.
func probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// remarks returns what a reader of a row must know.
func (p *page) remarks(s *result.Scenario, r *result.Row, measures []measure) string {
	var text string
	add := func(remark string) {
		if text != "" {
			text += "; "
		}
		text += remark
	}
	if r.Router == result.Floor {
		add("cost of measuring")
	}
	if r.LeftOut != "" {
		add("left out: " + r.LeftOut)
	}
	if few := part(s, r); few != "" {
		add("answers " + few + " requests")
	}
	if stack := p.routers[r.Router].Stack; p.Class(r.Router) == "other" {
		add(stack + ", not net/http")
	}
	if len(measures) > 0 {
		if v, ok := r.Summarize(measures[0].unit, nil); ok && v.Noisy {
			add("noisy")
		}
	}
	return text
}

// plain returns a number as a program reads it.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
