package report_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got, which -update writes to %s:\n%s", path, firstDifference(got, string(want)))
	}
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one is the beginning of the other"
}

func terminal(t *testing.T, run *result.Run, opts report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Terminal(&b, run, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func markdown(t *testing.T, run *result.Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Markdown(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTerminal(t *testing.T) {
	golden(t, "run.txt", terminal(t, resulttest.Run(), report.Options{}))
	golden(t, "tables.txt", terminal(t, resulttest.Run(), report.Options{Tables: true}))
	golden(t, "small.txt", terminal(t, resulttest.Small(), report.Options{Width: 120}))
	golden(t, "color.txt", terminal(t, resulttest.Small(), report.Options{Color: true}))
}

func TestMarkdown(t *testing.T) {
	golden(t, "run.md", markdown(t, resulttest.Run()))
	golden(t, "small.md", markdown(t, resulttest.Small()))
}

func TestTerminalWidth(t *testing.T) {
	for _, width := range []int{60, 80, 100, 200} {
		for _, tables := range []bool{false, true} {
			for line := range strings.Lines(terminal(t, resulttest.Run(), report.Options{Width: width, Tables: tables})) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > max(width, widest) {
					t.Errorf("width %d: a line of %d columns: %s", width, n, line)
				}
			}
		}
	}
}

// widest is the width of the longest reason of an error, which has no space.
const widest = 48

func TestColorOnlyAddsEscapes(t *testing.T) {
	with := terminal(t, resulttest.Run(), report.Options{Color: true, Tables: true})
	without := terminal(t, resulttest.Run(), report.Options{Tables: true})
	if strings.Contains(without, "\x1b") {
		t.Error("got an escape without Color")
	}
	if !strings.Contains(with, "\x1b[1mmuxwell-value\x1b[0m") {
		t.Error("the best is not in bold with Color")
	}
	if got := regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(with, ""); got != without {
		t.Errorf("Color changes more than escapes:\n%s", firstDifference(got, without))
	}
}

// hostile is what a terminal and Markdown obey: escapes, lines, a cell's end, tags.
const hostile = "a\x1b[31m\r\n| b |\t<script>`*_[x](y)\u202e\x00\xff"

// spoiled returns a run in which all texts are hostile.
func spoiled() *result.Run {
	run := resulttest.Run()
	run.Machine.CPU, run.Machine.OS = hostile, hostile
	run.Warnings = append(run.Warnings, hostile)
	for i := range run.Routers {
		run.Routers[i].Name += hostile
	}
	run.Settings.Baseline += hostile
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		s.Name, s.About, s.Suite = s.Name+hostile, hostile, s.Suite+hostile
		for j := range s.Rows {
			if r := &s.Rows[j]; r.Router != result.Floor {
				r.Router += hostile
				if r.LeftOut != "" {
					r.LeftOut = hostile
				}
			}
		}
	}
	for i := range run.Matrix {
		run.Matrix[i].Name += hostile
		for j := range run.Matrix[i].Answers {
			run.Matrix[i].Answers[j].Router += hostile
		}
	}
	for i := range run.Faults {
		run.Faults[i] = result.Fault{Scenario: hostile, Router: hostile, Route: hostile, Source: hostile, Request: hostile, Reason: hostile}
	}
	return run
}

func TestHostileTexts(t *testing.T) {
	outputs := map[string]string{
		"Terminal": terminal(t, spoiled(), report.Options{}),
		"Markdown": markdown(t, spoiled()),
		"Summary":  summary(t, spoiled()),
	}
	for name, got := range outputs {
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\r\t\x00\u202e") {
			t.Errorf("%s lets through what a terminal obeys", name)
		}
		if !strings.Contains(got, `\x1b[31m`) && !strings.Contains(got, `\\x1b\[31m`) {
			t.Errorf("%s does not show what was escaped", name)
		}
	}
	if strings.Contains(outputs["Markdown"], "<") {
		t.Error("Markdown lets a tag through")
	}
	tables(t, outputs["Markdown"])
}

// tables checks that the rows of each table have as many cells as its head.
func tables(t *testing.T, text string) {
	t.Helper()
	border := regexp.MustCompile(`(^|[^\\])\|`)
	cells, seen := 0, 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := len(border.FindAllString(line, -1))
		if cells > 0 && n != cells {
			t.Errorf("%d borders in %s\nwant %d, as in the head", n, line, cells)
		}
		cells = n
		seen++
	}
	if seen == 0 {
		t.Error("no table")
	}
}

func TestMarkdownTables(t *testing.T) { tables(t, markdown(t, resulttest.Run())) }

// Whatever is missing from a run, it is shown.
func TestBroken(t *testing.T) {
	fault := regexp.MustCompile(`%!|NaN|Inf`)
	for seed := range uint64(40) {
		run := broken(seed)
		for name, got := range map[string]string{
			"Terminal": terminal(t, run, report.Options{}), "Markdown": markdown(t, run),
			"Tables": terminal(t, run, report.Options{Tables: true}),
		} {
			if m := fault.FindString(got); m != "" {
				t.Errorf("seed %d: %s has %q", seed, name, m)
			}
		}
	}
	for _, run := range []*result.Run{{}, {Scenarios: []result.Scenario{{Kind: result.Speed}, {Kind: result.Speed}, {Kind: result.Memory}, {Kind: result.Growth}, {Kind: result.Server}}}} {
		if got := terminal(t, run, report.Options{}); !strings.Contains(got, "Nothing was measured.") {
			t.Errorf("got %s\nwant that nothing was measured", got)
		}
		markdown(t, run)
	}
}

// What does not differ from the best is in bold too, and has no change against the
// baseline.
func TestWithinTheNoise(t *testing.T) {
	run := runOf(1, figure{"ServeMux", []float64{90, 110, 95, 105, 100, 99, 101, 93, 107, 98}}, figure{"chi", []float64{91, 111, 96, 106, 101, 100, 102, 94, 108, 99}}, figure{"gin", around(300)})
	if got, want := markdown(t, run), "| ServeMux | **1.00** |\n| chi | **1.01** |\n| gin | 3.01 |\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant in it\n%s", got, want)
	}
	got := terminal(t, run, report.Options{})
	for _, want := range []string{"(?m)^ServeMux .* baseline$", "(?m)^chi .* ~$", `(?m)^gin .* \+201%$`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("got\n%s\nwant a line %s", got, want)
		}
	}
}

// What is in bold with few rounds is only the first.
func TestBestOfFewRounds(t *testing.T) {
	run := runOf(2, figure{"ServeMux", []float64{100, 101}}, figure{"chi", []float64{50, 51}})
	got := markdown(t, run)
	if !strings.Contains(got, "| **chi") && !strings.Contains(got, "| **1.00** |") {
		t.Errorf("got %s\nwant the first in bold", got)
	}
	if strings.Contains(got, "**2.0") {
		t.Errorf("got %s\nwant the second not in bold", got)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("disk full")

func TestWriterError(t *testing.T) {
	if err := report.Terminal(failing{}, resulttest.Run(), report.Options{}); !errors.Is(err, errFull) {
		t.Errorf("Terminal returns %v, want %v", err, errFull)
	}
	if err := report.Markdown(failing{}, resulttest.Run()); !errors.Is(err, errFull) {
		t.Errorf("Markdown returns %v, want %v", err, errFull)
	}
}
