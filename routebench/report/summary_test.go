package report_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

func TestSummaryInWords(t *testing.T) {
	partly := runOf(2, figure{"ServeMux", around(100)}, figure{"chi", around(50)}, figure{"gin", around(200)})
	partly.Scenarios[1].Rows[1].Answered = 0
	little := runOf(5, figure{"ServeMux", around(10)}, figure{"chi", around(100)}, figure{"gin", around(200)})
	for i := range little.Scenarios[1:] {
		little.Scenarios[i+1].Rows[0].Answered = 0
	}
	foreign := runOf(2, figure{"ServeMux", around(100)}, figure{"fiber", around(50)}, figure{"gin", around(80)})
	foreign.Routers[1].Stack = "fasthttp"
	lonely := runOf(2, figure{"gin", around(80)}, figure{"fiber", around(50)})
	lonely.Routers[1].Stack = "fasthttp"
	mixed := runOf(3, figure{"ServeMux", around(100)}, figure{"chi", around(50)})
	mixed.Scenarios[1].Rows[1].Samples[result.Time] = around(150)
	mixed.Scenarios[2].Rows[1].Samples[result.Time] = around(100)

	for name, tt := range map[string]struct {
		run  *result.Run
		want []string
	}{
		"a winner": {
			runOf(2, figure{"ServeMux", around(240)}, figure{"chi", around(150)}, figure{"gin", around(100)}),
			[]string{
				"At GOMAXPROCS=1 gin is the fastest of 3 routers over both scenarios: it is 1.50 times as fast as chi, the next, and 2.4 times as fast as ServeMux, the baseline, by the geometric mean.",
				"At GOMAXPROCS=1 gin leads outright, at a significance of 5 %, in both scenarios.",
			},
		},
		"the next is the baseline": {
			runOf(2, figure{"ServeMux", around(240)}, figure{"gin", around(100)}),
			[]string{"gin is the fastest of 2 routers over both scenarios: it is 2.4 times as fast as ServeMux, the next and the baseline, by the geometric mean."},
		},
		"the baseline wins": {
			runOf(2, figure{"ServeMux", around(100)}, figure{"gin", around(300)}),
			[]string{"ServeMux is the fastest of 2 routers over both scenarios: it is 3.0 times as fast as gin, the next, by the geometric mean."},
		},
		"by a hair": {
			runOf(2, figure{"ServeMux", around(100)}, figure{"gin", around(100.4)}),
			[]string{"ServeMux is the fastest of 2 routers over both scenarios: it is less than 1 % faster than gin, the next"},
		},
		"two are level": {
			runOf(2, figure{"ServeMux", around(300)}, figure{"chi", around(100)}, figure{"gin", around(100)}, figure{"echo", around(200)}),
			[]string{
				"chi and gin are level as the fastest of 4 routers over both scenarios; echo, the next, takes 2.0 times as long as chi, by the geometric mean; chi is 3.0 times as fast as ServeMux, the baseline.",
				"chi leads no scenario outright; it is level with others in A (with gin) and B (with gin).",
			},
		},
		"all are level": {
			runOf(2, figure{"ServeMux", around(100)}, figure{"chi", around(100)}),
			[]string{"both routers are level over both scenarios: they do not differ at a significance of 5 %."},
		},
		"the next are level": {
			runOf(2, figure{"ServeMux", around(300)}, figure{"chi", around(200)}, figure{"gin", around(200)}, figure{"echo", around(100)}),
			[]string{"echo is the fastest of 4 routers over both scenarios: it is 2.0 times as fast as chi, the next (level with gin), and 3.0 times as fast as ServeMux, the baseline, by the geometric mean."},
		},
		"the baseline is next": {
			runOf(2, figure{"ServeMux", around(200)}, figure{"chi", around(100)}, figure{"gin", around(100)}),
			[]string{"chi and gin are level as the fastest of 3 routers over both scenarios; ServeMux, the next and the baseline, takes 2.0 times as long as chi, by the geometric mean."},
		},
		"a difference within the noise": {
			runOf(2, figure{"ServeMux", []float64{90, 110, 95, 105, 100, 99, 101, 93, 107, 98}}, figure{"chi", []float64{91, 111, 96, 106, 101, 100, 102, 94, 108, 99}}),
			[]string{"both routers are level over both scenarios: they do not differ at a significance of 5 %."},
		},
		"one scenario": {
			runOf(1, figure{"ServeMux", around(200)}, figure{"chi", around(100)}),
			[]string{"chi is the fastest of 2 routers in A: it is 2.0 times as fast as ServeMux, the next and the baseline."},
		},
		"not everywhere": {
			mixed,
			[]string{"chi leads outright, at a significance of 5 %, in 1 of 3 scenarios; it is level with others in C (with ServeMux); it is behind in B (ServeMux is 1.50 times as fast as it)."},
		},
		"a part is not ranked": {
			partly,
			[]string{"chi is the fastest of 3 routers in A: it is 2.0 times as fast as ServeMux, the next and the baseline."},
		},
		"one answers too little": {
			little,
			[]string{
				"chi is the fastest of 2 routers over all 5 scenarios: it is 2.0 times as fast as gin, the next, by the geometric mean.",
				"At GOMAXPROCS=1 ServeMux is not ranked, because it answers too few of the scenarios completely.",
				"At GOMAXPROCS=1 chi leads outright, at a significance of 5 %, in 4 of 5 scenarios; it is behind in A (ServeMux is 10 times as fast as it).",
			},
		},
		"another stack": {
			foreign,
			[]string{
				"fiber is the fastest of 3 routers",
				"At GOMAXPROCS=1, among routers for net/http, gin is the fastest: it is 1.25 times as fast as ServeMux, the next and the baseline.",
			},
		},
		"one for net/http": {
			lonely,
			[]string{"At GOMAXPROCS=1 gin, the only router for net/http, takes 1.60 times as long as fiber."},
		},
		"one router":     {runOf(2, figure{"chi", around(100)}), []string{"chi is the only router that was measured, so there is no router to compare it with."}},
		"nothing":        {&result.Run{}, []string{"Nothing was measured."}},
		"only the floor": {runOf(2, figure{result.Floor, around(2)}), []string{"Nothing was measured."}},
		"few rounds": {
			runOf(2, figure{"ServeMux", []float64{100, 101, 102}}, figure{"chi", []float64{50, 51, 52}}),
			[]string{
				"there are fewer than four rounds, too few to tell routers apart; by the medians alone chi comes first, and ServeMux next.",
				"There are too few rounds for 95 % confidence intervals, which need at least six.",
			},
		},
	} {
		got := summary(t, tt.run)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s:\ngot\n%swant in it\n%s", name, got, want)
			}
		}
	}
}

// A scenario that was interrupted before it had enough rounds does not keep the
// others from having a winner.
func TestSummaryOfInterruptedScenario(t *testing.T) {
	run := runOf(3, figure{"ServeMux", around(200)}, figure{"chi", around(100)})
	for i := range run.Scenarios[2].Rows {
		r := &run.Scenarios[2].Rows[i]
		r.Samples[result.Time] = r.Samples[result.Time][:2]
	}
	want := "chi is the fastest of 2 routers over both scenarios"
	if got := summary(t, run); !strings.Contains(got, want) {
		t.Errorf("got\n%swant in it %q", got, want)
	}
}

func TestSummaryOfFaults(t *testing.T) {
	refused := func(router, route string) result.Fault {
		return result.Fault{Scenario: "A", Router: router, Route: route, Reason: "it has no expressions"}
	}
	wrong := func(router, request string) result.Fault {
		return result.Fault{Scenario: "A", Router: router, Route: "GET /", Request: request, Reason: "status 404, want 200"}
	}
	for _, tt := range []struct {
		faults []result.Fault
		want   string
	}{
		{[]result.Fault{refused("chi", "GET /a")}, "chi cannot register 1 route."},
		{[]result.Fault{refused("chi", "GET /a"), refused("chi", "GET /b")}, "chi cannot register 2 routes."},
		{[]result.Fault{refused("chi", "GET /a"), refused("chi", "GET /a")}, "chi cannot register 1 route."},
		{[]result.Fault{wrong("chi", "GET /1")}, "chi answers 1 request wrongly."},
		{[]result.Fault{refused("chi", "GET /a"), wrong("chi", "GET /1"), wrong("chi", "GET /2")}, "chi cannot register 1 route and answers 2 requests wrongly."},
		{[]result.Fault{wrong("gin", "GET /1"), wrong("chi", "GET /1")}, "chi and gin each answer 1 request wrongly."},
		{[]result.Fault{refused("gin", "GET /a"), refused("chi", "GET /a")}, "chi and gin each cannot register 1 route."},
		{nil, "Every router can express every route and answers every request correctly."},
	} {
		run := runOf(1, figure{"chi", around(100)}, figure{"gin", around(100)})
		run.Faults = tt.faults
		if got := summary(t, run); !strings.Contains(got, "\n"+tt.want+"\n") {
			t.Errorf("%v: got\n%swant in it %q", tt.faults, got, tt.want)
		}
	}
}

func TestSummaryOfNoise(t *testing.T) {
	run := runOf(1, figure{"chi", around(100)}, figure{"gin", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}, figure{result.Floor, around(2.5)})
	for _, want := range []string{
		"Measuring itself takes about 2.50 ns per request, which is included in all times.",
		"1 of 2 times is noisy, with a 95 % confidence interval that extends more than 5 % from the median: gin in A at GOMAXPROCS=1.",
	} {
		if got := summary(t, run); !strings.Contains(got, want) {
			t.Errorf("got\n%swant in it %q", got, want)
		}
	}
}

func TestSummaryOfNoSpeed(t *testing.T) {
	run := resulttest.Run()
	run.Interrupted = true
	run.Scenarios = slices.DeleteFunc(run.Scenarios, func(s result.Scenario) bool { return s.Kind == result.Speed })
	got := report.Summary(run)
	want := "The run was interrupted: the results cover only what was measured before that."
	if len(got) < 2 || got[0] != want || strings.Contains(got[1], "fastest") {
		t.Errorf("got %q, want it to begin with %q and no word of the fastest", got, want)
	}
	if text := strings.Join(got, "\n"); strings.Contains(text, "CPU time") {
		t.Errorf("got %s\nwant no share of routing without a time of routing", text)
	}
}

// Names have no influence: if two routers exchange theirs, so do the words.
func TestSummarySwapped(t *testing.T) {
	run := resulttest.Small()
	before := report.Summary(run)[0]
	rename(run, "muxwell", "chi")
	after := report.Summary(run)[0]
	want := strings.Replace(before, "muxwell is the fastest", "chi is the fastest", 1)
	if !strings.Contains(before, "muxwell is the fastest") || after != want {
		t.Errorf("got  %s\nwant %s", after, want)
	}
}

// What all routers do alike is won by none, whatever the noise is.
func TestSummaryOfEquals(t *testing.T) {
	claims := regexp.MustCompile(`is the fastest|leads outright, |leads .* in |times as fast|least memory|loads .* fastest|serves the most|grows least`)
	run := resulttest.Run()
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		var alike map[string][]float64
		for j := range s.Rows {
			r := &s.Rows[j]
			if r.Router == result.Floor {
				continue
			}
			if alike == nil {
				alike = r.Samples
			}
			r.Samples, r.LeftOut, r.Answered = alike, "", s.Requests
		}
	}
	for _, s := range report.Summary(run) {
		if claims.MatchString(s) {
			t.Errorf("got %q, want no claim where all samples are equal", s)
		}
	}
}

// The unit of time has no influence, nor has the row without a router.
func TestSummaryOfScaled(t *testing.T) {
	want := report.Summary(resulttest.Small())[0]
	run := resulttest.Small()
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		s.Rows = slices.DeleteFunc(s.Rows, func(r result.Row) bool { return r.Router == result.Floor })
		for j := range s.Rows {
			for k := range s.Rows[j].Samples[result.Time] {
				s.Rows[j].Samples[result.Time][k] *= 1000
			}
		}
	}
	if got := report.Summary(run)[0]; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The ratio over the scenarios is near the one that the medians have.
func TestSummaryAgainstMedians(t *testing.T) {
	run := resulttest.Small()
	logs := 0.0
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		a, _ := s.Row("ServeMux", 1).Summarize(result.Time, nil)
		b, _ := s.Row("muxwell", 1).Summarize(result.Time, nil)
		logs += math.Log(a.Center / b.Center)
	}
	want := fmt.Sprintf("it is %.1f times as fast as ServeMux", math.Exp(logs/float64(len(run.Scenarios))))
	if got := report.Summary(run)[0]; !strings.Contains(got, want) {
		t.Errorf("got %s\nwant in it: %s", got, want)
	}
}

// Whatever is missing from a run, its summary is whole sentences.
func TestSummaryOfBroken(t *testing.T) {
	fault := regexp.MustCompile(`%!|NaN|Inf|∞|  | ,| \.|\.\.|\(\)`)
	for seed := range uint64(100) {
		all := report.Summary(broken(seed))
		if len(all) == 0 {
			t.Errorf("seed %d: got no sentence", seed)
		}
		for _, s := range all {
			if !strings.HasSuffix(s, ".") || fault.MatchString(s) || !utf8.ValidString(s) {
				t.Errorf("seed %d: got %q, want a sentence", seed, s)
			}
		}
	}
}

func TestSummaryLeavesTheRun(t *testing.T) {
	run, want := resulttest.Run(), fmt.Sprint(resulttest.Run())
	report.Summary(run)
	if got := fmt.Sprint(run); got != want {
		t.Error("Summary changed the run")
	}
}
