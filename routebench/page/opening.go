package page

import (
	"fmt"
	"math"
	"strconv"

	"github.com/muxwell/muxwell/routebench/report"
)

// An opening is what the page begins with: the chart of all routers over all
// scenarios, and what it says in words.
type opening struct {
	Chart     *barChart // nil if there are no times to compare
	About     string    // what its bars are
	Sentences []string
}

// opening returns the page's opening. Its chart is the first of the page's.
func (p *page) opening() opening {
	o := opening{Sentences: report.Opening(p.Run)}
	c := &barChart{
		ID: "opening-chart", Label: "Bar chart: the time of each router over all scenarios, and the routes that it can express",
		Scale: scale{Unit: "×", Factor: 1}, Columns: []string{"time", "routes"}, Min: math.Inf(1),
	}
	ranked, over, of := 0, 0, 0
	for _, cpu := range report.CPUs(p.Run) {
		standings, compared, scenarios := report.Standings(p.Run, cpu)
		panel := panel{CPU: cpu}
		for _, s := range standings {
			panel.Rows = append(panel.Rows, p.openingBar(s))
			if s.Ratio > 0 {
				ranked++
				c.Min, c.Max = min(c.Min, s.Ratio), max(c.Max, s.Ratio)
			}
		}
		c.Panels = append(c.Panels, panel)
		if len(c.Panels) == 1 {
			over, of = compared, scenarios
		}
	}
	if ranked == 0 {
		return o
	}
	c.Log = c.Max > logFrom*c.Min
	o.Chart = c
	o.About = o.about(over, of)
	p.Charts.Bars = append([]*barChart{c}, p.Charts.Bars...)
	return o
}

// about says what the bars of the opening are.
func (o opening) about(compared, scenarios int) string {
	time := "the multiple of the fastest router's"
	if scenarios > 1 {
		over := plural(compared, "scenario")
		if compared < scenarios {
			over = fmt.Sprintf("the %d of %d scenarios that every ranked router answers completely", compared, scenarios)
		}
		time = "the geometric mean over " + over + ", as a multiple of the fastest router's"
	}
	if o.Chart.Log {
		time += ", on a logarithmic axis"
	}
	return "Time: " + time + ". Routes: those of the run that the router can express and answer correctly."
}

// openingBar returns the bar of a router.
func (p *page) openingBar(s report.Standing) bar {
	b := bar{Router: s.Router, Class: p.Class(s.Router)}
	routes := expressed(s)
	if s.Ratio == 0 {
		b.Out = "answers too few scenarios completely"
		if failures := s.Failures(); failures != "" {
			b.Out = "fails on " + failures
		}
		b.Tip = b.Router + "\nleft out: " + b.Out
		return b
	}
	time := ratio(s.Ratio, 1, false)
	b.V, b.Lo, b.Hi, b.Cells = s.Ratio, finite(s.Lo), finite(s.Hi), []string{time, routes}
	b.Tip = fmt.Sprintf("%s\n%s the time of the fastest\nroutes: %s", b.Router, time, routes)
	if b.Lo != nil && b.Hi != nil {
		b.Tip += fmt.Sprintf("\n95 %% interval %s – %s", number(s.Lo), number(s.Hi))
	}
	return b
}

// expressed returns which routes a router can express and answer, as a cell.
func expressed(s report.Standing) string {
	text := "all"
	if s.Refused > 0 {
		text = "all but " + commas(strconv.Itoa(s.Refused))
	}
	if s.Wrong > 0 {
		text += ", " + commas(strconv.Itoa(s.Wrong)) + " wrong"
	}
	return text
}

// Table returns the figures of the opening's chart at each GOMAXPROCS.
func (o opening) Table() *table {
	if o.Chart == nil {
		return nil
	}
	t := &table{Caption: "All figures of this chart", Columns: []column{
		{Title: "router"}, {Title: "GOMAXPROCS", Numeric: true}, {Title: "time", Unit: "× the fastest", Numeric: true}, {Title: "routes"},
	}}
	for _, panel := range o.Chart.Panels {
		for _, r := range panel.Rows {
			row := tableRow{Class: r.Class, Cells: []cell{{Text: r.Router}, {Text: strconv.Itoa(panel.CPU)}, none, {Text: r.Out}}}
			if r.Cells != nil {
				row.Cells[2], row.Cells[3] = cell{Text: r.Cells[0], Sort: plain(r.V)}, cell{Text: r.Cells[1]}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
