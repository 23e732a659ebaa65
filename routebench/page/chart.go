package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// A measure is a unit of the data model as the page shows it.
type measure struct {
	unit     string // of the samples
	title    string // of its column
	quantity quantity
	like     string // the unit whose scale it has, for figures that one compares; "" for its own
}

// A bars says which charts show the scenarios of a kind: the first measure is that
// of the bars, the others are next to them as text.
type bars struct {
	title    string // of the chart, where a scenario has several
	measures []measure
}

// charts are the charts of each kind that is shown as bars.
var charts = map[result.Kind][]bars{
	result.Speed: {{measures: []measure{
		{result.Time, "time", duration, ""}, {result.Allocs, "allocs", count, ""}, {result.Bytes, "bytes", size, ""},
	}}},
	result.Memory: {
		{title: "Heap memory of the routes", measures: []measure{{result.HeapBytes, "heap", size, ""}}},
		{title: "Time to load the routes", measures: []measure{{result.LoadTime, "load time", duration, ""}}},
	},
	result.Server: {
		{title: "Requests per second", measures: []measure{{result.Throughput, "requests/s", rate, ""}, {result.CPUTime, "CPU/req.", duration, ""}}},
		{title: "Latency: the median as bars, and the 99th percentile", measures: []measure{{result.MedianDelay, "p50", duration, ""}, {result.TailDelay, "p99", duration, result.MedianDelay}}},
	},
}

// A barChart is a chart of a scenario as charts.js reads it.
type barChart struct {
	ID      string   `json:"id"`
	Label   string   `json:"label"` // for those who do not see it
	Scale   scale    `json:"scale"`
	Columns []string `json:"columns"`
	Log     bool     `json:"log"` // an axis of logarithms is offered, and shown first
	Panels  []panel  `json:"panels"`
	Max     float64  `json:"max"`
	Min     float64  `json:"min"`
	Title   string   `json:"-"`
	scales  []scale  // of each measure
}

// A panel is a chart at one GOMAXPROCS.
type panel struct {
	CPU   int     `json:"cpu"`
	Floor float64 `json:"floor,omitempty"` // what measuring itself takes; 0 if unknown
	Rows  []bar   `json:"rows"`
}

// A bar is what a router did. Without a figure it was left out.
type bar struct {
	Router string   `json:"router"`
	Class  string   `json:"class"` // own, net or other
	V      float64  `json:"v"`
	Lo     *float64 `json:"lo,omitempty"`
	Hi     *float64 `json:"hi,omitempty"`
	Cells  []string `json:"cells,omitempty"`
	Part   string   `json:"part,omitempty"` // how many requests of all it answers, if not all
	Out    string   `json:"out,omitempty"`  // why there is no figure
	Tip    string   `json:"tip"`
}

// logFrom is how many times the least bar the largest one must be for an axis of
// logarithms to be offered.
const logFrom = 20

// chart returns a chart of a scenario, or nil if it has no figures for it.
func (p *page) chart(s *result.Scenario, id string, how bars) *barChart {
	c := &barChart{ID: id, Title: how.title, Label: "Bar chart: " + s.Name}
	if how.title != "" {
		c.Label += ", " + how.title
	}
	shown := c.measure(s, how.measures)
	if len(shown) == 0 {
		return nil
	}
	for _, cpu := range cpus(s) {
		c.Panels = append(c.Panels, p.panel(s, cpu, c, shown))
	}
	c.Log = c.Min > 0 && c.Max > logFrom*c.Min
	return c
}

// measure sets the chart's scales, its columns and its extent, and returns the
// measures of which there are figures: none if the first has none.
func (c *barChart) measure(s *result.Scenario, measures []measure) (shown []measure) {
	for i, m := range measures {
		values := medians(s, m.unit)
		if len(values) == 0 && i == 0 {
			return nil
		}
		if len(values) == 0 || values[len(values)-1] == 0 && m.quantity == size {
			continue // bytes are of interest where there are some
		}
		sc := m.scaleIn(s)
		c.Columns = append(c.Columns, m.head(sc))
		if i == 0 {
			c.Scale, c.Min, c.Max = sc, values[0], values[len(values)-1]
			c.Columns = append(c.Columns, "ratio")
		}
		shown, c.scales = append(shown, m), append(c.scales, sc)
	}
	return shown
}

// head returns the head of the measure's column.
func (m measure) head(sc scale) string {
	if m.quantity == rate || sc.Unit == "" {
		return m.title
	}
	return m.title + " " + sc.Unit
}

// scaleIn returns the scale of the measure in a scenario that has figures for it.
func (m measure) scaleIn(s *result.Scenario) scale {
	if values := medians(s, m.like); len(values) > 0 {
		return m.scaleOf(values)
	}
	return m.scaleOf(medians(s, m.unit))
}

// scaleOf returns the scale for sorted figures.
func (m measure) scaleOf(sorted []float64) scale {
	i := 0
	for i < len(sorted)-1 && sorted[i] == 0 {
		i++
	}
	return m.quantity.scaleOf(sorted[i], sorted[i+(len(sorted)-i)/2])
}

// medians returns the medians of a scenario's rows in a unit, without the floor's,
// in ascending order.
func medians(s *result.Scenario, unit string) []float64 {
	var values []float64
	for i := range s.Rows {
		if v, ok := s.Rows[i].Summarize(unit, nil); ok && s.Rows[i].Router != result.Floor {
			values = append(values, v.Center)
		}
	}
	slices.Sort(values)
	return values
}

// cpus returns the values of GOMAXPROCS of a scenario's rows, in their order.
func cpus(s *result.Scenario) []int {
	var out []int
	for _, r := range s.Rows {
		if !slices.Contains(out, r.CPU) {
			out = append(out, r.CPU)
		}
	}
	return out
}

// panel returns the bars of a scenario at one GOMAXPROCS, the best first and those
// that were left out last.
func (p *page) panel(s *result.Scenario, cpu int, c *barChart, shown []measure) panel {
	out := panel{CPU: cpu}
	descending := result.HigherIsBetter(shown[0].unit)
	best := best(s, cpu, shown[0].unit, descending)
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.CPU != cpu {
			continue
		}
		v, ok := r.Summarize(shown[0].unit, nil)
		if r.Router == result.Floor {
			out.Floor = v.Center
			continue
		}
		b := bar{Router: r.Router, Class: p.Class(r.Router), Out: r.LeftOut, Part: part(s, r)}
		if !ok {
			b.Out = cmp.Or(b.Out, "no figures")
		} else {
			b.V, b.Lo, b.Hi = v.Center, finite(v.Lo), finite(v.Hi)
			b.Cells = []string{c.scales[0].text(v.Center), ratio(v.Center, best, descending)}
			for k, m := range shown[1:] {
				x, _ := r.Summarize(m.unit, nil)
				b.Cells = append(b.Cells, c.scales[k+1].text(x.Center))
			}
		}
		b.Tip = p.tip(b, c, v)
		out.Rows = append(out.Rows, b)
	}
	slices.SortStableFunc(out.Rows, func(a, b bar) int {
		order := cmp.Compare(a.V, b.V)
		if descending {
			order = -order
		}
		return cmp.Or(cmp.Compare(len(b.Cells), len(a.Cells)), order)
	})
	return out
}

// tip returns what is shown next to a bar under the pointer.
func (p *page) tip(b bar, c *barChart, v result.Summary) string {
	text := b.Router
	if stack := p.routers[b.Router].Stack; b.Class == "other" {
		text += " (" + stack + ", not net/http)"
	}
	if b.Cells == nil {
		return text + "\nleft out: " + b.Out
	}
	text += fmt.Sprintf("\n%s %s, %s the best", b.Cells[0], c.Scale.Unit, b.Cells[1])
	if b.Lo != nil && b.Hi != nil {
		text += fmt.Sprintf("\n95 %% interval %s – %s", c.Scale.text(v.Lo), c.Scale.text(v.Hi))
	}
	if b.Part != "" {
		text += "\nanswers " + b.Part + " requests"
	}
	if v.Noisy {
		text += "\nnoisy"
	}
	return text
}

// part returns how many of a scenario's requests a row answers, or "" if it is all
// of them.
func part(s *result.Scenario, r *result.Row) string {
	if r.LeftOut != "" || s.Requests == 0 || r.Answered >= s.Requests {
		return ""
	}
	return fmt.Sprintf("%d of %d", r.Answered, s.Requests)
}

// best returns the best median of a scenario's rows at one GOMAXPROCS: of those
// that answer all requests, if there are any.
func best(s *result.Scenario, cpu int, unit string, descending bool) float64 {
	whole, some := math.NaN(), math.NaN()
	better := func(a, b float64) bool { return math.IsNaN(b) || (a < b) != descending }
	for i := range s.Rows {
		r := &s.Rows[i]
		v, ok := r.Summarize(unit, nil)
		if !ok || r.CPU != cpu || r.Router == result.Floor {
			continue
		}
		if better(v.Center, some) {
			some = v.Center
		}
		if part(s, r) == "" && better(v.Center, whole) {
			whole = v.Center
		}
	}
	if math.IsNaN(whole) {
		return some
	}
	return whole
}

// ratio returns how many times worse than the best a figure is.
func ratio(v, best float64, descending bool) string {
	if descending {
		v, best = best, v
	}
	if v == best {
		return "1.00×"
	}
	return number(v/best) + "×"
}

// finite returns nil for what JSON cannot hold.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
