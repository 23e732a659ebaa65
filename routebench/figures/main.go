// Command figures writes the tables, charts and marked numbers in the repository's
// documents. Each is generated from one file, which has the results of a run.
//
//	go run ./routebench/figures                       write all of them
//	go run ./routebench/figures -check                write nothing, report what differs
//	go run ./routebench/figures -list                 list the runs, and what may be marked
//	go run ./routebench/figures -measure benchmarks   measure a run, then write
//
// It replaces the text between marks in Markdown files, and writes the files in
// routebench/results that show a whole run. The tests of this package run -check.
// CONTRIBUTING.md explains the marks.
//
// The exit status is 0 on success, 1 if something differs, cannot be generated or has no
// mark, and 2 for invalid arguments.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/muxwell/muxwell/internal/wholefile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("figures", flag.ContinueOnError)
	fs.SetOutput(stderr)
	check := fs.Bool("check", false, "write nothing, report what differs")
	list := fs.Bool("list", false, "list the runs and what may be marked")
	names := fs.String("measure", "", "measure these comma-separated `runs` first; -list shows them")
	rounds := fs.Int("rounds", 10, "the number of `rounds` for benchmarks, at least 6")
	benchtime := fs.String("benchtime", "0.2s", "the `duration` of a benchmark in a round")
	root := fs.String("root", "", "the `folder` of the repository (default the one around the current folder)")
	if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	usage := func(err error) int {
		fmt.Fprintf(stderr, "figures: %v\n", err)
		return 2
	}
	switch {
	case fs.NArg() > 0:
		return usage(fmt.Errorf("there is no operand %q; -help shows the flags", fs.Arg(0)))
	case *rounds < 6:
		return usage(fmt.Errorf("-rounds %d: a median has a 95 %% confidence interval from 6 rounds on", *rounds))
	case *check && *names != "":
		return usage(errors.New("-check writes nothing, and -measure does; give one of them"))
	case *list:
		listAll(stdout)
		return 0
	}
	if *root == "" {
		found, err := findRoot()
		if err != nil {
			return usage(err)
		}
		*root = found
	}
	var wanted []*source
	for name := range strings.SplitSeq(*names, ",") {
		if *names == "" {
			break
		}
		s, err := sourceNamed(strings.TrimSpace(name))
		if err != nil {
			return usage(fmt.Errorf("-measure: %w", err))
		}
		wanted = append(wanted, s)
	}
	for _, s := range wanted {
		if err := measureRun(ctx, *root, s, *rounds, *benchtime, stderr); err != nil {
			fmt.Fprintf(stderr, "figures: -measure %s: %v\n", s.name, err)
			return 1
		}
	}
	ok, err := refresh(*root, *check, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "figures: %v\n", err)
		return 1
	}
	if !ok {
		return 1
	}
	return 0
}

// listAll prints the runs and the names of marks.
func listAll(w io.Writer) {
	fmt.Fprintln(w, "runs:")
	for _, s := range sources {
		fmt.Fprintf(w, "  %-12s %s: %s\n", s.name, s.file, s.about)
	}
	fmt.Fprintln(w, "tables, <!-- figures:NAME -->:")
	for _, b := range blocks {
		fmt.Fprintf(w, "  %s\n", b.name)
	}
	fmt.Fprintln(w, "numbers, <!--fig NAME-->:")
	for _, c := range counts {
		fmt.Fprintf(w, "  %-16s %s\n", c.name, c.about)
	}
	fmt.Fprintln(w, "  RUN/SCENARIO/ROUTER/GOMAXPROCS, as in classic/GithubAll/muxwell/1: a time, of a server the processor time of a request")
}

// findRoot returns the folder of the repository that the current folder is in.
func findRoot() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.work")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("this folder is not in the repository; name its folder with -root")
		}
		folder = parent
	}
}

// refresh writes all figures anew, or only reports what differs, and reports whether
// all is right, or has been put right.
func refresh(root string, check bool, w io.Writer) (ok bool, err error) {
	d := open(root)
	ok = true
	write := func(name string, old, made []byte) error {
		if bytes.Equal(old, made) {
			return nil
		}
		if check {
			ok = false
			return nil
		}
		fmt.Fprintf(w, "%s is written\n", name)
		return wholefile.Write(filepath.Join(root, name), func(f *os.File) error {
			_, err := f.Write(made)
			return err
		})
	}
	var whole []string
	for _, out := range d.allOutputs() {
		whole = append(whole, out.file)
		made, err := out.make()
		if err != nil {
			return false, fmt.Errorf("%s: %w", out.file, err)
		}
		old, err := os.ReadFile(filepath.Join(root, out.file))
		if err != nil && !os.IsNotExist(err) {
			return false, err
		}
		if check && !bytes.Equal(old, made) {
			fmt.Fprintf(w, "%s differs from the file of its run\n", out.file)
		}
		if err := write(out.file, old, made); err != nil {
			return false, err
		}
	}
	names, err := documents(root, whole)
	if err != nil {
		return false, err
	}
	for _, name := range names {
		old, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return false, err
		}
		made, differs, wrong := rewrite(name, string(old), d)
		wrong = append(wrong, unmarked(made)...)
		if check {
			wrong = append(wrong, differs...)
		}
		for _, f := range wrong {
			ok = false
			fmt.Fprintf(w, "%s:%d: %s\n", name, f.line, f.text)
		}
		if err := write(name, old, []byte(made)); err != nil {
			return false, err
		}
	}
	if check && !ok {
		fmt.Fprintln(w, "\"go run ./routebench/figures\" writes what differs anew")
	}
	return ok, nil
}

// allOutputs returns all files that are made of one run as a whole.
func (d *data) allOutputs() []output {
	var all []output
	for i := range sources {
		all = append(all, d.outputs(&sources[i])...)
	}
	return append(all, d.pictures()...)
}

// runProgram runs a program in the root of the repository. When ctx ends, the program is
// interrupted.
func runProgram(ctx context.Context, root string, stdout, stderr io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return nil
}
