package compare

import (
	"time"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/suite"
)

const matrixEstimate = 3 * time.Second

// perRoute is the approximate time to load a route.
const perRoute = 15 * time.Microsecond

// Estimate returns about how long the plan takes.
func (p *Plan) Estimate() time.Duration {
	var all time.Duration
	if p.Matrix {
		all += matrixEstimate
	}
	for i := range p.Scenarios {
		all += p.estimate(&p.Scenarios[i])
	}
	return all
}

// estimate returns about how long a scenario takes.
func (p *Plan) estimate(s *suite.Scenario) (d time.Duration) {
	switch s.Kind {
	case result.Speed:
		n := 1 // the floor of net/http; those of other stacks are few
		for i := range p.Routers {
			if takesPart(&p.Routers[i], s) {
				n++
			}
		}
		for _, cpu := range p.Settings.CPUs {
			d += p.options(cpu).Estimate(n) + time.Duration(n*p.Settings.Rounds*s.Size())*perRoute
		}
		return d
	case result.Server:
		return p.serverOptions().Estimate(len(p.Routers))
	}
	return p.visitEstimate(s)
}

// visitEstimate returns about how long a scenario takes in which routers are loaded again
// in each round.
func (p *Plan) visitEstimate(s *suite.Scenario) time.Duration {
	const settle = 10 * time.Millisecond
	rounds, visit := min(p.Settings.Rounds, memoryRounds), settle
	if s.Kind == result.Growth {
		rounds, visit = min(p.Settings.Rounds, growthRounds), settle+3*p.Settings.Slice
	}
	visit += time.Duration(s.Size()) * perRoute
	return time.Duration(rounds*len(p.Routers)) * visit
}
