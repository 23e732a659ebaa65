package result

import (
	"slices"

	"golang.org/x/perf/benchmath"
)

// A Summary is the summary of a row's samples in one unit.
type Summary struct {
	benchmath.Summary
	// P is the p-value of the comparison with the baseline's row, by the Mann-Whitney U
	// test, or -1.
	P float64
	// Differs reports whether the row differs from the baseline's at a significance of 5 %.
	Differs bool
	// Noisy reports whether the 95 % confidence interval is too wide to distinguish rows
	// that differ by less than a tenth.
	Noisy bool
}

// Summarize returns the summary of a row's samples in a unit: the median and its
// 95 % confidence interval, without an assumption about the distribution. base is
// the row to compare with and may be nil, or the row itself. It reports false if
// the row has no samples in the unit.
func (r *Row) Summarize(unit string, base *Row) (Summary, bool) {
	values := r.Samples[unit]
	if len(values) == 0 {
		return Summary{}, false
	}
	sample := newSample(values)
	s := Summary{Summary: benchmath.AssumeNothing.Summary(sample, 0.95), P: -1}
	s.Noisy = s.Hi-s.Center > 0.05*s.Center || s.Center-s.Lo > 0.05*s.Center
	if base != nil && base != r && len(base.Samples[unit]) > 0 {
		c := benchmath.AssumeNothing.Compare(newSample(base.Samples[unit]), sample)
		s.P, s.Differs = c.P, c.P < c.Alpha
	}
	return s, true
}

// newSample returns a sample of a copy of values, because it sorts what it is given.
func newSample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// Row returns the row of a router at a GOMAXPROCS, or nil.
func (s *Scenario) Row(router string, cpu int) *Row {
	for i := range s.Rows {
		if s.Rows[i].Router == router && s.Rows[i].CPU == cpu {
			return &s.Rows[i]
		}
	}
	return nil
}
