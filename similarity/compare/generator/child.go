package generator

import (
	"context"
	"os/exec"
	"time"

	"github.com/muxwell/muxwell/internal/loadgen"
)

// childVariable is set in the environment of a child.
const childVariable = "SIMILARITY_COMPARE_LOAD"

// An Order is an order to a child.
type Order struct {
	Target *Target       // to connect to instead of the previous one; nil to keep the connections
	For    time.Duration // how long to load it
}

// A Report is a child's answer to an order.
type Report struct {
	Requests int // that were sent
	Took     time.Duration
	P50, P99 time.Duration // of the time from a request to its answer
	CPU      time.Duration // that the generator took
	Failed   int           // of the requests
	Reason   string        // of the first that failed
}

// Child generates the load and ends the process, if the process was started for that.
// Otherwise it does nothing. Main must call it first, and so must TestMain in tests that
// load services.
func Child() {
	var l loader
	loadgen.Child(childVariable, l.carryOut)
}

// A Generator is a child process that generates load.
type Generator = loadgen.Process[Order, Report]

// Start starts a child with start, which must call [exec.Cmd.Start]. The child is killed
// when ctx ends.
func Start(ctx context.Context, start func(*exec.Cmd) error) (*Generator, error) {
	return loadgen.Start[Order, Report](ctx, childVariable, start, "GOMAXPROCS=1")
}
