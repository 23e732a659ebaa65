// Command compare compares services that compute how similar two texts are: this
// repository's, a first version in Go, and two in Rust.
//
//	go run ./similarity/compare                         all services, plain texts
//	go run ./similarity/compare -quick                  the same, less precise, in a minute
//	go run ./similarity/compare -kind messy             texts with punctuation, escapes and UTF-8
//	go run ./similarity/compare -services muxwell,rust-tuned -rounds 20 -json run.json
//	go run ./similarity/compare -help                   all flags
//
// The steps of a run:
//
//	services.go ─► build.go ─► check.go ─► turn.go ─► table.go, output.go
//
// It builds the services, checks the answers of each, and loads them in turns. A round has a
// turn for each service, in random order. A turn starts the service on a core of its own and
// the load generator on another, warms the service up, measures it, and stops it. Figures
// are medians of the rounds. A disturbance that lasts longer than a round affects all
// services alike, and ratios are computed within a round.
//
// Ctrl-C ends a run early and reports what was measured. The exit status is 0 on success, 1
// if something failed, 2 for invalid arguments, and 130 after Ctrl-C or SIGTERM.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/muxwell/muxwell/similarity/compare/generator"
)

func main() {
	generator.Child() // ends the process if it was started to load a service
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore) // a second signal kills the process
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// Exit statuses.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130 // 128 plus the number of SIGINT, as in shells
)

// A usageError is an error in the arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errInterrupted is the error of an interrupted run.
var errInterrupted = errors.New("interrupted")

// run runs the command and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := command(ctx, args, stdout, stderr)
	usage, isUsage := errors.AsType[usageError](err)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errInterrupted):
		return statusInterrupted
	case isUsage:
		fmt.Fprintf(stderr, "compare: %v\n", usage)
		return statusUsage
	}
	fmt.Fprintf(stderr, "compare: %v\n", err)
	return statusFailed
}

// command runs the command with the arguments.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	if o.list {
		return list(stdout)
	}
	if err := o.checkFiles(); err != nil {
		return usageError{err}
	}
	b, err := newBuilder(ctx, o.build)
	if err != nil {
		return err
	}
	return o.compare(ctx, b.build, stdout, stderr)
}

// compare builds, checks, measures and reports. A service that fails is excluded, and
// causes an error at the end.
func (o *options) compare(ctx context.Context, build func(context.Context, service) (string, error), stdout, stderr io.Writer) error {
	r := newResult(o)
	for _, note := range r.Notes {
		fmt.Fprintf(stderr, "compare: %s\n", note)
	}
	p := newProgress(stderr, o.estimate())
	err := o.measure(ctx, build, r, p)
	p.end()
	if err != nil && ctx.Err() == nil {
		return err
	}
	r.Interrupted = ctx.Err() != nil
	if r.Interrupted && !r.measured() {
		fmt.Fprintln(stderr, "compare: interrupted before anything was measured; there is no report")
		return errInterrupted
	}
	if err := o.report(r, stdout); err != nil {
		return err
	}
	if r.Interrupted {
		fmt.Fprintln(stderr, "compare: interrupted; the report has what was measured so far")
		return errInterrupted
	}
	return r.failed()
}

// measure goes through the steps of a run.
func (o *options) measure(ctx context.Context, build func(context.Context, service) (string, error), r *result, p *progress) error {
	s := newSession(o, r, p)
	if err := s.build(ctx, build); err != nil {
		return err
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	return s.rounds(ctx)
}
