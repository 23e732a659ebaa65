package compare

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"time"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// For memory and growth, a router is loaded in each round and dropped after it. The load
// time is one of the figures, and with 100,000 routes in each router, the tables of the
// others would take gigabytes.

// The maximum numbers of rounds for memory and growth, which take long.
const (
	memoryRounds = 10
	growthRounds = 6
)

// memory measures what the routing structure keeps alive, and the time to load it.
func (c *comparison) memory(s *suite.Scenario) ([]result.Row, error) {
	v := c.newVisits(s)
	err := v.rounds(min(c.Settings.Rounds, memoryRounds), func(i int, r *router.Router, row *result.Row) error {
		heap, load, _, err := v.load(r, i)
		if err == nil {
			v.add(row, result.HeapBytes, heap)
			v.add(row, result.LoadTime, load)
		}
		return err
	})
	return v.rows, err
}

// A growing is what a router needed for the previous size.
type growing struct {
	routes  int
	load    time.Duration // of all its routes
	request time.Duration
	// loadBy and requestBy are how many times as long as for the size before that.
	loadBy, requestBy float64
	stopped           string
}

// What a router may be expected to need for a size, or it is left out. It is
// expected to need more as the routes are more, or as it did the last time if that
// was worse.
const (
	growthLoad    = 5 * time.Second
	growthRequest = 5 * time.Millisecond
)

// A pass over all requests of a size takes too long where each takes longer than
// slowRequest; then some do.
const (
	slowRequest  = 50 * time.Microsecond
	slowRequests = 50
)

// grow measures memory, load time and the time of requests for one number of routes.
func (c *comparison) grow(s *suite.Scenario) ([]result.Row, error) {
	if c.growth == nil {
		c.growth = map[string]growing{}
	}
	n := len(s.Routes.All)
	v := c.newVisits(s)
	before := maps.Clone(c.growth)
	err := v.rounds(min(c.Settings.Rounds, growthRounds), func(i int, r *router.Router, row *result.Row) error {
		heap, load, stack, err := v.load(r, i)
		if err != nil {
			return err
		}
		requests := v.proofs[i].requests
		if g := before[r.Name]; g.expect(g.request, g.requestBy, n) > slowRequest {
			requests = requests[:min(slowRequests, len(requests))]
		}
		o := c.options(v.cpu)
		o.Rounds, o.Rand = 1, c.rng
		samples, err := measure.Turns(c.ctx, o, []measure.Contender{contender(r.Name, stack, requests, false)}, nil)
		if err != nil {
			return err
		}
		if row.LeftOut = samples[0].LeftOut; row.LeftOut != "" {
			row.Samples = nil // of the rounds before
			return nil
		}
		perRequest := samples[0].Values[result.Time][0] / float64(len(requests))
		v.add(row, result.Time, perRequest)
		v.add(row, result.RoutesLoad, load/float64(n))
		v.add(row, result.RoutesHeap, heap/float64(n))
		c.growth[r.Name] = before[r.Name].next(n, time.Duration(load), time.Duration(perRequest))
		return nil
	})
	return v.rows, err
}

// ofEach returns what a row says whose operation is one of so many requests, of
// which each may be any: a router that answers only some is left out.
func (p *proof) ofEach(requests int) (answered int, leftOut string) {
	switch {
	case p.leftOut != "":
		return 0, p.leftOut
	case len(p.requests) < requests:
		return 0, fmt.Sprintf("it answers only %d of the %d requests right", len(p.requests), requests)
	}
	return 1, ""
}

// next returns what a router needed for n routes, given what it needed before.
func (g growing) next(n int, load, request time.Duration) growing {
	next := growing{routes: n, load: load, request: request}
	if g.load > 0 && g.request > 0 {
		next.loadBy, next.requestBy = float64(load)/float64(g.load), float64(request)/float64(g.request)
	}
	return next
}

// expect returns what is expected with n routes of what took so long, and so many
// times as long as before.
func (g growing) expect(took time.Duration, by float64, n int) time.Duration {
	if g.routes == 0 {
		return 0
	}
	return time.Duration(float64(took) * max(by, float64(n)/float64(g.routes)))
}

// tooSlow returns the reason why a router is not tried with n routes, or "".
func (g growing) tooSlow(n int) string {
	switch {
	case g.stopped != "":
		return g.stopped
	case g.expect(g.load, g.loadBy, n) > growthLoad:
		return fmt.Sprintf("it took %v to load %d routes", g.load.Round(time.Millisecond), g.routes)
	case g.expect(g.request, g.requestBy, n) > growthRequest:
		return fmt.Sprintf("a request took %v with %d routes", g.request.Round(time.Microsecond), g.routes)
	}
	return ""
}

// visits are rounds of a scenario in which each router is loaded, measured and dropped.
type visits struct {
	c      *comparison
	s      *suite.Scenario
	cpu    int
	proofs []proof // for each of the plan's routers
	rows   []result.Row
}

// newVisits determines what each router can be measured on.
func (c *comparison) newVisits(s *suite.Scenario) *visits {
	v := &visits{c: c, s: s, cpu: c.Settings.CPUs[len(c.Settings.CPUs)-1]}
	for i := range c.Routers {
		r := &c.Routers[i]
		row, p := result.Row{Router: r.Name, CPU: v.cpu}, proof{}
		switch g := c.growth[r.Name]; {
		case !takesPart(r, s):
			p.leftOut = "it is a variant"
		case c.ctx.Err() != nil:
			p.leftOut = "the run was interrupted"
		case s.Kind == result.Growth && g.tooSlow(len(s.Routes.All)) != "":
			p.leftOut = g.tooSlow(len(s.Routes.All))
			g.stopped = p.leftOut
			c.growth[r.Name] = g
		default:
			p = c.prove(r, s)
		}
		row.Answered, row.LeftOut = len(p.requests), p.leftOut
		if s.Kind == result.Growth {
			row.Answered, row.LeftOut = p.ofEach(len(s.Requests))
		}
		v.proofs, v.rows = append(v.proofs, p), append(v.rows, row)
	}
	return v
}

// rounds calls visit for each router in each round, in random order.
func (v *visits) rounds(n int, visit func(i int, r *router.Router, row *result.Row) error) error {
	defer v.dropVariants()
	for round := range n {
		v.c.begin(v.s.Name, v.c.visitEstimate(v.s)/time.Duration(n))
		for _, i := range v.c.rng.Perm(len(v.rows)) {
			if err := v.c.ctx.Err(); err != nil {
				v.trim(round)
				return err
			}
			if v.rows[i].LeftOut != "" {
				continue
			}
			if err := visit(i, &v.c.Routers[i], &v.rows[i]); err != nil {
				v.trim(round)
				return err
			}
		}
	}
	return nil
}

// trim drops what is behind the first n samples of each row: a round that was not
// finished.
func (v *visits) trim(n int) {
	for i := range v.rows {
		for unit, values := range v.rows[i].Samples {
			v.rows[i].Samples[unit] = values[:min(n, len(values))]
		}
	}
}

// dropVariants drops the rows of routers that do not take part.
func (v *visits) dropVariants() {
	rows := v.rows[:0]
	for i, row := range v.rows {
		if takesPart(&v.c.Routers[i], v.s) {
			rows = append(rows, row)
		}
	}
	v.rows = rows
}

// add adds a sample to a row.
func (v *visits) add(row *result.Row, unit string, value float64) {
	if row.Samples == nil {
		row.Samples = map[string][]float64{}
	}
	row.Samples[unit] = append(row.Samples[unit], value)
}

// load loads a router and serves a first request, which some need to be ready. It
// returns the bytes that it keeps alive, the time in nanoseconds, and the stack.
func (v *visits) load(r *router.Router, i int) (heap, load float64, stack router.Stack, err error) {
	p := &v.proofs[i]
	prepared := r.With(v.s.Middleware).Prepare(p.routes, router.Nothing)
	heaps, loads, err := measure.Memory(v.c.ctx, 1, func() (any, error) {
		l, err := prepared.Load()
		if err != nil {
			return nil, err
		}
		stack = l.Stack
		stack.Passes([]*http.Request{p.requests[0].HTTP})(1)
		return stack, nil
	})
	runtime.KeepAlive(prepared) // it was there before, so it must be there behind
	if err != nil {
		return 0, 0, nil, err
	}
	return heaps[0], loads[0], stack, nil
}
