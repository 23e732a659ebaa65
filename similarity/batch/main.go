package batch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"
)

// Exit statuses.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusRejected    = 3
	statusInterrupted = 130 // 128 plus the number of SIGINT, as in shells
)

// A usageError is an error in the arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errRejected is the error of a complete run that rejected some rows.
var errRejected = errors.New("rows were rejected")

// errInterrupted is the error of a run that was canceled by ctx.
var errInterrupted = errors.New("interrupted")

// Main runs the command with the arguments after its name, and returns its exit status: 0
// if all rows were compared, 1 if something failed, 2 for invalid arguments, 3 if some rows
// were rejected, 130 if ctx was canceled. A progress bar is shown if stderr is a terminal.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if err == nil {
		err = o.run(ctx, stdin, stdout, stderr)
	}
	return status(err, stderr)
}

// status returns the exit status for an error, and prints the error unless it has been
// reported already.
func status(err error, stderr io.Writer) int {
	_, isUsage := errors.AsType[usageError](err)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errRejected):
		return statusRejected
	}
	fmt.Fprintf(stderr, "similarity batch: %v\n", err)
	switch {
	case errors.Is(err, errInterrupted):
		return statusInterrupted
	case isUsage:
		return statusUsage
	}
	return statusFailed
}

// run opens the files, compares the rows, and prints a summary.
func (o *options) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	in, err := openInput(ctx, o.input, stdin)
	if err != nil {
		return err
	}
	defer in.close()
	if err := checkDistinct(o, in, stdout); err != nil {
		return err
	}
	rows := newSplitter(in.r, o.comma, o.limit, 0, 1)
	head, err := readHeader(rows)
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	w, at, err := openOutputs(o, in, head, stdout)
	if err != nil {
		return err
	}
	defer w.close()
	return o.compare(ctx, in, rows, w, at, stderr)
}

// compare compares the rows from a position on, and closes the outputs.
func (o *options) compare(ctx context.Context, in *input, rows *splitter, w *outputs, at position, stderr io.Writer) error {
	p := &pipeline{o: o, rows: rows, w: w, at: at}
	if err := p.begin(in, stderr); err != nil {
		return p.stopped(ctx, err)
	}
	started, before := time.Now(), p.at.Compared+p.at.RejectedRows
	p.progress = newProgress(stderr, in.size(), p.at.Input, o.reports)
	err := p.run(ctx)
	p.progress.end()
	if err != nil {
		return p.stopped(ctx, err)
	}
	if err := in.checkUnchanged(); err != nil {
		return err
	}
	if err := w.finish(p.at); err != nil {
		return err
	}
	summarise(stderr, o, p.at, before, time.Since(started))
	if p.at.RejectedRows > 0 {
		return errRejected
	}
	return nil
}

// begin writes the headers, or seeks to the position at which an earlier run stopped.
func (p *pipeline) begin(in *input, stderr io.Writer) (err error) {
	if p.at.Input > 0 {
		fmt.Fprintf(stderr, "similarity batch: continuing in line %d, after %s\n", p.at.Line, count(p.at.Compared+p.at.RejectedRows, "row"))
		p.now = p.at
		p.rows, err = in.splitterAt(p.at, p.o)
		return err
	}
	at, err := p.w.begin(p.rows)
	if err == nil {
		p.at, p.now = at, at
	}
	return err
}

// stopped saves the progress of a run that did not reach the end, and returns its error.
func (p *pipeline) stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = errInterrupted
	}
	rows := count(p.at.Compared+p.at.RejectedRows, "row")
	if p.w.journal == nil {
		return fmt.Errorf("%w after %s; the output is not complete, and this run cannot be continued", err, rows)
	}
	if failed := p.w.checkpoint(p.at); failed != nil {
		if errors.Is(err, errInterrupted) { // or the first error tells the cause
			err = fmt.Errorf("%w; %w", err, failed)
		}
		return fmt.Errorf("%w; after fixing this, continue from the last checkpoint with the same command and -resume", err)
	}
	return fmt.Errorf("%w after %s; continue with the same command and -resume", err, rows)
}

// summarise prints the summary of a complete run. Rows before are those of the run that it
// continued.
func summarise(w io.Writer, o *options, p position, before int64, took time.Duration) {
	if p.Wordless > 0 {
		fmt.Fprintf(w, "similarity batch: %s without words in either text count as equal", count(p.Wordless, "row"))
		if p.OtherScripts > 0 {
			fmt.Fprintf(w, "; -words unicode finds words in %d of them", p.OtherScripts)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "similarity batch: %s compared, %d rejected", count(p.Compared, "row"), p.RejectedRows)
	if p.RejectedRows > 0 {
		fmt.Fprintf(w, " (kept in %s)", o.rejected)
	}
	rows := p.Compared + p.RejectedRows - before
	fmt.Fprintf(w, "; %.1f s, %.0f rows/s\n", took.Seconds(), float64(rows)/max(took.Seconds(), 1e-3))
}
