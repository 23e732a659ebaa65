// Package suite defines the scenarios, each with its routes and requests. The oracle of
// package source determines the right answers.
package suite

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell/internal/routelist"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/source"
	"github.com/muxwell/muxwell/routes"
)

// A Scenario is one task for the routers.
type Scenario struct {
	Name  string // GithubAll
	Suite string // classic
	Kind  result.Kind
	About string // one sentence
	// Routes are what the routers are given. Scenarios share them where they can.
	Routes *Routes
	// Requests are served in turn, all of them in one operation.
	Requests []*route.Request
	Task     router.Task
	// Middleware is the number of middleware around all routes. They do nothing.
	Middleware int
	// Variant is the variant of routers that takes part in addition to routers without one.
	Variant string
	// Parallel reports whether as many goroutines serve requests as there are CPUs.
	Parallel bool

	// build creates Routes, of which there are size, and Requests, if they are not set from
	// the start. Routers must not be measured while the heap has a hundred thousand routes of
	// another scenario, which each garbage collection would scan.
	build func() (*Routes, []*route.Request, error)
	size  int
}

// later returns s with size routes and requests for them, which are created when they are
// needed.
func later(s Scenario, size int, routes func() (*Routes, error), requests func(*Routes) ([]*route.Request, error)) Scenario {
	s.size = size
	s.build = func() (*Routes, []*route.Request, error) {
		rs, err := routes()
		if err != nil {
			return nil, nil, err
		}
		asked, err := requests(rs)
		return rs, asked, err
	}
	return s
}

// Size returns the number of routes.
func (s *Scenario) Size() int {
	if s.build != nil {
		return s.size
	}
	return len(s.Routes.All)
}

// Build creates Routes and Requests if they are not set from the start. The scenario must
// not be used before Build or after [Scenario.Drop].
func (s *Scenario) Build() (err error) {
	if s.build != nil {
		s.Routes, s.Requests, err = s.build()
	}
	return err
}

// Drop releases what Build created.
func (s *Scenario) Drop() {
	if s.build != nil {
		s.Routes, s.Requests = nil, nil
	}
}

// Routes is a set of routes that scenarios share, with the oracle for the right answers.
type Routes struct {
	Name   string
	All    []*route.Route
	Oracle *source.Oracle
}

// newRoutes returns the routes of patterns.
func newRoutes(name string, patterns ...string) (*Routes, error) {
	all := make([]*route.Route, len(patterns))
	for i, p := range patterns {
		r, err := route.Parse(p)
		if err != nil {
			return nil, err
		}
		all[i] = r
	}
	return Of(name, all)
}

// Of returns a set of routes.
func Of(name string, all []*route.Route) (*Routes, error) {
	o, err := source.NewOracle(all)
	return &Routes{Name: name, All: all, Oracle: o}, err
}

// listed returns the routes of a list of the repository.
func listed(name string) (*Routes, error) {
	f, err := routes.FS.Open(name + ".txt")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := routelist.Parse(name, f)
	if err != nil {
		return nil, err
	}
	var patterns []string
	for _, e := range entries {
		patterns = append(patterns, e.Pattern)
	}
	return newRoutes(name+".txt", patterns...)
}

// ask returns the requests METHOD TARGET with the right answers.
func (rs *Routes) ask(lines ...string) ([]*route.Request, error) {
	var requests []*route.Request
	for _, line := range lines {
		method, target, _ := strings.Cut(line, " ")
		q, err := rs.Oracle.Request(method, "", target)
		if err != nil {
			return nil, err
		}
		requests = append(requests, q)
	}
	return requests, nil
}

// each returns one request for each route.
func (rs *Routes) each(seed uint64) ([]*route.Request, error) {
	requests, unreachable := rs.Oracle.Samples(seed)
	if len(unreachable) > 0 {
		return nil, fmt.Errorf("no request reaches %s", rs.All[unreachable[0]])
	}
	return requests, nil
}

// A builder collects scenarios and stops at the first error.
type builder struct {
	scenarios []Scenario
	err       error
}

// routes returns the value of a call that makes routes.
func (b *builder) routes(rs *Routes, err error) *Routes {
	if err != nil && b.err == nil {
		b.err = err
	}
	if rs == nil {
		rs = &Routes{}
	}
	return rs
}

// add adds a scenario with the requests of a call that makes them.
func (b *builder) add(s Scenario, requests []*route.Request, err error) {
	if err != nil && b.err == nil {
		b.err = fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	s.Requests = requests
	b.scenarios = append(b.scenarios, s)
}

// asking adds a scenario with requests METHOD TARGET.
func (b *builder) asking(s Scenario, lines ...string) {
	if b.err == nil {
		requests, err := s.Routes.ask(lines...)
		b.add(s, requests, err)
	}
}

// all adds a scenario with a request for each route.
func (b *builder) all(s Scenario, seed uint64) {
	if b.err == nil {
		requests, err := s.Routes.each(seed)
		b.add(s, requests, err)
	}
}
