package result_test

import (
	"math"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/result/resulttest"
)

func rowOf(samples ...float64) *result.Row {
	return &result.Row{Samples: map[string][]float64{result.Time: samples}}
}

func TestSummarize(t *testing.T) {
	ten := []float64{10, 1, 9, 2, 8, 3, 7, 4, 6, 5}
	close := []float64{100, 101, 99, 100, 102, 98, 101, 99, 100, 100}
	shifted := make([]float64, len(close))
	for i, x := range close {
		shifted[i] = x + 5
	}
	inf := math.Inf(1)
	for _, tt := range []struct {
		name           string
		row, base      *result.Row
		center, lo, hi float64
		differs, noisy bool
		compared       bool
	}{
		// The interval of a median of ten goes from the second to the ninth.
		{name: "spread", row: rowOf(ten...), center: 5.5, lo: 2, hi: 9, noisy: true},
		{name: "close", row: rowOf(close...), center: 100, lo: 99, hi: 101},
		{name: "alike", row: rowOf(close...), base: rowOf(close...), center: 100, lo: 99, hi: 101, compared: true},
		{name: "shifted", row: rowOf(shifted...), base: rowOf(close...), center: 105, lo: 104, hi: 106, differs: true, compared: true},
		{name: "constant", row: rowOf(3, 3, 3, 3, 3, 3), base: rowOf(3, 3, 3, 3, 3, 3), center: 3, lo: 3, hi: 3, compared: true},
		{name: "zero", row: rowOf(0, 0, 0, 0, 0, 0), base: rowOf(1, 1, 1, 1, 1, 1), center: 0, lo: 0, hi: 0, differs: true, compared: true},
		{name: "three", row: rowOf(1, 1, 1), base: rowOf(9, 9, 9), center: 1, lo: -inf, hi: inf, noisy: true, compared: true},
		{name: "one", row: rowOf(7), center: 7, lo: -inf, hi: inf, noisy: true},
		{name: "a base of none", row: rowOf(close...), base: &result.Row{}, center: 100, lo: 99, hi: 101},
	} {
		got, ok := tt.row.Summarize(result.Time, tt.base)
		if !ok || got.Center != tt.center || got.Lo != tt.lo || got.Hi != tt.hi || got.Differs != tt.differs || got.Noisy != tt.noisy {
			t.Errorf("%s: got %+v, %t, want %+v", tt.name, got, ok, tt)
		}
		if compared := got.P >= 0; compared != tt.compared {
			t.Errorf("%s: P is %v, want a comparison: %t", tt.name, got.P, tt.compared)
		}
	}
}

func TestSummarizeItself(t *testing.T) {
	r := rowOf(1, 2, 3, 4, 5, 6)
	if got, ok := r.Summarize(result.Time, r); !ok || got.P != -1 || got.Differs {
		t.Errorf("a row compared with itself: got %+v, %t, want no comparison", got, ok)
	}
	if got, ok := r.Summarize(result.Allocs, nil); ok {
		t.Errorf("a unit without samples: got %+v, want none", got)
	}
}

// Two rows differ from each other alike, whichever is the base.
func TestSummarizeSymmetric(t *testing.T) {
	run := resulttest.Run()
	s := scenario(t, run, "Param5")
	for i := range s.Rows {
		for j := range s.Rows[:i] {
			a, b := &s.Rows[i], &s.Rows[j]
			x, _ := a.Summarize(result.Time, b)
			y, _ := b.Summarize(result.Time, a)
			if x.Differs != y.Differs || math.Abs(x.P-y.P) > 1e-12 {
				t.Errorf("%s and %s: p=%v, %v the other way round", a.Router, b.Router, x.P, y.P)
			}
		}
	}
}

// The samples stay in the order of rounds.
func TestSummarizeKeepsOrder(t *testing.T) {
	samples, base := []float64{5, 1, 4, 2, 3}, []float64{9, 7, 8}
	r, b := rowOf(slices.Clone(samples)...), rowOf(slices.Clone(base)...)
	r.Summarize(result.Time, b)
	if !slices.Equal(r.Samples[result.Time], samples) || !slices.Equal(b.Samples[result.Time], base) {
		t.Errorf("got %v and %v, want %v and %v", r.Samples[result.Time], b.Samples[result.Time], samples, base)
	}
}

func TestRow(t *testing.T) {
	s := &result.Scenario{Rows: []result.Row{{Router: "chi", CPU: 1}, {Router: "chi", CPU: 2}, {Router: "gin", CPU: 1}}}
	for _, tt := range []struct {
		router string
		cpu    int
		want   *result.Row
	}{
		{"chi", 1, &s.Rows[0]},
		{"chi", 2, &s.Rows[1]},
		{"gin", 2, nil},
		{"echo", 1, nil},
	} {
		if got := s.Row(tt.router, tt.cpu); got != tt.want {
			t.Errorf("Row(%q, %d) = %v, want %v", tt.router, tt.cpu, got, tt.want)
		}
	}
}
