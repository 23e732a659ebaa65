// Command routebench compares Go's HTTP routers, with the classic benchmark's
// routes or with your own.
//
//	routebench                       the usual suites, muxwell and well-known routers
//	routebench -quick                the same, less precise, in half a minute
//	routebench -routes FILE          your own routes, one METHOD PATTERN per line
//	routebench -openapi FILE         the operations of an OpenAPI description
//	routebench -suite all -routers all -html report.html
//	routebench -list                 the routers, suites and scenarios
//	routebench -help                 all flags
//
// Before a router is timed, its answer to each request is checked. The routers take
// turns in short slices within one process, in a random order each round. Figures are
// medians with 95 % confidence intervals. Package measure has the details.
//
// Ctrl-C ends a run early and reports what was measured. The exit status is 0 on
// success, 1 if something failed, 2 for invalid arguments, and 130 after Ctrl-C or
// SIGTERM.
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
		restore() // a second signal kills the process
		time.AfterFunc(patience, func() {
			fmt.Fprintln(os.Stderr, "routebench: interrupted; it ends when the current router has loaded, or immediately after another Ctrl-C")
		})
	})
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// patience is how long an interrupted run may take to end before it prints a message.
const patience = time.Second

// Exit statuses.
const (
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130 // 128 plus the number of SIGINT, as in shells
)

// A usageError is an error in the arguments.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errInterrupted is the error of a run that was interrupted and is reported.
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

// command runs the command with the arguments.
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
