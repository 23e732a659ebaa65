package command

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A Bar shows progress on a terminal. On other writers it prints lines only. It serves one
// goroutine.
type Bar struct {
	w     io.Writer
	bar   *progressbar.ProgressBar // nil if w is not a terminal, and after End
	drawn time.Time
}

// drawEvery is how often a bar is drawn.
const drawEvery = 100 * time.Millisecond

// NewBar returns a bar for a step, up to an end, which is -1 if it is not known. The step has
// no name if it is empty. The progress is in bytes, or in numbers.
func NewBar(w io.Writer, step string, end int64, bytes bool) *Bar {
	b := &Bar{w: w, drawn: time.Now()}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		b.bar = progressbar.NewOptions64(end,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription(step),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowBytes(bytes),
			progressbar.OptionShowTotalBytes(bytes),
			progressbar.OptionShowCount(),
			progressbar.OptionUseIECUnits(true),
			progressbar.OptionFullWidth(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSpinnerType(14),
			progressbar.OptionSetRenderBlankState(true), // the time starts here
		)
	}
	return b
}

// Set shows that n are done.
func (b *Bar) Set(n int64) {
	if b.bar != nil && time.Since(b.drawn) >= drawEvery {
		b.drawn = time.Now()
		b.bar.Set64(n)
	}
}

// Print prints a line instead of the bar.
func (b *Bar) Print(line string) {
	if b.bar != nil {
		b.bar.Clear()
	}
	fmt.Fprintln(b.w, line)
}

// End removes the bar.
func (b *Bar) End() {
	if b.bar != nil {
		b.bar.Clear()
		b.bar.Exit()
		b.bar = nil
	}
}
