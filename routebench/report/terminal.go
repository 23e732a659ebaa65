package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/muxwell/muxwell/routebench/result"
)

// Options say how [Terminal] writes.
type Options struct {
	Color bool // the best in bold, by the escapes of a terminal; else there are none
	Width int  // of a line, in columns; 80 if it is not positive
	// Tables asks for the table of each scenario of requests at each GOMAXPROCS. Else
	// there are none if there are more than four such scenarios, but two of all of
	// them, at the largest GOMAXPROCS.
	Tables bool
}

// fewScenarios are so few that a terminal shows a table for each.
const fewScenarios = 4

// Terminal writes a run as tables, what the run warns of, and the [Summary] last. A
// table that is wider than a line is continued below with other columns; a table of
// two columns may still be wider. What does not print in a text of the run, such as
// a route's control characters, is escaped. The error is the writer's.
func Terminal(w io.Writer, run *result.Run, opts Options) error {
	if opts.Width <= 0 {
		opts.Width = 80
	}
	t := &terminal{Writer: bufio.NewWriter(w), Options: opts, run: plainRun(run)}
	t.head()
	t.speed()
	for _, x := range slices.Concat(memoryTables(t.run), growthTables(t.run), serverTables(t.run)) {
		t.table(x)
	}
	if len(t.run.Matrix) > 0 {
		t.table(matrixTable(t.run))
	}
	t.faults()
	t.sentences("Warnings", t.run.Warnings)
	t.sentences("Summary", Summary(t.run))
	return t.Flush()
}

// A terminal is what tables are written to. It keeps the writer's first error for
// Flush.
type terminal struct {
	*bufio.Writer
	Options
	run *result.Run
}

// head writes where and how the run was.
func (t *terminal) head() {
	t.wrap(strings.Join(circumstances(t.run), ", "), 0, 0)
}

// speed writes the tables of the scenarios of requests: of each, if they are few or
// asked for, and of all of them together.
func (t *terminal) speed() {
	scenarios := of(t.run, result.Speed)
	all := cpus(scenarios)
	each := t.Tables || len(scenarios) <= fewScenarios
	if each {
		for _, s := range scenarios {
			for _, cpu := range cpus([]*result.Scenario{s}) {
				t.table(speedTable(t.run, s, cpu))
			}
		}
	}
	if len(scenarios) < 2 || len(all) == 0 {
		return
	}
	if !each {
		all = all[len(all)-1:]
	}
	for _, cpu := range all {
		t.table(speedOverview(t.run, scenarios, cpu))
	}
	if !each {
		t.table(allocationTable(t.run, scenarios, all[0]))
		t.wrap(fmt.Sprintf("-tables shows a table for each of the %s too, -html a chart.", plural(len(scenarios), "scenario")), 0, 0)
	}
}

// table writes a table, in as many parts as its width asks for.
func (t *terminal) table(x *table) {
	fmt.Fprintf(t, "\n%s\n", t.bold(x.title))
	if x.about != "" {
		t.wrap(x.about, 0, 0)
	}
	if len(x.rows) > 0 {
		for i, part := range x.parts(t.Width) {
			if i > 0 {
				fmt.Fprintln(t)
			}
			t.render(x, part)
		}
	}
	notes := x.notes
	for _, note := range x.marked() {
		// A note on a router says more than that on the mark.
		if note != partialNote || !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, partial) }) {
			notes = append(notes, note)
		}
	}
	for _, note := range notes {
		t.wrap(note, 0, 2)
	}
}

// gap is what is behind each column.
const gap = "  "

// parts returns which columns are shown together so that no line is too long. The
// first column is in each part.
func (t *table) parts(width int) [][]int {
	var parts [][]int
	first := t.width(0) + len(gap)
	part, used := []int{0}, first
	for column := 1; column < len(t.heads); column++ {
		w := t.width(column) + len(gap)
		if len(part) > 1 && used+w > width {
			parts = append(parts, part)
			part, used = []int{0}, first
		}
		part, used = append(part, column), used+w
	}
	return append(parts, part)
}

// width returns the width of a column.
func (t *table) width(column int) int {
	w := text.StringWidth(t.heads[column])
	for _, row := range t.rows {
		w = max(w, text.StringWidth(row[column].text))
	}
	return w
}

// render writes some columns of a table.
func (t *terminal) render(x *table, columns []int) {
	out := pretty.NewWriter()
	out.SetStyle(style)
	out.SuppressTrailingSpaces()
	var configs []pretty.ColumnConfig
	var heads pretty.Row
	for i, column := range columns {
		align := text.AlignRight
		if i == 0 {
			align = text.AlignLeft
		}
		configs = append(configs, pretty.ColumnConfig{Number: i + 1, Align: align, AlignHeader: align})
		heads = append(heads, x.heads[column])
	}
	out.SetColumnConfigs(configs)
	out.AppendHeader(heads)
	for i, row := range x.rows {
		if x.apart > 0 && i == len(x.rows)-x.apart {
			out.AppendSeparator()
		}
		var cells pretty.Row
		for _, column := range columns {
			if c := row[column]; c.best {
				cells = append(cells, t.bold(c.text))
			} else {
				cells = append(cells, c.text)
			}
		}
		out.AppendRow(cells)
	}
	fmt.Fprintln(t, out.Render())
}

// style is a table of two rules and no other lines.
var style = func() pretty.Style {
	s := pretty.StyleLight
	s.Options = pretty.Options{SeparateHeader: true}
	s.Format.Header = text.FormatDefault
	s.Box.PaddingLeft, s.Box.PaddingRight = "", gap
	return s
}()

// bold returns text in bold.
func (t *terminal) bold(s string) string {
	if !t.Color || s == "" {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

// wrap writes text in lines; those behind the first are indented by more.
func (t *terminal) wrap(s string, first, more int) {
	t.WriteString(strings.Repeat(" ", first))
	used := first
	for i, word := range words(s) {
		w := text.StringWidth(word)
		switch {
		case i == 0:
		case used+1+w > t.Width:
			t.WriteString("\n" + strings.Repeat(" ", more))
			used = more
		default:
			t.WriteByte(' ')
			used++
		}
		t.WriteString(word)
		used += w
	}
	t.WriteByte('\n')
}

// units are what stays with its number.
var units = []string{"%", "ns", "µs", "ms", "s", "B", "kB", "MB", "GB"}

// words returns the words of a text; a unit is one with its number.
func words(s string) []string {
	var out []string
	for _, word := range strings.Fields(s) {
		last := len(out) - 1
		if last >= 0 && endsInDigit(out[last]) && slices.Contains(units, strings.TrimRight(word, ".,;:)")) {
			out[last] += " " + word
		} else {
			out = append(out, word)
		}
	}
	return out
}

func endsInDigit(s string) bool { return s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// sentences writes sentences below a title, if there are any.
func (t *terminal) sentences(title string, all []string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(t, "\n%s\n", t.bold(title))
	for _, s := range all {
		t.wrap("- "+s, 0, 2)
	}
}
