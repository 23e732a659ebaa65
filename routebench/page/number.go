package page

import (
	"math"
	"strconv"
	"strings"
)

// A quantity is what a unit of the data model measures.
type quantity int

const (
	duration quantity = iota // in nanoseconds
	size                     // in bytes
	rate                     // in requests a second
	count
)

// A scale is how the figures of one chart or column are written, so that they can
// be compared at a glance: all with the same unit.
type scale struct {
	Unit   string  `json:"unit"`   // "µs"; may be empty
	Factor float64 `json:"factor"` // what a figure is multiplied by
	exact  bool    // whole numbers are not rounded
}

// scales are those of a quantity from the finest on, each with the least figure
// that it suits.
var scales = [...][]struct {
	from float64
	scale
}{
	duration: {{0, scale{"ns", 1, false}}, {1e3, scale{"µs", 1e-3, false}}, {1e6, scale{"ms", 1e-6, false}}, {1e9, scale{"s", 1e-9, false}}},
	size:     {{0, scale{"B", 1, true}}, {1e3, scale{"kB", 1e-3, false}}, {1e6, scale{"MB", 1e-6, false}}, {1e9, scale{"GB", 1e-9, false}}},
	rate:     {{0, scale{"1/s", 1, false}}},
	count:    {{0, scale{"", 1, true}}},
}

// scaleOf returns the scale for figures of which some are small and some large: in
// it the middle one has one to three digits before the point, but the least one
// not less than a tenth.
func (q quantity) scaleOf(least, middle float64) scale {
	s := scales[q][0].scale
	for _, c := range scales[q][1:] {
		if middle >= c.from && least*c.Factor >= 0.1 {
			s = c.scale
		}
	}
	return s
}

// text returns a figure in the scale, without the unit.
func (s scale) text(v float64) string {
	if s.exact && v == math.Trunc(v) && v < 1e6 {
		return commas(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return number(v * s.Factor)
}

// number returns a figure with three significant digits and commas between the
// thousands.
func number(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.IsInf(v, 0) || math.IsNaN(v):
		return "–"
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(rounded))+1e-9)))
	return commas(strconv.FormatFloat(rounded, 'f', decimals, 64))
}

// commas puts commas between the thousands of a number.
func commas(s string) string {
	whole, fraction, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	return whole
}

// auto returns a figure in the unit that suits it.
func (q quantity) auto(v float64) string {
	s := q.scaleOf(v, v)
	return strings.TrimSuffix(number(v*s.Factor)+" "+s.Unit, " ")
}
