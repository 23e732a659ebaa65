package page_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

// chartsOf returns, for each bar chart that a run must have, how many bars it has
// and how many rows were left out, at the first GOMAXPROCS of its scenario.
func chartsOf(run *result.Run) (bars, out []int) {
	main := map[result.Kind][]string{
		result.Speed: {result.Time}, result.Memory: {result.HeapBytes, result.LoadTime}, result.Server: {result.Throughput, result.MedianDelay},
	}
	kinds := []result.Kind{result.Speed, result.Memory, result.Server} // as the page has them
	for _, kind := range kinds {
		for _, s := range run.Scenarios {
			if s.Kind != kind {
				continue
			}
			for _, unit := range main[kind] {
				b, o := 0, 0
				for _, r := range s.Rows {
					switch {
					case r.CPU != s.Rows[0].CPU || r.Router == result.Floor:
					case len(r.Samples[unit]) > 0:
						b++
					default:
						o++
					}
				}
				bars, out = append(bars, b), append(out, o)
			}
		}
	}
	return bars, out
}

// large returns a run of 24 routers in 60 scenarios and more.
func large() *result.Run {
	run := resulttest.Run()
	for i, r := range run.Routers[:10] {
		r.Name = fmt.Sprintf("%s-with-a-long-name-%d", r.Name, i)
		run.Routers = append(run.Routers, r)
	}
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		for _, r := range slices.Clone(s.Rows) {
			if at := slices.IndexFunc(run.Routers[:10], func(x result.Router) bool { return x.Name == r.Router }); at >= 0 {
				r.Router = run.Routers[14+at].Name
				s.Rows = append(s.Rows, r)
			}
		}
	}
	for _, s := range slices.Clone(run.Scenarios) {
		for copies := range 5 {
			if s.Kind == result.Speed {
				s.Name = fmt.Sprintf("%s/%d", s.Name, copies)
				run.Scenarios = append(run.Scenarios, s)
			}
		}
	}
	return run
}

func TestCharts(t *testing.T) {
	ctx := browse(t, 1440, 1000)
	for name, run := range map[string]*result.Run{
		"rich": resulttest.Run(), "small": resulttest.Small(), "hostile": hostileRun(),
	} {
		do(t, ctx, chromedp.Navigate(save(t, run)))
		bars, out := chartsOf(run)
		inOrder := `Array.from(document.querySelectorAll(".cards .chart"), c => c.querySelectorAll(%q).length)`
		for _, check := range []struct {
			selector string
			want     []int
		}{{"g.bar > *", bars}, {"g.left-out > text", out}, {"g.interval > *", bars}, {"svg[role=img]", ones(len(bars))}} {
			got := ask[[]int](t, ctx, fmt.Sprintf(inOrder, check.selector))
			if name == "hostile" { // its suites have another order than its scenarios
				slices.Sort(got)
				slices.Sort(check.want)
			}
			if !slices.Equal(got, check.want) {
				t.Errorf("%s: %s in the bar charts: %d, want %d", name, check.selector, got, check.want)
			}
		}
		if got, want := ask[int](t, ctx, `document.querySelectorAll(".curves .chart g.curve path").length`), curvesOf(run); got != want {
			t.Errorf("%s: %d curves, want %d", name, got, want)
		}
		if flat := ask[int](t, ctx, `Array.from(document.querySelectorAll("g.bar > *")).filter(b => b.getBBox().width < 1 || b.getBBox().height < 5).length`); flat > 0 {
			t.Errorf("%s: %d bars are as good as invisible", name, flat)
		}
	}
}

func ones(n int) []int { return slices.Repeat([]int{1}, n) }

// curvesOf returns how many curves a run has in all.
func curvesOf(run *result.Run) int {
	curves := map[string]bool{}
	for _, s := range run.Scenarios {
		for _, r := range s.Rows {
			for unit := range r.Samples {
				if s.Kind == result.Growth {
					curves[r.Router+" "+unit] = true
				}
			}
		}
	}
	return len(curves)
}

// TestBarePages shows runs that hold next to nothing, without a complaint.
func TestBarePages(t *testing.T) {
	ctx := browse(t, 360, 800)
	for name, run := range bareRuns() {
		do(t, ctx, chromedp.Navigate(save(t, run)))
		if heading := ask[string](t, ctx, `document.querySelector("#method h2").textContent`); heading != "How this was measured" {
			t.Errorf("%s: the last heading is %q", name, heading)
		}
		wide(t, ctx)
	}
}

// TestHostilePage shows names that are code elsewhere: they are text.
func TestHostilePage(t *testing.T) {
	ctx := open(t, hostileRun(), 360, 800)
	if made := ask[int](t, ctx, `document.querySelectorAll("img, [onmouseover], [onerror], main script").length`); made > 0 {
		t.Errorf("%d elements were made from names", made)
	}
	text := ask[string](t, ctx, `Array.from(document.querySelectorAll(".plot text title, .plot text, td, th"), e => e.textContent).join("\n")`)
	for _, name := range hostile {
		if !strings.Contains(text, name) {
			t.Errorf("the tables do not say %q", name)
		}
	}
	wide(t, ctx)
	ask[bool](t, ctx, `document.querySelectorAll("details").forEach(d => d.open = true) ?? true`)
	wide(t, ctx)
}

// wide fails the test if the page is wider than the window.
func wide(t *testing.T, ctx context.Context) {
	t.Helper()
	if by := ask[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); by > 0 {
		t.Errorf("the page is %d pixels wider than the window; first to blame: %s", by, ask[string](t, ctx, `(() => {
			for (const e of document.querySelectorAll("body *")) {
				if (!e.closest(".scroll, nav ul, svg") && e.getBoundingClientRect().right > innerWidth + 1) return e.outerHTML.slice(0, 200);
			}
			return "nothing";
		})()`))
	}
}

// TestSort sorts a table by click, by keyboard, and by a column of words.
func TestSort(t *testing.T) {
	ctx := open(t, resulttest.Run(), 1440, 1000)
	const table = `#s-methodnotallowed table`
	ask[bool](t, ctx, `document.querySelector("#s-methodnotallowed details").open = true`)
	column := func(n int) []string {
		return ask[[]string](t, ctx, fmt.Sprintf(`Array.from(document.querySelectorAll("%s tbody tr"), r => r.cells[%d].dataset.sort ?? r.cells[%d].textContent)`, table, n, n))
	}
	state := func() string {
		return ask[string](t, ctx, fmt.Sprintf(`Array.from(document.querySelectorAll("%s thead th"), h => h.textContent + "=" + h.getAttribute("aria-sort")).filter(s => !s.endsWith("null")).join()`, table))
	}
	check := func(did, wantState string, n int, want func(a, b string) bool) {
		t.Helper()
		if got := state(); got != wantState {
			t.Errorf("%s: aria-sort is %q, want %q", did, got, wantState)
		}
		values := column(n)
		if len(values) != 30 {
			t.Errorf("%s: %d rows, want 30", did, len(values))
		}
		for i := 1; i < len(values); i++ {
			if !want(values[i-1], values[i]) {
				t.Errorf("%s: row %d is %q and %d is %q", did, i, values[i-1], i+1, values[i])
			}
		}
	}
	head := func(n int) chromedp.CSS {
		return chromedp.CSS(fmt.Sprintf("%s thead th:nth-child(%d) button", table, n+1))
	}
	up := func(a, b string) bool { return b == "none" || a != "none" && number(t, a) <= number(t, b) }
	down := func(a, b string) bool { return b == "none" || a != "none" && number(t, a) >= number(t, b) }

	do(t, ctx, chromedp.Click(head(2)))
	check("click", "time ns=ascending", 2, up)
	do(t, ctx, chromedp.Click(head(2)))
	check("second click", "time ns=descending", 2, down)
	do(t, ctx, chromedp.Focus(head(0)), chromedp.KeyEvent(kb.Enter))
	check("Enter", "router=ascending", 0, func(a, b string) bool { return strings.ToLower(a) <= strings.ToLower(b) })
	do(t, ctx, chromedp.KeyEvent(" "))
	check("space", "router=descending", 0, func(a, b string) bool { return strings.ToLower(a) >= strings.ToLower(b) })
}

func number(t *testing.T, s string) (v float64) {
	t.Helper()
	if _, err := fmt.Sscan(s, &v); err != nil {
		t.Fatalf("%q is no number: %v", s, err)
	}
	return v
}

// TestSwitches uses what changes the charts.
func TestSwitches(t *testing.T) {
	ctx := open(t, resulttest.Run(), 1440, 1000)
	drawn := func(id string) string {
		return ask[string](t, ctx, fmt.Sprintf(`document.getElementById(%q).innerHTML`, id))
	}
	changes := func(id, selector string, n int) {
		t.Helper()
		before := drawn(id)
		ask[bool](t, ctx, fmt.Sprintf(`(document.querySelectorAll(%q)[%d].click(), true)`, selector, n))
		if drawn(id) == before {
			t.Errorf("a click on %s, number %d, does not change %s", selector, n, id)
		}
	}
	changes("s-param-chart-1", `[data-log="s-param-chart-1"]`, 0)
	changes("s-param-chart-1", `#cpus input`, 1)
	changes("s-growth-chart-1", `.picks button`, 0)
	if shown := ask[[]string](t, ctx, `Array.from(document.querySelectorAll(".overview")).filter(o => o.offsetParent).map(o => o.dataset.cpu)`); !slices.Equal(shown, []string{"2"}) {
		t.Errorf("with GOMAXPROCS=2 the overviews of %q are shown", shown)
	}
	if pressed := ask[string](t, ctx, `Array.from(document.querySelectorAll(".picks [aria-pressed=true]"), b => b.textContent).join()`); pressed != "bunrouter,muxwell,muxwell-value" {
		t.Errorf("highlighted: %s", pressed)
	}
	// A linear axis begins at zero: the bars are as long as their figures.
	ratio := ask[float64](t, ctx, `(() => {
		const w = Array.from(document.querySelectorAll("#s-param-chart-1 g.bar > *"), b => b.getBBox().width);
		return Math.max(...w) / Math.min(...w);
	})()`)
	want := medianOf(t, resulttest.Run(), "Param", "martini", 2) / medianOf(t, resulttest.Run(), "Param", "muxwell-value", 2)
	if ratio < 0.97*want || ratio > 1.03*want {
		t.Errorf("the longest bar is %.1f times the shortest, want %.1f", ratio, want)
	}
}

func medianOf(t *testing.T, run *result.Run, scenario, router string, cpu int) float64 {
	t.Helper()
	at := slices.IndexFunc(run.Scenarios, func(s result.Scenario) bool { return s.Name == scenario })
	v, ok := run.Scenarios[at].Row(router, cpu).Summarize(result.Time, nil)
	if !ok {
		t.Fatalf("%s has no figure of %s", scenario, router)
	}
	return v.Center
}

// TestPointing shows what a bar represents.
func TestPointing(t *testing.T) {
	ctx := open(t, resulttest.Small(), 1440, 1000)
	ask[bool](t, ctx, `(document.getElementById("s-param-chart-1").scrollIntoView({block: "center"}), true)`)
	at := ask[[]float64](t, ctx, `(() => {
		const r = document.querySelector("#s-param-chart-1 g.bar > *").getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`)
	do(t, ctx, chromedp.MouseEvent("mouseMoved", at[0], at[1]))
	await(t, ctx, `document.querySelector("#s-param-chart-1 [aria-label=tip] text")?.textContent.includes("95 % interval")`)
}

// TestTheme changes the theme: bars, text and page change with it.
func TestTheme(t *testing.T) {
	ctx := browse(t, 1440, 1000)
	do(t, ctx, prefer("light"), chromedp.Navigate(save(t, resulttest.Run())))
	colours := func() []string {
		return ask[[]string](t, ctx, `[
			getComputedStyle(document.body).backgroundColor,
			getComputedStyle(document.body).color,
			...["g.bar", "g.interval", "g.curve", "[aria-label=text]"].map(s => getComputedStyle(document.querySelector(s)).fill + getComputedStyle(document.querySelector(s)).stroke),
			getComputedStyle(document.querySelector(".hatch-line")).fill,
		]`)
	}
	light := colours()
	do(t, ctx, prefer("dark"))
	for i, dark := range colours() {
		if dark == light[i] {
			t.Errorf("colour %d is %s in light and dark", i, dark)
		}
	}
	do(t, ctx, prefer("light"))
	if again := colours(); !slices.Equal(again, light) {
		t.Errorf("light again: %q, want %q", again, light)
	}
}

// TestWidths makes the window narrow and wide again: charts are as wide as their
// place, nothing is wider than the window, and no text of a chart is cut by its
// edge or covers another.
func TestWidths(t *testing.T) {
	ctx := browse(t, 700, 800)
	for name, run := range map[string]*result.Run{"rich": resulttest.Run(), "small": resulttest.Small(), "large": large()} {
		do(t, ctx, chromedp.Navigate(save(t, run)))
		widths := []int64{360, 1440}
		if name == "large" { // which takes its time
			widths = widths[:1]
		}
		for _, width := range widths {
			do(t, ctx, chromedp.EmulateViewport(width, 800))
			await(t, ctx, `Array.from(document.querySelectorAll(".chart")).every(c => Math.abs(c.firstChild.getBoundingClientRect().width - c.clientWidth) <= 1)`)
			wide(t, ctx)
			for _, fault := range ask[[]string](t, ctx, textFaults) {
				t.Errorf("%s at %d pixels: %s", name, width, fault)
			}
			if name == "rich" {
				ask[bool](t, ctx, `document.querySelectorAll("details").forEach(d => d.open = true) ?? true`)
				wide(t, ctx)
			}
		}
	}
}

// textFaults lists the texts that stand out of their chart or cover each other.
const textFaults = `(() => {
	const faults = [];
	for (const chart of document.querySelectorAll(".chart")) {
		const box = chart.firstChild.getBoundingClientRect();
		const texts = Array.from(chart.querySelectorAll("text"), (e) => ({ text: e.textContent, r: e.getBoundingClientRect() })).filter((t) => t.text);
		texts.forEach((a, i) => {
			if (a.r.left < box.left - 1 || a.r.right > box.right + 1) faults.push(chart.id + ": cut: " + a.text);
			for (const b of texts.slice(i + 1)) {
				const across = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
				const down = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
				if (across > 1 && down > 4) faults.push(chart.id + ": " + a.text + " covers " + b.text);
			}
		});
	}
	return faults.slice(0, 10);
})()`

// TestWithoutScripts shows the page where no script runs: what it says is there.
func TestWithoutScripts(t *testing.T) {
	ctx := browse(t, 1440, 1000)
	do(t, ctx, withoutScripts(), chromedp.Navigate(save(t, resulttest.Run())))
	text := get(t, ctx, chromedp.Text(chromedp.CSS("body")))
	for _, want := range []string{"14 Go routers compared", "All figures of GithubAll", "72.7", "it has no expressions or constraints", "/users/{user}/keys", "v0.0.0-20170121215854"} {
		if !strings.Contains(text, want) {
			t.Errorf("without scripts the page does not show %q", want)
		}
	}
	if strings.Count(text, "logarithmic axis") > strings.Count(text, "on a logarithmic axis") { // which is in a caption
		t.Error("without scripts the page shows a switch that does nothing")
	}
}

// TestLink follows a link to a scenario: it is in the window, below the bar.
func TestLink(t *testing.T) {
	ctx := browse(t, 1440, 700)
	do(t, ctx, chromedp.Navigate(save(t, resulttest.Run())+"#s-githuball"))
	deadline := time.Now().Add(stepTimeout)
	for {
		top := ask[float64](t, ctx, `document.getElementById("s-githuball").getBoundingClientRect().top`)
		if top > 30 && top < 400 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the scenario is %v pixels below the window's upper edge", top)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestOpening: the page begins with a chart of all routers, ranked first, and what it
// says in three sentences. The chart follows GOMAXPROCS and has no switch of its own.
func TestOpening(t *testing.T) {
	run := resulttest.Run()
	ctx := open(t, run, 1440, 1000)
	parts := ask[[]string](t, ctx, `Array.from(document.querySelectorAll("main h2, main .chart, .summary li"), e => e.tagName === "LI" ? "sentence" : e.id)`)
	if want := []string{"summary-h", "opening-chart", "sentence", "sentence", "sentence", "findings-h"}; len(parts) < len(want) || !slices.Equal(parts[:len(want)], want) {
		t.Errorf("the page begins with %q, want %q", parts[:min(len(parts), len(want))], want)
	}
	if bottom := ask[float64](t, ctx, `document.getElementById("opening-chart").getBoundingClientRect().bottom`); bottom > 1000 {
		t.Errorf("the chart ends %v pixels below the upper edge, out of the window", bottom)
	}
	texts := func() string {
		return ask[string](t, ctx, `Array.from(document.querySelectorAll("#opening-chart text"), e => e.textContent).join("|")`)
	}
	first := texts()
	for _, r := range run.Routers {
		if !strings.Contains(first+"|", "|"+r.Name+"|") && !strings.Contains(first, r.Name) {
			t.Errorf("the chart has no %s: %s", r.Name, first)
		}
	}
	for _, want := range []string{"|time|", "|routes|", "|1.00×|", "|all|", "|all but "} {
		if !strings.Contains(first, want) {
			t.Errorf("the chart does not say %q: %s", want, first)
		}
	}
	ask[bool](t, ctx, `(document.querySelectorAll("#cpus input")[1].click(), true)`)
	if texts() == first {
		t.Error("the chart is the same for another GOMAXPROCS")
	}
	if n := ask[int](t, ctx, `document.querySelectorAll(".opening input, .opening button").length`); n != 0 {
		t.Errorf("the opening has %d controls", n)
	}
	levels := ask[[]int](t, ctx, `Array.from(document.querySelectorAll("h1, h2, h3, h4"), h => +h.tagName[1])`)
	for i := 1; i < len(levels); i++ {
		if levels[i] > levels[i-1]+1 {
			t.Errorf("heading %d is of level %d, behind one of level %d", i+1, levels[i], levels[i-1])
		}
	}
}
