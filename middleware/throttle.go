package middleware

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// ThrottleOptions are the options of [Throttle].
type ThrottleOptions struct {
	// Backlog is how many requests may wait for a place, for each key. If it is 0
	// none waits.
	Backlog int
	// Wait is how long a request waits at most. If it is 0, it is 10 seconds.
	Wait time.Duration
	// Key returns whose places a request takes, as a user's name or an address. If it
	// is nil all requests share them.
	Key func(r *http.Request) string
	// MaxKeys is how many keys may have requests at one time. If it is 0, it is
	// 65,536.
	MaxKeys int
	// RetryAfter is when a request that was refused may come again, rounded up to
	// seconds. If it is 0, it is one second.
	RetryAfter time.Duration
}

// Throttle lets limit requests in at a time, for each key if there are keys. Others
// wait in the backlog, in the order in which they came, or are refused with a
// Retry-After header:
//
//	503   the backlog is full, the wait was too long, or MaxKeys keys are in use
//	429   the same, but for the last, if there are keys: it is the client that asks too much
//
// A place is free again when the handler returns or panics. A request whose client
// leaves while it waits leaves the backlog. o may be nil.
//
// Safe: a key is kept only while it has requests, so memory is bounded by the
// requests that the server has, and by MaxKeys. Not safe: a key that clients choose,
// as a header, is no limit. It stands inside of [Timeout], since a handler may run on
// behind a 503, and inside of what knows the key. A mux has one set of places for
// each call of Throttle, however many routes it covers.
//
// Throttle panics if limit is not positive or an option is negative.
func Throttle(limit int, o *ThrottleOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &ThrottleOptions{}
	}
	if limit <= 0 {
		panic(fmt.Sprintf("middleware: Throttle: limit %d allows no request; use 1 or more", limit))
	}
	notNegative("Throttle", "Backlog", int64(o.Backlog))
	notNegative("Throttle", "Wait", int64(o.Wait))
	notNegative("Throttle", "MaxKeys", int64(o.MaxKeys))
	notNegative("Throttle", "RetryAfter", int64(o.RetryAfter))
	q := &queue{limit: limit, backlog: o.Backlog, maxKeys: orDefault(o.MaxKeys, 1<<16), lines: make(map[string]*line)}
	wait, key, refused := orDefault(o.Wait, 10*time.Second), o.Key, http.StatusServiceUnavailable
	if key != nil {
		refused = http.StatusTooManyRequests
	} else {
		key = func(*http.Request) string { return "" }
	}
	retryAfter := strconv.FormatInt(wholeSeconds(orDefault(o.RetryAfter, time.Second)), 10)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			k := key(r)
			switch q.enter(r.Context(), k, wait) {
			case entered:
				defer q.leave(k)
				next.ServeHTTP(w, r)
			case tooManyKeys:
				refuse(w, http.StatusServiceUnavailable, retryAfter)
			case tooManyRequests:
				refuse(w, refused, retryAfter)
			}
		})
	}
}

// refuse answers with a status and when to come again.
func refuse(w http.ResponseWriter, status int, retryAfter string) {
	w.Header().Set("Retry-After", retryAfter)
	http.Error(w, http.StatusText(status), status)
}

// orDefault returns v, or if it is 0 the default.
func orDefault[T int | time.Duration](v, byDefault T) T {
	if v == 0 {
		return byDefault
	}
	return v
}

// notNegative panics if an option is negative.
func notNegative(function, option string, value int64) {
	if value < 0 {
		panic(fmt.Sprintf("middleware: %s: %s is negative; use 0 for its default", function, option))
	}
}

// wholeSeconds returns d in seconds, rounded up.
func wholeSeconds(d time.Duration) int64 {
	seconds := d / time.Second
	if d%time.Second > 0 {
		seconds++
	}
	return int64(seconds)
}

// enter returns whether the request has a place, for which it waits.
func (q *queue) enter(ctx context.Context, key string, wait time.Duration) entry {
	e, seat := q.join(key)
	if e != waiting {
		return e
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-seat.given:
		return entered
	case <-ctx.Done():
	case <-timer.C:
	}
	if q.giveUp(key, seat) {
		return tooManyRequests
	}
	return entered // the place was given meanwhile
}
