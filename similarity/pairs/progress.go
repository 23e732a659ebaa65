package pairs

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress shows the progress of a step by a bar, on a terminal.
type progress struct {
	w     io.Writer
	bar   *progressbar.ProgressBar // nil if w is not a terminal
	at    int64
	drawn time.Time
}

// newProgress returns a progress up to an end, or -1 if it is unknown.
func newProgress(w io.Writer, step string, end int64, bytes bool) *progress {
	p := &progress{w: w, drawn: time.Now()}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions64(end,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription(step),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowBytes(bytes),
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

// add shows that n more are done.
func (p *progress) add(n int64) { p.set(p.at + n) }

// set shows that n are done.
func (p *progress) set(n int64) {
	p.at = n
	if p.bar != nil && time.Since(p.drawn) >= 100*time.Millisecond {
		p.drawn = time.Now()
		p.bar.Set64(p.at)
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
