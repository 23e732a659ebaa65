package compare

import (
	"fmt"

	"github.com/muxwell/muxwell/routebench/measure"
)

// A census counts properties of measurements, for sentences about the run as a whole.
type census struct {
	rows, uncollected int
	most              float64 // the most that is uncollected
	turns, disturbed  int
}

// count counts the samples of a scenario.
func (c *census) count(samples []measure.Samples) {
	for _, s := range samples {
		c.rows++
		c.turns += len(s.Ops)
		c.disturbed += s.Disturbed
		if s.Uncollected > 0 {
			c.uncollected++
			c.most = max(c.most, s.Uncollected)
		}
	}
}

// sentences returns notes for the reader.
func (c *census) sentences() []string {
	var out []string
	if c.uncollected > 0 {
		out = append(out, fmt.Sprintf("In %d of %d rows turns were over before the garbage of a router that allocates was collected: "+
			"there its time is too short, by %.0f %% and more; raise -slice.", c.uncollected, c.rows, 100*c.most))
	}
	if 20*c.disturbed > c.turns {
		out = append(out, fmt.Sprintf("Other programs, or the machine itself, slowed %d of %d turns, although most such turns were repeated; "+
			"measure on a quiet machine.", c.disturbed, c.turns))
	}
	return out
}
