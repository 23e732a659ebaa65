package loadgen

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// The load of a server comes from a child process, so that its CPU time is not that of
// the program that measures, and that it can have a core to itself. It is the same
// program, told by an environment variable what it is. Orders go to its standard input
// and reports come from its standard output, a line of JSON each:
//
//	order ──► carried out ──► report
//
// It ends with its input, and therefore with the process that started it.

// Child carries out orders and ends the process, if the process was started for that:
// if there is a variable of that name in the environment. Otherwise it does nothing. It
// must be the first thing that main does, and TestMain where tests start a child.
func Child[Order, Report any](variable string, carryOut func(Order) Report) {
	if os.Getenv(variable) == "" {
		return
	}
	signal.Ignore(os.Interrupt) // that of a terminal is meant for the parent
	if err := obey(os.Stdin, os.Stdout, carryOut); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// obey carries out orders until there are no more.
func obey[Order, Report any](in io.Reader, out io.Writer, carryOut func(Order) Report) error {
	orders, reports := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var o Order
		if err := orders.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("cannot read an order: %w", err)
		}
		if err := reports.Encode(carryOut(o)); err != nil {
			return fmt.Errorf("cannot report: %w", err)
		}
	}
}

// A Process is a child, as its parent sees it. It is for one goroutine at a time.
type Process[Order, Report any] struct {
	command *exec.Cmd
	in      io.WriteCloser
	orders  *json.Encoder
	reports *json.Decoder
	stderr  bytes.Buffer
}

// ErrNoChild is the error of a program that does not become a child when it is started
// as one.
var ErrNoChild = errors.New("the load generator does not run; main must call the Child of its package first of all")

// Start starts a child, with more variables in its environment, NAME=VALUE each. start
// calls [exec.Cmd.Start], or does more. The child is killed when ctx ends.
func Start[Order, Report any](ctx context.Context, variable string, start func(*exec.Cmd) error, environment ...string) (*Process[Order, Report], error) {
	if os.Getenv(variable) != "" {
		return nil, ErrNoChild // or it would go on for ever
	}
	p, err := newProcess[Order, Report](ctx, append(environment, variable+"=1"))
	if err == nil {
		err = start(p.command)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	return p, nil
}

// newProcess returns a child that is ready to be started.
func newProcess[Order, Report any](ctx context.Context, environment []string) (*Process[Order, Report], error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Process[Order, Report]{command: exec.CommandContext(ctx, program)}
	p.command.Env = append(os.Environ(), environment...)
	p.command.Stderr = &p.stderr
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.orders, p.reports = json.NewEncoder(p.in), json.NewDecoder(out)
	return p, nil
}

// Do gives an order and waits for the report. After an error the child is gone.
func (p *Process[Order, Report]) Do(o Order) (r Report, err error) {
	if err = p.orders.Encode(o); err == nil {
		err = p.reports.Decode(&r)
	}
	if err == nil {
		return r, nil
	}
	p.command.Process.Kill() // it may be no generator, but the program as a whole
	p.Stop()
	if said := strings.TrimSpace(p.stderr.String()); said != "" {
		return r, fmt.Errorf("the load generator failed: %s", said)
	}
	return r, fmt.Errorf("%w (%w)", ErrNoChild, err)
}

// Stop ends the child and waits until it has ended.
func (p *Process[Order, Report]) Stop() {
	p.in.Close()
	p.command.Wait()
}
