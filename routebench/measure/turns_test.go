package measure

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell/routebench/result"
)

func TestTurnsSamples(t *testing.T) {
	w := newWorld()
	slow, passes := w.pass(30*time.Millisecond, 0, 0), 0
	samples, err := w.turns(t.Context(), Options{Rounds: 3, CPU: 1}, []Contender{
		{Name: "plain", Pass: w.pass(time.Microsecond, 0, 0)},
		{Name: "slow", Pass: func(n int) {
			slow(n)
			passes += n
		}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Samples{
		{
			Name: "plain", Ops: []int{20224, 20224, 20224}, // whole batches of 256
			Values: map[string][]float64{result.Time: {1000, 1000, 1000}, result.Bytes: {0, 0, 0}, result.Allocs: {0, 0, 0}},
		},
		{
			Name: "slow", Ops: []int{1, 1, 1},
			Values: map[string][]float64{result.Time: {3e7, 3e7, 3e7}, result.Bytes: {0, 0, 0}, result.Allocs: {0, 0, 0}},
		},
	} {
		if got := samples[i]; !reflect.DeepEqual(got, want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
	if want := 6 + 3; passes != want {
		t.Errorf("%d slow passes, want %d: 6 to calibrate, and one in each round", passes, want)
	}
}

// Every round gives each contender one turn, in an order that differs from round
// to round and depends on Rand alone.
func TestTurnsShuffle(t *testing.T) {
	const rounds, names = 20, "abcde"
	order := func(seed uint64) (turns []string) {
		w := newWorld()
		var last string
		var contenders []Contender
		for _, name := range strings.Split(names, "") {
			pass := w.pass(time.Millisecond, 0, 0)
			contenders = append(contenders, Contender{Name: name, Pass: func(n int) {
				last = name
				pass(n)
			}})
		}
		o := Options{Rounds: rounds, Rand: rand.New(rand.NewPCG(seed, 0))}
		if _, err := w.turns(t.Context(), o, contenders, func(done, _ time.Duration) { turns = append(turns, last) }); err != nil {
			t.Fatal(err)
		}
		return turns[1:] // the first step is behind the calibration
	}
	first := order(1)
	seen := map[string]bool{}
	for round := range slices.Chunk(first, len(names)) {
		seen[strings.Join(round, "")] = true
		if sorted := strings.Join(slices.Sorted(slices.Values(round)), ""); sorted != names {
			t.Errorf("round %v is no order of %s", round, names)
		}
	}
	if len(first) != rounds*len(names) || len(seen) < rounds/2 {
		t.Errorf("%d turns in %d different orders, want %d turns and an order that changes", len(first), len(seen), rounds*len(names))
	}
	if again := order(1); !slices.Equal(again, first) {
		t.Errorf("orders of one seed differ: %v and %v", first, again)
	}
	if other := order(2); slices.Equal(other, first) {
		t.Errorf("orders of two seeds are the same: %v", other)
	}
}

func TestTurnsLeftOut(t *testing.T) {
	w := newWorld()
	fine := w.pass(time.Microsecond, 0, 0)
	served := 0
	samples, err := w.turns(t.Context(), Options{Rounds: 4, CPU: 2}, []Contender{
		{Name: "fine", Pass: fine},
		{Name: "slow", Pass: w.pass(1500*time.Millisecond, 0, 0)},
		{Name: "panics", Pass: func(int) { panic("at once\nstack") }},
		{Name: "panics later", Pass: func(n int) {
			if served += n; served > 50_000 {
				panic(errors.New("in a round"))
			}
			fine(n)
		}},
		{Name: "cannot be made", Parallel: func() func(int) { panic("no function") }},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"",
		"one operation takes 1.5s, longer than the limit of 1s",
		"it panics: at once",
		"it panics: in a round",
		"it panics: no function",
	} {
		got := samples[i]
		if got.LeftOut != want {
			t.Errorf("%s: left out %q, want %q", got.Name, got.LeftOut, want)
		}
		if rounds := len(got.Ops); (want == "") != (rounds == 4) || len(got.Values[result.Time]) != rounds {
			t.Errorf("%s: %d rounds with %v; want 4, or none if it is left out", got.Name, rounds, got.Values)
		}
	}
}

// What a contender builds in its first pass does not count against it.
func TestTurnsFirstPass(t *testing.T) {
	w := newWorld()
	first := true
	pass := w.pass(time.Microsecond, 0, 0)
	samples, _ := w.turns(t.Context(), Options{Rounds: 1}, []Contender{{Name: "lazy", Pass: func(n int) {
		if first {
			w.work(3 * time.Second)
			first = false
		}
		pass(n)
	}}}, nil)
	if got := samples[0]; got.LeftOut != "" || got.Values[result.Time][0] != 1000 {
		t.Errorf("left out %q with %v, want 1000 ns/op", got.LeftOut, got.Values)
	}
}

func TestTurnsInterrupted(t *testing.T) {
	for _, tt := range []struct {
		steps, rounds int // behind so many steps; the first is behind the calibration
	}{{1, 0}, {2, 0}, {4, 1}, {6, 1}, {7, 2}} {
		w := newWorld()
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		contenders := []Contender{
			{Name: "a", Pass: w.pass(time.Microsecond, 0, 0)},
			{Name: "b", Pass: w.pass(time.Microsecond, 1, 64)},
			{Name: "c", Pass: w.pass(time.Microsecond, 0, 0)},
		}
		samples, err := w.turns(ctx, Options{Rounds: 5}, contenders, func(time.Duration, time.Duration) {
			if steps++; steps == tt.steps {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || steps != tt.steps {
			t.Errorf("cancelled at step %d: error %v at step %d", tt.steps, err, steps)
		}
		for i, s := range samples {
			if s.Name != contenders[i].Name || len(s.Ops) != tt.rounds || len(s.Values[result.Time]) != tt.rounds || s.LeftOut != "" {
				t.Errorf("cancelled at step %d: %+v, want %d rounds of %s", tt.steps, s, tt.rounds, contenders[i].Name)
			}
		}
	}
}

func TestTurnsStep(t *testing.T) {
	w := newWorld()
	o := Options{Rounds: 4}
	contenders := []Contender{{Pass: w.pass(time.Microsecond, 0, 0)}, {Pass: w.pass(time.Millisecond, 0, 0)}}
	var done, total []time.Duration
	began := w.clock
	if _, err := w.turns(t.Context(), o, contenders, func(d, all time.Duration) {
		done, total = append(done, d), append(total, all)
	}); err != nil {
		t.Fatal(err)
	}
	if want := 1 + 4*2; len(done) != want {
		t.Fatalf("%d steps, want %d", len(done), want)
	}
	if !slices.IsSorted(done) || done[0] <= 0 {
		t.Errorf("done is %v, want what grows", done)
	}
	if total[0] != o.Estimate(2) {
		t.Errorf("the first total is %v, want the estimate %v", total[0], o.Estimate(2))
	}
	if took := w.clock.Sub(began); done[8] != took || total[8] != took {
		t.Errorf("at last it is at %v of %v, want %v", done[8], total[8], took)
	}
	for i, all := range total[3:] {
		if took := w.clock.Sub(began); all < took*9/10 || all > took*11/10 {
			t.Errorf("step %d: total %v, want about %v", i+3, all, took)
		}
	}
}

// A turn that other programs disturbed is repeated, and the better one counts.
func TestTurnsDisturbed(t *testing.T) {
	for _, tt := range []struct {
		name      string
		disturb   func(w *world, turn int)
		turns     int // of 4 rounds of one contender
		disturbed int
		want      []float64
	}{
		{"never", func(*world, int) {}, 4, 0, []float64{1000, 1000, 1000, 1000}},
		{"a turn without CPU", func(w *world, turn int) { w.stolen = at(turn == 2, 0.5) }, 5, 0, []float64{1000, 1000, 1000, 1000}},
		{"a slow turn", func(w *world, turn int) { w.reference = time.Microsecond + time.Duration(at(turn == 2, 500)) }, 5, 0, []float64{1000, 1000, 1000, 1000}},
		{"a little", func(w *world, turn int) { w.stolen = at(turn == 2, 0.05) }, 4, 0, []float64{1000, 1000, 1052, 1000}},
		{"always, at most every second turn is repeated", func(w *world, _ int) { w.stolen = 0.5 }, 6, 4, []float64{2000, 2000, 2000, 2000}},
		{"worse when repeated", func(w *world, turn int) { w.stolen = at(turn == 2, 0.2) + at(turn == 3, 0.75) }, 5, 1, []float64{1000, 1000, 1250, 1000}},
	} {
		w := newWorld()
		turn := -1 // -1 is the calibration
		fine := w.pass(time.Microsecond, 0, 0)
		contender := Contender{Pass: func(n int) {
			tt.disturb(w, turn)
			fine(n)
		}}
		samples, err := w.turns(t.Context(), Options{Rounds: 4}, []Contender{contender}, func(time.Duration, time.Duration) { turn++ })
		if err != nil {
			t.Fatal(err)
		}
		got := samples[0]
		if turn != tt.turns || got.Disturbed != tt.disturbed {
			t.Errorf("%s: %d turns of which %d stay disturbed, want %d and %d", tt.name, turn, got.Disturbed, tt.turns, tt.disturbed)
		}
		for i, v := range got.Values[result.Time] {
			if d := v - tt.want[i]; d < -1 || d > 1 {
				t.Errorf("%s: %v ns/op, want about %v", tt.name, got.Values[result.Time], tt.want)
				break
			}
		}
	}
}

// at returns v, or 0 if it is not due.
func at(due bool, v float64) float64 {
	if due {
		return v
	}
	return 0
}

var sink [3]*[64]byte

// The real thing: allocations are exact, whatever the time is.
func TestTurns(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	var procs []int
	allocate := func(objects int) func(n int) {
		return func(n int) {
			for range n {
				for i := range objects {
					sink[i] = new([64]byte)
				}
			}
		}
	}
	made := 0
	cpu := before + 1
	o := Options{Rounds: 3, Slice: 2 * time.Millisecond, CPU: cpu}
	samples, err := Turns(t.Context(), o, []Contender{
		{Name: "none", Pass: allocate(0)},
		{Name: "one", Pass: allocate(1)},
		{Name: "three", Pass: allocate(3)},
		{Name: "parallel", Parallel: func() func(int) {
			made++
			var own [2]*[64]byte
			return func(n int) {
				for range n {
					own[0], own[1] = new([64]byte), new([64]byte)
				}
				runtime.KeepAlive(own)
			}
		}},
	}, func(time.Duration, time.Duration) { procs = append(procs, runtime.GOMAXPROCS(0)) })
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0, 1, 3, 2} {
		s := samples[i]
		if s.LeftOut != "" || len(s.Ops) != 3 {
			t.Fatalf("%s: left out %q, ops %v; want 3 rounds", s.Name, s.LeftOut, s.Ops)
		}
		if got := s.Values[result.Allocs]; !slices.Equal(got, []float64{want, want, want}) {
			t.Errorf("%s: %v allocs/op, want %v", s.Name, got, want)
		}
		if got := s.Values[result.Bytes]; !slices.Equal(got, []float64{64 * want, 64 * want, 64 * want}) {
			t.Errorf("%s: %v B/op, want %v", s.Name, got, 64*want)
		}
		for round, v := range s.Values[result.Time] {
			if v <= 0 || s.Ops[round] <= 0 {
				t.Errorf("%s: %v ns/op in %d operations in round %d", s.Name, v, s.Ops[round], round)
			}
		}
		if units := slices.Sorted(maps.Keys(s.Values)); !slices.Equal(units, []string{result.Bytes, result.Allocs, result.Time}) {
			t.Errorf("%s: units %v", s.Name, units)
		}
	}
	if made != cpu {
		t.Errorf("%d functions for goroutines, want %d", made, cpu)
	}
	if slices.ContainsFunc(procs, func(p int) bool { return p != cpu }) || runtime.GOMAXPROCS(0) != before {
		t.Errorf("GOMAXPROCS %v during the turns and %d behind them, want %d and %d", procs, runtime.GOMAXPROCS(0), cpu, before)
	}
}

func TestParallelPanic(t *testing.T) {
	n := 0
	samples, err := Turns(t.Context(), Options{Rounds: 2, Slice: time.Millisecond, CPU: 2}, []Contender{{
		Name: "second", Parallel: func() func(int) {
			n++
			second := n == 2
			return func(int) {
				if second {
					panic("in the second goroutine")
				}
			}
		},
	}}, nil)
	if want := "it panics: in the second goroutine"; err != nil || samples[0].LeftOut != want {
		t.Errorf("left out %q, error %v; want %q", samples[0].LeftOut, err, want)
	}
}

func TestEstimate(t *testing.T) {
	o := Options{Rounds: 9, Slice: 20 * time.Millisecond}
	one := o.Estimate(1)
	if least := 9 * o.Slice; one < least || one > 5*least {
		t.Errorf("one contender: %v, want some more than %v", one, least)
	}
	if got := o.Estimate(7); got != 7*one {
		t.Errorf("seven contenders: %v, want 7 times %v", got, one)
	}
	if got, want := (Options{}).Estimate(3), (Options{Rounds: 10, Slice: 20 * time.Millisecond}).Estimate(3); got != want {
		t.Errorf("by default %v, want %v", got, want)
	}
	if got, least := (ServerOptions{}).Estimate(3), 15*time.Second; got < least || got > 2*least {
		t.Errorf("three servers: %v, want some more than %v", got, least)
	}
}

// A contender that can be made anew is so for each turn; the first pass of each, which
// may build what the others use, is no part of the slice.
func TestTurnsFresh(t *testing.T) {
	w := newWorld()
	made, served := 0, 0
	fresh := func() (Contender, error) {
		made++
		first, slow, plain := true, w.pass(time.Second/2, 0, 0), w.pass(time.Microsecond, 0, 0)
		return Contender{Pass: func(n int) {
			if first {
				first = false
				served++
				slow(1)
				n--
			}
			plain(n)
		}}, nil
	}
	failed := errors.New("there is no second one")
	samples, err := w.turns(t.Context(), Options{Rounds: 3, CPU: 1}, []Contender{
		{Name: "fresh", Pass: w.pass(time.Microsecond, 0, 0), Fresh: fresh},
		{Name: "parallel", Parallel: func() func(int) { return w.pass(time.Microsecond, 0, 0) }, Fresh: func() (Contender, error) {
			c, err := fresh()
			return Contender{Parallel: func() func(int) { return c.Pass }}, err
		}},
		{Name: "fails", Pass: w.pass(time.Microsecond, 0, 0), Fresh: func() (Contender, error) { return Contender{}, failed }},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if made != 2*3 || served != made {
		t.Errorf("contenders were made %d times and %d served, want 6: two in each of three rounds", made, served)
	}
	for _, got := range samples[:2] {
		if want := []float64{1000, 1000, 1000}; !slices.Equal(got.Values[result.Time], want) {
			t.Errorf("%s: times %v, want %v", got.Name, got.Values[result.Time], want)
		}
	}
	if got := samples[2].LeftOut; got != failed.Error() {
		t.Errorf("what cannot be made anew is left out because of %q, want %q", got, failed)
	}
}
