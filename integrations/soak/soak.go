package soak

import (
	"fmt"
	"net/http"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options are the options of a run. The zero Options run everything once.
type Options struct {
	// Duration is how long there is traffic. Each kind of traffic runs once even if that
	// takes longer.
	Duration time.Duration
	// Wrap, if it is not nil, wraps the program under test, inside of the ledger, to test
	// what the suite detects.
	Wrap func(http.Handler) http.Handler
	// Only lists the kinds of traffic to run; empty means all.
	Only []string
}

const (
	// patience is the maximum time for one exchange, even on a busy machine. A longer
	// exchange hangs.
	patience = 30 * time.Second
	// grace is the maximum time for the last exchanges when the time is over, and for
	// releasing all resources.
	grace = 2 * patience
)

// A suite is one run.
type suite struct {
	options Options
	faults  *faults
	ledger  *ledger
	app     *app
	servers *servers
	tally   *tally
	over    atomic.Bool
	number  atomic.Uint64 // for what must be unique
}

// A kind is one kind of traffic: workers that do one step after another. A step is one
// exchange or several related ones. It ends by itself, whatever the server does.
type kind struct {
	name    string
	workers int
	least   int // steps that each worker takes, however short the time
	pause   time.Duration
	step    func(s *suite, name string, i int)
}

// kinds returns all kinds of traffic.
func kinds() []kind {
	return []kind{
		{"HTTP/1.1", 4, len(calls), 0, browse((*servers).http1)},
		{"HTTP/2", 3, len(calls), 0, browse((*servers).http2)},
		{"h2c", 2, len(calls), 0, browse((*servers).h2c)},
		{"pipelined requests", 1, 1, time.Millisecond, pipeline},
		{"slow requests", 4, 1, 0, slowRequest},
		{"slow readers", 2, 1, 0, slowReader},
		{"stalled requests", 2, 1, 0, stalled},
		{"aborted bodies", 2, len(cuts), time.Millisecond, abortBody},
		{"aborted responses", 2, len(leavings), time.Millisecond, abortResponse},
		{"malformed requests", 2, len(malformed), time.Millisecond, sendMalformed},
		{"update storm", 1, 40, time.Millisecond, updateRoutes},
		{"readers of the storm", 3, 10, time.Millisecond, readStorm},
		{"panics", 3, 2 * len(panics), time.Millisecond, providePanic},
		{"timeouts", 4, 6 * len(overdues), 0, overrun},
		{"rate limit", 1, 1, 5 * time.Millisecond, exceedRate},
		{"throttle", 1, 2, 5 * time.Millisecond, exceedSeats},
		{"uploads", 2, 3, 5 * time.Millisecond, sendFiles},
		{"uploads that are too large", 1, 6, 5 * time.Millisecond, sendTooMuch},
	}
}

// Run sends traffic of all kinds to its own server for a while, and returns the result. Its
// memory is bounded. It takes Duration plus at most four minutes, whatever the server does.
//
// Goroutines, open files and memory are those of the process, so nothing else may run in
// it. The temporary directory must not be shared: in a test, set TMPDIR.
func Run(o Options) (*Report, error) {
	dir, err := os.MkdirTemp("", "soak-files-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what stays is in the temporary directory, which its maker removes
	before := holdings()
	f := newFaults()
	s := &suite{options: o, faults: f, ledger: newLedger(f), tally: newTally()}
	if s.app, err = newApp(s.ledger, dir); err != nil {
		return nil, err
	}
	handler := s.app.handler
	if o.Wrap != nil {
		handler = o.Wrap(handler)
	}
	s.servers = serve(s.ledger.around(handler), &s.app.errors)

	begin := time.Now()
	watch := newWatch()
	s.soak(watch)
	took := time.Since(begin)
	pause := watch.pause()

	s.servers.close(f)
	s.wait()
	if err := s.app.close(); err != nil {
		f.addf("files", "%v", err)
	}
	s.ledger.settle()
	s.app.balance()
	watch.flat(f)
	before.compare(f, settling)
	return &Report{Took: took, Faults: f.list(), tally: s.tally, heap: watch.medians(), pause: pause, updates: s.app.storm.updates.Load()}, nil
}

// soak sends all kinds of traffic until the time is over.
func (s *suite) soak(w *watch) {
	var workers sync.WaitGroup
	for _, k := range kinds() {
		if !s.has(k.name) {
			continue
		}
		for range k.workers {
			workers.Go(func() { s.work(k) })
		}
	}
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	w.sample(s.options.Duration, s.faults.many)
	s.over.Store(true)
	select {
	case <-done:
	case <-time.After(grace):
		s.faults.addf("hangs", "there is still traffic %v after the end of the time; the goroutines:\n%s", grace, goroutines())
	}
}

// has reports whether traffic of a kind is selected.
func (s *suite) has(name string) bool {
	return len(s.options.Only) == 0 || slices.Contains(s.options.Only, name)
}

// work runs the steps of one worker.
func (s *suite) work(k kind) {
	for i := 0; (i < k.least || !s.over.Load()) && !s.faults.many(); i++ {
		k.step(s, k.name, i)
		s.tally.step(k.name)
		time.Sleep(k.pause)
	}
}

// wait waits until the handlers that continue after their answer have returned.
func (s *suite) wait() {
	for end := time.Now().Add(grace); s.ledger.active.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.faults.addf("hangs", "there are still handlers %v after the last request; the goroutines:\n%s", grace, goroutines())
			return
		}
	}
}

// goroutines returns the stacks of all goroutines, grouped by equal stacks, the most
// frequent first.
func goroutines() string {
	var b strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()[:min(b.Len(), 20_000)]
}
