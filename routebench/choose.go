package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/compare"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/routers"
	"github.com/muxwell/muxwell/routebench/source"
	"github.com/muxwell/muxwell/routebench/suite"
)

// plan returns the plan that the options ask for, and what the user should know
// about it before it runs.
func (o *options) plan() (p compare.Plan, notes []string, err error) {
	p.Settings = result.Settings{Rounds: o.rounds, Slice: o.slice, CPUs: o.cpus, Seed: o.seed, Baseline: o.baseline}
	if p.Routers, err = o.chosenRouters(); err != nil {
		return p, nil, usageError{err}
	}
	own, notes, err := o.ownRoutes()
	if err != nil {
		return p, nil, usageError{err}
	}
	if own != nil {
		scenarios, unreachable, err := suite.Own(own, o.seed)
		if err != nil {
			return p, nil, usageError{err}
		}
		for _, i := range unreachable {
			notes = append(notes, fmt.Sprintf("no request reaches %s, which is left out: other routes take all of its requests, or nothing fits its expressions", own.All[i]))
		}
		p.Scenarios, p.Settings.Source = scenarios, own.Name
	}
	suites, err := o.chosenSuites(own != nil)
	if err != nil {
		return p, nil, usageError{err}
	}
	for _, s := range suites {
		scenarios, err := s.Make(o.seed)
		if err != nil {
			return p, nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		p.Scenarios = append(p.Scenarios, scenarios...)
	}
	p.Matrix = o.wantsMatrix()
	if o.run != nil {
		p.Matrix = false
		p.Scenarios = slices.DeleteFunc(p.Scenarios, func(s suite.Scenario) bool { return !o.run.MatchString(s.Name) })
	}
	if len(p.Scenarios) == 0 && !p.Matrix {
		return p, nil, usageError{fmt.Errorf("-run %v matches no scenario of the suites %s; -list shows them", o.run, o.suiteList(own != nil))}
	}
	return p, notes, nil
}

// chosenRouters returns the routers of -routers, with the baseline among them.
func (o *options) chosenRouters() ([]router.Router, error) {
	var chosen []router.Router
	for name := range strings.SplitSeq(o.routers, ",") {
		switch name = strings.TrimSpace(name); name {
		case "known":
			for _, r := range routers.All() {
				if r.Known {
					chosen = append(chosen, r)
				}
			}
		case "all":
			chosen = append(chosen, routers.All()...)
		case "net/http":
			for _, r := range routers.All() {
				if isNetHTTP(&r) {
					chosen = append(chosen, r)
				}
			}
		default:
			found, err := routers.Find(name)
			if err != nil {
				return nil, fmt.Errorf("-routers: %w", err)
			}
			chosen = append(chosen, found...)
		}
	}
	slices.SortFunc(chosen, func(a, b router.Router) int { return strings.Compare(a.Name, b.Name) })
	chosen = slices.CompactFunc(chosen, func(a, b router.Router) bool { return a.Name == b.Name })
	if !slices.ContainsFunc(chosen, func(r router.Router) bool { return r.Name == o.baseline }) {
		if _, err := routers.Find(o.baseline); err != nil {
			return nil, fmt.Errorf("-baseline: %w", err)
		}
		if len(chosen) > 0 && o.baseline == "ServeMux" { // nobody asked for it
			o.baseline = chosen[0].Name
		} else {
			return nil, fmt.Errorf("-baseline %s is not among the routers that are compared; add it to -routers", o.baseline)
		}
	}
	return chosen, nil
}

// isNetHTTP reports whether a router is a handler of net/http.
func isNetHTTP(r *router.Router) bool {
	l, err := r.Load(nil, router.Nothing)
	return err == nil && l.Name() == "net/http"
}

// ownRoutes returns the routes of -routes or -openapi, nil for none, and what was
// left out of them.
func (o *options) ownRoutes() (*suite.Routes, []string, error) {
	name := o.routes + o.openapi
	if name == "" {
		return nil, nil, nil
	}
	data, err := readFile(name)
	if err != nil {
		return nil, nil, err
	}
	var all []*route.Route
	var notes []string
	if o.routes != "" {
		all, err = source.List(name, strings.NewReader(string(data)))
	} else {
		all, notes, err = source.OpenAPI(name, data)
	}
	if err != nil {
		return nil, nil, err
	}
	rs, err := suite.Of(name, all)
	return rs, notes, err
}

// readFile returns what is in a file; "-" is the standard input.
func readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}

// matrixName is the name of the matrix among the suites.
const matrixName = "matrix"

// suiteList returns the suites that are asked for.
func (o *options) suiteList(own bool) string {
	switch {
	case o.suites != "":
		return o.suites
	case own:
		return matrixName
	}
	return "classic,memory," + matrixName
}

// wantsMatrix reports whether the matrix is asked for.
func (o *options) wantsMatrix() bool {
	names := strings.Split(o.suiteList(false), ",")
	return slices.Contains(names, matrixName) || slices.Contains(names, "all")
}

// chosenSuites returns the suites of -suite without the matrix.
func (o *options) chosenSuites(own bool) ([]suite.Named, error) {
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(o.suiteList(own), ",") {
		wanted[strings.TrimSpace(name)] = true
	}
	var chosen []suite.Named
	names := []string{"all", matrixName}
	for _, s := range suite.All() {
		if wanted["all"] || wanted[s.Name] {
			chosen = append(chosen, s)
		}
		names = append(names, s.Name)
	}
	for name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("-suite: there is no suite %q; there are %s", name, strings.Join(names, ", "))
		}
	}
	return chosen, nil
}
