package generator

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
	"time"
)

// childVariable is set in the environment of a child.
const childVariable = "SIMILARITY_COMPARE_LOAD"

// An Order is what a child is asked for.
type Order struct {
	Target *Target       // to make connections to, in place of those before; nil to keep these
	For    time.Duration // how long to load it
}

// A Report is what a child answers to an order.
type Report struct {
	Requests int // that were sent
	Took     time.Duration
	P50, P99 time.Duration // of the time from a request to its answer
	CPU      time.Duration // that the generator took
	Failed   int           // of the requests
	Reason   string        // of the first that failed
}

// Child makes the load and ends the process, if the process was started for that.
// Otherwise it does nothing. It must be the first thing that main does, and TestMain
// where tests load services.
func Child() {
	if os.Getenv(childVariable) == "" {
		return
	}
	signal.Ignore(os.Interrupt) // that of a terminal is meant for the parent
	if err := obey(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// obey carries out orders until there are no more.
func obey(in io.Reader, out io.Writer) error {
	orders, reports := json.NewDecoder(in), json.NewEncoder(out)
	var l loader
	defer l.close()
	for {
		var o Order
		if err := orders.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("cannot read an order: %w", err)
		}
		if err := reports.Encode(l.carryOut(o)); err != nil {
			return fmt.Errorf("cannot report: %w", err)
		}
	}
}

// A Generator is a child, as its parent sees it.
type Generator struct {
	command *exec.Cmd
	in      io.WriteCloser
	orders  *json.Encoder
	reports *json.Decoder
	stderr  bytes.Buffer
}

var errNoChild = errors.New("the load generator does not run; main must call generator.Child first of all")

// Start starts a child, by start, which calls [exec.Cmd.Start] or does more. The child is
// killed when ctx ends.
func Start(ctx context.Context, start func(*exec.Cmd) error) (*Generator, error) {
	if os.Getenv(childVariable) != "" {
		return nil, errNoChild // or it would go on for ever
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	g := &Generator{command: exec.CommandContext(ctx, program)}
	g.command.Env = append(os.Environ(), childVariable+"=1", "GOMAXPROCS=1")
	g.command.Stderr = &g.stderr
	if g.in, err = g.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	out, err := g.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	g.orders, g.reports = json.NewEncoder(g.in), json.NewDecoder(out)
	if err := start(g.command); err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	return g, nil
}

// Do gives an order and waits for the report. After an error the child is gone.
func (g *Generator) Do(o Order) (r Report, err error) {
	if err = g.orders.Encode(o); err == nil {
		err = g.reports.Decode(&r)
	}
	if err == nil {
		return r, nil
	}
	g.command.Process.Kill() // it may be no generator, but the program as a whole
	g.Stop()
	if said := strings.TrimSpace(g.stderr.String()); said != "" {
		return r, fmt.Errorf("the load generator failed: %s", said)
	}
	return r, fmt.Errorf("%w (%w)", errNoChild, err)
}

// Stop ends the child and waits until it has ended.
func (g *Generator) Stop() {
	g.in.Close()
	g.command.Wait()
}
