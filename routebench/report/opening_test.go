package report_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

// Standings are the means in order, with what each router fails on.
func TestStandings(t *testing.T) {
	run := runOf(3, figure{"ServeMux", around(300)}, figure{"gin", around(100)}, figure{"chi", around(200)}, figure{"pat", around(50)})
	for i := range run.Scenarios[:2] {
		run.Scenarios[i].Rows[3].Answered = 0 // pat answers one of three: too few
	}
	run.Faults = []result.Fault{
		{Scenario: "shop.txt", Router: "chi", Route: "GET /a", Reason: "refused"}, // the name of a set of routes
		{Scenario: "shop.txt", Router: "chi", Route: "GET /b", Reason: "refused"},
		{Scenario: "A", Router: "pat", Request: "GET /x", Reason: "404"},
		{Scenario: "B", Router: "pat", Request: "GET /x", Reason: "404"},
	}
	standings, compared, scenarios := report.Standings(run, 1)
	var got []string
	for _, s := range standings {
		got = append(got, fmt.Sprintf("%s %.1f -%d -%d", s.Router, s.Ratio, s.Refused, s.Wrong))
		if s.Ratio > 0 && (s.Lo > s.Ratio || s.Hi < s.Ratio || math.IsInf(s.Hi, 0)) {
			t.Errorf("%s: the interval %v to %v of %v", s.Router, s.Lo, s.Hi, s.Ratio)
		}
	}
	want := []string{"gin 1.0 -0 -0", "chi 2.0 -2 -0", "ServeMux 3.0 -0 -0", "pat 0.0 -0 -1"}
	if !slices.Equal(got, want) || compared != 3 || scenarios != 3 {
		t.Errorf("standings %q over %d of %d, want %q over 3 of 3", got, compared, scenarios, want)
	}
	opening := report.Opening(run)
	if want := "2 of 4 routers can express every route and answer every request correctly: ServeMux and gin; chi fails on the most, 2 routes."; !slices.Contains(opening, want) {
		t.Errorf("the opening is %q, want %q in it", opening, want)
	}
}

// The ratios are those of Means, whatever is missing in a run.
func TestStandingsAreMeans(t *testing.T) {
	for seed := range uint64(50) {
		run := broken(seed)
		var speed []*result.Scenario
		for i := range run.Scenarios {
			if run.Scenarios[i].Kind == result.Speed {
				speed = append(speed, &run.Scenarios[i])
			}
		}
		if len(speed) == 0 {
			continue
		}
		for _, cpu := range report.CPUs(run) {
			standings, compared, _ := report.Standings(run, cpu)
			means, count := report.Means(speed, cpu)
			ranked := 0
			for i, s := range standings {
				if s.Ratio != means[s.Router] {
					t.Errorf("seed %d: %s has the ratio %v and the mean %v", seed, s.Router, s.Ratio, means[s.Router])
				}
				if s.Ratio > 0 {
					ranked++
				}
				if i > 0 && s.Ratio > 0 && (standings[i-1].Ratio == 0 || standings[i-1].Ratio > s.Ratio) {
					t.Errorf("seed %d: %s is behind %s", seed, s.Router, standings[i-1].Router)
				}
			}
			if ranked != len(means) || compared != count {
				t.Errorf("seed %d: %d routers over %d scenarios, want %d over %d", seed, ranked, compared, len(means), count)
			}
		}
	}
}

// An opening has three sentences at most and begins with who is the fastest.
func TestOpening(t *testing.T) {
	for seed := range uint64(50) {
		if opening := report.Opening(broken(seed)); len(opening) == 0 || len(opening) > 3 {
			t.Errorf("seed %d: the opening is %q", seed, opening)
		}
	}
	run := resulttest.Run()
	opening := report.Opening(run)
	if len(opening) != 3 || !strings.HasPrefix(opening[0], "At GOMAXPROCS=1 muxwell-value is the fastest of ") || !strings.Contains(opening[1], "can express every route") || !strings.Contains(opening[2], "noisy") {
		t.Errorf("the opening is %q", opening)
	}
	if whole := report.Summary(run); !slices.Contains(whole, opening[0]) || !slices.Contains(whole, opening[2]) {
		t.Errorf("the summary %q has not the sentences of the opening", whole)
	}
	run.Scenarios = slices.DeleteFunc(run.Scenarios, func(s result.Scenario) bool { return s.Kind != result.Growth })
	if opening := report.Opening(run); len(opening) != 3 || !strings.Contains(opening[0], "is the fastest of ") && !strings.Contains(opening[0], "are level") {
		t.Errorf("the opening of a run for growth is %q", opening)
	}
	if opening := report.Opening(&result.Run{}); !slices.Equal(opening, []string{"Nothing was measured."}) {
		t.Errorf("the opening of nothing is %q", opening)
	}
}
