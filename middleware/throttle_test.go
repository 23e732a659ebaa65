package middleware

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A visit is a request to a handler that takes a while.
type visit struct {
	at    int // milliseconds since the start of the test
	key   string
	takes int // milliseconds; negative if the handler panics then
	gone  int // milliseconds after which the client leaves; 0 for never
}

// serveVisits returns how each visit ended: the status, and when it began and ended.
func serveVisits(t *testing.T, limit int, o *ThrottleOptions, visits []visit) (ended []string) {
	ended = make([]string, len(visits))
	synctest.Test(t, func(t *testing.T) {
		type visitKey struct{}
		start := time.Now()
		since := func() int64 { return time.Since(start).Milliseconds() }
		began := make([]int64, len(visits))
		h := Throttle(limit, o)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			i := r.Context().Value(visitKey{}).(int)
			began[i] = since()
			time.Sleep(time.Duration(max(visits[i].takes, -visits[i].takes)) * time.Millisecond)
			if visits[i].takes < 0 {
				panic("oops")
			}
		}))
		var wg sync.WaitGroup
		for i, v := range visits {
			wg.Go(func() {
				time.Sleep(time.Duration(v.at) * time.Millisecond)
				ctx := context.WithValue(t.Context(), visitKey{}, i)
				if v.gone > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, time.Duration(v.gone)*time.Millisecond)
					defer cancel()
				}
				w := httptest.NewRecorder()
				panicked := recovered(func() { h.ServeHTTP(w, newRequest("GET", "/", "Key: "+v.key).WithContext(ctx)) })
				switch {
				case panicked != nil:
					ended[i] = fmt.Sprintf("panic %d-%d", began[i], since())
				case w.Code == 200:
					ended[i] = fmt.Sprintf("200 %d-%d", began[i], since())
				default:
					ended[i] = fmt.Sprintf("%d %d retry %s", w.Code, since(), w.Header().Get("Retry-After"))
				}
			})
		}
		wg.Wait()
	})
	return ended
}

func byKey(r *http.Request) string { return r.Header.Get("Key") }

func TestThrottle(t *testing.T) {
	for _, row := range []struct {
		name    string
		limit   int
		options *ThrottleOptions
		visits  []visit
		want    []string
	}{
		{
			"one at a time", 1, nil,
			[]visit{{0, "", 10, 0}, {1, "", 10, 0}, {11, "", 10, 0}},
			[]string{"200 0-10", "503 1 retry 1", "200 11-21"},
		},
		{
			"first come first served", 2, &ThrottleOptions{Backlog: 3},
			[]visit{{0, "", 10, 0}, {1, "", 20, 0}, {2, "", 5, 0}, {3, "", 5, 0}, {4, "", 5, 0}, {5, "", 5, 0}},
			[]string{"200 0-10", "200 1-21", "200 10-15", "200 15-20", "200 20-25", "503 5 retry 1"},
		},
		{
			"the wait ends", 1, &ThrottleOptions{Backlog: 9, Wait: 30 * time.Millisecond, RetryAfter: 1500 * time.Millisecond},
			[]visit{{0, "", 100, 0}, {10, "", 1, 0}, {80, "", 1, 0}},
			[]string{"200 0-100", "503 40 retry 2", "200 100-101"},
		},
		{
			"the client leaves", 1, &ThrottleOptions{Backlog: 1},
			[]visit{{0, "", 100, 0}, {10, "", 1, 20}, {40, "", 1, 0}},
			[]string{"200 0-100", "503 30 retry 1", "200 100-101"},
		},
		{
			"a panic frees the place", 1, &ThrottleOptions{Backlog: 1},
			[]visit{{0, "", -10, 0}, {1, "", 10, 0}, {30, "", 1, 0}},
			[]string{"panic 0-10", "200 10-20", "200 30-31"},
		},
		{
			"each key for itself", 1, &ThrottleOptions{Key: byKey},
			[]visit{{0, "a", 10, 0}, {1, "b", 10, 0}, {2, "a", 10, 0}, {3, "b", 10, 0}, {10, "c", 1, 0}},
			[]string{"200 0-10", "200 1-11", "429 2 retry 1", "429 3 retry 1", "200 10-11"},
		},
		{
			"a backlog for each key", 1, &ThrottleOptions{Key: byKey, Backlog: 1},
			[]visit{{0, "a", 10, 0}, {1, "a", 10, 0}, {2, "a", 10, 0}, {3, "b", 1, 0}},
			[]string{"200 0-10", "200 10-20", "429 2 retry 1", "200 3-4"},
		},
		{
			"keys are bounded, and forgotten", 1, &ThrottleOptions{Key: byKey, MaxKeys: 2},
			[]visit{{0, "a", 10, 0}, {1, "b", 10, 0}, {2, "c", 10, 0}, {10, "c", 10, 0}},
			[]string{"200 0-10", "200 1-11", "503 2 retry 1", ""},
		},
	} {
		got := serveVisits(t, row.limit, row.options, row.visits)
		for i := range row.want {
			if row.want[i] != "" && got[i] != row.want[i] {
				t.Errorf("%s, visit %d: got %s, want %s", row.name, i, got[i], row.want[i])
			}
		}
	}
}

// TestThrottleIsShared: routes that one call covers share the places.
func TestThrottleIsShared(t *testing.T) {
	throttle := Throttle(1, nil)
	inner := throttle(says("inner"))
	outer := throttle(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { inner.ServeHTTP(w, r) }))
	if got := answer(outer, newRequest("GET", "/")).Code; got != 503 {
		t.Errorf("got %d, want 503 for the second place", got)
	}
}

// TestQueueIsNaive compares a queue with its twin, which has everything in slices.
func TestQueueIsNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		limit, backlog, maxKeys := 1+src.IntN(3), src.IntN(4), 1+src.IntN(3)
		q := &queue{limit: limit, backlog: backlog, maxKeys: maxKeys, lines: make(map[string]*line)}
		var inside []string // keys
		var seats []waiter
		for step := range 200 {
			key := string(rune('a' + src.IntN(4)))
			count := func(in []string) (n int) {
				for _, k := range in {
					if k == key {
						n++
					}
				}
				return n
			}
			keysOfSeats := func() (keys []string) {
				for _, s := range seats {
					keys = append(keys, s.key)
				}
				return keys
			}
			switch src.IntN(3) {
			case 0, 1:
				want := entered
				used, queued := count(inside), count(keysOfSeats())
				distinct := slices.Compact(slices.Sorted(slices.Values(inside)))
				switch {
				case used == 0 && len(distinct) == maxKeys:
					want = tooManyKeys
				case used == limit && queued == backlog:
					want = tooManyRequests
				case used == limit:
					want = waiting
				}
				got, s := q.join(key)
				if got != want {
					t.Fatalf("step %d: join %s: got %d, want %d", step, key, got, want)
				}
				if got == waiting {
					seats = append(seats, waiter{key, s})
				}
				if got == entered {
					inside = append(inside, key)
				}
			case 2:
				if len(seats) > 0 && src.IntN(3) == 0 {
					i := src.IntN(len(seats))
					if !q.giveUp(seats[i].key, seats[i].seat) {
						t.Fatalf("step %d: a seat cannot be given up", step)
					}
					seats = slices.Delete(seats, i, i+1)
					break
				}
				at := slices.Index(inside, key)
				if at < 0 {
					break
				}
				q.leave(key)
				inside = slices.Delete(inside, at, at+1)
				if i := slices.IndexFunc(seats, func(s waiter) bool { return s.key == key }); i >= 0 {
					select {
					case <-seats[i].seat.given:
					default:
						t.Fatalf("step %d: the place of %s was not given to who waits longest", step, key)
					}
					if q.giveUp(key, seats[i].seat) {
						t.Fatalf("step %d: a seat was given up that had a place", step)
					}
					seats = slices.Delete(seats, i, i+1)
					inside = append(inside, key)
				}
			}
		}
		for _, key := range inside {
			q.leave(key)
		}
		for len(q.lines) > 0 { // those that waited, and have places now
			for key := range q.lines {
				q.leave(key)
			}
		}
	}
}

type waiter struct {
	key  string
	seat *seat
}

// TestThrottleUnderLoad: never more than the limit are inside, and all get in.
func TestThrottleUnderLoad(t *testing.T) {
	const limit = 3
	var mu sync.Mutex
	inside, most := 0, 0
	h := Throttle(limit, &ThrottleOptions{Backlog: 1000, Wait: time.Hour})(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		inside++
		most = max(most, inside)
		mu.Unlock()
		time.Sleep(time.Microsecond)
		mu.Lock()
		inside--
		mu.Unlock()
	}))
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			for range 10 {
				if w := answer(h, newRequest("GET", "/")); w.Code != 200 {
					t.Errorf("got %d", w.Code)
				}
			}
		})
	}
	wg.Wait()
	if most > limit {
		t.Errorf("%d were inside, want %d at most", most, limit)
	}
}

func TestWholeSeconds(t *testing.T) {
	for d, want := range map[time.Duration]int64{
		0: 0, 1: 1, time.Second: 1, time.Second + 1: 2, time.Minute - 1: 60, math.MaxInt64: math.MaxInt64/1_000_000_000 + 1,
	} {
		if got := wholeSeconds(d); got != want {
			t.Errorf("%s: got %d, want %d", d, got, want)
		}
	}
}

func TestThrottlePanics(t *testing.T) {
	for option, o := range map[string]ThrottleOptions{"Backlog": {Backlog: -1}, "Wait": {Wait: -1}, "MaxKeys": {MaxKeys: -1}, "RetryAfter": {RetryAfter: -1}} {
		checkPanics(t, map[string]func(){
			"middleware: Throttle: " + option + " is negative; use 0 for its default": func() { Throttle(1, &o) },
		})
	}
	checkPanics(t, map[string]func(){
		"middleware: Throttle: limit 0 allows no request; use 1 or more": func() { Throttle(0, nil) },
	})
}
