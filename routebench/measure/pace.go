package measure

import (
	"fmt"
	"math"
	"time"
)

// A pace determines how a contender fills its slices.
//
// A slice is served in batches of passes. Between two batches the clock is read, and
// whether a collection has ended. A batch takes one or two hundredths of a slice, so
// reading costs next to nothing and the slice ends close to its time. If a single pass
// takes longer, a batch is one pass.
type pace struct {
	serve []func(n int) // one for each goroutine
	batch int           // passes
	pass  time.Duration // that one takes
	// cycle is how long the contender takes to fill the heap up to the next
	// collection.
	cycle time.Duration
}

// batches is how many batches fill a slice.
const batches = 100

// minBatch is how long a batch is at least, however short the slices are: what is
// looked at behind it takes a fifth of a microsecond.
const minBatch = 50 * time.Microsecond

// calibrate determines a contender's pace, which also warms it up. It returns an error if
// the contender cannot be measured.
func (t *turns) calibrate(k *take) error {
	p := &k.pace
	var err error
	if p.serve, err = k.contender.functions(t.CPU); err != nil {
		return err
	}
	// The first pass may build what later ones use.
	for range 2 {
		w, err := t.serve(p.serve[:1], 1, once)
		if err != nil {
			return err
		}
		p.pass = w.took
	}
	if p.pass > t.MaxPass {
		return fmt.Errorf("one operation takes %v, longer than the limit of %v", p.pass.Round(time.Millisecond), t.MaxPass)
	}
	if err := t.findBatch(p); err != nil {
		return err
	}
	return t.findCycle(p)
}

// once is the question whether to go on of those who do not.
func once(time.Duration) bool { return false }

// functions returns what serves, a function for each goroutine.
func (c *Contender) functions(goroutines int) (serve []func(n int), err error) {
	defer func() { recovered(recover(), &err) }()
	if c.Parallel == nil {
		return []func(int){c.Pass}, nil
	}
	for range goroutines {
		serve = append(serve, c.Parallel())
	}
	return serve, nil
}

// findBatch sets how many passes are a batch: it doubles them until they take long
// enough to tell. What takes long once may have been held up, and a batch too short
// would put the clock's time into every sample; so the shortest of three counts.
func (t *turns) findBatch(p *pace) error {
	want := max(t.Slice/batches, minBatch)
	for p.batch = 1; ; p.batch *= 2 {
		shortest := time.Duration(math.MaxInt64)
		for i := 0; i < 3 && shortest >= want; i++ {
			w, err := t.serve(p.serve[:1], p.batch, once)
			if err != nil {
				return err
			}
			shortest = min(shortest, w.took)
		}
		p.pass = shortest / time.Duration(p.batch)
		if shortest >= want || p.batch >= 1<<30 {
			return nil
		}
	}
}

// findCycle sets how long a cycle of collections takes, by what a quarter of a
// slice allocates.
func (t *turns) findCycle(p *pace) error {
	t.settle()
	before := t.memory()
	w, err := t.serve(p.serve, p.batch, func(took time.Duration) bool { return took < t.Slice/4 })
	if err != nil {
		return err
	}
	after := t.memory()
	bytes, room := after.bytes-before.bytes, before.goal-min(before.heap, before.goal)
	p.cycle = time.Duration(min(float64(w.took)*float64(room)/max(float64(bytes), 1), math.MaxInt64/2))
	return nil
}

// settle collects all garbage, and notes how long a collection takes at its
// quickest, when there is little to free.
func (t *turns) settle() {
	began := t.now()
	t.collect()
	if took := t.now().Sub(began); t.collection == 0 || took < t.collection {
		t.collection = took
	}
}

// collecting returns about which share of its time a contender makes the garbage
// collector work.
func (t *turns) collecting(p *pace) float64 {
	return float64(t.collection) / float64(p.cycle+t.collection)
}
