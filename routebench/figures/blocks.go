package main

import (
	"errors"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/routers"
)

// A block is a table of figures with a sentence on where they are from.
type block struct {
	name string
	make func(d *data, document string) (string, error)
}

// blocks are what may stand between <!-- figures:NAME --> and its end.
var blocks []block

func init() { // blocks refer to the runs, whose table is one of them
	blocks = []block{
		{"readme", readmeTable},
		{"runs", runsTable},
		{"classic/1", func(d *data, doc string) (string, error) { return classicTable(d, doc, 1) }},
		{"classic/2", func(d *data, doc string) (string, error) { return classicTable(d, doc, 2) }},
		{"all", allTable},
		{"memory", func(d *data, doc string) (string, error) {
			return d.markdownTable(doc, "scale", "Memory of the routing structure")
		}},
		{"growth", func(d *data, doc string) (string, error) {
			return d.markdownTable(doc, "scale", "Growth: time of a request")
		}},
		{"server", func(d *data, doc string) (string, error) { return d.markdownTable(doc, "scale", "Server/Github at") }},
		{"huma", func(d *data, doc string) (string, error) { return d.markdownTable(doc, "huma", "Server/Github at") }},
		{"serve", serveTable},
		{"language", languageTable},
		{"around", aroundTable},
		{"parallel", parallelTable},
		{"routes", routesTable},
		{"build", buildTable},
		{"update", updateTable},
		{"gorilla", gorillaTable},
		{"similarity/pipelines", pipelinesTable},
		{"similarity/strategies", strategiesTable},
		{"similarity/steps", stepsTable},
		{"similarity/services", servicesTable},
	}
}

// block implements [maker].
func (d *data) block(name, document string) (string, error) {
	i := slices.IndexFunc(blocks, func(b block) bool { return b.name == name })
	if i < 0 {
		return "", errors.New("there is no such table; -list shows those that there are")
	}
	return blocks[i].make(d, document)
}

// A count is a number of routers.
type count struct {
	name, about string
	of          func() int
}

var counts = []count{
	{"routers", "the routers besides muxwell, by module, with http.ServeMux", func() int { return modules(func(bool) bool { return true }) }},
	{"routers-default", "those of them that are compared by default", func() int { return modules(func(known bool) bool { return known }) }},
	{"entries", "the names that -routers takes, muxwell's and variants among them", func() int { return len(routers.All()) }},
	{"entries-muxwell", "those of muxwell", func() int {
		n := 0
		for _, r := range routers.All() {
			if r.Module == muxwell {
				n++
			}
		}
		return n
	}},
}

const muxwell = "github.com/muxwell/muxwell"

// modules returns how many modules the routers of others are in; that of the standard
// library is one of them.
func modules(wanted func(known bool) bool) int {
	seen := map[string]bool{}
	for _, r := range routers.All() {
		if r.Variant == "" && r.Module != muxwell && wanted(r.Known) {
			seen[r.Module] = true
		}
	}
	return len(seen)
}

// figure implements [maker].
func (d *data) figure(name string) (string, error) {
	for _, c := range counts {
		if c.name == name {
			return strconv.Itoa(c.of()), nil
		}
	}
	parts := strings.Split(name, "/")
	if len(parts) < 4 {
		return "", errors.New("there is no such number; -list shows those that there are")
	}
	run, err := d.run(parts[0])
	if err != nil {
		return "", err
	}
	last := len(parts) - 1
	cpu, err := strconv.Atoi(parts[last])
	if err != nil {
		return "", fmt.Errorf("its last part is no GOMAXPROCS: %w", err)
	}
	scenario, router := strings.Join(parts[1:last-1], "/"), parts[last-1]
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		if s.Name != scenario {
			continue
		}
		if row := s.Row(router, cpu); row != nil {
			for _, unit := range []string{result.Time, result.CPUTime} { // the latter for servers
				if sum, ok := row.Summarize(unit, nil); ok {
					return report.Duration(sum.Center), nil
				}
			}
		}
	}
	return "", fmt.Errorf("the run %s has no time of %s in %s at GOMAXPROCS=%d", parts[0], router, scenario, cpu)
}

// link returns a link from a document to a file.
func link(document, file string) string {
	relative, err := filepath.Rel(filepath.FromSlash(path.Dir(document)), filepath.FromSlash(file))
	if err != nil { // both are relative to the root
		panic(err)
	}
	return fmt.Sprintf("[%s](%s)", path.Base(file), filepath.ToSlash(relative))
}

// A noise says how far figures are known: of each the larger side of the 95 %
// confidence interval, as a share of the median.
type noise []float64

func (n *noise) add(r *result.Row, unit string) {
	s, ok := r.Summarize(unit, nil)
	if !ok || s.Center <= 0 {
		return
	}
	*n = append(*n, max(s.Hi-s.Center, s.Center-s.Lo)/s.Center)
}

func (n noise) String() string {
	if len(n) == 0 {
		return "Noise: unknown"
	}
	all := slices.Sorted(slices.Values(n))
	if math.IsInf(all[len(all)-1], 0) {
		return "Noise: there are too few rounds for a 95% confidence interval"
	}
	return fmt.Sprintf("Noise: the 95%% confidence interval is within ±%.0f%% of the median for half of the values, and within ±%.0f%% for all",
		100*all[len(all)/2], 100*all[len(all)-1])
}

// caption returns the lines below a table of a run of routebench.
func (d *data) caption(document, name string, cpus string, n noise) (string, error) {
	run, err := d.run(name)
	if err != nil {
		return "", err
	}
	s, err := sourceNamed(name)
	if err != nil {
		return "", err
	}
	where := report.Circumstances(run)
	last := len(where) - 1
	where = slices.Insert(where, last, "GOMAXPROCS="+cpus)
	text := fmt.Sprintf("From %s: %s. %s.", link(document, s.file), strings.Join(where, ", "), n)
	if run.Interrupted {
		text += " The run was interrupted, so the table has only what was measured before that."
	}
	return wrap(text), nil
}

// caption returns the lines below a table of benchmarks.
func (b *benchmarks) caption(document string, s *source, cpus string, n noise) string {
	c := b.config
	day := c["date"]
	if t, err := time.Parse(time.DateOnly, day); err == nil {
		day = t.Format("2 January 2006")
	}
	return wrap(fmt.Sprintf("From %s: %s, %s cores, %s, %s/%s, %s, %s, GOMAXPROCS=%s, %s rounds in turns. %s.",
		link(document, s.file), c["cpu"], c["cores"], c["os"], c["goos"], c["goarch"], c["go"], day, cpus, c["rounds"], n))
}

// lineWidth is how long the lines of documents are.
const lineWidth = 130

// wrap breaks text into lines.
func wrap(text string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > lineWidth:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// A table is one of Markdown. All columns but the first are numbers.
type table struct {
	b     strings.Builder
	words int // how many of the first columns are words
}

func newTable(words int, heads ...string) *table {
	t := &table{words: words}
	t.row(heads...)
	for i := range heads {
		if i < words {
			t.b.WriteString("| --- ")
		} else {
			t.b.WriteString("| --: ")
		}
	}
	t.b.WriteString("|\n")
	return t
}

func (t *table) row(cells ...string) {
	for _, c := range cells {
		t.b.WriteString("| ")
		if c != "" {
			t.b.WriteString(c + " ")
		}
	}
	t.b.WriteString("|\n")
}

// with returns the table and text below it.
func (t *table) with(below ...string) string {
	return t.b.String() + "\n" + strings.Join(below, "\n\n")
}
