package explorer

import (
	"testing"
	"time"
)

// serve serves requests at a rate, by a clock of its own, and returns how many of
// them were timed.
func (p *pace) serve(clock *time.Duration, requests int, every time.Duration) (timed int) {
	for n := range requests {
		*clock += every
		if p.timesNext() {
			timed++
			p.noteTimed(*clock)
		} else {
			p.note(uint64(n))
		}
	}
	return timed
}

func TestPace(t *testing.T) {
	var p pace
	var clock time.Duration
	if timed := p.serve(&clock, 5000, 2*time.Millisecond); timed != 5000 {
		t.Errorf("quiet: %d of 5000 timed, want all", timed)
	}
	timed := p.serve(&clock, 640_000, 10*time.Microsecond)
	if timed < 8000 || timed > 12000 {
		t.Errorf("busy: %d of 640000 timed, want about one in 64", timed)
	}
	if timed := p.serve(&clock, 100_000, 200*time.Microsecond); timed < 1000 || timed > 4000 {
		t.Errorf("less busy: %d of 100000 timed, want about one in 64", timed)
	}
	p.serve(&clock, 3000, 2*time.Millisecond)
	if timed := p.serve(&clock, 1000, 2*time.Millisecond); timed != 1000 {
		t.Errorf("quiet again: %d of 1000 timed, want all", timed)
	}
}

// Of routes that are asked for in turn each is timed about as often.
func TestPaceHasNoRhythm(t *testing.T) {
	for _, routes := range []int{2, 3, 16, 64} {
		var p pace
		p.busy.Store(true)
		counts, timed := make([]uint64, routes), make([]int, routes)
		const turns = 20_000
		for range turns {
			for i := range routes {
				if p.timesNext() {
					timed[i]++
				}
				counts[i]++
				p.note(counts[i])
			}
		}
		for i, n := range timed {
			if n < turns/sparse/2 || n > 2*turns/sparse {
				t.Errorf("route %d of %d: %d of %d timed, want about one in %d", i, routes, n, turns, sparse)
			}
		}
	}
}
