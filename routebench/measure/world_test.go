package measure

import (
	"context"
	"math/rand/v2"
	"time"
)

// A world is a process whose clock and heap tests set.
type world struct {
	clock     time.Time
	cpu       time.Duration
	mem       memory
	live      uint64 // bytes of the heap that stay alive
	cycles    uint64
	forced    int           // of them
	pause     time.Duration // that a collection takes
	stolen    float64       // the share of the time that other programs have the CPU for
	reference time.Duration // the time of the reference loop
}

func newWorld() *world {
	const live = 8 << 20
	return &world{clock: time.Unix(0, 0), live: live, mem: memory{heap: live, goal: 2 * live}, pause: 4 * time.Millisecond, reference: time.Microsecond}
}

// work lets time pass that is used.
func (w *world) work(d time.Duration) {
	w.cpu += d
	w.clock = w.clock.Add(time.Duration(float64(d) / (1 - w.stolen)))
}

func (w *world) collect() {
	w.work(w.pause)
	w.mem.heap = w.live
	w.cycles++
}

func (w *world) alloc(objects, bytes uint64) {
	w.mem.allocs += objects
	w.mem.bytes += bytes
	if w.mem.heap += bytes; w.mem.heap >= w.mem.goal {
		w.collect()
	}
}

func (w *world) meter() meter {
	return meter{
		now:    func() time.Time { return w.clock },
		cpu:    func() time.Duration { return w.cpu },
		memory: func() memory { return w.mem },
		collect: func() {
			w.collect()
			w.forced++
		},
		collected:     func() uint64 { return w.cycles },
		referenceTime: func() time.Duration { return w.reference },
	}
}

// pass returns a function whose pass takes a time and allocates.
func (w *world) pass(took time.Duration, objects, bytes uint64) func(n int) {
	return func(n int) {
		for range n {
			w.work(took)
			w.alloc(objects, bytes)
		}
	}
}

// turns is Turns in the world.
func (w *world) turns(ctx context.Context, o Options, contenders []Contender, step func(done, total time.Duration)) ([]Samples, error) {
	if o.Rand == nil {
		o.Rand = rand.New(rand.NewPCG(1, 2))
	}
	t := &turns{Options: o.withDefaults(), meter: w.meter(), step: step}
	return t.run(ctx, contenders)
}
