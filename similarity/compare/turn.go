package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"time"

	"github.com/muxwell/muxwell/similarity/compare/generator"
)

// rounds measures the services, a turn of each in a round.
func (s *session) rounds(ctx context.Context) error {
	g, err := generator.Start(ctx, func(cmd *exec.Cmd) error { return startOn(cmd, s.cores.generator) })
	if err != nil {
		return err
	}
	defer g.Stop()
	rng := rand.New(rand.NewPCG(s.seed, 0))
	for round := range s.options.rounds {
		turns := slices.Clone(s.contenders)
		rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		for i, c := range turns {
			done := (float64(round) + float64(i)/float64(len(turns))) / float64(s.options.rounds)
			s.p.now(done, "round %d of %d: %s", round+1, s.options.rounds, c.name)
			sample, err := s.turn(ctx, g, c)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if failure, ok := err.(turnError); ok {
				s.leaveOut(c, failure)
				continue
			}
			if err != nil {
				return err
			}
			sample.Round = round + 1
			c.row.Samples = append(c.row.Samples, sample)
		}
		if err := s.someLeft(); err != nil {
			return err
		}
	}
	return nil
}

// A turnError is the error of a service that failed.
type turnError struct{ error }

func (e turnError) Unwrap() error { return e.error }

// turn starts a service, warms it up, measures it and stops it. The error is a turnError if
// the service failed, otherwise that of the generator.
func (s *session) turn(ctx context.Context, g *generator.Generator, c *contender) (sample, error) {
	p, err := startProcess(ctx, c.program, c.args, s.cores.service)
	if err != nil {
		return sample{}, turnError{err}
	}
	out, err := s.underLoad(g, c, p)
	if ended := p.stop(); err == nil && ended != nil {
		err = turnError{ended}
	}
	return out, err
}

// underLoad measures a running service.
func (s *session) underLoad(g *generator.Generator, c *contender, p *process) (out sample, err error) {
	if _, err := s.put(g, generator.Order{Target: s.target(c, p), For: s.warm()}); err != nil {
		return out, err
	}
	pid := p.cmd.Process.Pid
	before, err := cpuTime(pid)
	if err != nil {
		return out, turnError{err}
	}
	r, err := s.put(g, generator.Order{For: s.duration})
	if err != nil {
		return out, err
	}
	after, err := cpuTime(pid)
	peak, peakErr := peakMemory(pid)
	if err = cmp.Or(err, peakErr); err != nil {
		return out, turnError{err}
	}
	return sample{
		Requests:      r.Requests,
		Seconds:       r.Took.Seconds(),
		Throughput:    float64(r.Requests) / r.Took.Seconds(),
		CPU:           micros(after-before) / float64(r.Requests),
		P50:           micros(r.P50),
		P99:           micros(r.P99),
		Peak:          peak,
		GeneratorBusy: r.CPU.Seconds() / r.Took.Seconds(),
	}, nil
}

// target returns the target for a service.
func (s *session) target(c *contender, p *process) *generator.Target {
	t := &generator.Target{Address: p.url.Host, Connections: s.connections}
	for i, body := range s.bodies {
		t.Calls = append(t.Calls, generator.Call{Request: generator.Post("/similarity", p.url.Host, body), Answer: c.answers[i]})
	}
	return t
}

// put sends an order to the generator. Failed requests are a turnError.
func (s *session) put(g *generator.Generator, o generator.Order) (generator.Report, error) {
	r, err := g.Do(o)
	if err == nil && r.Failed > 0 {
		err = turnError{fmt.Errorf("%d of %d requests failed; the first error is: %s", r.Failed, r.Requests, r.Reason)}
	}
	return r, err
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
