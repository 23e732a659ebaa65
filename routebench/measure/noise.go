package measure

import (
	"fmt"
	"math"

	"github.com/muxwell/muxwell/routebench/result"
)

// judged are the units that determine the noise of a scenario: the most important unit of
// each kind.
var judged = map[result.Kind]string{
	result.Speed:  result.Time,
	result.Growth: result.Time,
	result.Server: result.Throughput,
}

// Noise returns sentences that describe how noisy the numbers of a run are. It returns none
// if at most one row in twenty has a wide confidence interval.
//
// Scenarios of memory do not count, because bytes vary less than times.
func Noise(run *result.Run) []string {
	var c census
	for i := range run.Scenarios {
		s := &run.Scenarios[i]
		if unit := judged[s.Kind]; unit != "" {
			c.count(s, unit)
		}
	}
	return c.sentences()
}

// A census counts rows.
type census struct {
	rows, noisy int
	few         int     // rows with too few rounds for an interval
	worst       float64 // the widest interval, as a share of the median
	where       string
}

// count counts the rows of a scenario.
func (c *census) count(s *result.Scenario, unit string) {
	for i := range s.Rows {
		sum, ok := s.Rows[i].Summarize(unit, nil)
		if !ok || s.Rows[i].Router == result.Floor {
			continue
		}
		c.rows++
		switch width := max(sum.Hi-sum.Center, sum.Center-sum.Lo) / sum.Center; {
		case math.IsInf(width, 0) || math.IsNaN(width):
			c.few++
		case sum.Noisy:
			c.noisy++
			if width > c.worst {
				c.worst, c.where = width, s.Rows[i].Router+" in "+s.Name
			}
		}
	}
}

func (c *census) sentences() []string {
	var out []string
	if c.few > 0 {
		out = append(out, fmt.Sprintf("%d of %d rows have too few rounds for a 95 %% confidence interval, which takes 6; raise -rounds.", c.few, c.rows))
	}
	if 20*c.noisy > c.rows {
		out = append(out, fmt.Sprintf("Measurements were noisy: %d of %d rows have a 95 %% confidence interval wider than ±5 %%, "+
			"the widest ±%.0f %% (%s); close other programs or raise -rounds.", c.noisy, c.rows, 100*c.worst, c.where))
	}
	return out
}
