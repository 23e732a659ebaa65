package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"golang.org/x/term"

	"github.com/muxwell/muxwell/routebench/compare"
	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/routers"
	"github.com/muxwell/muxwell/routebench/suite"
)

// compare runs a comparison and reports it.
func (o *options) compare(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	plan, notes, err := o.plan()
	if err != nil {
		return err
	}
	if err := o.outputs.check(map[string]string{"routes": o.routes, "openapi": o.openapi}); err != nil {
		return usageError{err}
	}
	for _, n := range notes {
		fmt.Fprintf(stderr, "routebench: %s\n", n)
	}
	bar := newProgress(stderr, plan.Estimate())
	run, err := compare.Run(ctx, plan, bar)
	bar.end()
	if err != nil {
		return err
	}
	run.Command = append([]string{"routebench"}, args...)
	run.Warnings = append(run.Warnings, notes...)
	if run.Interrupted && len(run.Scenarios) == 0 && len(run.Matrix) == 0 {
		fmt.Fprintln(stderr, "routebench: interrupted before anything was measured; there is no report")
		return errInterrupted
	}
	if err := o.report(run, stdout); err != nil {
		return err
	}
	if run.Interrupted {
		fmt.Fprintln(stderr, "routebench: interrupted; the report has what was measured so far")
		return errInterrupted
	}
	return nil
}

// again reports a run that was written by -json.
func again(o *options, stdout io.Writer) error {
	data, err := readFile(o.from)
	if err != nil {
		return usageError{fmt.Errorf("-from: %w", err)}
	}
	run, err := result.ReadJSON(bytes.NewReader(data))
	if err != nil {
		return usageError{fmt.Errorf("-from: %s: %w", shownName(o.from), err)}
	}
	if err := o.outputs.check(map[string]string{"from": o.from}); err != nil {
		return usageError{err}
	}
	return o.report(run, stdout)
}

// report writes a run to the output files and to the terminal. The files come first,
// because a pipe that is closed early ends the process.
func (o *options) report(run *result.Run, stdout io.Writer) error {
	written, err := o.outputs.write(run)
	opts := look(stdout)
	opts.Tables = o.tables
	err = errors.Join(err, report.Terminal(stdout, run, opts))
	for i, file := range written {
		if i == 0 {
			fmt.Fprintln(stdout)
		}
		fmt.Fprintf(stdout, "Wrote %s.\n", file)
	}
	return err
}

// look returns the layout of tables for a writer.
func look(w io.Writer) report.Options {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return report.Options{}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 80
	}
	return report.Options{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: width}
}

// list lists what there is to choose from.
func list(stdout io.Writer, seed uint64) error {
	w := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	versions := measure.Versions()
	fmt.Fprintln(w, "Routers (* are the best known, which are compared by default)")
	for _, r := range routers.All() {
		known := " "
		if r.Known {
			known = "*"
		}
		module := "standard library"
		if r.Module != "" {
			module = r.Module + " " + versions[r.Module]
		}
		fmt.Fprintf(w, "%s %s\t%s\t%s\n", known, r.Name, module, r.Note)
	}
	fmt.Fprintln(w, "\nSuites and their scenarios")
	for _, s := range suite.All() {
		fmt.Fprintf(w, "  %s\t%s\n", s.Name, s.About)
		scenarios, err := s.Make(seed)
		if err != nil {
			return err
		}
		for _, sc := range scenarios {
			fmt.Fprintf(w, "    %s\t%s\n", sc.Name, sc.About)
		}
	}
	fmt.Fprintf(w, "  %s\t%s\n", matrixName, "What each router can express, and whether it answers right.")
	return w.Flush()
}
