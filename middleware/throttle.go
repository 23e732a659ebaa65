package middleware

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/muxwell/muxwell/internal/compose"
)

// ThrottleOptions are the options of [Throttle].
type ThrottleOptions struct {
	// Backlog is the number of requests that may wait for a place, for each key. If it
	// is 0, none waits.
	Backlog int
	// Wait is the maximum time for which a request waits. If it is 0, it is 10 seconds.
	Wait time.Duration
	// Key returns the key whose places a request uses, such as a user's name or an
	// address. If it is nil, all requests share the places.
	Key func(r *http.Request) string
	// MaxKeys is the number of keys that may have requests at one time. If it is 0, it
	// is 65,536.
	MaxKeys int
	// RetryAfter is the time after which a rejected request may be retried, rounded up
	// to seconds. If it is 0, it is one second.
	RetryAfter time.Duration
}

// Throttle allows limit concurrent requests, for each key if there are keys. Other
// requests wait in the backlog, in the order in which they came, or are rejected with a
// Retry-After header:
//
//	503   the backlog is full, the wait was too long, or MaxKeys keys are in use
//	429   if there are keys, the backlog is full or the wait was too long: the client sends too much
//
// A place is free again when the handler returns or panics. If the client of a waiting
// request disconnects, the request leaves the backlog. o may be nil.
//
// Safe: a key is stored only while it has requests, so memory is bounded by the
// requests that the server has, and by MaxKeys. Not safe: a key that clients choose,
// such as a header, does not limit them.
//
// Put Throttle inside of [Timeout], since a handler may continue to run after a 503,
// and inside of the middleware that determines the key. Each call of Throttle has one
// set of places, however many routes it covers.
//
// In a mux, requests need a place in every Throttle around a route; [NoThrottle] lifts
// those around it.
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
	wait, key := orDefault(o.Wait, 10*time.Second), o.Key
	overloaded := compose.Refusal{Status: http.StatusServiceUnavailable, Reason: "overloaded"}
	refused := overloaded
	if key != nil {
		refused = compose.Refusal{Status: http.StatusTooManyRequests, Reason: "too_many_waiting"}
	} else {
		key = func(*http.Request) string { return "" }
	}
	retryAfter := strconv.FormatInt(wholeSeconds(orDefault(o.RetryAfter, time.Second)), 10)
	return func(next http.Handler) http.Handler {
		return newPart(func(c *compose.Chain) http.Handler {
			if c.Limit(throttles) != nil {
				return next
			}
			refuse := refuserOf(c)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				k, refusal := key(r), refused
				switch q.enter(r.Context(), k, wait) {
				case entered:
					defer q.leave(k)
					next.ServeHTTP(w, r)
					return
				case tooManyKeys:
					refusal = overloaded
				}
				w.Header().Set("Retry-After", retryAfter)
				refuse(w, r, refusal)
			})
		})
	}
}

// throttles is the kind of limits that NoThrottle lifts.
const throttles limitKind = "Throttle"

// NoThrottle lifts every [Throttle] around it in a mux, for routes that must always be
// served, such as health checks. One around the mux itself is not lifted. NoThrottle is
// middleware: m.With(middleware.NoThrottle).
func NoThrottle(next http.Handler) http.Handler { return lift(throttles, next) }

// orDefault returns v, or the default if v is 0.
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

// enter returns whether the request gets a place, for which it waits if necessary.
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
	return entered // a place was given meanwhile
}
