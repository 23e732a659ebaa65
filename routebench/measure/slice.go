package measure

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// turn gives a contender its turn:
//
//	renew, collect, warm up, [ batch, batch, … ]     a contender that does not allocate
//	                         └──── a slice ────┘
//
//	renew, collect, warm up until ↓, [ batch, batch, … until ↓ ]     one that does
//	                                 └── a slice or more ──────┘
//
// where ↓ is the end of a collection.
func (t *turns) turn(k *take) (sample, error) {
	if err := t.renew(k); err != nil {
		return sample{}, err
	}
	t.settle()
	if err := t.warm(&k.pace); err != nil {
		return sample{}, err
	}
	slow := t.slowness()
	before, cpu, seen := t.memory(), t.cpu(), t.collected()
	began := seen
	w, err := t.serve(k.pace.serve, k.pace.batch, func(took time.Duration) bool {
		now := t.collected()
		ended := now != seen // in the batch just served
		seen = now
		switch {
		case took < t.Slice:
			return true
		case !t.waits(&k.pace):
			return false
		default:
			return !ended && took < maxStretch*t.Slice
		}
	})
	if err != nil {
		return sample{}, err
	}
	cpu = t.cpu() - cpu
	after := t.memory()
	s := sample{
		ops: w.ops, took: w.took,
		bytes: after.bytes - before.bytes, allocs: after.allocs - before.allocs,
		collections: seen - began,
	}
	s.lost = max(slow, t.slowness())
	if cpu > 0 {
		s.lost = max(s.lost, 1-float64(cpu)/float64(w.took*time.Duration(len(k.pace.serve))))
	}
	return s, nil
}

// renew creates a contender again, if possible, and lets it serve each request once, which
// may complete its structure.
func (t *turns) renew(k *take) error {
	if k.contender.Fresh == nil {
		return nil
	}
	fresh, err := k.contender.Fresh()
	if err != nil {
		return err
	}
	if k.pace.serve, err = fresh.functions(t.CPU); err != nil {
		return err
	}
	for i := range k.pace.serve {
		if _, err := t.serve(k.pace.serve[i:i+1], 1, once); err != nil {
			return err
		}
	}
	return nil
}

// slowness returns by which share of its best time the reference loop is slower now.
func (t *turns) slowness() float64 {
	now := t.referenceTime()
	if t.best == 0 || now < t.best {
		t.best = now
	}
	return 1 - float64(t.best)/float64(now)
}

// warm fills caches and pools. A contender that is measured over whole cycles comes
// to the end of a collection besides: one of its own where a cycle is short, for
// that of collect is no substitute there, as the package comment says.
func (t *turns) warm(p *pace) error {
	if p.pass >= t.Slice {
		return nil
	}
	natural := p.cycle <= t.Slice
	limit := t.Slice / 10
	if natural {
		limit = 2 * t.Slice
	}
	seen := t.collected()
	_, err := t.serve(p.serve, p.batch, func(took time.Duration) bool {
		return took < limit && !(natural && t.collected() != seen)
	})
	if t.waits(p) && t.collected() == seen {
		t.collect()
	}
	return err
}

// waits reports whether a contender is measured over whole cycles of the collector.
func (t *turns) waits(p *pace) bool { return p.cycle <= maxStretch*t.Slice }

// A work is the number of served passes, and the time from the beginning of the first batch
// to the end of the last.
type work struct {
	ops  int
	took time.Duration
}

// serve serves batches, one goroutine with each function, until more says that it
// is enough; more is told the time so far. A panic of a function is an error.
func (m *meter) serve(functions []func(n int), batch int, more func(took time.Duration) bool) (work, error) {
	if len(functions) == 1 {
		began := m.now()
		return m.serveOne(functions[0], batch, began, func() bool { return more(m.now().Sub(began)) })
	}
	return m.serveAll(functions, batch, more)
}

// serveOne serves batches while more reports true, and one before it is asked.
func (m *meter) serveOne(pass func(n int), batch int, began time.Time, more func() bool) (w work, err error) {
	defer func() { recovered(recover(), &err) }()
	for {
		pass(batch)
		w.ops += batch
		if !more() {
			w.took = m.now().Sub(began)
			return w, nil
		}
	}
}

// serveAll serves with several goroutines. The first asks whether to go on, and
// all stop behind the batch that they are at.
func (m *meter) serveAll(functions []func(n int), batch int, more func(took time.Duration) bool) (work, error) {
	var stop atomic.Bool
	var ready, done sync.WaitGroup
	works, errs := make([]work, len(functions)), make([]error, len(functions))
	start := make(chan struct{})
	var began time.Time
	for i, pass := range functions {
		ready.Add(1)
		done.Go(func() {
			defer stop.Store(true) // also where it panics
			ready.Done()
			<-start
			works[i], errs[i] = m.serveOne(pass, batch, began, func() bool {
				return !stop.Load() && (i > 0 || more(m.now().Sub(began)))
			})
		})
	}
	ready.Wait()
	began = m.now()
	close(start)
	done.Wait()
	var all work
	for i, w := range works {
		if errs[i] != nil {
			return work{}, errs[i]
		}
		all.ops += w.ops
		all.took = max(all.took, w.took)
	}
	return all, nil
}

// recovered turns what was recovered into an error.
func recovered(v any, err *error) {
	if v != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(fmt.Sprint(v)), "\n")
		*err = fmt.Errorf("it panics: %s", line)
	}
}
