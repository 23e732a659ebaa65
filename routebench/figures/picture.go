package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/muxwell/muxwell/routebench/report"
	"github.com/muxwell/muxwell/routebench/result"
)

// The picture of a scenario has two bars for each router, at GOMAXPROCS=1 and 2, on a
// logarithmic axis, with the 95 % confidence intervals. It is SVG, so that the same run
// always gives the same file.

// pictured is the scenario of the picture.
const pictured = "GithubAll"

// A theme is the colors of a picture.
type theme struct{ name, text, faint, grid, whisker, own1, own2, other1, other2 string }

var themes = []theme{
	{"light", "#1f2328", "#59636e", "#d1d9e0", "#1f2328", "#3b4ed8", "#8f9bf0", "#818b98", "#b9c1ca"},
	{"dark", "#f0f6fc", "#9198a1", "#3d444d", "#f0f6fc", "#8090ff", "#4a58c4", "#9198a1", "#5c646e"},
}

// pictures returns the files of the picture.
func (d *data) pictures() []output {
	var all []output
	for _, t := range themes {
		all = append(all, output{results + "github-all-" + t.name + ".svg", func() ([]byte, error) {
			run, err := d.run("classic")
			if err != nil {
				return nil, err
			}
			return picture(run, t)
		}})
	}
	return all
}

// Sizes of a picture.
const (
	pictureWidth = 760
	pictureTop   = 84
	rowHeight    = 30
	barHeight    = 11
	barsAt       = 130 // where bars begin
	barsWidth    = 440
)

// picture draws the scenario.
func picture(run *result.Run, t theme) ([]byte, error) {
	var s *result.Scenario
	for i := range run.Scenarios {
		if run.Scenarios[i].Name == pictured {
			s = &run.Scenarios[i]
		}
	}
	if s == nil {
		return nil, fmt.Errorf("the run has no scenario %s", pictured)
	}
	all := report.Scores(s, 1)
	two := map[string]report.Score{}
	for _, x := range report.Scores(s, 2) {
		two[x.Router] = x
	}
	least, most := math.Inf(1), 0.0
	for _, x := range all {
		if two[x.Router].Time == 0 {
			return nil, fmt.Errorf("%s has no time at GOMAXPROCS=2", x.Router)
		}
		least, most = min(least, x.Time, two[x.Router].Time), max(most, x.Time, two[x.Router].Time)
	}
	// The axis begins and ends at a power of ten or half of one.
	low, high := math.Pow(10, math.Floor(2*math.Log10(least/1.5))/2), math.Pow(10, math.Ceil(2*math.Log10(most*1.1))/2)
	x := func(ns float64) float64 {
		return barsAt + barsWidth*math.Log(max(ns, low)/low)/math.Log(high/low)
	}
	height := pictureTop + rowHeight*len(all) + 34
	var b bytes.Buffer
	text := func(at, y float64, style, content string) {
		fmt.Fprintf(&b, "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", at, y, style, html.EscapeString(content))
	}
	fill := func(color string, more ...string) string {
		return strings.Join(append([]string{`fill="` + color + `"`}, more...), " ")
	}
	end, small := `text-anchor="end"`, `font-size="12"`

	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"system-ui, sans-serif\" font-size=\"14\" role=\"img\">\n", pictureWidth, height)
	fmt.Fprintf(&b, "<title>%s: time of %d requests by router, at GOMAXPROCS=1 and 2</title>\n", pictured, s.Requests)
	text(0, 18, fill(t.text, `font-size="17"`, `font-weight="bold"`), fmt.Sprintf("%s: the %d requests of GitHub's API, one after another", pictured, s.Requests))
	for i, key := range []string{"GOMAXPROCS=1", "GOMAXPROCS=2"} {
		at := float64(i * 140)
		fmt.Fprintf(&b, "<rect x=\"%.1f\" y=\"35\" width=\"12\" height=\"12\" rx=\"2\" fill=\"%s\"/>\n", at, []string{t.own1, t.own2}[i])
		text(at+18, 46, fill(t.faint, small), key)
	}
	text(290, 46, fill(t.faint, small), "whiskers: 95 % confidence interval · logarithmic axis")
	for exp := math.Ceil(math.Log10(low)); math.Pow(10, exp) <= high; exp++ {
		at := x(math.Pow(10, exp))
		fmt.Fprintf(&b, "<path d=\"M%.1f %dV%d\" stroke=\"%s\"/>\n", at, pictureTop-6, pictureTop+rowHeight*len(all), t.grid)
		text(at, pictureTop-12, fill(t.faint, small, `text-anchor="middle"`), tick(math.Pow(10, exp)))
	}
	for i, head := range []string{"µs, 1", "µs, 2"} {
		text(float64(pictureWidth-86+i*84), pictureTop-12, fill(t.faint, small, end), head)
	}
	for i, one := range all {
		y := float64(pictureTop + i*rowHeight)
		own := strings.HasPrefix(one.Router, "muxwell")
		weight, colors := `font-weight="normal"`, []string{t.other1, t.other2}
		if own {
			weight, colors = `font-weight="bold"`, []string{t.own1, t.own2}
		}
		text(0, y+18, fill(t.text, weight), one.Router)
		for j, standing := range []report.Score{one, two[one.Router]} {
			top := y + 3 + float64(j)*(barHeight+1)
			fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", barsAt, top, x(standing.Time)-barsAt, barHeight, colors[j])
			if sum, ok := s.Row(one.Router, j+1).Summarize(result.Time, nil); ok && !math.IsInf(sum.Hi, 0) {
				middle := top + barHeight/2.0
				fmt.Fprintf(&b, "<path d=\"M%.1f %.1fH%.1fM%.1f %.1fv6M%.1f %.1fv6\" stroke=\"%s\" fill=\"none\"/>\n",
					x(sum.Lo), middle, x(min(sum.Hi, high)), x(sum.Lo), middle-3, x(min(sum.Hi, high)), middle-3, t.whisker)
			}
			text(float64(pictureWidth-86+j*84), y+18, fill(t.text, weight, end), report.Nanoseconds(standing.Time/1000))
		}
	}
	text(0, float64(height-10), fill(t.faint, small), strings.Join(report.Circumstances(run), ", "))
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// tick returns a power of ten of nanoseconds: 10 µs.
func tick(ns float64) string {
	number, unit, _ := strings.Cut(report.Duration(ns), " ")
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + unit
}
