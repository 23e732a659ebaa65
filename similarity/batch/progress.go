package batch

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows the progress of a run, with a bar on a terminal, and reports rejected
// rows.
type progress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar // nil if w is not a terminal
	drawn time.Time
	names bool   // reports name the file
	name  string // of the file
	limit int    // reports, -1 for all
	done  int    // reports
}

// drawEvery is how often the bar is drawn.
const drawEvery = 100 * time.Millisecond

// newProgress returns a progress that reports up to limit rows.
func newProgress(w io.Writer, limit int, names bool) *progress {
	return &progress{w: w, limit: limit, names: names}
}

// start shows the bar of a file with a size, or -1 if it is not known.
func (p *progress) start(name string, size int64) {
	p.name, p.drawn = name, time.Now()
	if file, ok := p.w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowBytes(true),
			progressbar.OptionShowTotalBytes(true),
			progressbar.OptionShowCount(),
			progressbar.OptionUseIECUnits(true),
			progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSpinnerType(14),
			progressbar.OptionSetRenderBlankState(true), // the time starts here
		)
	}
}

// set shows that the input has been read up to an offset.
func (p *progress) set(offset int64) {
	if p.bar != nil && time.Since(p.drawn) >= drawEvery {
		p.drawn = time.Now()
		p.bar.Set64(offset)
	}
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
			p.print(where + ": " + r.reason)
		case p.done == p.limit+1 && p.limit > 0:
			p.print("more rows are rejected; -reports -1 reports all")
		}
	}
}

// print prints a line instead of the bar.
func (p *progress) print(line string) {
	if p.bar != nil {
		p.bar.Clear()
	}
	fmt.Fprintln(p.w, line)
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Clear()
		p.bar.Exit()
		p.bar = nil
	}
}

// where returns the lines of a row.
func (r report) where() string {
	if r.lines > 1 {
		return fmt.Sprintf("lines %d to %d", r.line, r.line+r.lines-1)
	}
	return fmt.Sprintf("line %d", r.line)
}
