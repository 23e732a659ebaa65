package measure

import (
	"context"
	"os/exec"
	"time"

	"github.com/muxwell/muxwell/internal/loadgen"
)

// childVariable is set in the environment of the child that generates the load. For each
// order, the child connects to the target, if there is one, loads it for a time, and
// reports.
const childVariable = "ROUTEBENCH_LOAD"

// An order is an order to a child.
type order struct {
	Target *target       // to connect to instead of the previous one; nil to keep the connections
	For    time.Duration // how long to load it
}

// A report is a child's answer to an order.
type report struct {
	Requests     int
	Took         time.Duration
	Median, Tail time.Duration // of the delays
	Failed       int
	Reason       string // of the first that failed
}

// Child generates the load for [Server] and ends the process, if the process was started
// for that. Otherwise it does nothing. Main must call it first, and so must TestMain in
// tests that call Server.
func Child() {
	var g generator
	loadgen.Child(childVariable, g.carryOut)
}

// A child is a child process that generates load.
type child = loadgen.Process[order, report]

// startChild starts a child, which is killed when ctx ends.
func startChild(ctx context.Context) (*child, error) {
	return loadgen.Start[order, report](ctx, childVariable, (*exec.Cmd).Start)
}
