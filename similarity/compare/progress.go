package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows the progress of a run: a bar on a terminal, otherwise lines. It draws
// only between measurements.
type progress struct {
	w     io.Writer
	total time.Duration
	bar   *progressbar.ProgressBar // nil if w is not a terminal
}

// newProgress returns a progress for turns that take about that long.
func newProgress(w io.Writer, total time.Duration) *progress {
	p := &progress{w: w, total: total}
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

// now shows the current step; done is the share of the turns that are over.
func (p *progress) now(done float64, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	left := time.Duration((1 - done) * float64(p.total)).Round(time.Second)
	if p.bar == nil {
		fmt.Fprintf(p.w, "%s (about %s left)\n", what, left)
		return
	}
	p.bar.Describe(fmt.Sprintf("%-28s %s left", what, left))
	p.bar.Set64(int64(done * float64(p.total.Milliseconds())))
}

// note shows a line that stays.
func (p *progress) note(format string, args ...any) {
	if p.bar != nil {
		p.bar.Clear()
	}
	fmt.Fprintf(p.w, "compare: "+format+"\n", args...)
}

// end removes the bar.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
