package compare

import (
	"fmt"
	"net/http"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// speed measures the time of requests: all routers are loaded and take turns.
func (c *comparison) speed(s *suite.Scenario) ([]result.Row, error) {
	var rows []result.Row // those to be measured, for each of CPUs
	var contenders []measure.Contender
	var leftOut []result.Row
	proven := map[string]proof{}
	for i := range c.Routers {
		if r := &c.Routers[i]; takesPart(r, s) {
			proven[r.Name] = c.prove(r, s)
		}
	}
	c.forget()
	for i := range c.Routers {
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
		stack, err := load(r, p, s.Task)
		if err != nil {
			return nil, err
		}
		rows, contenders = append(rows, row), append(contenders, contender(r.Name, stack, p.requests, s.Parallel))
	}
	floor := router.HandlerStack(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	rows = append(rows, result.Row{Router: result.Floor, Answered: len(s.Requests)})
	contenders = append(contenders, contender(result.Floor, floor, s.Requests, s.Parallel))

	var out []result.Row
	for _, cpu := range c.Settings.CPUs {
		o := c.options(cpu)
		o.Rand = c.rng
		step := c.begin(s.Name, o.Estimate(len(contenders)))
		samples, err := measure.Turns(c.ctx, o, contenders, step)
		c.census.count(samples)
		for i, sample := range samples {
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

// load returns a router with the routes that it holds, and makes sure that it
// answers the requests as it did when it proved them.
func load(r *router.Router, p proof, task router.Task) (router.Stack, error) {
	l, err := r.Load(p.routes, task)
	if err != nil {
		return nil, fmt.Errorf("router %s: %w", r.Name, err)
	}
	for _, f := range l.Faults {
		return nil, fmt.Errorf("router %s refuses %s the second time: %s", r.Name, p.routes[f.Route], f.Reason)
	}
	for _, q := range p.requests {
		if got := l.Reply(q.HTTP).Status; got != q.Status {
			return nil, fmt.Errorf("router %s answers %s with status %d, and with %d when it was proved", r.Name, q, got, q.Status)
		}
	}
	return l.Stack, nil
}

// contender returns what takes turns with others.
func contender(name string, stack router.Stack, requests []*route.Request, parallel bool) measure.Contender {
	var templates []*http.Request
	for _, q := range requests {
		templates = append(templates, q.HTTP)
	}
	if parallel {
		return measure.Contender{Name: name, Parallel: func() func(int) { return stack.Passes(templates) }}
	}
	return measure.Contender{Name: name, Pass: stack.Passes(templates)}
}

// filled returns a row with samples, made up to all of the requests.
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
