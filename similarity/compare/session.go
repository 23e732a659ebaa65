package main

import (
	"context"
	"errors"
	"fmt"
)

// A session is a run in progress.
type session struct {
	*options
	r          *result
	p          *progress
	cores      cores
	contenders []*contender
	bodies     [][]byte // of the load
}

// A contender is a service that takes part, until it fails.
type contender struct {
	service
	program string
	answers [][]byte // its right ones to the bodies of the load
	row     *row
}

func newSession(o *options, r *result, p *progress) *session {
	s := &session{options: o, r: r, p: p, cores: r.cores}
	for i, service := range o.services {
		s.contenders = append(s.contenders, &contender{service: service, row: r.Services[i]})
	}
	return s
}

// build builds all services, and excludes those that cannot be built.
func (s *session) build(ctx context.Context, build func(context.Context, service) (string, error)) error {
	for _, c := range s.contenders {
		s.p.now(0, "building %s", c.name)
		program, err := build(ctx, c.service)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.program = program
		if err != nil {
			s.leaveOut(c, err)
		}
	}
	return s.someLeft()
}

// leaveOut excludes a contender from now on. Its measurements so far are kept.
func (s *session) leaveOut(c *contender, err error) {
	c.row.LeftOut = err.Error()
	c.row.failed = !errors.Is(err, errSkipped)
	s.p.note("%s is excluded: %v", c.name, err)
	var left []*contender
	for _, other := range s.contenders {
		if other != c {
			left = append(left, other)
		}
	}
	s.contenders = left
}

// someLeft returns an error if all contenders are excluded.
func (s *session) someLeft() error {
	if len(s.contenders) == 0 {
		return fmt.Errorf("no service is left to measure")
	}
	return nil
}
