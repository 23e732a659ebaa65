package report_test

import (
	"slices"
	"testing"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// TestScores: the fastest is first, what does not differ from it is the best too, and
// a router that answers only a part of the requests is left out.
func TestScores(t *testing.T) {
	run := runOf(2, figure{"slow", around(300)}, figure{"fast", around(100)}, figure{"level", around(100.01)}, figure{"part", around(50)}, figure{result.Floor, around(1)})
	for i := range run.Scenarios {
		run.Scenarios[i].Row("part", 1).Answered = 0
	}
	want := []string{"fast", "level", "slow"}
	for name, got := range map[string][]report.Score{
		"a scenario":     report.Scores(&run.Scenarios[0], 1),
		"over scenarios": report.MeanScores(report.Scenarios(run, "classic"), 1),
	} {
		var names []string
		for _, s := range got {
			names = append(names, s.Router)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", name, names, want)
			continue
		}
		if !got[0].Best || !got[1].Best || got[2].Best {
			t.Errorf("%s: the best are %+v, want the first two", name, got)
		}
		if got[0].Ratio != 1 || got[2].Ratio < 2.9 || got[2].Ratio > 3.1 {
			t.Errorf("%s: ratios %v and %v, want 1 and 3", name, got[0].Ratio, got[2].Ratio)
		}
	}
	if got := report.Scenarios(run, "other"); got != nil {
		t.Errorf("a suite that the run does not have has %d scenarios", len(got))
	}
	if got := report.Scores(&run.Scenarios[0], 2); got != nil {
		t.Errorf("at a GOMAXPROCS that was not measured: %+v", got)
	}
}
