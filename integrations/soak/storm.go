package soak

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/muxwell/muxwell"
)

const (
	slots   = 16 // routes that are added and removed one by one
	crowd   = 40 // routes that are added and removed together, so many that an Update rebuilds everything
	poison  = "/storm/poison"
	crowdAt = 25
)

// A storm changes the routes of the mux all the time. A slot is a route whose handler
// answers with its generation. In even generations the route exists, in odd ones it does
// not. Slots with even numbers are replaced, the others are removed and added again. An
// Update takes effect when it returns, or before. So the generation of an answer must be at
// least that of the last Update that was over when the request was sent, and at most that
// of the last Update that had begun when the answer arrived.
type storm struct {
	app     *app
	slots   [slots]slot
	crowd   []*muxwell.Route
	updates atomic.Int64
}

// A slot is a route that is added and removed. Only the storm writes to it.
type slot struct {
	begun, done atomic.Uint64 // generations
	route       *muxwell.Route
}

func newStorm(a *app) *storm {
	s := &storm{app: a}
	for i := range s.slots {
		s.slots[i].route = must(a.mux.Add(fmt.Sprintf("GET /storm/%d", i), s.handler(i, 0)))
	}
	return s
}

// handler returns the handler of a slot's generation.
func (s *storm) handler(i int, generation uint64) http.Handler {
	return s.app.ledger.route(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, "slot %d, generation %d", i, generation)
	})
}

// updateRoutes makes one change, of the kinds in turn.
func updateRoutes(s *suite, name string, i int) {
	storm, err := s.app.storm, error(nil)
	switch {
	case i%crowdAt == crowdAt-1:
		err = storm.moveCrowd()
	case i%5 == 4:
		err = storm.failToChange(i)
	case i%7 == 6:
		err = storm.changeMounted(i)
	default:
		err = storm.turn(i % slots)
	}
	if err != nil {
		s.faults.addf(name, "%v", err)
	}
	storm.updates.Add(1)
}

// turn removes, adds or replaces the route of a slot.
func (s *storm) turn(i int) error {
	sl := &s.slots[i]
	next := sl.done.Load() + 1
	if i%2 == 0 {
		next++ // from even to even
	}
	sl.begun.Store(next)
	var route *muxwell.Route
	err := s.app.mux.Update(func(tx *muxwell.Tx) (err error) {
		switch {
		case next%2 == 1:
			return tx.Remove(sl.route)
		case sl.route != nil:
			route, err = tx.Replace(sl.route, "", s.handler(i, next))
		default:
			route, err = tx.Add(fmt.Sprintf("GET /storm/%d", i), s.handler(i, next))
		}
		return err
	})
	if err != nil {
		return err
	}
	sl.route = route
	sl.done.Store(next)
	return nil
}

// moveCrowd adds or removes many routes at once.
func (s *storm) moveCrowd() error {
	var crowdNow []*muxwell.Route
	err := s.app.mux.Update(func(tx *muxwell.Tx) error {
		for _, rt := range s.crowd {
			if err := tx.Remove(rt); err != nil {
				return err
			}
		}
		if s.crowd != nil {
			return nil
		}
		for i := range crowd {
			rt, err := tx.Add(fmt.Sprintf("GET /storm/crowd/%d/{x}", i), s.app.ledger.route(sayer("", "x")))
			if err != nil {
				return err
			}
			crowdNow = append(crowdNow, rt)
		}
		return nil
	})
	if err == nil {
		s.crowd = crowdNow
	}
	return err
}

// errChanged ends a transaction that must change nothing.
var errChanged = errors.New("soak: changed its mind")

// failToChange adds, replaces and removes routes, and then returns an error or panics.
func (s *storm) failToChange(i int) (err error) {
	panics := i%2 == 0
	defer func() {
		if v := recover(); v != nil && v != errChanged { //nolint:errorlint // the very value
			err = fmt.Errorf("an Update panics with %v", v)
		}
	}()
	wrong := s.app.ledger.route(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "from an Update that failed")
	})
	err = s.app.mux.Update(func(tx *muxwell.Tx) error {
		if _, err := tx.Add("GET "+poison, wrong); err != nil {
			return err
		}
		if rt := s.slots[i%slots].route; rt != nil {
			if err := tx.Remove(rt); err != nil {
				return err
			}
		}
		if panics {
			panic(errChanged)
		}
		return errChanged
	})
	if !errors.Is(err, errChanged) {
		return fmt.Errorf("an Update that fails returns %v, want %v", err, errChanged)
	}
	return nil
}

// changeMounted adds a route to the mounted mux, and removes it.
func (s *storm) changeMounted(i int) error {
	var added *muxwell.Route
	err := s.app.inner.Update(func(tx *muxwell.Tx) (err error) {
		added, err = tx.Add(fmt.Sprintf("GET /storm/%d", i), text(http.StatusOK, "mounted"))
		return err
	})
	if err != nil {
		return err
	}
	return s.app.inner.Update(func(tx *muxwell.Tx) error { return tx.Remove(added) })
}

// readStorm requests a slot. Sometimes it requests a route that must never exist, one of
// the routes that are added and removed together, or the list of all routes.
func readStorm(s *suite, name string, i int) {
	c := s.servers.clients[i%len(s.servers.clients)]
	switch {
	case i%50 == 3:
		s.exchange(name, c, refusal(poison, http.StatusNotFound, "404 page not found\n")(0))
	case i%50 == 9:
		x := ok("/_routes/routes.json", "GET /plain")(0)
		x.within, x.runs = true, 0
		s.exchange(name, c, x)
	default:
		s.readSlot(name, c, i%slots)
	}
}

// readSlot requests a slot, and records an answer of a generation that did not exist.
func (s *suite) readSlot(name string, c *client, i int) {
	path, sl := "/storm/"+strconv.Itoa(i), &s.app.storm.slots[i]
	oldest := sl.done.Load()
	status, body, id, err := s.get(name, c, path)
	newest := sl.begun.Load()
	if err != nil {
		s.faults.addf(name, "GET %s: %v", path, err)
		s.ledger.givenUp(id)
		return
	}
	s.tally.answer(name, status)
	if status == http.StatusNotFound {
		s.ledger.answered(id, 0)
		if i%2 == 0 || oldest == newest && oldest%2 == 0 {
			s.faults.addf(name, "GET %s: 404, but there is a route of generation %d", path, oldest)
		}
		return
	}
	s.ledger.answered(id, 1)
	_, number, _ := strings.Cut(body, fmt.Sprintf("slot %d, generation ", i))
	generation, err := strconv.ParseUint(number, 10, 64)
	if status != http.StatusOK || err != nil || generation < oldest || generation > newest {
		s.faults.addf(name, "GET %s: status %d, %q, want a generation from %d to %d", path, status, body, oldest, newest)
	}
}
