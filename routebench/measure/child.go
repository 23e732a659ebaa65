package measure

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

// The load of a server comes from a child process, so that the CPU time of this one
// is the server's. It is the same program, told by an environment variable what it
// is. Orders go to its standard input and reports come from its standard output,
// a line of JSON each:
//
//	order ──> connect to the target, if there is one; load it for a time ──> report
//
// It ends with its input, and therefore with this process.

// childVariable is set in the environment of a child.
const childVariable = "ROUTEBENCH_LOAD"

// An order is what a child is asked for.
type order struct {
	Target *target       // to make connections to, in place of those before; nil to keep these
	For    time.Duration // how long to load it
}

// A report is what a child answers to an order.
type report struct {
	Requests     int
	Took         time.Duration
	Median, Tail time.Duration // of the delays
	Failed       int
	Reason       string // of the first that failed
}

// Child makes the load of [Server] and ends the process, if the process was started
// for that. Otherwise it does nothing. It must be the first thing that main does,
// and TestMain where tests call Server.
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
	var g generator
	defer g.close()
	for {
		var o order
		if err := orders.Decode(&o); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("cannot read an order: %w", err)
		}
		if err := reports.Encode(g.carryOut(o)); err != nil {
			return fmt.Errorf("cannot report: %w", err)
		}
	}
}

// A child is the child, as its parent sees it.
type child struct {
	command *exec.Cmd
	in      io.WriteCloser
	orders  *json.Encoder
	reports *json.Decoder
	stderr  bytes.Buffer
}

var errNoChild = errors.New("the load generator does not run; main must call measure.Child first of all")

// startChild starts a child, which is killed when ctx ends.
func startChild(ctx context.Context) (*child, error) {
	if os.Getenv(childVariable) != "" {
		return nil, errNoChild // or it would go on for ever
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	c := &child{command: exec.CommandContext(ctx, program)}
	c.command.Env = append(os.Environ(), childVariable+"=1")
	c.command.Stderr = &c.stderr
	if c.in, err = c.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	c.orders, c.reports = json.NewEncoder(c.in), json.NewDecoder(out)
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the load generator: %w", err)
	}
	return c, nil
}

// do gives an order and waits for the report.
func (c *child) do(o order) (r report, err error) {
	if err = c.orders.Encode(o); err == nil {
		err = c.reports.Decode(&r)
	}
	if err == nil {
		return r, nil
	}
	c.command.Process.Kill() // it may be no generator, but the program as a whole
	c.stop()
	if said := strings.TrimSpace(c.stderr.String()); said != "" {
		return r, fmt.Errorf("the load generator failed: %s", said)
	}
	return r, fmt.Errorf("%w (%w)", errNoChild, err)
}

// stop ends the child and waits until it has ended.
func (c *child) stop() {
	c.in.Close()
	c.command.Wait()
}
