package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/page"
	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

// write returns the page of a run.
func write(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Write(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var script = regexp.MustCompile(`(?s)<(script|style)[ >].*?</(script|style)>`)

// texts returns the page's text without its scripts and styles, with one blank
// between the words.
func texts(page string) string {
	text := script.ReplaceAllString(page, "")
	text = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(text, " ")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

func TestContent(t *testing.T) {
	run := resulttest.Run()
	text := texts(write(t, run))
	want := append(report.Summary(run), run.Warnings...)
	want = append(
		want,
		"14 Go routers compared", "AMD EPYC 7763 64-Core Processor", "2 cores, 8 GiB", "debian 13.1 linux/amd64", "1.26.8", "14 March 2026, 09:26 UTC",
		"2 min 31 s", "routebench -cpu 1,2", "20 ms", "v0.0.0-20170121215854-22fa46961aab", "fasthttp, not net/http", "no longer kept",
		"martini left out: it answers none of the requests right",
		"httprouter answers 190 of 203 requests and is measured on those; the time is extrapolated to all of them: 13 × wildcard segment … conflicts with existing children in path …",
		"GET /users/{user}/keys wildcard segment ':id' conflicts with existing children in path '/users/{user}/keys' GithubAll · github.routes:12",
		"no: it has no expressions or constraints", "cost of measuring", "noisy", "Copyright 2020-2025 Observable, Inc. Permission to use", "100,000 routes: left out: it took more than 10 s to load 10000 routes",
	)
	for _, r := range run.Routers {
		want = append(want, r.Name+" "+strings.TrimSpace(r.Module+" "+r.Version))
	}
	for _, s := range run.Scenarios {
		if s.Kind != result.Growth {
			want = append(want, s.Name+" "+s.About)
		}
		want = append(want, "All figures of "+s.Name)
	}
	for _, p := range run.Matrix {
		want = append(want, p.Name+" "+p.About)
	}
	for _, w := range want {
		w = strings.Replace(w, "ServeMux go1", "ServeMux net/http go1", 1)
		if !strings.Contains(text, w) {
			t.Errorf("the page does not say %q", w)
		}
	}
	if strings.Contains(text, "interrupted") {
		t.Error("the page says that a whole run was interrupted")
	}
}

func TestInterrupted(t *testing.T) {
	run := resulttest.Small()
	run.Interrupted = true
	if text, want := texts(write(t, run)), "The run was interrupted."; !strings.Contains(text, want) {
		t.Errorf("the page does not say %q", want)
	}
}

// TestSections takes kinds out of a run: their sections are then not there, nor
// links to them.
func TestSections(t *testing.T) {
	sections := map[string]func(*result.Run){
		"speed": drop(result.Speed), "growth": drop(result.Growth), "memory": drop(result.Memory), "server": drop(result.Server),
		"matrix": func(r *result.Run) { r.Matrix = nil },
		"faults": func(r *result.Run) { r.Faults = nil },
	}
	whole := write(t, resulttest.Run())
	for name, without := range sections {
		run := resulttest.Run()
		without(run)
		less := write(t, run)
		for _, mark := range []string{`id="` + name + `"`, `href="#` + name + `"`} {
			if !strings.Contains(whole, mark) {
				t.Errorf("the whole page has no %s", mark)
			}
			if strings.Contains(less, mark) {
				t.Errorf("the page of a run without %s has %s", name, mark)
			}
		}
	}
}

// drop returns a function that takes the scenarios of a kind out of a run.
func drop(kind result.Kind) func(*result.Run) {
	return func(run *result.Run) {
		var kept []result.Scenario
		for _, s := range run.Scenarios {
			if s.Kind != kind {
				kept = append(kept, s)
			}
		}
		run.Scenarios = kept
	}
}

// bareRuns are runs that hold next to nothing.
func bareRuns() map[string]*result.Run {
	few := resulttest.Small() // too few rounds for an interval
	for i := range few.Scenarios {
		for j := range few.Scenarios[i].Rows {
			r := &few.Scenarios[i].Rows[j]
			for unit, values := range r.Samples {
				r.Samples[unit] = values[:2]
			}
		}
	}
	unknown := resulttest.Small() // rows of routers that the run does not list
	unknown.Routers = nil
	out := resulttest.Small()
	for i := range out.Scenarios {
		for j := range out.Scenarios[i].Rows {
			out.Scenarios[i].Rows[j] = result.Row{Router: out.Scenarios[i].Rows[j].Router, CPU: 1, LeftOut: "it panics"}
		}
	}
	zero := resulttest.Small()
	for _, r := range zero.Scenarios[0].Rows {
		clear(r.Samples[result.Time])
	}
	return map[string]*result.Run{
		"nothing": {}, "few rounds": few, "unknown routers": unknown, "all left out": out, "zero": zero,
		"no rows": {Scenarios: []result.Scenario{{Kind: result.Speed}, {Kind: result.Growth}, {Kind: result.Memory}, {Kind: result.Server}}},
	}
}

func TestBareRuns(t *testing.T) {
	for name, run := range bareRuns() {
		text := texts(write(t, run))
		for _, bad := range []string{"NaN", "Inf", "%!"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page says %q", name, text[max(0, strings.Index(text, bad)-60):][:80])
			}
		}
	}
}

// TestPolicy computes the hashes of what is in the page again.
func TestPolicy(t *testing.T) {
	text := write(t, resulttest.Small())
	policy := html.UnescapeString(regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(text)[1])
	for _, want := range []string{"default-src 'none'; ", "img-src data:;", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("policy %q has no %q", policy, want)
		}
	}
	for _, unsafe := range []string{"unsafe", "http", "*", "connect-src"} {
		if strings.Contains(policy, unsafe) {
			t.Errorf("policy %q has %q", policy, unsafe)
		}
	}
	inline := regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(text, -1)
	if len(inline) != 8 {
		t.Errorf("%d elements of script and style, want 8", len(inline))
	}
	for _, m := range inline {
		sum := sha256.Sum256([]byte(m[1]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("policy %q has not %s, of %.60q", policy, want, m[1])
		}
	}
	if m := regexp.MustCompile(`\s(style|on[a-z]+|src)=`).FindString(script.ReplaceAllString(text, "")); m != "" {
		t.Errorf("the page has an attribute %q, which its policy forbids", m)
	}
}

// TestAssets compares the libraries with what README.md says of them.
func TestAssets(t *testing.T) {
	readme, err := os.ReadFile("assets/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("assets/*.js")
	if err != nil || len(files) != 2 {
		t.Fatalf("assets/*.js: %q, %v, want two files", files, err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(filepath.Base(file)) + "`.*$").FindString(string(readme))
		if want := hex.EncodeToString(sum[:]); !strings.Contains(row, want) {
			t.Errorf("README.md says of %s %q, want %s in it", file, row, want)
		}
		for _, end := range []string{"</script", "<!--"} {
			if bytes.Contains(bytes.ToLower(b), []byte(end)) {
				t.Errorf("%s has %q in it, which an inline script must not", file, end)
			}
		}
	}
}

// hostile are names that are code elsewhere, turn text around or are long.
var hostile = []string{
	`</script><script>alert(1)</script>`,
	`"onmouseover="alert(1)`,
	`<img src=x onerror=alert(1)>`,
	`{{.Run}}${alert(1)}` + "`'",
	"\u202eunder\u2066 \u05d0\u05d1\u05d2",
	`GET /` + strings.Repeat("very/{long}/", 60),
	"]]><!--",
}

// hostileRun returns a run whose names are hostile wherever a run has names.
func hostileRun() *result.Run {
	run := resulttest.Run()
	named := map[string]string{}
	for i, name := range hostile {
		named[run.Routers[i].Name] = name
		run.Routers[i].Name, run.Routers[i].Note, run.Routers[i].Version = name, name, name
	}
	run.Command = append(run.Command, hostile...)
	run.Settings.Source, run.Settings.Baseline, run.Machine.CPU = hostile[0], hostile[1], hostile[2]
	run.Warnings = hostile
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		s.About = hostile[i%len(hostile)]
		if s.Kind != result.Growth {
			s.Name, s.Suite = fmt.Sprint(s.Name, hostile[(i+1)%len(hostile)]), hostile[i%2]
		}
		for j := range s.Rows {
			if name, ok := named[s.Rows[j].Router]; ok {
				s.Rows[j].Router = name
			}
			if s.Rows[j].LeftOut != "" {
				s.Rows[j].LeftOut = hostile[i%len(hostile)]
			}
		}
	}
	for i := range run.Matrix {
		p := &run.Matrix[i]
		p.Name, p.About = hostile[i], hostile[i+1]
		for j := range p.Answers {
			if name, ok := named[p.Answers[j].Router]; ok {
				p.Answers[j].Router, p.Answers[j].Reason = name, name
			}
		}
	}
	for i := range run.Faults {
		name := hostile[i%len(hostile)]
		run.Faults[i] = result.Fault{Scenario: name, Router: name, Route: name, Request: name, Source: name, Reason: name}
	}
	return run
}

// TestHostileNames looks for them as they must not stand in the page. The browser
// shows the same page in TestHostilePage.
func TestHostileNames(t *testing.T) {
	text := write(t, hostileRun())
	for _, bad := range []string{"<script>alert", "<img", "<!--"} {
		if at := strings.Index(text, bad); at >= 0 {
			t.Errorf("the page has %q in it: %q", bad, text[max(0, at-60):at+60])
		}
	}
	if at := strings.Index(script.ReplaceAllString(text, ""), `"onmouseover`); at >= 0 {
		t.Errorf("the page has an attribute onmouseover at %d", at)
	}
	if got, want := strings.Count(strings.ToLower(text), "</script>"), 8; got != want {
		t.Errorf("</script> stands %d times in the page, want %d", got, want)
	}
}

// TestMean compares the mean of the overview with what the summary says.
func TestMean(t *testing.T) {
	text := texts(write(t, resulttest.Run()))
	said := regexp.MustCompile(`At GOMAXPROCS=1 muxwell-value is the fastest .* it is ([0-9.]+) times as fast as httprouter`).FindStringSubmatch(text)
	shown := regexp.MustCompile(`GOMAXPROCS=1; mean of the 7 scenarios .* muxwell-value 1\.00 .*? httprouter ([0-9.]+) `).FindStringSubmatch(text)
	if said == nil || shown == nil {
		t.Fatalf("the summary says %q and the overview %q", said, shown)
	}
	if a, b := number(t, said[1]), number(t, shown[1]); a < 0.99*b || a > 1.01*b {
		t.Errorf("the mean of httprouter is %v in the summary and %v in the overview", a, b)
	}
}

// The key of the charts, and the hatching that bars of other stacks are filled with,
// are there once, whatever kinds of scenarios a run has.
func TestKey(t *testing.T) {
	for _, kinds := range [][]result.Kind{{result.Speed}, {result.Memory}, {result.Server}, {result.Memory, result.Server}, {result.Speed, result.Memory, result.Server}} {
		run := resulttest.Run()
		run.Scenarios = slices.DeleteFunc(run.Scenarios, func(s result.Scenario) bool { return !slices.Contains(kinds, s.Kind) })
		page := write(t, run)
		for _, text := range []string{`id="hatch"`, `aria-label="Key of the charts"`, "server stack of its own, not net/http"} {
			if n := strings.Count(page, text); n != 1 {
				t.Errorf("%v: the page has %s %d times, want once", kinds, text, n)
			}
		}
	}
}
