package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
)

// A family is the scenarios of one name that differ in the number of routes:
// Growth/10, Growth/100 and so on.
type family struct {
	ID, Name, About string
	Alone           bool // there is no other
	Charts          []*lineChart
	Notes           []note
	Tables          []*table
}

// A lineChart is a chart with both axes logarithmic: over the number of routes
// stands what a router takes.
type lineChart struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Label  string   `json:"label"`
	Units  []scale  `json:"units"` // of the axis, from the finest on
	Series []series `json:"series"`
}

// A series is the line of a router.
type series struct {
	Router string  `json:"router"`
	Class  string  `json:"class"`
	Points []point `json:"points"`
}

// A point is a router's figure at a number of routes.
type point struct {
	X    int      `json:"x"`
	V    float64  `json:"v"`
	Lo   *float64 `json:"lo,omitempty"`
	Hi   *float64 `json:"hi,omitempty"`
	Text string   `json:"text"`
}

// curves are the charts of a family.
var curves = []measure{
	{result.Time, "Time of a request", duration, ""},
	{result.RoutesLoad, "Time to load, for each route", duration, ""},
	{result.RoutesHeap, "Memory, for each route", size, ""},
}

// families returns the scenarios of growth.
func (p *page) families() []*family {
	var names []string
	members := map[string][]*result.Scenario{}
	for i := range p.Run.Scenarios {
		s := &p.Run.Scenarios[i]
		if s.Kind != result.Growth {
			continue
		}
		name := familyName(s.Name)
		if members[name] == nil {
			names = append(names, name)
		}
		members[name] = append(members[name], s)
	}
	var out []*family
	for _, name := range names {
		f := p.family(name, members[name])
		f.Alone = len(names) == 1
		out = append(out, f)
	}
	return out
}

// familyName returns a scenario's name without the number of its routes.
func familyName(name string) string {
	if slash := strings.LastIndexByte(name, '/'); slash > 0 {
		return name[:slash]
	}
	return strings.TrimRight(name, "0123456789k")
}

// family returns the charts of the scenarios of one name.
func (p *page) family(name string, scenarios []*result.Scenario) *family {
	slices.SortStableFunc(scenarios, func(a, b *result.Scenario) int { return cmp.Compare(a.Routes, b.Routes) })
	first, last := scenarios[0], scenarios[len(scenarios)-1]
	f := &family{ID: p.id(name), Name: name, About: last.About}
	if first != last {
		f.About = fmt.Sprintf("From %s to %s. The last: %s", commas(strconv.Itoa(first.Routes)), plural(last.Routes, "route"), last.About)
	}
	for i, m := range curves {
		c := &lineChart{ID: f.ID + "-chart-" + string(rune('1'+i)), Title: m.title, Label: "Curves over the number of routes: " + m.title}
		if c.draw(p, scenarios, m); len(c.Series) > 0 {
			f.Charts = append(f.Charts, c)
			p.Charts.Lines = append(p.Charts.Lines, c)
		}
	}
	for _, s := range scenarios {
		f.Tables = append(f.Tables, p.table(s))
		for _, n := range p.notes(s) {
			n.Text = plural(s.Routes, "route") + ": " + n.Text
			f.Notes = append(f.Notes, n)
		}
	}
	return f
}

// draw fills the chart with the figures of a measure, at the scenarios' first
// GOMAXPROCS.
func (c *lineChart) draw(p *page, scenarios []*result.Scenario, m measure) {
	points := map[string][]point{}
	for _, s := range scenarios {
		each := 1.0
		if m.unit == result.Time {
			each = math.Max(1, float64(s.Requests))
		}
		for i := range s.Rows {
			r := &s.Rows[i]
			v, ok := r.Summarize(m.unit, nil)
			if !ok || v.Center <= 0 || r.Router == result.Floor || r.CPU != s.Rows[0].CPU {
				continue
			}
			points[r.Router] = append(points[r.Router], point{X: s.Routes, V: v.Center / each, Lo: finite(v.Lo / each), Hi: finite(v.Hi / each)})
		}
	}
	for _, s := range scales[m.quantity] {
		c.Units = append(c.Units, s.scale)
	}
	for _, r := range p.Run.Routers {
		if len(points[r.Name]) == 0 {
			continue
		}
		for i := range points[r.Name] {
			x := &points[r.Name][i]
			x.Text = m.quantity.auto(x.V)
		}
		c.Series = append(c.Series, series{Router: r.Name, Class: p.Class(r.Name), Points: points[r.Name]})
	}
}
