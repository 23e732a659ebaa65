// Package report tells what a run found out: in words, as tables for a terminal,
// and as Markdown for a README.
//
//	plain.go     the run with texts that are safe to print
//	rank.go      who is before whom in a scenario, and who is level with whom
//	overall.go   the same over many scenarios
//	number.go    numbers and lists as people read them
//	summary.go   the run in words; a file for each subject
//	table.go     what a table is; tables of the run, a file for each subject
//	terminal.go  tables for a terminal
//	markdown.go  tables for a README
//
// One rule holds for all of them: a router is only said to be better than another if
// the two differ at a significance of 5 %. Else the two are level.
package report

import (
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// of returns the scenarios of a kind.
func of(run *result.Run, kind result.Kind) []*result.Scenario {
	var found []*result.Scenario
	for i := range run.Scenarios {
		if run.Scenarios[i].Kind == kind {
			found = append(found, &run.Scenarios[i])
		}
	}
	return found
}

// cpus returns the values of GOMAXPROCS that rows of scenarios have, sorted.
func cpus(scenarios []*result.Scenario) []int {
	var found []int
	for _, s := range scenarios {
		for i := range s.Rows {
			if !slices.Contains(found, s.Rows[i].CPU) {
				found = append(found, s.Rows[i].CPU)
			}
		}
	}
	slices.Sort(found)
	return found
}

// stack returns what a router is made for.
func stack(run *result.Run, router string) string {
	for _, r := range run.Routers {
		if r.Name == router {
			return r.Stack
		}
	}
	return ""
}

// isNetHTTP reports whether a router is made for net/http.
func isNetHTTP(run *result.Run, router string) bool { return stack(run, router) == "net/http" }
