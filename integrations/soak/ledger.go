package soak

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// idHeader has the ID of a request, which middleware.RequestID copies to the answer.
const idHeader = "X-Request-Id"

// A ledger checks that every request was answered exactly once. Each request has an ID and
// an entry, in which both sides record events:
//
//	the client   open       the request is about to be sent
//	the server   serve      the handler of all was called, and has returned
//	the server   run        the handler of a route was called
//	the client   answered   there was an answer: served once, run as often as said
//	             owed       the client left, but the server has all that a handler waits for
//	             givenUp    the client left; served once or not at all
//	             refused    the server must never serve it
//
// An entry is removed when both sides agree, so memory is bounded by the number of current
// requests. A request that is served without an entry was served too often, which is an
// error.
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

// An entry is the state of one request.
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

// open creates an entry and returns its ID.
func (l *ledger) open(kind string) string {
	n := l.last.Add(1)
	s := l.shard(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries[n] = &entry{kind: kind}
	return "soak-" + strconv.FormatUint(n, 10)
}

func (l *ledger) shard(n uint64) *shard { return &l.shards[n%uint64(len(l.shards))] }

// update changes the entry of an ID, and removes it if it is settled.
func (l *ledger) update(id, what string, change func(e *entry)) {
	n, err := strconv.ParseUint(strings.TrimPrefix(id, "soak-"), 10, 64)
	if err != nil {
		l.faults.addf("exactly once", "request with ID %q %s, but no client sent it", id, what)
		return
	}
	s := l.shard(n)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[n]
	if e == nil {
		l.faults.addf("exactly once", "request %s %s after it was settled, or without being sent", id, what)
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

// fault returns an error that no later event can correct, or "".
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

// settled reports whether no more events are allowed.
func (e *entry) settled() bool {
	switch e.state {
	case answered, owed:
		return e.served == 1 && e.returned == 1 && e.runs == e.want
	case givenUp:
		return e.served == e.returned && e.served > 0
	}
	return false
}

// answered records an answer. The handler of a route runs the given number of times, 0 or
// 1; after the 503 of a timeout, it may run later.
func (l *ledger) answered(id string, runs int) {
	l.update(id, "was answered", func(e *entry) { e.state, e.want = answered, runs })
}

// owed records that the client is gone and that the handler of a route must still run.
func (l *ledger) owed(id string) {
	l.update(id, "was owed an answer", func(e *entry) { e.state, e.want = owed, 1 })
}

// givenUp records that the client is gone. The handlers may run or not.
func (l *ledger) givenUp(id string) {
	l.update(id, "was given up", func(e *entry) { e.state = givenUp })
}

// refused records that the server must never serve the request.
func (l *ledger) refused(id string) {
	l.update(id, "was refused", func(e *entry) {
		if e.served > 0 {
			l.faults.addf("exactly once", "%s request %s was served although it is malformed", e.kind, id)
		}
		e.state, e.served, e.returned = givenUp, 1, 1 // settled: what comes later is a failure
	})
}

// around returns a handler that records the calls of next.
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

// route returns a route's handler that records that it runs.
func (l *ledger) route(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l.active.Add(1)
		defer l.active.Add(-1)
		l.update(r.Header.Get(idHeader), "ran a handler", func(e *entry) { e.runs++ })
		h(w, r)
	}
}

// settle records the requests that are not settled at the end.
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
