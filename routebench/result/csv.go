package result

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
)

// csvHeader names the columns of [WriteCSV].
var csvHeader = []string{
	"scenario", "suite", "kind", "routes", "requests", "router", "cpu", "answered", "unit", "median", "lo", "hi", "n", "p", "left out",
}

// WriteCSV writes a run for a spreadsheet. After a header there is a line for each unit of
// each row, with the median, the ends of its 95 % confidence interval, the number of
// samples, and the p-value of the comparison with the baseline at the same GOMAXPROCS
// (Mann-Whitney U test). Missing values are empty: the ends of an interval for which there
// are too few samples, and the baseline's own p-value. An excluded row is one line with the
// reason.
//
// Text that a spreadsheet would parse as a formula begins with an apostrophe.
func WriteCSV(w io.Writer, run *Run) error {
	out := csv.NewWriter(w)
	out.Write(csvHeader) // errors are kept until the end
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		for j := range s.Rows {
			writeRow(out, run, s, &s.Rows[j])
		}
	}
	out.Flush()
	return out.Error()
}

// writeRow writes the lines of a row.
func writeRow(out *csv.Writer, run *Run, s *Scenario, r *Row) {
	head := []string{
		inert(s.Name), inert(s.Suite), inert(string(s.Kind)), strconv.Itoa(s.Routes), strconv.Itoa(s.Requests),
		inert(r.Router), strconv.Itoa(r.CPU), strconv.Itoa(r.Answered),
	}
	written := false
	for _, unit := range Units {
		sum, ok := r.Summarize(unit, s.Row(run.Settings.Baseline, r.CPU))
		if !ok {
			continue
		}
		p := ""
		if sum.P >= 0 {
			p = number(sum.P)
		}
		out.Write(append(head[:len(head):len(head)], unit,
			number(sum.Center), number(sum.Lo), number(sum.Hi), strconv.Itoa(len(r.Samples[unit])), p, inert(r.LeftOut)))
		written = true
	}
	if !written {
		out.Write(append(head, "", "", "", "", "0", "", inert(r.LeftOut)))
	}
}

// number returns a number; nothing for one that is infinite.
func number(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// inert returns text that no spreadsheet parses as a formula.
func inert(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r\n") {
		return "'" + text
	}
	return text
}
