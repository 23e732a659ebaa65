package compare

import (
	"fmt"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// A proof has the routes and requests on which a router can be measured.
type proof struct {
	routes   []*route.Route   // that it holds
	requests []*route.Request // that it answers right
	leftOut  string           // why there are none
}

// prove returns the routes and requests on which a router can be measured in a scenario,
// and records the faults. It does not keep the router, because its memory would affect the
// measurement of others.
func (c *comparison) prove(r *router.Router, s *suite.Scenario) proof {
	l, err := r.With(s.Middleware).Load(s.Routes.All, router.Answer)
	if err != nil {
		return proof{leftOut: err.Error()}
	}
	if !c.noted(s.Routes.Name, r.Name) {
		c.note(s.Routes.Name, s, r, l.Faults)
	}
	p := proof{}
	for i, rt := range s.Routes.All {
		if l.Takes(i) {
			p.routes = append(p.routes, rt)
		}
	}
	if len(p.routes) == 0 {
		return proof{leftOut: "it can hold none of the routes: " + l.Faults[0].Reason}
	}
	faults := l.Prove(s.Requests)
	for _, f := range misread(l, s.Routes, s.Requests) {
		if !slices.ContainsFunc(faults, func(known router.Fault) bool { return known.Request == f.Request }) {
			faults = append(faults, f)
		}
	}
	c.note(s.Name, s, r, faults)
	wrong := map[string]bool{}
	for _, f := range faults {
		wrong[f.Request] = true
	}
	for _, q := range s.Requests {
		switch {
		case q.Route >= 0 && !l.Takes(q.Route), wrong[q.String()]:
		case q.Route < 0 && len(p.routes) < len(s.Routes.All):
			p.leftOut = fmt.Sprintf("it can hold only %d of the %d routes", len(p.routes), len(s.Routes.All))
		default:
			p.requests = append(p.requests, q)
		}
	}
	most := 2*len(p.requests) > len(s.Requests) && 2*len(p.routes) > len(s.Routes.All)
	switch {
	case most, len(p.requests) > 0 && s.Suite == suite.OwnName: // of their own routes people want to know all
		p.leftOut = ""
	case len(p.requests) > 0 && 2*len(p.routes) <= len(s.Routes.All):
		p.leftOut = fmt.Sprintf("it can hold only %d of the %d routes", len(p.routes), len(s.Routes.All))
	case len(p.requests) > 0:
		p.leftOut = fmt.Sprintf("it answers only %d of the %d requests right", len(p.requests), len(s.Requests))
	case p.leftOut == "" && len(faults) > 0:
		p.leftOut = "it answers wrongly: " + faults[0].Reason
	case p.leftOut == "":
		p.leftOut = "it cannot hold the routes that are asked for"
	}
	return p
}

// noted reports whether a router's faults with a set of routes are recorded.
func (c *comparison) noted(routes, name string) bool {
	for _, f := range c.run.Faults {
		if f.Scenario == routes && f.Router == name {
			return true
		}
	}
	return false
}

// note records a router's faults in a scenario, or with a set of routes.
func (c *comparison) note(where string, s *suite.Scenario, r *router.Router, faults []router.Fault) {
	for _, f := range faults {
		fault := result.Fault{Scenario: where, Router: r.Name, Request: f.Request, Reason: f.Reason}
		if f.Route >= 0 {
			rt := s.Routes.All[f.Route]
			fault.Route, fault.Source = rt.Text, rt.Source
		}
		c.run.Faults = append(c.run.Faults, fault)
	}
}
