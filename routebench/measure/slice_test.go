package measure

import (
	"math"
	"testing"
	"time"

	"github.com/muxwell/muxwell/routebench/result"
)

// A contender is charged for the collections that its allocations cause in the long
// run, whether its cycles are shorter or longer than a slice.
func TestCollections(t *testing.T) {
	for _, tt := range []struct {
		name          string
		bytes         uint64 // an operation of one microsecond
		pause         time.Duration
		collections   float64
		forced        int // a turn
		charged, warn bool
	}{
		{"none", 0, 4 * time.Millisecond, 0, 1, true, false},
		{"many cycles a slice", 8192, 2 * time.Millisecond, 7, 1, true, false}, // of 3 ms each
		{"a cycle of half a slice", 1000, 2 * time.Millisecond, 2, 1, true, false},
		{"a cycle of a slice", 420, 4 * time.Millisecond, 1, 1, true, false},
		{"a cycle of a slice and more", 350, 8 * time.Millisecond, 1, 2, true, false},
		{"a cycle of three slices", 140, 4 * time.Millisecond, 1, 2, true, false},
		{"a cycle of ten slices", 40, 4 * time.Millisecond, 0, 1, false, true},
		{"hardly anything", 2, 4 * time.Millisecond, 0, 1, true, false}, // 0.1 % of the time
	} {
		w := newWorld()
		w.pause = tt.pause
		calibration := -1
		samples, err := w.turns(t.Context(), Options{Rounds: 3}, []Contender{{Name: "it", Pass: w.pass(time.Microsecond, 1, tt.bytes)}},
			func(time.Duration, time.Duration) {
				if calibration < 0 {
					calibration = w.forced
				}
			})
		if err != nil {
			t.Fatal(err)
		}
		if forced := w.forced - calibration; forced != 3*tt.forced {
			t.Errorf("%s: %d forced collections in 3 turns, want %d", tt.name, forced, 3*tt.forced)
		}
		got := samples[0]
		if math.Abs(got.Collections-tt.collections) > 0.5 {
			t.Errorf("%s: %v collections a turn, want %v", tt.name, got.Collections, tt.collections)
		}
		cycles := float64(tt.bytes) / float64(w.mem.goal-w.live) // an operation
		want := 1000 + cycles*float64(tt.pause)
		for _, v := range got.Values[result.Time] {
			if charged := math.Abs(v/want-1) < 0.01; charged != tt.charged {
				t.Errorf("%s: %v ns/op, want %.0f: %v", tt.name, v, want, tt.charged)
			}
		}
		if got.Uncollected > 0 != tt.warn {
			t.Errorf("%s: uncollected %v, want more than 0: %v", tt.name, got.Uncollected, tt.warn)
		}
	}
}

// A contender does not pay for the garbage of another.
func TestCollectionsOfOthers(t *testing.T) {
	w := newWorld()
	samples, err := w.turns(t.Context(), Options{Rounds: 10}, []Contender{
		{Name: "litters", Pass: w.pass(time.Microsecond, 1, 1000)},
		{Name: "allocates little", Pass: w.pass(time.Microsecond, 1, 40)},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range samples[1].Values[result.Time] {
		if v != 1000 {
			t.Errorf("%v ns/op, want 1000 each", samples[1].Values[result.Time])
			break
		}
	}
}

func TestFindBatch(t *testing.T) {
	for _, tt := range []struct {
		slice, pass time.Duration
		want        int
	}{
		{20 * time.Millisecond, time.Microsecond, 256}, // 0.2 ms are a hundredth
		{20 * time.Millisecond, 100 * time.Nanosecond, 2048},
		{20 * time.Millisecond, 150 * time.Microsecond, 2},
		{20 * time.Millisecond, 200 * time.Microsecond, 1},
		{20 * time.Millisecond, 500 * time.Millisecond, 1},
		{time.Millisecond, time.Microsecond, 64}, // at least 50 µs
	} {
		w := newWorld()
		k := &take{contender: Contender{Pass: w.pass(tt.pass, 0, 0)}}
		run := &turns{Options: Options{Slice: tt.slice}.withDefaults(), meter: w.meter()}
		if err := run.calibrate(k); err != nil || k.pace.batch != tt.want || k.pace.pass != tt.pass {
			t.Errorf("slice %v, pass %v: a batch of %d with passes of %v, error %v; want %d", tt.slice, tt.pass, k.pace.batch, k.pace.pass, err, tt.want)
		}
	}
}

// A batch that was held up once does not look long enough.
func TestFindBatchHeldUp(t *testing.T) {
	w := newWorld()
	fine, called := w.pass(time.Microsecond, 0, 0), 0
	k := &take{contender: Contender{Pass: func(n int) {
		if called++; called == 4 || called == 9 {
			w.work(5 * time.Millisecond)
		}
		fine(n)
	}}}
	run := &turns{Options: Options{}.withDefaults(), meter: w.meter()}
	if err := run.calibrate(k); err != nil || k.pace.batch != 256 {
		t.Errorf("a batch of %d, error %v; want 256", k.pace.batch, err)
	}
}
