// Command routebench compares Go's HTTP routers, with the classic benchmark's
// routes or with your own.
//
//	routebench                       the usual suites, muxwell and well-known routers
//	routebench -quick                the same, less exactly, in half a minute
//	routebench -routes FILE          your own routes, a line METHOD PATTERN each
//	routebench -openapi FILE         the operations of an OpenAPI description
//	routebench -suite all -routers all -html report.html
//	routebench -list                 what there is to choose from
//	routebench -help                 all flags
//
// Every router proves that it answers each request right before it is timed. The
// routers take turns in short slices within one process, in a random order each
// round; figures are medians with 95 % confidence intervals. Package measure says
// how exactly.
//
// Ctrl-C ends a run early: what was measured by then is reported. The exit status
// is 0 if all went well, 1 if something failed, 2 if routebench was called
// wrongly, and 130 after Ctrl-C or SIGTERM.
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
	"time"

	"github.com/muxwell/muxwell/routebench/measure"
)

func main() {
	measure.Child() // ends the process if it was started to load a server
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		restore() // from here on a signal kills
		time.AfterFunc(patience, func() {
			fmt.Fprintln(os.Stderr, "routebench: interrupted; it ends when the router at hand has loaded, or at once with another Ctrl-C")
		})
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// patience is how long an end that was asked for may take without a word.
const patience = time.Second

// Exit statuses.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130 // 128 and the number of SIGINT, as shells have it
)

// A usageError says how routebench was called wrongly.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errInterrupted is the error of a run that was ended early and is reported.
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
		fmt.Fprintf(stderr, "routebench: %v\n", usage)
		return statusUsage
	}
	fmt.Fprintf(stderr, "routebench: %v\n", err)
	return statusFailed
}

// command does what the arguments ask for.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stdout)
	if err != nil {
		return err
	}
	switch {
	case o.list:
		return list(stdout, o.seed)
	case o.from != "":
		return again(o, stdout)
	}
	return o.compare(ctx, args, stdout, stderr)
}
