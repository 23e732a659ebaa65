package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/result"
)

// Markdown writes a run for a README, in GitHub's form of Markdown: where and how it
// was, a table of the times as ratios to the best for each suite and GOMAXPROCS, and
// those of memory, growth and servers. The best, and what is level with it, is in bold. What stands in the
// run is text there, whatever it is. The error is the writer's.
func Markdown(w io.Writer, run *result.Run) error {
	m := &markdown{Writer: bufio.NewWriter(w)}
	run = plainRun(run)
	fmt.Fprintf(m, "%s.\n", escape(strings.Join(circumstances(run), ", ")))
	if run.Interrupted {
		fmt.Fprint(m, "\nThe run was interrupted.\n")
	}
	scenarios := of(run, result.Speed)
	for _, suite := range suites(scenarios) {
		for _, cpu := range cpus(suite) {
			t := overview(run, suite, ", suite "+suite[0].Suite+",", cpu)
			t.addBest(suite, cpu)
			m.table(t)
		}
	}
	for _, t := range slices.Concat(memoryTables(run), growthTables(run), serverTables(run)) {
		m.table(t)
	}
	if m.tables > 0 {
		notes := append([]string{"**bold**: the best, and what does not differ from it at a significance of 5 %"}, escapeAll(m.marks)...)
		fmt.Fprintf(m, "\n%s.\n", strings.Join(notes, "; "))
	}
	return m.Flush()
}

// addBest adds the row of what the best take.
func (t *table) addBest(scenarios []*result.Scenario, cpu int) {
	row := make([]cell, len(t.heads))
	row[0].text = "ns/op of the best"
	for i, head := range t.heads {
		at := slices.IndexFunc(scenarios, func(s *result.Scenario) bool { return s.Name == head })
		if at < 0 {
			continue
		}
		if ranked := rank(scenarios[at], cpu, result.Time); len(ranked) > 0 {
			row[i].text = nanoseconds(ranked[0].center)
		}
	}
	t.rows = append(t.rows, row)
}

// suites returns scenarios by their suites, in their order.
func suites(scenarios []*result.Scenario) [][]*result.Scenario {
	var all [][]*result.Scenario
	for _, s := range scenarios {
		i := slices.IndexFunc(all, func(suite []*result.Scenario) bool { return suite[0].Suite == s.Suite })
		if i < 0 {
			all = append(all, []*result.Scenario{s})
		} else {
			all[i] = append(all[i], s)
		}
	}
	return all
}

// A markdown is what tables are written to. It keeps the writer's first error for
// Flush.
type markdown struct {
	*bufio.Writer
	tables int
	marks  []string // the notes on the marks in the tables
}

// table writes a table.
func (m *markdown) table(t *table) {
	m.tables++
	fmt.Fprintf(m, "\n%s:\n\n", escape(t.title))
	m.row(len(t.heads), func(i int) string { return escape(t.heads[i]) })
	m.row(len(t.heads), func(i int) string {
		if i == 0 {
			return "---"
		}
		return "--:"
	})
	for _, row := range t.rows {
		m.row(len(row), func(i int) string {
			if row[i].best {
				return "**" + escape(row[i].text) + "**"
			}
			return escape(row[i].text)
		})
	}
	if len(t.notes) > 0 {
		fmt.Fprintf(m, "\n%s.\n", strings.Join(escapeAll(t.notes), "; "))
	}
	for _, note := range t.marked() {
		if !slices.Contains(m.marks, note) {
			m.marks = append(m.marks, note)
		}
	}
}

// row writes a row of n cells.
func (m *markdown) row(n int, cell func(i int) string) {
	for i := range n {
		fmt.Fprintf(m, "| %s ", cell(i))
	}
	m.WriteString("|\n")
}

// escape returns text that Markdown shows as it is.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '<':
			b.WriteString("&lt;")
		case '&':
			b.WriteString("&amp;")
		case '\\', '|', '`', '*', '_', '[', ']', '~', '#', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func escapeAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = escape(t)
	}
	return out
}

// circumstances returns where and how a run was.
func circumstances(run *result.Run) []string {
	m := run.Machine
	var parts []string
	for _, p := range []string{m.CPU, plural(m.Cores, "core"), m.OS, strings.Trim(m.GOOS+"/"+m.GOARCH, "/"), m.Go} {
		if p != "" && p != "0 cores" {
			parts = append(parts, p)
		}
	}
	if !run.Started.IsZero() {
		parts = append(parts, run.Started.Format("2 January 2006"))
	}
	return append(parts, plural(run.Settings.Rounds, "round")+" in turns")
}
