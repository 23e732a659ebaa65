package measure

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/muxwell/muxwell/routebench/result"
)

// A Contender is a function to measure that serves requests. Everything that it needs is
// loaded before [Turns] is called.
type Contender struct {
	Name string
	// Pass serves all requests of an operation in turn, n times. It cannot be
	// interrupted.
	Pass func(n int)
	// Parallel, if it is not nil, is measured instead of Pass. [Options].CPU goroutines
	// serve at the same time, each with a function that Parallel returned. The time of an
	// operation is then the wall time divided by the operations of all goroutines.
	Parallel func() func(n int)
	// Fresh, if it is not nil, returns a new copy of the contender. It is called before
	// each turn and is not timed.
	Fresh func() (Contender, error)
}

// Options are the options for measuring contenders. A field that is zero has its default.
type Options struct {
	Rounds int           // how often each contender has its turn; 10
	Slice  time.Duration // how long a turn is at least; 20ms
	CPU    int           // GOMAXPROCS; as it is
	// Rand shuffles the order of each round; one of its own.
	Rand *rand.Rand
	// MaxPass is the maximum time for one pass; 1s. A slower contender is excluded.
	MaxPass time.Duration
}

// maxStretch is the maximum number of slices of a turn that waits for a collection.
const maxStretch = 8

// disturbed is the share of a turn's time used by other programs above which the turn is
// repeated.
const disturbed = 0.1

// Samples are the measurements of a contender.
type Samples struct {
	Name string
	// Values has, for each unit, one number per round, in order. The units are those of
	// package result. Allocations and their bytes are whole numbers, rounded down as by go
	// test.
	Values map[string][]float64
	// Ops is the number of operations, passes or requests, over which each number is a
	// mean.
	Ops []int
	// LeftOut is the reason why there are no samples, or "".
	LeftOut string
	// Collections is the mean number of garbage collections that ended in a turn.
	Collections float64
	// Disturbed is the number of rounds in which other programs used more than a tenth of
	// the turn, even when it was repeated.
	Disturbed int
	// Uncollected is the minimum share by which the time is too short, because turns ended
	// before their garbage was collected. It is 0 if they did not, or if the share is less
	// than a hundredth.
	Uncollected float64
}

// Turns measures contenders in turns. It sets GOMAXPROCS and restores it.
//
// step, if it is not nil, is called before the first turn and after each turn with the time
// that Turns has run and an estimate of its total time. Nothing that step starts may
// continue after it returns.
//
// The samples are in the order of the contenders. All that are not excluded have the same
// number of rounds. If ctx ends, Turns returns the samples of the complete rounds, with the
// error of ctx. That is its only error.
func Turns(ctx context.Context, o Options, contenders []Contender, step func(done, total time.Duration)) ([]Samples, error) {
	o = o.withDefaults()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.CPU))
	t := &turns{Options: o, meter: newMeter(), step: step}
	return t.run(ctx, contenders)
}

// Estimate returns about how long [Turns] takes for this number of contenders.
func (o Options) Estimate(contenders int) time.Duration {
	o = o.withDefaults()
	// A contender that allocates waits for the end of a collection before and after its
	// slice. About half of all routers do.
	const collecting = 5 * time.Millisecond
	turn := o.Slice*7/4 + 2*collecting
	return time.Duration(contenders) * time.Duration(o.Rounds+1) * turn
}

func (o Options) withDefaults() Options {
	if o.Rounds <= 0 {
		o.Rounds = 10
	}
	if o.Slice <= 0 {
		o.Slice = 20 * time.Millisecond
	}
	if o.CPU <= 0 {
		o.CPU = runtime.GOMAXPROCS(0)
	}
	if o.MaxPass <= 0 {
		o.MaxPass = time.Second
	}
	if o.Rand == nil {
		o.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	return o
}

// turns is a call of [Turns] in progress.
type turns struct {
	Options
	meter
	step       func(done, total time.Duration)
	takes      []*take
	began      time.Time // and when rounds did
	first      time.Time
	done       int           // turns
	again      int           // of them repeated
	best       time.Duration // of the reference loop
	collection time.Duration // at its quickest
}

// A take is the state of a contender.
type take struct {
	contender Contender
	pace      pace
	samples   []sample // one for each round that was complete
	round     sample   // of the round on its way
	leftOut   string
}

// A sample is the result of a turn.
type sample struct {
	ops           int
	took          time.Duration
	bytes, allocs uint64
	collections   uint64
	lost          float64 // the share of the time that other programs took
}

func (t *turns) run(ctx context.Context, contenders []Contender) ([]Samples, error) {
	t.began = t.now()
	t.takes = make([]*take, len(contenders))
	for i, c := range contenders {
		t.takes[i] = &take{contender: c}
	}
	err := t.calibrateAll(ctx)
	t.first = t.now()
	for range t.Rounds {
		if err == nil {
			err = t.round(ctx)
		}
	}
	samples := make([]Samples, len(t.takes))
	for i, k := range t.takes {
		samples[i] = k.result(t.collecting(&k.pace))
	}
	return samples, err
}

func (t *turns) calibrateAll(ctx context.Context) error {
	for _, k := range t.takes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.calibrate(k); err != nil {
			k.leftOut = err.Error()
		}
	}
	t.tell()
	return ctx.Err()
}

// round gives each contender a turn. Contenders whose turn was disturbed get a second one
// at the end of the round, and the better of the two counts. On a machine that is never
// quiet, at most every second turn is repeated. If ctx ends during a round, the round is
// discarded.
func (t *turns) round(ctx context.Context) error {
	var again []*take
	for _, i := range t.Rand.Perm(len(t.takes)) {
		k := t.takes[i]
		if err := t.takeTurn(ctx, k); err != nil {
			return err
		}
		if k.leftOut == "" && k.round.lost > disturbed {
			again = append(again, k)
		}
		t.done++
		t.tell()
	}
	for _, k := range again {
		if 2*t.again >= t.done {
			break
		}
		t.again++
		first := k.round
		if err := t.takeTurn(ctx, k); err != nil {
			return err
		}
		if k.leftOut == "" && first.lost < k.round.lost {
			k.round = first
		}
		t.tell()
	}
	for _, k := range t.takes {
		k.samples = append(k.samples, k.round)
	}
	return nil
}

// takeTurn gives a contender a turn if it is not excluded. The error is that of ctx.
func (t *turns) takeTurn(ctx context.Context, k *take) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if k.leftOut != "" {
		return nil
	}
	var err error
	if k.round, err = t.turn(k); err != nil {
		k.leftOut = err.Error()
	}
	return nil
}

// tell calls step. It estimates the remaining turns from those before.
func (t *turns) tell() {
	if t.step == nil {
		return
	}
	now, all := t.now(), t.Rounds*len(t.takes)
	total := t.Estimate(len(t.takes))
	if t.done > 0 {
		total = t.first.Sub(t.began) + now.Sub(t.first)*time.Duration(all)/time.Duration(t.done)
	}
	t.step(now.Sub(t.began), max(total, now.Sub(t.began)))
}

// result returns what was measured of the contender, who makes the garbage
// collector work for a share of its time.
func (k *take) result(collecting float64) Samples {
	out := Samples{Name: k.contender.Name, LeftOut: k.leftOut}
	if k.leftOut != "" || len(k.samples) == 0 {
		return out
	}
	out.Values = map[string][]float64{}
	add := func(unit string, v float64) { out.Values[unit] = append(out.Values[unit], v) }
	collections := 0
	for _, s := range k.samples {
		add(result.Time, float64(s.took)/float64(s.ops))
		add(result.Bytes, float64(s.bytes/uint64(s.ops)))
		add(result.Allocs, float64(s.allocs/uint64(s.ops)))
		out.Ops = append(out.Ops, s.ops)
		collections += int(s.collections)
		if s.lost > disturbed {
			out.Disturbed++
		}
	}
	out.Collections = float64(collections) / float64(len(k.samples))
	if collections < len(k.samples) && collecting >= 0.01 {
		out.Uncollected = collecting
	}
	return out
}
