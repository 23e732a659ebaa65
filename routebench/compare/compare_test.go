package compare

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/routers"
	"github.com/muxwell/muxwell/routebench/suite"
)

func TestMain(m *testing.M) {
	measure.Child()
	os.Exit(m.Run())
}

// quiet is a progress that says nothing.
type quiet struct{}

func (quiet) Now(string, time.Duration, time.Duration) {}

// A noting notes what a progress is told.
type noting struct {
	what []string
	left []time.Duration
	at   func(what string) // may be nil
}

func (n *noting) Now(what string, done, left time.Duration) {
	n.what, n.left = append(n.what, what), append(n.left, left)
	if n.at != nil {
		n.at(what)
	}
}

// settings are those of the least that is measured.
var settings = result.Settings{Rounds: 6, Slice: time.Millisecond, CPUs: []int{1}, Seed: 1, Baseline: "whole"}

// routesOf returns a set of routes.
func routesOf(t *testing.T, patterns ...string) *suite.Routes {
	t.Helper()
	var all []*route.Route
	for _, p := range patterns {
		r, err := route.Parse(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	rs, err := suite.Of("test", all)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// scenario returns a scenario with one request for each METHOD TARGET.
func scenario(t *testing.T, name string, kind result.Kind, rs *suite.Routes, lines ...string) suite.Scenario {
	t.Helper()
	s := suite.Scenario{Name: name, Suite: "test", Kind: kind, Routes: rs}
	for _, line := range lines {
		method, target, _ := strings.Cut(line, " ")
		q, err := rs.Oracle.Request(method, "", target)
		if err != nil {
			t.Fatal(err)
		}
		s.Requests = append(s.Requests, q)
	}
	return s
}

// fake returns a router on http.ServeMux which refuses the paths that hold a word,
// and answers requests whose paths hold another one wrongly.
func fake(name, refuses, wrong string) router.Router {
	return router.Router{Name: name, Syntax: route.Syntax{Param: "{%s}", Rest: "{%s...}"}, New: func() router.Mux {
		m := http.NewServeMux()
		return router.Mux{
			Add: func(r *route.Route, path string, work *router.Work) error {
				if refuses != "" && strings.Contains(path, refuses) {
					return errors.New("no " + refuses)
				}
				m.Handle(r.Method+" "+path, work.HandlerFunc((*http.Request).PathValue))
				return nil
			},
			Ready: router.NetHTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if wrong != "" && strings.Contains(r.URL.Path, wrong) {
					io.WriteString(w, "wrong")
					return
				}
				m.ServeHTTP(w, r)
			})),
		}
	}}
}

// compareAll runs a plan that must not fail.
func compareAll(t *testing.T, p Plan) *result.Run {
	t.Helper()
	run, err := Run(t.Context(), p, quiet{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestPartial: a router is measured on what it answers right, and not at all for
// requests of no route if it does not hold all routes.
func TestPartial(t *testing.T) {
	rs := routesOf(t, "GET /a/{x}", "GET /b/{x}", "GET /c/{x}", "GET /d")
	run := compareAll(t, Plan{
		Routers: []router.Router{fake("half", "/b/", "/c/"), fake("few", "{x}", ""), fake("none", "/", ""), fake("whole", "", ""), fake("wrong", "", "nothing")},
		Scenarios: []suite.Scenario{
			scenario(t, "All", result.Speed, rs, "GET /a/1", "GET /a/2", "GET /b/2", "GET /c/3", "GET /d"),
			scenario(t, "Half", result.Speed, rs, "GET /a/1", "GET /b/2", "GET /c/3", "GET /d"),
			scenario(t, "Refused", result.Speed, rs, "GET /b/2"),
			scenario(t, "NotFound", result.Speed, rs, "GET /nothing"),
		},
		Settings: settings,
	})
	for _, c := range []struct {
		scenario, router string
		answered         int
		leftOut          string
	}{
		{"All", "whole", 5, ""},
		{"All", "half", 3, ""},
		{"All", "few", 1, "it can hold only 1 of the 4 routes"},
		{"Half", "half", 2, "it answers only 2 of the 4 requests right"},
		{"All", "none", 0, "it can hold none of the routes"},
		{"All", "wrong", 5, ""},
		{"All", result.Floor, 5, ""},
		{"Refused", "whole", 1, ""},
		{"Refused", "half", 0, "it cannot hold the routes that are asked for"},
		{"NotFound", "whole", 1, ""},
		{"NotFound", "half", 0, "it can hold only 3 of the 4 routes"},
		{"NotFound", "wrong", 0, "it answers wrongly: status 200, want 404"},
	} {
		i := slices.IndexFunc(run.Scenarios, func(s result.Scenario) bool { return s.Name == c.scenario })
		row := run.Scenarios[i].Row(c.router, 1)
		if row == nil || row.Answered != c.answered || !strings.HasPrefix(row.LeftOut, c.leftOut) || (row.LeftOut == "") != (c.leftOut == "") {
			t.Errorf("%s, %s: row %+v, want %d answered, left out %q", c.scenario, c.router, row, c.answered, c.leftOut)
			continue
		}
		for _, unit := range []string{result.Time, result.Bytes, result.Allocs} {
			if got, want := len(row.Samples[unit]), settings.Rounds; got != want && c.leftOut == "" {
				t.Errorf("%s, %s: %d samples of %s, want %d", c.scenario, c.router, got, unit, want)
			}
		}
	}
	want := []result.Fault{
		{Scenario: "test", Router: "half", Route: "GET /b/{x}", Reason: "no /b/"},
		{Scenario: "All", Router: "half", Route: "GET /c/{x}", Request: "GET /c/3"},
		{Scenario: "test", Router: "none", Route: "GET /a/{x}", Reason: "no /"},
		{Scenario: "NotFound", Router: "wrong", Request: "GET /nothing"},
	}
	for _, w := range want {
		n := 0
		for _, f := range run.Faults {
			if f.Scenario == w.Scenario && f.Router == w.Router && f.Route == w.Route && f.Request == w.Request && strings.Contains(f.Reason, w.Reason) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("fault %+v stands %d times in %+v, want once", w, n, run.Faults)
		}
	}
}

// TestMadeUp: what a router did not answer is made up to all requests.
func TestMadeUp(t *testing.T) {
	row := filled(result.Row{Router: "x", Answered: 2}, 1, measure.Samples{Values: map[string][]float64{result.Time: {10, 20}}}, 5)
	if got, want := row.Samples[result.Time], []float64{25, 50}; !slices.Equal(got, want) {
		t.Errorf("two of five requests in 10 and 20 ns are %v, want %v", got, want)
	}
}

// TestVariants: a variant takes part only where it is asked for.
func TestVariants(t *testing.T) {
	rs := routesOf(t, "GET /a")
	plain, special := scenario(t, "plain", result.Speed, rs, "GET /a"), scenario(t, "special", result.Speed, rs, "GET /a")
	special.Variant = "omit"
	memory := scenario(t, "memory", result.Memory, rs, "GET /a")
	variant := fake("variant", "", "")
	variant.Variant = "omit"
	run := compareAll(t, Plan{Routers: []router.Router{variant, fake("whole", "", "")}, Scenarios: []suite.Scenario{plain, special, memory}, Settings: settings})
	for i, want := range []bool{false, true, false} {
		s := &run.Scenarios[i]
		if got := s.Row("variant", 1) != nil; got != want || s.Row("whole", 1) == nil {
			t.Errorf("%s: variant takes part %t, want %t; rows %+v", s.Name, got, want, s.Rows)
		}
	}
}

// TestKinds runs a scenario of each kind and the matrix, and looks at the progress.
func TestKinds(t *testing.T) {
	rs := routesOf(t, "GET /a/{x}", "GET /b")
	found, err := routers.Find("muxwell")
	if err != nil {
		t.Fatal(err)
	}
	p := Plan{Routers: append(found, fake("whole", "", "")), Matrix: true, Settings: settings}
	units := map[result.Kind][]string{
		result.Speed:  {result.Time, result.Bytes, result.Allocs},
		result.Memory: {result.HeapBytes, result.LoadTime},
		result.Growth: {result.Time, result.RoutesHeap, result.RoutesLoad},
		result.Server: {result.Throughput, result.CPUTime, result.MedianDelay, result.TailDelay},
	}
	for kind := range units {
		p.Scenarios = append(p.Scenarios, scenario(t, string(kind), kind, rs, "GET /a/1", "GET /b"))
	}
	n := &noting{}
	run, err := Run(t.Context(), p, n)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Scenarios) != len(units) || len(run.Matrix) == 0 || len(run.Routers) != 2 || run.Machine.Go == "" {
		t.Errorf("%d scenarios, %d probes, routers %+v, machine %+v", len(run.Scenarios), len(run.Matrix), run.Routers, run.Machine)
	}
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		for _, name := range []string{"muxwell", "whole"} {
			row := s.Row(name, 1)
			if row == nil || row.LeftOut != "" || row.Answered != s.Requests || (s.Requests == 1) != (s.Kind == result.Growth) {
				t.Errorf("%s, of %d requests: row of %s is %+v", s.Name, s.Requests, name, row)
				continue
			}
			for _, unit := range units[s.Kind] {
				values := row.Samples[unit]
				if len(values) != settings.Rounds || unit == result.Time && slices.Min(values) <= 0 {
					t.Errorf("%s, %s: %s is %v, want %d numbers", s.Name, name, unit, values, settings.Rounds)
				}
			}
		}
		if !slices.Contains(n.what, s.Name) {
			t.Errorf("the progress was not told of %s: %q", s.Name, n.what)
		}
	}
	if last := n.left[len(n.left)-1]; last > time.Second {
		t.Errorf("at the end of the run there are %v left", last)
	}
}

// TestInterruptedRun: what was measured before stays, and a scenario that was not
// finished has as many samples in each of its rows.
func TestInterruptedRun(t *testing.T) {
	rs := routesOf(t, "GET /a")
	for _, kind := range []result.Kind{result.Speed, result.Memory, result.Growth, result.Server} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		seen := 0
		n := &noting{at: func(what string) {
			if what == "second" {
				if seen++; seen == 5 {
					cancel()
				}
			}
		}}
		run, err := Run(ctx, Plan{
			Routers:   []router.Router{fake("a", "", ""), fake("whole", "", "")},
			Scenarios: []suite.Scenario{scenario(t, "first", result.Speed, rs, "GET /a"), scenario(t, "second", kind, rs, "GET /a"), scenario(t, "third", kind, rs, "GET /a")},
			Settings:  settings,
		}, n)
		if err != nil || !run.Interrupted || len(run.Scenarios) == 0 || len(run.Scenarios) > 2 {
			t.Errorf("%s: %v, run %+v, want one that was interrupted in its second scenario", kind, err, run)
			continue
		}
		for i := range run.Scenarios {
			s := &run.Scenarios[i]
			for unit, values := range s.Rows[0].Samples {
				for _, row := range s.Rows {
					if len(row.Samples[unit]) != len(values) {
						t.Errorf("%s, %s: %d samples of %s, and %d of %s", kind, s.Name, len(row.Samples[unit]), row.Router, len(values), s.Rows[0].Router)
					}
				}
			}
		}
	}
}

// TestTooSlow is the table of what a router is not tried with.
func TestTooSlow(t *testing.T) {
	for _, c := range []struct {
		g    growing
		n    int
		want string
	}{
		{growing{}, 100_000, ""},
		{growing{routes: 10_000, load: time.Second / 4, request: time.Microsecond}, 100_000, ""},
		{growing{routes: 10_000, load: time.Second, request: time.Microsecond}, 100_000, "it took 1s to load 10000 routes"},
		{growing{}.next(1_000, time.Second/400, time.Microsecond).next(10_000, time.Second/4, time.Microsecond), 100_000, "it took 250ms to load 10000 routes"},
		{growing{routes: 10_000, load: time.Second / 4, request: time.Millisecond}, 100_000, "a request took 1ms with 10000 routes"},
		{growing{routes: 1_000, stopped: "a request took 1s with 1000 routes"}, 100_000, "a request took 1s with 1000 routes"},
	} {
		if got := c.g.tooSlow(c.n); got != c.want {
			t.Errorf("%+v with %d routes: %q, want %q", c.g, c.n, got, c.want)
		}
	}
}

func TestCensus(t *testing.T) {
	var c census
	c.count([]measure.Samples{{Ops: make([]int, 10)}, {Ops: make([]int, 10), Uncollected: 0.02}})
	if got := c.sentences(); len(got) != 1 || !strings.Contains(got[0], "In 1 of 2 rows") || !strings.Contains(got[0], "by 2 %") {
		t.Errorf("one of two rows is uncollected: %q", got)
	}
	c.count([]measure.Samples{{Ops: make([]int, 10), Disturbed: 5}})
	if got := c.sentences(); len(got) != 2 || !strings.Contains(got[1], "slowed 5 of 30 turns") {
		t.Errorf("five of thirty turns are disturbed: %q", got)
	}
}

// TestFloors: the floors of other stacks are measured if there are routers on them,
// and are in a sentence, not among the rows.
func TestFloors(t *testing.T) {
	rs := routesOf(t, "GET /a/{x}")
	for names, want := range map[string][]string{"muxwell": nil, "fasthttp-router fiber hertz muxwell": {"ns with fasthttp", "ns with hertz"}} {
		found, err := routers.Find(strings.Fields(names)...)
		if err != nil {
			t.Fatal(err)
		}
		run := compareAll(t, Plan{Routers: found, Scenarios: []suite.Scenario{scenario(t, "One", result.Speed, rs, "GET /a/1")}, Settings: settings})
		if got, want := len(run.Scenarios[0].Rows), len(found)+1; got != want || run.Scenarios[0].Row(result.Floor, 1) == nil {
			t.Errorf("%s: %d rows, want %d with that of the floor: %+v", names, got, want, run.Scenarios[0].Rows)
		}
		said := strings.Join(run.Warnings, " ")
		if got := strings.Contains(said, "The row without a router"); got != (want != nil) {
			t.Errorf("%s: warnings %q, want them to say of other floors: %t", names, said, want != nil)
		}
		for _, w := range want {
			if !strings.Contains(said, w) {
				t.Errorf("%s: warnings %q, want %q among them", names, said, w)
			}
		}
	}
}

// TestRenewed: a router is loaded anew for each turn, with the same routes.
func TestRenewed(t *testing.T) {
	rs := routesOf(t, "GET /a/{x}", "GET /b")
	counted, made := fake("whole", "", ""), 0
	empty := counted.New
	counted.New = func() router.Mux {
		made++
		return empty()
	}
	for _, parallel := range []bool{false, true} {
		s := scenario(t, "All", result.Speed, rs, "GET /a/1", "GET /b")
		s.Parallel, made = parallel, 0
		run := compareAll(t, Plan{Routers: []router.Router{counted}, Scenarios: []suite.Scenario{s}, Settings: settings})
		const before = 3 // to ask for its stack, to prove what it can, and to calibrate
		if least := before + settings.Rounds; made < least {
			t.Errorf("parallel %t: the router was made %d times, want %d or more", parallel, made, least)
		}
		if row := run.Scenarios[0].Row("whole", 1); row == nil || len(row.Samples[result.Time]) != settings.Rounds {
			t.Errorf("parallel %t: row %+v, want %d samples", parallel, row, settings.Rounds)
		}
	}
}

// TestOwnPartial: of their own routes people want to know all, and so a router is
// measured on few of them too.
func TestOwnPartial(t *testing.T) {
	rs := routesOf(t, "GET /a/{x}", "GET /b/{x}", "GET /b/c/{x}", "GET /b/d")
	for _, c := range []struct {
		suite    string
		measured bool
	}{{suite.OwnName, true}, {"around", false}} {
		s := scenario(t, "All", result.Speed, rs, "GET /a/1", "GET /b/2", "GET /b/c/3", "GET /b/d")
		s.Suite = c.suite
		run := compareAll(t, Plan{Routers: []router.Router{fake("few", "/b/", ""), fake("whole", "", "")}, Scenarios: []suite.Scenario{s}, Settings: settings})
		row := run.Scenarios[0].Row("few", 1)
		if row == nil || row.Answered != 1 || (row.LeftOut == "") != c.measured {
			t.Errorf("suite %s: row %+v, want one request answered, measured %t", c.suite, row, c.measured)
		}
	}
}

func TestOfEach(t *testing.T) {
	whole := proof{requests: make([]*route.Request, 3)}
	for _, c := range []struct {
		p        proof
		requests int
		answered int
		leftOut  string
	}{
		{whole, 3, 1, ""},
		{whole, 4, 0, "it answers only 3 of the 4 requests right"},
		{proof{leftOut: "slow"}, 3, 0, "slow"},
	} {
		if answered, leftOut := c.p.ofEach(c.requests); answered != c.answered || leftOut != c.leftOut {
			t.Errorf("%d of %d requests: %d, %q, want %d, %q", len(c.p.requests), c.requests, answered, leftOut, c.answered, c.leftOut)
		}
	}
}
