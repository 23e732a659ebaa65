package measure

import (
	"context"
	"os/exec"
	"time"

	"github.com/muxwell/muxwell/internal/loadgen"
)

// childVariable is set in the environment of the child that makes the load, whose way of
// an order is: connect to the target, if there is one; load it for a time; report.
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
	var g generator
	loadgen.Child(childVariable, g.carryOut)
}

// A child is the child, as its parent sees it.
type child = loadgen.Process[order, report]

// startChild starts a child, which is killed when ctx ends.
func startChild(ctx context.Context) (*child, error) {
	return loadgen.Start[order, report](ctx, childVariable, (*exec.Cmd).Start)
}
