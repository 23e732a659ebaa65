// Package conflict checks the routes of one router against each other. Each pair that is surely
// registered together is registered on a mux that serves nothing.
package conflict

import (
	"errors"
	"fmt"
	"go/token"
	"net/http"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/muxwell/muxwell"

	"github.com/muxwell/muxwell/vet/internal/registration"
	"github.com/muxwell/muxwell/vet/internal/scratch"
)

// Analyzer reports routes that conflict and routes that never match.
var Analyzer = &analysis.Analyzer{
	Name: "conflict",
	Doc: `report routes that conflict, and routes that never match a request

A mux rejects a route that conflicts with one that was registered before: the program panics
when it starts. Reported are pairs of routes of one mux that are always registered together,
also if another package registers one of them, and routes of muxwell all of whose requests
another route matches.`,
	URL:      registration.URL + "#conflict",
	Requires: []*analysis.Analyzer{registration.Analyzer},
	Run:      run,
}

var tests bool

func init() {
	Analyzer.Flags.BoolVar(&tests, "tests", false, "check routes in _test.go files too")
}

// maxRoutes limits the routes of a mux that are compared pair by pair.
const maxRoutes = 2000

func run(pass *analysis.Pass) (any, error) {
	table := pass.ResultOf[registration.Analyzer].(*registration.Table)
	c := &checker{pass: pass, table: table, reported: make(map[[2]token.Pos]bool)}
	byMux := make(map[any][]*registration.Route)
	var order []any
	for _, rt := range table.Routes {
		if rt.Text == nil || rt.Prefix == nil && rt.Kind == registration.Muxwell || !tests && table.InTest(rt) {
			continue
		}
		k := rt.Router.Key()
		if byMux[k] == nil {
			order = append(order, k)
		}
		byMux[k] = append(byMux[k], rt)
	}
	for _, k := range order {
		routes := byMux[k]
		if len(routes) > maxRoutes {
			continue
		}
		switch routes[0].Kind {
		case registration.ServeMux:
			if !table.OldServeMux() {
				c.serveMux(routes)
			}
		case registration.Muxwell:
			c.muxwell(routes)
		}
	}
	c.mounts(byMux)
	return nil, nil
}

type checker struct {
	pass     *analysis.Pass
	table    *registration.Table
	reported map[[2]token.Pos]bool
}

// serveMux reports the conflicts between routes of an http.ServeMux.
func (c *checker) serveMux(routes []*registration.Route) {
	var texts []string
	for _, rt := range routes {
		texts = append(texts, rt.Text.Value)
	}
	if scratch.ServeMuxAccepts(texts) {
		return
	}
	for i, b := range routes {
		for _, a := range routes[:i] {
			if a.Kind != b.Kind || a.Text.Value[:min(1, len(a.Text.Value))] == "" {
				continue
			}
			if reason := scratch.ServeMuxConflict(a.Text.Value, b.Text.Value); reason != "" {
				c.report(a, b, "conflicts with", reason)
			}
		}
	}
}

// muxwell reports the conflicts between routes of a muxwell.Mux, and the routes that never
// match.
func (c *checker) muxwell(routes []*registration.Route) {
	o := c.table.Options(routes[0].Router)
	if o.AnyName && len(routes) < 2 {
		return
	}
	m := o.New()
	places := make(map[*muxwell.Route]*registration.Route)
	conflict := false
	for _, rt := range routes {
		added, err := c.add(m, rt)
		if err == nil {
			places[added] = rt
		}
		if _, ok := errors.AsType[*muxwell.ConflictError](err); ok {
			conflict = true
		}
	}
	if conflict {
		for i, b := range routes {
			for _, a := range routes[:i] {
				pair := o.New()
				if _, err := c.add(pair, a); err != nil {
					continue
				}
				_, err := c.add(pair, b)
				if ce, ok := errors.AsType[*muxwell.ConflictError](err); ok {
					c.report(a, b, "conflicts with", ce.Reason)
				}
			}
		}
	}
	for _, u := range m.Check().Unreachable {
		if u.By == nil || u.Reason == "" || places[u.By] == nil || places[u.Route] == nil {
			continue
		}
		c.report(places[u.By], places[u.Route], "is unreachable because of", "it matches all of its requests")
	}
}

// add registers a route on a mux with the options that are known. If one is not known, the
// route has a matcher that is like no other.
func (c *checker) add(m *muxwell.Mux, rt *registration.Route) (*muxwell.Route, error) {
	options, ok := c.table.RouteOptions(rt)
	if !ok {
		options = append(options, muxwell.MatchFunc(nothing))
	}
	return scratch.Add(m, *rt.Prefix, rt.Method, rt.Text.Value, options...)
}

// report reports the second of two routes.
func (c *checker) report(a, b *registration.Route, relation, reason string) {
	if registration.Together(a, b) {
		c.reportPair(pair{a, b, full(a), full(b)}, relation, reason)
	}
}

// A pair is two routes of a mux, with their patterns there.
type pair struct {
	a, b         *registration.Route
	fullA, fullB string
}

// reportPair reports the second of two routes that are registered together.
func (c *checker) reportPair(p pair, relation, reason string) {
	if p.a.Pos() > p.b.Pos() && relation == "conflicts with" {
		p.a, p.b, p.fullA, p.fullB = p.b, p.a, p.fullB, p.fullA
	}
	k := [2]token.Pos{p.a.Pos(), p.b.Pos()}
	if c.reported[k] || p.a.Pos() == p.b.Pos() && p.a.Remote == p.b.Remote {
		return
	}
	c.reported[k] = true
	c.pass.Report(analysis.Diagnostic{
		Pos: p.b.Text.Pos(0),
		Message: fmt.Sprintf("pattern %q%s %s %q (%s): %s",
			p.fullB, registered(p.b), relation, p.fullA, c.place(p.a), reason),
		Related: []analysis.RelatedInformation{{Pos: p.a.Text.Pos(0), Message: fmt.Sprintf("%q is registered here", p.fullA)}},
	})
}

// full returns a pattern with its method and prefix.
func full(rt *registration.Route) string {
	text := rt.Text.Value
	if rt.Prefix != nil && *rt.Prefix != "" {
		if added, err := scratch.Add(muxwell.New(), *rt.Prefix, rt.Method, text); err == nil {
			return added.Pattern()
		}
	}
	if rt.Method != "" {
		return rt.Method + " " + text
	}
	return text
}

// registered returns where another package registers a route, or "".
func registered(rt *registration.Route) string {
	if rt.Remote == "" {
		return ""
	}
	return " of " + rt.Remote
}

func (c *checker) place(rt *registration.Route) string {
	if rt.Remote != "" {
		return rt.Remote
	}
	p := c.pass.Fset.Position(rt.Text.Pos(0))
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// nothing is the function of a matcher that stands for an unknown option.
func nothing(*http.Request) bool { return true }
