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
	start int64                    // the offset in the input at which the bar is empty
	drawn time.Time
	limit int // reports, -1 for all
	done  int // reports
}

// drawEvery is how often the bar is drawn.
const drawEvery = 100 * time.Millisecond

// newProgress returns a progress for an input of a size, or -1 if the size is unknown. The
// bar begins at start, so that it can compute the speed and the time left.
func newProgress(w io.Writer, size, start int64, reports int) *progress {
	p := &progress{w: w, start: start, drawn: time.Now(), limit: reports}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions64(max(-1, size-start),
			progressbar.OptionSetWriter(w),
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
	return p
}

// set shows that the input has been read up to an offset.
func (p *progress) set(offset int64) {
	if p.bar != nil && time.Since(p.drawn) >= drawEvery {
		p.drawn = time.Now()
		p.bar.Set64(offset - p.start)
	}
}

// report prints why rows were rejected, up to the limit.
func (p *progress) report(reports []report) {
	for _, r := range reports {
		p.done++
		switch {
		case p.limit < 0 || p.done <= p.limit:
			p.print(fmt.Sprintf("%s: %s", r.where(), r.reason))
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
	}
}

// where returns the lines of a row.
func (r report) where() string {
	if r.lines > 1 {
		return fmt.Sprintf("lines %d to %d", r.line, r.line+r.lines-1)
	}
	return fmt.Sprintf("line %d", r.line)
}
