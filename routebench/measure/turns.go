package measure

import (
	"context"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/muxwell/muxwell/routebench/result"
)

// A Contender is a function that serves requests and is measured. Everything that
// it needs is loaded before it is given to [Turns].
type Contender struct {
	Name string
	// Pass serves all requests of an operation in turn, n times. It cannot be
	// interrupted.
	Pass func(n int)
	// Parallel, if it is not nil, is measured in place of Pass: as many goroutines
	// as [Options].CPU says serve at a time, each with a function of its own that
	// Parallel returned. The time of an operation is then the wall time divided by
	// the operations of all of them.
	Parallel func() func(n int)
	// Fresh, if it is not nil, returns the same contender made anew. It is called
	// before each turn, out of its time.
	Fresh func() (Contender, error)
}

// Options say how contenders are measured. Where a field is zero its default
// holds.
type Options struct {
	Rounds int           // how often each contender has its turn; 10
	Slice  time.Duration // how long a turn is at least; 20ms
	CPU    int           // GOMAXPROCS; as it is
	// Rand shuffles the order of each round; one of its own.
	Rand *rand.Rand
	// MaxPass is how long one pass may take; 1s. A contender that needs longer is
	// left out.
	MaxPass time.Duration
}

// maxStretch is how many slices a turn may last that waits for a collection.
const maxStretch = 8

// disturbed is the share of a turn's time that other programs took, from which on
// the turn is repeated.
const disturbed = 0.1

// Samples are what was measured of a contender.
type Samples struct {
	Name string
	// Values has for each unit a number a round, in the order of rounds; the units
	// are those of package result. Allocations and their bytes are whole numbers,
	// rounded down, as go test has them.
	Values map[string][]float64
	// Ops is how many operations, passes or requests, each number is the mean of.
	Ops []int
	// LeftOut says why there are no samples; "" if there are.
	LeftOut string
	// Collections is how many garbage collections ended in a turn, in the mean.
	Collections float64
	// Disturbed is in how many rounds other programs took more than a tenth of the
	// turn, also when it was repeated.
	Disturbed int
	// Uncollected is by how much of itself, at the least, the time is too short since
	// turns were over before their garbage was collected; 0 if they were not, or if it
	// is less than a hundredth.
	Uncollected float64
}

// Turns measures contenders in turns. It sets GOMAXPROCS and puts it back.
//
// step, if it is not nil, is told before the first turn and behind each how long
// Turns has run, and how long it takes in all as far as that is known. Nothing
// that step starts may go on when it returns.
//
// The samples are in the order of the contenders. All that are not left out have
// the same number of rounds: if ctx ends Turns returns those of the rounds that
// were complete by then, with the error of ctx. That is its only error.
func Turns(ctx context.Context, o Options, contenders []Contender, step func(done, total time.Duration)) ([]Samples, error) {
	o = o.withDefaults()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.CPU))
	t := &turns{Options: o, meter: newMeter(), step: step}
	return t.run(ctx, contenders)
}

// Estimate returns about how long [Turns] takes for so many contenders.
func (o Options) Estimate(contenders int) time.Duration {
	o = o.withDefaults()
	// What allocates waits for the end of a collection before and behind its slice;
	// about half of all routers do.
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

// turns is a call of [Turns] on its way.
type turns struct {
	Options
	meter
	step       func(done, total time.Duration)
	takes      []*take
	began      time.Time // and when rounds did
	first      time.Time
	done       int           // turns
	again      int           // of them repeated
	best       time.Duration // of the yardstick
	collection time.Duration // at its quickest
}

// A take is a contender's part.
type take struct {
	contender Contender
	pace      pace
	samples   []sample // one for each round that was complete
	round     sample   // of the round on its way
	leftOut   string
}

// A sample is what a turn gave.
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

// round gives each contender its turn. Those who were disturbed get a second one
// at the end of the round, and the better of the two counts; but on a machine that
// is never quiet no more than every second turn is repeated. A round that ctx cuts
// short leaves nothing.
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

// takeTurn gives a contender a turn if it is not left out. The error is that of
// ctx.
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

// tell tells step how far it is. The turns to come are taken to be like those
// before.
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
