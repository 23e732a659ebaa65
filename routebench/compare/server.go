package compare

import (
	"slices"
	"time"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/suite"
)

// serverSlice is the minimum time that a server is under load in each round.
const serverSlice = 500 * time.Millisecond

// serverOptions returns how servers are measured.
func (p *Plan) serverOptions() measure.ServerOptions {
	return measure.ServerOptions{
		Rounds: p.Settings.Rounds, Slice: max(serverSlice, 10*p.Settings.Slice), CPU: slices.Max(p.Settings.CPUs), Connections: 32,
	}
}

// server measures whole servers over loopback.
func (c *comparison) server(s *suite.Scenario) ([]result.Row, error) {
	var rows, leftOut []result.Row
	var servers []measure.Listener
	o := c.serverOptions()
	o.Rand = c.rng
	for i := range c.Routers {
		r := &c.Routers[i]
		if !takesPart(r, s) || c.ctx.Err() != nil {
			continue
		}
		p := c.prove(r, s)
		row := result.Row{Router: r.Name, CPU: o.CPU, Answered: len(p.requests), LeftOut: p.leftOut}
		if p.leftOut != "" {
			leftOut = append(leftOut, row)
			continue
		}
		stack, _, err := load(r, p, s)
		if err != nil {
			return nil, err
		}
		rows, servers = append(rows, row), append(servers, measure.Listener{Name: r.Name, Serve: stack.Serve, Requests: templates(p.requests)})
	}
	step := c.begin(s.Name, o.Estimate(len(servers)))
	samples, err := measure.Server(c.ctx, o, servers, step)
	for i, sample := range samples {
		rows[i].LeftOut, rows[i].Ops, rows[i].Samples = sample.LeftOut, sample.Ops, sample.Values
	}
	return append(rows[:len(samples)], leftOut...), err
}
