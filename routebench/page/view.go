package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// A page is what page.html shows. A section without content is empty.
type page struct {
	Run          *result.Run
	Heading      string
	Lead         string
	Facts        []fact
	Opening      opening
	Findings     []string // what the summary says besides
	CPUs         []int    // between which the charts of requests can be switched; none if there is no choice
	Overview     []*table
	OverviewCPUs []int // of each overview; 0 if there is but one
	Speed        []group
	Growth       []*family
	Memory       []card
	Heaps        *table // of all scenarios of memory; nil unless there are several
	Server       []card
	Matrix       *matrix
	Faults       []*faulty
	Charts       chartData

	HasOther bool // some router is not one of net/http
	HasFloor bool
	HasPart  bool // some row answers a part of the requests only

	routers map[string]result.Router
	faults  map[[2]string][]result.Fault // by scenario and router
	ids     map[string]bool
}

// A fact is a line of the page's head.
type fact struct{ Name, Value string }

// A group is the scenarios of a suite.
type group struct {
	ID, Suite, Name string
	Cards           []card
}

// suites are the titles of the suites that have one in addition to their name.
var suites = map[string]string{
	"classic": "The classic suite",
	"around":  "Around a match",
	"gorilla": "The suite of gorilla/mux",
	"today":   "Services of today",
	"own":     "Own routes",
}

// A card is a scenario.
type card struct {
	ID      string
	Name    string
	About   string
	Size    string // how many routes and requests it has
	InSuite bool   // whether it is below the heading of a suite
	Charts  []*barChart
	Notes   []note
	Table   *table
}

// A note is what a chart cannot say of a router.
type note struct{ Router, Text string }

// chartData is what charts.js draws.
type chartData struct {
	Bars     []*barChart  `json:"bars"`
	Lines    []*lineChart `json:"lines"`
	Baseline string       `json:"baseline"`
}

// newPage returns the page of a run.
func newPage(run *result.Run) *page {
	p := &page{
		Run: run, routers: map[string]result.Router{}, faults: map[[2]string][]result.Fault{},
		ids: map[string]bool{}, Charts: chartData{Bars: []*barChart{}, Lines: []*lineChart{}, Baseline: run.Settings.Baseline},
	}
	for _, r := range run.Routers {
		p.routers[r.Name] = r
		p.HasOther = p.HasOther || p.Class(r.Name) == "other"
	}
	for _, f := range run.Faults {
		key := [2]string{f.Scenario, f.Router}
		p.faults[key] = append(p.faults[key], f)
	}
	p.head()
	for i := range run.Scenarios {
		p.scenario(&run.Scenarios[i])
	}
	p.Growth = p.families()
	p.Overview = p.overviews()
	p.Heaps = p.heaps()
	p.Matrix = p.matrix()
	p.Faults = p.faulty()
	p.Opening = p.opening()
	for _, sentence := range report.Summary(run) {
		if !slices.Contains(p.Opening.Sentences, sentence) {
			p.Findings = append(p.Findings, sentence)
		}
	}
	if len(p.CPUs) == 1 {
		p.CPUs, p.OverviewCPUs = nil, []int{0}
	}
	return p
}

// scenario adds a scenario to its section.
func (p *page) scenario(s *result.Scenario) {
	switch s.Kind {
	case result.Speed:
		for _, cpu := range cpus(s) {
			if !slices.Contains(p.CPUs, cpu) {
				p.CPUs = append(p.CPUs, cpu)
			}
		}
		at := slices.IndexFunc(p.Speed, func(g group) bool { return g.Suite == s.Suite })
		if at < 0 {
			at = len(p.Speed)
			p.Speed = append(p.Speed, group{ID: p.id("suite " + s.Suite), Suite: s.Suite, Name: cmp.Or(suites[s.Suite], s.Suite)})
		}
		p.Speed[at].Cards = append(p.Speed[at].Cards, p.card(s))
	case result.Memory:
		p.Memory = append(p.Memory, p.card(s))
	case result.Server:
		p.Server = append(p.Server, p.card(s))
	}
}

// card returns a scenario with its charts.
func (p *page) card(s *result.Scenario) card {
	c := card{ID: p.id(s.Name), Name: s.Name, About: s.About, Size: extent(s), InSuite: s.Kind == result.Speed, Table: p.table(s), Notes: p.notes(s)}
	for i, how := range charts[s.Kind] {
		if chart := p.chart(s, fmt.Sprintf("%s-chart-%d", c.ID, i+1), how); chart != nil {
			c.Charts = append(c.Charts, chart)
			p.Charts.Bars = append(p.Charts.Bars, chart)
		}
	}
	p.HasFloor = p.HasFloor || slices.ContainsFunc(s.Rows, func(r result.Row) bool { return r.Router == result.Floor })
	return c
}

// extent returns how many routes and requests a scenario has.
func extent(s *result.Scenario) string {
	var parts []string
	if s.Requests > 1 && s.Kind == result.Speed {
		parts = append(parts, fmt.Sprintf("%d requests per operation", s.Requests))
	}
	if s.Routes > 0 {
		parts = append(parts, plural(s.Routes, "route"))
	}
	return strings.Join(parts, ", ")
}

// notes returns what a scenario's charts cannot say of its routers: once for each
// router, whatever GOMAXPROCS is.
func (p *page) notes(s *result.Scenario) []note {
	var out []note
	for i := range s.Rows {
		r := &s.Rows[i]
		text := ""
		if r.LeftOut != "" {
			text = "left out: " + r.LeftOut
		} else if few := part(s, r); few != "" {
			p.HasPart = true
			text = "answers " + few + " requests and is measured on those"
			if s.Kind == result.Speed {
				text += "; the time is extrapolated to all of them"
			}
			if why := p.reasons(s.Name, r.Router); why != "" {
				text += ": " + why
			}
		}
		if n := (note{r.Router, text}); text != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Class returns how a router is marked: own for those of this repository, other
// for those that are not of net/http, floor for no router at all.
func (p *page) Class(router string) string {
	r := p.routers[router]
	switch {
	case router == result.Floor:
		return "floor"
	case strings.HasPrefix(r.Module, "github.com/muxwell/muxwell"):
		return "own"
	case r.Stack != "" && r.Stack != "net/http":
		return "other"
	}
	return "net"
}

// id returns an identifier for a name which nothing else on the page has.
func (p *page) id(name string) string {
	slug := strings.Trim(strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name), "-")
	slug = "s-" + slug[:min(len(slug), 60)]
	id := slug
	for n := 2; p.ids[id]; n++ {
		id = fmt.Sprintf("%s-%d", slug, n)
	}
	p.ids[id] = true
	return id
}

// head fills the page's head.
func (p *page) head() {
	run := p.Run
	p.Heading = plural(len(run.Routers), "Go router") + " compared"
	if n := len(run.Routers); 0 < n && n <= 3 {
		p.Heading = names(run.Routers) + " compared"
	}
	p.Lead = plural(len(run.Scenarios), "scenario")
	if run.Settings.Source != "" {
		p.Lead += " of " + run.Settings.Source
	}
	m := run.Machine
	for _, part := range []string{cmp.Or(m.CPU, m.GOARCH), m.Go, date(run.Started, "2 January 2006")} {
		if part != "" {
			p.Lead += " · " + part
		}
	}
	for _, f := range []fact{
		{"Processor", cmp.Or(m.CPU, m.GOARCH)},
		{"Cores", plural(m.Cores, "core") + memory(m.Memory)},
		{"System", strings.TrimSpace(m.OS + " " + m.GOOS + "/" + m.GOARCH)},
		{"Go", strings.TrimPrefix(m.Go, "go")},
		{"Date", date(run.Started, "2 January 2006, 15:04 MST")},
		{"Took", took(run.Took)},
	} {
		if f.Value != "" {
			p.Facts = append(p.Facts, f)
		}
	}
}

// date returns a time in a layout, or "" for the zero time.
func date(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(layout)
}

// Command returns the words of the run's command as a shell takes them.
func (p *page) Command() []string {
	words := slices.Clone(p.Run.Command)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'`$&|;<>()*?[]#~\\!{}") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return words
}

// Slice returns how long a router's turn is.
func (p *page) Slice() string {
	v := float64(p.Run.Settings.Slice)
	s := duration.scaleOf(v, v)
	return fmt.Sprintf("%.3g %s", v*s.Factor, s.Unit)
}

// memory returns how much memory a machine has, for the line of its cores.
func memory(bytes uint64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf(", %.3g GiB", float64(bytes)/(1<<30))
}

// took returns how long something took, in whole seconds.
func took(d time.Duration) string {
	d = d.Round(time.Second)
	if d < time.Minute {
		return plural(int(d.Seconds()), "second")
	}
	return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
}

// names returns the names of some routers in words.
func names(routers []result.Router) string {
	var out []string
	for _, r := range routers {
		out = append(out, r.Name)
	}
	if len(out) == 1 {
		return out[0]
	}
	return strings.Join(out[:len(out)-1], ", ") + " and " + out[len(out)-1]
}

// plural returns a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return commas(strconv.Itoa(n)) + " " + thing + "s"
}
