package compare

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// speed measures the time of requests: all routers are loaded and measured in turns.
func (c *comparison) speed(s *suite.Scenario) ([]result.Row, error) {
	var rows []result.Row // those to be measured, for each of CPUs
	var contenders []measure.Contender
	var leftOut []result.Row
	stacks := []string{"net/http"} // whose floors are measured too
	proven := map[string]proof{}
	for i := range c.Routers {
		if r := &c.Routers[i]; takesPart(r, s) && c.ctx.Err() == nil {
			proven[r.Name] = c.prove(r, s)
		}
	}
	for i := range c.Routers {
		if c.ctx.Err() != nil {
			return nil, nil
		}
		r := &c.Routers[i]
		p, ok := proven[r.Name]
		if !ok {
			continue
		}
		row := result.Row{Router: r.Name, Answered: len(p.requests), LeftOut: p.leftOut}
		if p.leftOut != "" {
			leftOut = append(leftOut, row)
			continue
		}
		stack, again, err := load(r, p, s)
		if err != nil {
			return nil, err
		}
		entry := renewed(contender(r.Name, stack, p.requests, s.Parallel), again, p.requests)
		rows, contenders = append(rows, row), append(contenders, entry)
		if !slices.Contains(stacks, stack.Name()) {
			stacks = append(stacks, stack.Name())
		}
	}
	bare, err := floors(stacks, s)
	if err != nil {
		return nil, err
	}
	rows = append(rows, result.Row{Router: result.Floor, Answered: len(s.Requests)})
	contenders = append(contenders, bare...)

	var out []result.Row
	for _, cpu := range c.Settings.CPUs {
		o := c.options(cpu)
		o.Rand = c.rng
		step := c.begin(s.Name, o.Estimate(len(contenders)))
		samples, err := measure.Turns(c.ctx, o, contenders, step)
		c.census.count(samples)
		c.floors.count(samples[min(len(samples), len(rows)):], len(s.Requests))
		for i, sample := range samples[:min(len(samples), len(rows))] {
			out = append(out, filled(rows[i], cpu, sample, len(s.Requests)))
		}
		for _, row := range leftOut {
			row.CPU = cpu
			out = append(out, row)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// options returns how to measure at a GOMAXPROCS.
func (p *Plan) options(cpu int) measure.Options {
	return measure.Options{Rounds: p.Settings.Rounds, Slice: p.Settings.Slice, CPU: cpu}
}

// renewable is the maximum load time of a router that is loaded again for each of its
// turns.
const renewable = 100 * time.Millisecond

// load returns a router with the routes that it accepts, and checks that its answers are
// the same as before. again returns another router like it, or is nil if loading takes too
// long.
func load(r *router.Router, p proof, s *suite.Scenario) (stack router.Stack, again func() (router.Stack, error), err error) {
	prepared := r.With(s.Middleware).Prepare(p.routes, s.Task)
	began := time.Now()
	l, err := prepared.Load()
	took := time.Since(began)
	if err != nil {
		return nil, nil, fmt.Errorf("router %s: %w", r.Name, err)
	}
	for _, f := range l.Faults {
		return nil, nil, fmt.Errorf("router %s refuses %s the second time: %s", r.Name, p.routes[f.Route], f.Reason)
	}
	for _, q := range p.requests {
		if got := l.Reply(q.HTTP).Status; got != q.Status {
			return nil, nil, fmt.Errorf("router %s answers %s with status %d, and with %d when it was proved", r.Name, q, got, q.Status)
		}
	}
	if took > renewable {
		return l.Stack, nil, nil
	}
	return l.Stack, func() (router.Stack, error) {
		l, err := prepared.Load()
		if err != nil {
			return nil, err
		}
		return l.Stack, nil
	}, nil
}

// contender returns what takes turns with others.
func contender(name string, stack router.Stack, requests []*route.Request, parallel bool) measure.Contender {
	templates := templates(requests)
	if parallel {
		return measure.Contender{Name: name, Parallel: func() func(int) { return stack.Passes(templates) }}
	}
	return measure.Contender{Name: name, Pass: stack.Passes(templates)}
}

// renewed returns a contender that is created again with again for each turn, unless again
// is nil.
func renewed(c measure.Contender, again func() (router.Stack, error), requests []*route.Request) measure.Contender {
	if again == nil {
		return c
	}
	c.Fresh = func() (measure.Contender, error) {
		stack, err := again()
		if err != nil {
			return measure.Contender{}, err
		}
		return contender(c.Name, stack, requests, c.Parallel != nil), nil
	}
	return c
}

// templates returns the requests themselves.
func templates(requests []*route.Request) []*http.Request {
	var out []*http.Request
	for _, q := range requests {
		out = append(out, q.HTTP)
	}
	return out
}

// filled returns a row with samples, extrapolated to all requests.
func filled(row result.Row, cpu int, sample measure.Samples, requests int) result.Row {
	row.CPU, row.LeftOut = cpu, sample.LeftOut
	row.Ops, row.Samples = sample.Ops, sample.Values
	if row.Answered < requests {
		for _, values := range row.Samples {
			for i := range values {
				values[i] *= float64(requests) / float64(row.Answered)
			}
		}
	}
	return row
}
