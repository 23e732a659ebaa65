package report_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

// A figure is a router with the times that it takes in every scenario.
type figure struct {
	router string
	times  []float64
}

// runOf returns a run of scenarios at GOMAXPROCS=1 in which each router has always
// the same samples. The baseline is ServeMux.
func runOf(scenarios int, figures ...figure) *result.Run {
	run := &result.Run{Settings: result.Settings{Baseline: "ServeMux", CPUs: []int{1}}}
	for i := range scenarios {
		s := result.Scenario{Name: string(rune('A' + i)), Suite: "classic", Kind: result.Speed, Requests: 1, Routes: 1}
		for _, f := range figures {
			s.Rows = append(s.Rows, result.Row{
				Router: f.router, CPU: 1, Answered: 1, Samples: map[string][]float64{result.Time: slices.Clone(f.times)},
			})
		}
		run.Scenarios = append(run.Scenarios, s)
	}
	for _, f := range figures {
		if f.router != result.Floor {
			run.Routers = append(run.Routers, result.Router{Name: f.router, Stack: "net/http"})
		}
	}
	return run
}

// around returns ten samples around a time, none of them twice.
func around(ns float64) []float64 {
	times := make([]float64, 10)
	for i := range times {
		times[i] = ns * (1 + 0.001*float64((7*i)%10-5))
	}
	return times
}

// rename exchanges the names of two routers in a run.
func rename(run *result.Run, a, b string) {
	swap := func(name *string) {
		switch *name {
		case a:
			*name = b
		case b:
			*name = a
		}
	}
	for i := range run.Scenarios {
		for j := range run.Scenarios[i].Rows {
			swap(&run.Scenarios[i].Rows[j].Router)
		}
	}
	for i := range run.Routers {
		swap(&run.Routers[i].Name)
	}
}

// broken returns a run from which some scenarios, rows, rounds and units are missing,
// by chance, as after an interruption or where routers can do little.
func broken(seed uint64) *result.Run {
	rng := rand.New(rand.NewPCG(seed, 0))
	rarely := func() bool { return rng.IntN(8) == 0 }
	run := resulttest.Run()
	run.Interrupted = rarely()
	if rarely() {
		run.Settings.Baseline = ""
	}
	if rarely() {
		run.Matrix, run.Faults = nil, nil
	}
	run.Scenarios = slices.DeleteFunc(run.Scenarios, func(result.Scenario) bool { return rng.IntN(2) == 0 })
	missing := run.Routers[rng.IntN(len(run.Routers))].Name
	rounds := 1 + rng.IntN(resulttest.Rounds)
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		s.Rows = slices.DeleteFunc(s.Rows, func(r result.Row) bool { return rarely() || r.Router == missing })
		for j := range s.Rows {
			r := &s.Rows[j]
			for unit, values := range r.Samples {
				r.Samples[unit] = values[:min(len(values), rounds)]
				if rarely() {
					delete(r.Samples, unit)
				}
			}
			if rarely() {
				*r = result.Row{Router: r.Router, CPU: r.CPU, LeftOut: "it panics"}
			}
			if rarely() && r.Answered > 0 {
				r.Answered--
			}
		}
		if rarely() {
			s.Rows = nil
		}
	}
	return run
}

// summary returns the summary of a run as one text.
func summary(t *testing.T, run *result.Run) string {
	t.Helper()
	var text string
	for _, s := range report.Summary(run) {
		text += s + "\n"
	}
	return text
}
