package batch

import (
	"fmt"
	"io"

	"github.com/muxwell/muxwell/similarity/internal/command"
)

// A progress shows the progress of a run, and reports rejected rows.
type progress struct {
	*command.Bar
	w     io.Writer
	names bool   // reports name the file
	name  string // of the file
	limit int    // reports, -1 for all
	done  int    // reports
}

// newProgress returns a progress that reports up to limit rows.
func newProgress(w io.Writer, limit int, names bool) *progress {
	return &progress{w: w, limit: limit, names: names}
}

// start shows the bar of a file with a size, or -1 if it is not known.
func (p *progress) start(name string, size int64) {
	p.name, p.Bar = name, command.NewBar(p.w, "", size, true)
}

// report prints why rows were rejected, up to the limit.
func (p *progress) report(reports []report) {
	for _, r := range reports {
		p.done++
		switch {
		case p.limit < 0 || p.done <= p.limit:
			where := r.where()
			if p.names {
				where = p.name + ": " + where
			}
			p.Print(where + ": " + r.reason)
		case p.done == p.limit+1 && p.limit > 0:
			p.Print("more rows are rejected; -reports -1 reports all")
		}
	}
}

// where returns the lines of a row.
func (r report) where() string {
	if r.lines > 1 {
		return fmt.Sprintf("lines %d to %d", r.line, r.line+r.lines-1)
	}
	return fmt.Sprintf("line %d", r.line)
}
