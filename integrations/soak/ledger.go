package soak

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// idHeader carries the id of a request, which middleware.RequestID answers with.
const idHeader = "X-Request-Id"

// A ledger proves that every request was answered exactly once. Each has an id and an
// entry, in which both sides write:
//
//	the client   open       the request is about to be sent
//	the server   serve      the handler of all was called, and has returned
//	the server   run        the handler of a route was called
//	the client   answered   there was an answer: served once, run as often as said
//	             owed       the client left, but the server has all that a handler waits for
//	             givenUp    the client left; served once or not at all
//	             refused    the server must never serve it
//
// An entry goes when both sides agree, so memory is bounded by the requests that are
// under way. What is served or run without an entry came too often: that is a fault.
type ledger struct {
	last   atomic.Uint64
	active atomic.Int64 // handlers that have not returned, those of routes included
	faults *faults
	shards [32]shard
}

type shard struct {
	mu      sync.Mutex
	entries map[uint64]*entry
}

// An entry is what is known of one request.
type entry struct {
	kind     string
	state    state
	served   int
	returned int
	runs     int
	want     int // runs, in the states answered and owed
}

type state uint8

const (
	open state = iota
	answered
	owed
	givenUp
)

func (s state) String() string {
	return [...]string{"sent", "answered", "owed an answer", "given up"}[s]
}

func newLedger(f *faults) *ledger {
	l := &ledger{faults: f}
	for i := range l.shards {
		l.shards[i].entries = make(map[uint64]*entry)
	}
	return l
}

// open makes an entry and returns its id.
func (l *ledger) open(kind string) string {
	n := l.last.Add(1)
	s := l.shard(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[n] = &entry{kind: kind}
	return "soak-" + strconv.FormatUint(n, 10)
}

func (l *ledger) shard(n uint64) *shard { return &l.shards[n%uint64(len(l.shards))] }

// update changes the entry of an id, and removes it if it is settled then.
func (l *ledger) update(id, what string, change func(e *entry)) {
	n, err := strconv.ParseUint(strings.TrimPrefix(id, "soak-"), 10, 64)
	if err != nil {
		l.faults.addf("exactly once", "request with id %q %s; no client has sent that", id, what)
		return
	}
	s := l.shard(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[n]
	if e == nil {
		l.faults.addf("exactly once", "request %s %s, though it was settled or never sent", id, what)
		return
	}
	change(e)
	if fault := e.fault(); fault != "" {
		l.faults.addf("exactly once", "%s request %s, %s: %s", e.kind, id, e.state, fault)
		e.state, e.want = givenUp, e.runs // said once
	}
	if e.settled() {
		delete(s.entries, n)
	}
}

// fault returns what can no longer become right, or "".
func (e *entry) fault() string {
	switch {
	case e.served > 1:
		return fmt.Sprintf("served %d times", e.served)
	case e.runs > 1:
		return fmt.Sprintf("its handler ran %d times", e.runs)
	case e.state == answered && e.served == 0:
		return "it was never served"
	case (e.state == answered || e.state == owed) && e.runs > e.want:
		return "a handler ran, and none should"
	}
	return ""
}

// settled reports whether nothing may happen any more.
func (e *entry) settled() bool {
	switch e.state {
	case answered, owed:
		return e.served == 1 && e.returned == 1 && e.runs == e.want
	case givenUp:
		return e.served == e.returned && e.served > 0
	}
	return false
}

// answered says that there was an answer. The handler of a route ran so many times,
// 0 or 1, or is about to, behind the 503 of a timeout.
func (l *ledger) answered(id string, runs int) {
	l.update(id, "was answered", func(e *entry) { e.state, e.want = answered, runs })
}

// owed says that the client is gone, and that the handler of a route must run all
// the same.
func (l *ledger) owed(id string) {
	l.update(id, "was owed an answer", func(e *entry) { e.state, e.want = owed, 1 })
}

// givenUp says that the client is gone, with or without the handlers.
func (l *ledger) givenUp(id string) {
	l.update(id, "was given up", func(e *entry) { e.state = givenUp })
}

// refused says that the server must not have served the request, and never will.
func (l *ledger) refused(id string) {
	l.update(id, "was refused", func(e *entry) {
		if e.served > 0 {
			l.faults.addf("exactly once", "%s request %s was served, though it is malformed", e.kind, id)
		}
		e.state, e.served, e.returned = givenUp, 1, 1 // settled: what comes later is a fault
	})
}

// around returns a handler that writes down what next is called for.
func (l *ledger) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(idHeader)
		l.active.Add(1)
		l.update(id, "was served", func(e *entry) { e.served++ })
		defer func() {
			l.update(id, "was over", func(e *entry) { e.returned++ })
			l.active.Add(-1)
		}()
		next.ServeHTTP(w, r)
	})
}

// route returns a route's handler that writes down that it runs.
func (l *ledger) route(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l.active.Add(1)
		defer l.active.Add(-1)
		l.update(r.Header.Get(idHeader), "ran a handler", func(e *entry) { e.runs++ })
		h(w, r)
	}
}

// settle notes the requests that are not settled when all is over.
func (l *ledger) settle() {
	if n := l.active.Load(); n != 0 {
		l.faults.addf("exactly once", "%d handlers have not returned", n)
	}
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		for n, e := range s.entries {
			if e.state == givenUp && e.served == 0 {
				continue
			}
			l.faults.addf("exactly once", "%s request soak-%d is %s: served %d times, returned %d times, its handler ran %d times",
				e.kind, n, e.state, e.served, e.returned, e.runs)
		}
		s.mu.Unlock()
	}
}
