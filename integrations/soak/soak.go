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

// Options say how to soak. The zero Options are a round of everything.
type Options struct {
	// Duration is how long there is traffic. Each kind of it has its round even if
	// that takes longer.
	Duration time.Duration
	// Wrap is put around the program under test, inside of what counts requests, to
	// see what the suite finds. If it is nil there is nothing in between.
	Wrap func(http.Handler) http.Handler
	// Only are the kinds of traffic to have, or all if there are none.
	Only []string
}

const (
	// patience is how long one exchange may take, on a machine that is busy with others
	// too. What takes longer hangs.
	patience = 30 * time.Second
	// grace is how long the last exchanges may take when the time is over, and
	// everything to be given back.
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

// A kind is one kind of traffic: workers that take step after step, each an exchange
// or a few that belong together. A step ends by itself, whatever the server does.
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

// Run sends traffic of all kinds to a server of its own for a while, and returns what
// it saw. It is bounded in memory, and in time: Duration and at most four minutes,
// whatever the server does.
//
// Goroutines, open files and memory are those of the process, so nothing else may go
// on in it. The temporary directory must not be shared: in a test, set TMPDIR.
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
		s.faults.addf("hangs", "%v after the time is over there is still traffic; the goroutines:\n%s", grace, goroutines())
	}
}

// has reports whether there shall be traffic of a kind.
func (s *suite) has(name string) bool {
	return len(s.options.Only) == 0 || slices.Contains(s.options.Only, name)
}

// work takes the steps of one worker.
func (s *suite) work(k kind) {
	for i := 0; (i < k.least || !s.over.Load()) && !s.faults.many(); i++ {
		k.step(s, k.name, i)
		s.tally.step(k.name)
		time.Sleep(k.pause)
	}
}

// wait waits until the handlers have returned that run on behind an answer.
func (s *suite) wait() {
	for end := time.Now().Add(grace); s.ledger.active.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.faults.addf("hangs", "%v after the last request there are handlers; the goroutines:\n%s", grace, goroutines())
			return
		}
	}
}

// goroutines returns the stacks of goroutines, those that are alike together, and the
// most frequent first.
func goroutines() string {
	var b strings.Builder
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()[:min(b.Len(), 20_000)]
}
