// Package compare runs a comparison, which loads each router with the routes of a
// scenario, checks its answers and measures it.
//
//	routes ──> load, prove ──> measure in turns ──> rows
//	               └─ faults: what a router cannot express, refuses or answers wrongly
//
// A router that does not have all routes, or answers some requests wrongly, is measured
// on the other requests, and its row says so. It is excluded if these are at most half of
// the requests, or if it does not have more than half of the routes: the figure would not
// be comparable. Routes of the user's own are an exception. A router that does not have all
// routes is also excluded from scenarios in which no route matches, because such a request
// is faster with fewer routes.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/muxwell/muxwell/routebench/matrix"
	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// A Plan is the plan of a comparison.
type Plan struct {
	Routers   []router.Router
	Scenarios []suite.Scenario
	Matrix    bool // ask what each router is able to do
	Settings  result.Settings
}

// A Progress shows the progress of a run. Its methods are called between measurements.
type Progress interface {
	// Now reports the current step and the estimated time left.
	Now(what string, done, left time.Duration)
}

// Run runs a plan. If ctx ends, it returns the results so far, with Interrupted set, and no
// error.
func Run(ctx context.Context, p Plan, progress Progress) (*result.Run, error) {
	began := time.Now()
	c := &comparison{
		Plan: p, progress: progress, ctx: ctx,
		rng: rand.New(rand.NewPCG(p.Settings.Seed, 1)),
		run: &result.Run{Started: began.UTC().Truncate(time.Second), Settings: p.Settings, Machine: measure.Machine()},
	}
	err := c.all()
	if ctx.Err() != nil {
		c.run.Interrupted, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	c.run.Took = time.Since(began)
	c.run.Warnings = slices.Concat(c.floors.sentences(), c.census.sentences(), measure.Noise(c.run))
	return c.run, nil
}

// A comparison is a run in progress.
type comparison struct {
	Plan
	ctx      context.Context
	progress Progress
	rng      *rand.Rand
	run      *result.Run
	done     time.Duration // of the estimates, for progress
	growth   map[string]growing
	census   census
	floors   footing
}

func (c *comparison) all() error {
	if err := c.routers(); err != nil {
		return err
	}
	if c.Matrix && c.ctx.Err() == nil {
		c.begin("matrix", matrixEstimate)
		c.run.Matrix = matrix.Run(c.Routers)
	}
	for i := range c.Scenarios {
		if c.ctx.Err() != nil {
			return nil
		}
		if err := c.scenario(&c.Scenarios[i]); err != nil {
			return fmt.Errorf("scenario %s: %w", c.Scenarios[i].Name, err)
		}
	}
	return nil
}

// routers notes which routers take part.
func (c *comparison) routers() error {
	versions := measure.Versions()
	for i := range c.Routers {
		r := &c.Routers[i]
		stack, err := r.Load(nil, router.Nothing)
		if err != nil {
			return fmt.Errorf("router %s: %w", r.Name, err)
		}
		version := c.run.Machine.Go
		if r.Module != "" {
			version = versions[r.Module]
		}
		c.run.Routers = append(c.run.Routers, result.Router{Name: r.Name, Module: r.Module, Version: version, Stack: stack.Name(), Note: r.Note})
	}
	slices.SortFunc(c.run.Routers, func(a, b result.Router) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// scenario proves and measures a scenario.
func (c *comparison) scenario(s *suite.Scenario) error {
	c.progress.Now(s.Name, c.done, max(0, c.Estimate()-c.done)) // making, loading and proving may take a while
	if err := s.Build(); err != nil {
		return err
	}
	defer s.Drop()
	out := result.Scenario{Name: s.Name, Suite: s.Suite, Kind: s.Kind, About: s.About, Requests: len(s.Requests), Routes: len(s.Routes.All)}
	var err error
	switch s.Kind {
	case result.Speed:
		out.Rows, err = c.speed(s)
	case result.Memory:
		out.Rows, err = c.memory(s)
	case result.Growth:
		out.Requests = 1 // an operation is one of them
		out.Rows, err = c.grow(s)
	case result.Server:
		out.Rows, err = c.server(s)
	}
	measured := slices.ContainsFunc(out.Rows, func(r result.Row) bool { return len(r.Samples) > 0 })
	if measured || c.ctx.Err() == nil && err == nil {
		c.run.Scenarios = append(c.run.Scenarios, out)
	}
	if c.ctx.Err() != nil {
		return nil
	}
	return err
}

// takesPart reports whether a router takes part in a scenario.
func takesPart(r *router.Router, s *suite.Scenario) bool {
	return r.Variant == "" || r.Variant == s.Variant
}

// begin tells the progress what comes next, and that it is expected to take so
// long. It returns what measurements are to call with the time that they have
// taken and will take in all.
func (c *comparison) begin(what string, expected time.Duration) (step func(done, total time.Duration)) {
	rest := max(0, c.Estimate()-c.done-expected) // of the plan
	before := c.done
	c.done += expected
	step = func(done, total time.Duration) {
		c.progress.Now(what, before+min(done, expected), max(0, total-done)+rest)
	}
	step(0, expected)
	return step
}
