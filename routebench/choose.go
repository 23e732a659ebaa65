package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
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

// plan returns the plan for the options, and notes for the user to read before it runs.
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
			notes = append(notes, fmt.Sprintf("no request reaches %s, which is excluded: other routes match all of its requests, or no value matches its expressions", own.All[i]))
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
		all := p.Scenarios
		p.Scenarios = slices.DeleteFunc(slices.Clone(all), func(s suite.Scenario) bool { return !o.run.MatchString(s.Name) })
		if len(p.Scenarios) == 0 {
			return p, nil, usageError{noScenario(o.run, all)}
		}
	}
	return p, notes, nil
}

// noScenario returns the error for an expression that matches no scenario.
func noScenario(run *regexp.Regexp, all []suite.Scenario) error {
	if len(all) == 0 {
		return fmt.Errorf("-run %v has no scenarios to choose from: the matrix has none; add suites with -suite; -list shows them", run)
	}
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
	}
	return fmt.Errorf("-run %v matches none of the scenarios %s; add suites with -suite; -list shows them", run, strings.Join(names, ", "))
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
			return nil, fmt.Errorf("-baseline %s is not one of the compared routers; add it to -routers", o.baseline)
		}
	}
	return chosen, nil
}

// isNetHTTP reports whether a router is an http.Handler.
func isNetHTTP(r *router.Router) bool {
	l, err := r.Load(nil, router.Nothing)
	return err == nil && l.Name() == "net/http"
}

// ownRoutes returns the routes of -routes or -openapi, or nil, and notes about excluded
// routes.
func (o *options) ownRoutes() (*suite.Routes, []string, error) {
	flag, file := "-routes", o.routes
	if o.openapi != "" {
		flag, file = "-openapi", o.openapi
	}
	if file == "" {
		return nil, nil, nil
	}
	data, err := readFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", flag, err)
	}
	name := shownName(file)
	var all []*route.Route
	var notes []string
	if o.routes != "" {
		all, err = source.List(name, bytes.NewReader(data))
	} else {
		all, notes, err = source.OpenAPI(name, data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", flag, err)
	}
	rs, err := suite.Of(name, all)
	return rs, notes, err
}

// shownName returns the name of a file for reports and errors.
func shownName(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

// readFile returns the content of a file; "-" is standard input.
func readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}

// matrixName is the name of the matrix among the suites.
const matrixName = "matrix"

// suiteList returns the selected suites.
func (o *options) suiteList(own bool) string {
	switch {
	case o.suites != "":
		return o.suites
	case own:
		return matrixName
	}
	return "classic,today,memory," + matrixName
}

// wantsMatrix reports whether the matrix is selected.
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
			return nil, fmt.Errorf("-suite: unknown suite %q; the suites are %s", name, strings.Join(names, ", "))
		}
	}
	return chosen, nil
}
