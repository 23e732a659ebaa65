package main

import (
	"fmt"
	"math"
	"strings"
)

// markdown returns a result as a table with notes.
func (r *result) markdown() string {
	var b strings.Builder
	head := []string{
		"service", "requests/s", "CPU per request", "p50", "p99", "peak memory",
		"requests/s to " + r.Settings.Baseline, "CPU to " + r.Settings.Baseline,
	}
	writeCells(&b, head)
	b.WriteString("| --- |" + strings.Repeat(" ---: |", len(head)-1) + "\n")
	var leftOut []*row
	for _, row := range r.Services {
		if row.LeftOut != "" {
			leftOut = append(leftOut, row)
		}
		if row.Figures != nil {
			writeCells(&b, append([]string{row.Name}, row.Figures.cells()...))
		}
	}
	b.WriteByte('\n')
	for _, row := range leftOut {
		fmt.Fprintf(&b, "%s is excluded: %s\n\n", row.Name, row.LeftOut)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "Note: %s.\n\n", note)
	}
	b.WriteString(r.conditions())
	return b.String()
}

// conditions describes how the figures were measured.
func (r *result) conditions() string {
	s, m := r.Settings, r.Machine
	where := "on any core"
	if r.cores.service != anyCore {
		where = fmt.Sprintf("on core %d, the load generator on core %d", r.cores.service, r.cores.generator)
	}
	rust := ""
	if m.Rust != "" {
		rust = ", " + m.Rust
	}
	ended, interval := "", ""
	if r.Interrupted {
		ended = "The run was interrupted. "
	}
	if s.Rounds >= intervalRounds {
		interval = ", ± the 95 % confidence interval"
	}
	return fmt.Sprintf("%sMedians of %s of %g s%s. %d bodies of %s texts on %d connections; services %s, with one thread that computes. %s, %s, %s, %s%s. %s.\n",
		ended, count(s.Rounds, "round"), s.Seconds, interval, s.Bodies, s.Kind, s.Connections, where, m.CPU, count(m.Cores, "core"), m.OS, m.Go, rust, r.Date.Format("2006-01-02"))
}

// intervalRounds is the minimum number of rounds for a confidence interval.
const intervalRounds = 6

// count returns a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

func writeCells(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// cells returns the figures as formatted in the table.
func (f *figures) cells() []string {
	return []string{
		f.Throughput.cell("%.0f", 1, ""),
		f.CPU.cell("%.1f", 1, " µs"),
		f.P50.cell("%.2f", 1e3, " ms"),
		f.P99.cell("%.2f", 1e3, " ms"),
		f.Peak.cell("%.1f", 1<<20, " MiB"),
		f.ThroughputRatio.cell("%.2f", 1, "×"),
		f.CPURatio.cell("%.2f", 1, "×"),
	}
}

// cell returns an estimate in a unit, or – if there is none.
func (e *estimate) cell(format string, unit float64, name string) string {
	if e == nil {
		return "–"
	}
	s := fmt.Sprintf(format, e.Median/unit) + name
	if e.Low > 0 {
		percent := 100 * max(e.High-e.Median, e.Median-e.Low) / e.Median
		s += fmt.Sprintf(" ±%.0f %%", math.Ceil(percent))
	}
	return s
}
