package middleware

import (
	"container/list"
	"sync"
)

// A queue gives places to requests, separately for each key, first come, first served:
//
//	lines  "alice" ─► used 2 of limit 2, waiting ─► seat ─► seat
//	       "bob"   ─► used 1
//
// A line exists while one of its places is used. A place that becomes free is given to
// the first seat, so nobody waits while a place is free.
type queue struct {
	limit, backlog, maxKeys int

	mu    sync.Mutex
	lines map[string]*line
	spare *line // the last one that became empty, reused for the next key
}

// A line has the requests of a key.
type line struct {
	used    int       // 1 to limit
	waiting list.List // of *seat; empty unless used is limit
}

// A seat is where a request waits.
type seat struct {
	given   chan struct{} // is closed when the request has a place
	element *list.Element // in waiting; nil when it has a place
}

// An entry is the result for a request that needs a place.
type entry int

const (
	entered entry = iota
	waiting
	tooManyRequests
	tooManyKeys
)

// join gives a place, or a seat to wait for one, or neither.
func (q *queue) join(key string) (entry, *seat) {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[key]
	switch {
	case l == nil && len(q.lines) >= q.maxKeys:
		return tooManyKeys, nil
	case l == nil:
		if l = q.spare; l == nil {
			l = new(line)
		}
		q.spare, q.lines[key], l.used = nil, l, 1
		return entered, nil
	case l.used < q.limit:
		l.used++
		return entered, nil
	case l.waiting.Len() >= q.backlog:
		return tooManyRequests, nil
	}
	s := &seat{given: make(chan struct{})}
	s.element = l.waiting.PushBack(s)
	return waiting, s
}

// leave gives a place back.
func (q *queue) leave(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[key]
	if first := l.waiting.Front(); first != nil {
		s := l.waiting.Remove(first).(*seat)
		s.element = nil
		close(s.given)
		return
	}
	if l.used--; l.used == 0 {
		delete(q.lines, key)
		q.spare = l
	}
}

// giveUp leaves a seat. It returns false if the seat has been given a place.
func (q *queue) giveUp(key string, s *seat) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if s.element == nil {
		return false
	}
	q.lines[key].waiting.Remove(s.element)
	return true
}
