package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/table"
)

// Main runs the command with the arguments after its name, and returns its exit status: 0
// if all rows were compared, 1 if something failed, 2 for invalid arguments, 3 if some rows
// were rejected, 130 if ctx was canceled. A progress bar is shown if stderr is a terminal.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if err == nil {
		err = o.run(ctx, stdin, stdout, stderr)
	}
	return command.Status("similarity batch", err, stderr)
}

// run compares the rows of all files, to one output or to one for each.
func (o *options) run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) error {
	files, err := table.Expand(o.inputs)
	if err != nil {
		return err
	}
	several := len(files) > 1
	if several && o.out == "" && o.rejected != "" {
		return command.UsageError{Err: errors.New("-rejected with several files also requires -out, with which there is one output")}
	}
	groups := [][]string{files}
	if o.out == "" {
		groups = slices.Collect(slices.Chunk(files, 1))
	}
	claims, known := newClaims(files, stdin, stdout, o.force), make([]bool, len(groups))
	for i, group := range groups { // as far as names tell, before anything is written
		f := cmp.Or(o.format, table.FormatOf(group[0]))
		if known[i] = f != ""; known[i] {
			if err := claims.add(o.names(group[0], f, len(group) > 1)); err != nil {
				return err
			}
		}
	}
	all := &run{options: o, stdin: stdin, stdout: stdout, stderr: stderr, progress: newProgress(stderr, o.reports, several)}
	for i, group := range groups {
		check := claims.add
		if known[i] {
			check = func(names) error { return nil }
		}
		if err := all.group(ctx, group, check); err != nil {
			return err
		}
	}
	if all.rejected {
		return command.ErrRejected
	}
	return nil
}

// A run is a run of the command.
type run struct {
	*options
	stdin          io.Reader
	stdout, stderr io.Writer
	progress       *progress
	rejected       bool // there were such rows
}

// group compares the rows of files to one output, and prints a summary.
func (r *run) group(ctx context.Context, files []string, check func(names) error) (err error) {
	var w *outputs
	var total counts
	started := time.Now()
	defer func() {
		if err == nil {
			return
		}
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%w after %s", command.ErrInterrupted, command.Count(total.compared+total.rejected, "row"))
		}
		if w != nil {
			err = w.abort(err)
		}
	}()
	for _, name := range files {
		f, err := table.Open(ctx, name, r.stdin, table.Options{Format: r.format, Default: table.CSV, Comma: r.comma, Limit: r.limit})
		if err != nil {
			return err
		}
		defer f.Close()
		if w == nil {
			n := r.names(name, f.Format, len(files) > 1)
			if err := check(n); err != nil {
				return err
			}
			if w, err = r.openOutputs(f, n, r.stdout); err != nil {
				return err
			}
		} else if err := w.checkNext(f); err != nil {
			return err
		}
		p := &pipeline{o: r.options, file: f, w: w, progress: r.progress}
		r.progress.start(name, f.Size)
		err = p.run(ctx)
		r.progress.End()
		total.add(p.counts)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return err
		}
	}
	if err := w.finish(); err != nil {
		return err
	}
	r.rejected = r.rejected || total.rejected > 0
	r.summarise(w.names, total, time.Since(started))
	return nil
}

// summarise prints the summary of complete outputs.
func (r *run) summarise(n names, c counts, took time.Duration) {
	if c.wordless > 0 {
		fmt.Fprintf(r.stderr, "similarity batch: %s without words in either text count as equal", command.Count(c.wordless, "row"))
		if c.others > 0 {
			fmt.Fprintf(r.stderr, "; -words unicode finds words in %d of them", c.others)
		}
		fmt.Fprintln(r.stderr)
	}
	fmt.Fprintf(r.stderr, "similarity batch: %s compared, %d rejected", command.Count(c.compared, "row"), c.rejected)
	if c.rejected > 0 {
		fmt.Fprintf(r.stderr, " (kept in %s)", n.rejected)
	}
	rows := float64(c.compared + c.rejected)
	fmt.Fprintf(r.stderr, "; %.1f s, %.0f rows/s\n", took.Seconds(), rows/max(took.Seconds(), 1e-3))
}
