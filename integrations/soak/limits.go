package soak

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	rateLimit = 3 // requests an hour of one key
	seats     = 4 // requests at a time behind Throttle, and as many that wait
)

// exceedRate sends more requests than the limit of a key. The handler answers those within
// the limit; the others are answered with 429.
func exceedRate(s *suite, name string, i int) {
	c := s.servers.clients[i%len(s.servers.clients)]
	path := fmt.Sprintf("/limited?key=%d", s.number.Add(1))
	for n := range rateLimit + 2 {
		x := ok(path, "GET /limited")(0)
		if n >= rateLimit {
			x = refusal(path, http.StatusTooManyRequests, "Too Many Requests\n")(0)
		}
		s.exchange(name, c, x)
	}
}

// seated answers behind Throttle, and records an error if there are too many requests at
// the same time.
func (a *app) seated(w http.ResponseWriter, r *http.Request) {
	if n := a.seats.Add(1); n > seats {
		a.faults.addf("throttle", "%d requests at a time, want at most %d", n, seats)
	}
	defer a.seats.Add(-1)
	time.Sleep(2 * time.Millisecond)
	_, _ = io.WriteString(w, r.Pattern)
}

// exceedSeats sends more concurrent requests than Throttle allows. Each is answered by the
// handler, or with 503 without it.
func exceedSeats(s *suite, name string, i int) {
	c := s.servers.clients[i%len(s.servers.clients)]
	var seated atomic.Int64
	var all sync.WaitGroup
	for range 3 * seats {
		all.Go(func() {
			if s.askForSeat(name, c) {
				seated.Add(1)
			}
		})
	}
	all.Wait()
	if seated.Load() < seats {
		s.faults.addf(name, "of %d requests at once %d had a place, want at least %d", 3*seats, seated.Load(), seats)
	}
}

// askForSeat sends a request to Throttle, and reports whether it was admitted.
func (s *suite) askForSeat(name string, c *client) bool {
	const path = "/throttled"
	status, body, id, err := s.get(name, c, path)
	s.tally.answer(name, status)
	switch {
	case err == nil && status == http.StatusOK && body == "GET "+path:
		s.ledger.answered(id, 1)
		return true
	case err == nil && status == http.StatusServiceUnavailable:
		s.ledger.answered(id, 0)
		return false
	}
	s.faults.addf(name, "GET %s: status %d, %q, %v", path, status, body, err)
	s.ledger.givenUp(id)
	return false
}
