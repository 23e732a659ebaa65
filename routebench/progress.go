package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows the progress of a run: a bar on a terminal, otherwise a line for each
// step. It draws only when it is called, which is between measurements.
type progress struct {
	w    io.Writer
	bar  *progressbar.ProgressBar // nil if w is not a terminal
	last string
	when time.Time // it was drawn
}

// drawEvery is the minimum time between two drawings of the bar in the same step.
const drawEvery = 100 * time.Millisecond

// newProgress returns a progress for a run that takes about total.
func newProgress(w io.Writer, total time.Duration) *progress {
	p := &progress{w: w}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions64(max(1, total.Milliseconds()),
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetWidth(30),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false),
			progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// Now shows the current step and the estimated time left.
func (p *progress) Now(what string, done, left time.Duration) {
	switch {
	case p.bar != nil && what == p.last && time.Since(p.when) < drawEvery:
	case p.bar != nil:
		p.when = time.Now()
		p.bar.Describe(fmt.Sprintf("%-28s %s left", what, left.Round(time.Second)))
		p.bar.ChangeMax64(max(1, (done + left).Milliseconds()))
		p.bar.Set64(done.Milliseconds())
	case what != p.last:
		fmt.Fprintf(p.w, "%s (about %s left)\n", what, left.Round(time.Second))
	}
	p.last = what
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
