package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/muxwell/muxwell/routebench/result"
)

// noiseWords says what the measuring takes, and how sure the times are.
func noiseWords(run *result.Run) []string {
	rows, short := 0, 0
	var noisy []string
	for _, s := range of(run, result.Speed) {
		for i := range s.Rows {
			r := &s.Rows[i]
			sum, ok := r.Summarize(result.Time, nil)
			if !ok || r.Router == result.Floor {
				continue
			}
			rows++
			switch {
			case math.IsInf(sum.Hi, 0) || math.IsInf(sum.Lo, 0):
				short++
			case sum.Noisy:
				noisy = append(noisy, fmt.Sprintf("%s in %s at GOMAXPROCS=%d", r.Router, s.Name, r.CPU))
			}
		}
	}
	if rows == 0 {
		return nil
	}
	out := floorWords(run)
	switch {
	case short == rows:
		return append(out, "There are too few rounds for 95 % confidence intervals, which need at least six.")
	case short > 0:
		out = append(out, fmt.Sprintf("%s of %s times have too few rounds for a 95 %% confidence interval, which needs at least six.", count(short), count(rows)))
	}
	if len(noisy) == 0 && short == 0 {
		return append(out, "The noise is low: every median is known to within 5 % at a confidence of 95 %.")
	}
	if len(noisy) == 0 {
		return out
	}
	which := ""
	if len(noisy) <= 4 {
		which = ": " + list(noisy)
	}
	return append(out, fmt.Sprintf("%s of %s times %s noisy, with a 95 %% confidence interval that extends more than 5 %% from the median%s.",
		count(len(noisy)), count(rows), verb(len(noisy), "is", "are"), which))
}

// floorWords says what the measuring itself takes, in the middle of the scenarios.
func floorWords(run *result.Run) []string {
	var each []float64
	for _, s := range of(run, result.Speed) {
		for i := range s.Rows {
			if r := &s.Rows[i]; r.Router == result.Floor {
				if sum, ok := r.Summarize(result.Time, nil); ok {
					each = append(each, sum.Center/requests(s))
				}
			}
		}
	}
	if len(each) == 0 {
		return nil
	}
	slices.Sort(each)
	return []string{fmt.Sprintf("Measuring itself takes about %s per request, which is included in all times.", duration(each[len(each)/2]))}
}
