package report

import (
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// A table is what a terminal and a README show of a part of a run.
type table struct {
	title string
	about string // below the title; may be empty
	heads []string
	rows  [][]cell
	// apart is how many of the last rows are set apart from the others.
	apart int
	notes []string // below the table, on the marks in it
}

// A cell is a field of a table. The best ones of a column or row are those that are
// level with the first.
type cell struct {
	text string
	best bool
}

// Marks in tables. What they mean is in the notes below.
const (
	partial = "*" // behind a figure
	foreign = "†" // behind a router
	nothing = "–"
)

const (
	foreignNote = foreign + " not net/http: on a server stack of its own"
	partialNote = partial + " answers only some of the requests, and was measured on those"
	nothingNote = nothing + " not measured"
)

// label returns a router as tables call it.
func label(run *result.Run, router string) string {
	if s := stack(run, router); s != "" && s != "net/http" {
		return router + foreign
	}
	return router
}

// marked returns the notes on the marks that a table has.
func (t *table) marked() []string {
	has := func(end string) bool {
		in := func(text string) bool { return len(text) >= len(end) && text[len(text)-len(end):] == end }
		return slices.ContainsFunc(t.heads, in) || slices.ContainsFunc(t.rows, func(row []cell) bool {
			return slices.ContainsFunc(row, func(c cell) bool { return in(c.text) })
		})
	}
	var notes []string
	for _, m := range [][2]string{{foreign, foreignNote}, {partial, partialNote}, {nothing, nothingNote}} {
		if has(m[0]) {
			notes = append(notes, m[1])
		}
	}
	return notes
}

// transposed returns a table with rows and columns exchanged; what is set apart is a
// row only where it was a column, the last.
func (t *table) transposed() *table {
	turned := *t
	turned.heads = []string{t.heads[0]}
	for _, row := range t.rows {
		turned.heads = append(turned.heads, row[0].text)
	}
	turned.rows = nil
	for i, head := range t.heads[1:] {
		row := []cell{{text: head}}
		for _, from := range t.rows {
			row = append(row, from[i+1])
		}
		turned.rows = append(turned.rows, row)
	}
	return &turned
}

// ratioText returns a ratio for a table.
func ratioText(x float64) string {
	switch {
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return digits(x)
}

// interval returns how far the confidence interval of a summary goes to either side.
func interval(s result.Summary) string { return "±" + s.PctRangeString() }
