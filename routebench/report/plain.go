package report

import (
	"slices"

	"github.com/muxwell/muxwell/internal/text"
	"github.com/muxwell/muxwell/routebench/result"
)

// Routes, the names of files and what routers say may hold what a terminal obeys
// rather than shows: control characters, and those that turn the direction of text.
// All texts of a run go through plain before anything is made of them.

// plain returns text with whatever does not print escaped as in a Go string.
func plain(s string) string { return text.Printable(s, "") }

// plainRun returns a copy of a run whose texts are plain. It shares the samples.
func plainRun(run *result.Run) *result.Run {
	p := *run
	p.Command = plainAll(p.Command)
	for _, text := range []*string{
		&p.Settings.Baseline, &p.Settings.Source,
		&p.Machine.CPU, &p.Machine.OS, &p.Machine.GOOS, &p.Machine.GOARCH, &p.Machine.Go,
	} {
		*text = plain(*text)
	}
	p.Routers = slices.Clone(p.Routers)
	for i := range p.Routers {
		r := &p.Routers[i]
		r.Name, r.Module, r.Version = plain(r.Name), plain(r.Module), plain(r.Version)
		r.Stack, r.Note = plain(r.Stack), plain(r.Note)
	}
	p.Scenarios = slices.Clone(p.Scenarios)
	for i := range p.Scenarios {
		plainScenario(&p.Scenarios[i])
	}
	p.Matrix = slices.Clone(p.Matrix)
	for i := range p.Matrix {
		plainProbe(&p.Matrix[i])
	}
	p.Faults = slices.Clone(p.Faults)
	for i, f := range p.Faults {
		p.Faults[i] = result.Fault{
			Scenario: plain(f.Scenario), Router: plain(f.Router), Route: plain(f.Route),
			Source: plain(f.Source), Request: plain(f.Request), Reason: plain(f.Reason),
		}
	}
	p.Warnings = plainAll(p.Warnings)
	return &p
}

func plainScenario(s *result.Scenario) {
	s.Name, s.Suite, s.About = plain(s.Name), plain(s.Suite), plain(s.About)
	s.Rows = slices.Clone(s.Rows)
	for i := range s.Rows {
		s.Rows[i].Router, s.Rows[i].LeftOut = plain(s.Rows[i].Router), plain(s.Rows[i].LeftOut)
	}
}

func plainProbe(p *result.Probe) {
	p.Name, p.About = plain(p.Name), plain(p.About)
	p.Answers = slices.Clone(p.Answers)
	for i := range p.Answers {
		p.Answers[i].Router, p.Answers[i].Reason = plain(p.Answers[i].Router), plain(p.Answers[i].Reason)
	}
}

func plainAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = plain(t)
	}
	return out
}
