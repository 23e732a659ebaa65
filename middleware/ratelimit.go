package middleware

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/compose"
)

// RateLimitOptions are the options of [RateLimit].
type RateLimitOptions struct {
	// Burst is the number of requests that may come at once. If it is 0, it is the
	// number of requests per period.
	Burst int
	// Key returns the key under which a request is counted, such as the name of a user.
	// If it is nil, each client address has its own count; for IPv6 each network of 64
	// bits, since one client can use all of its addresses. The address is that of
	// [ClientIP] if that is outside, otherwise that of the peer.
	Key func(r *http.Request) string
	// MaxKeys is the number of keys for which there is room, 34 bytes each, allocated
	// when the middleware is made. If it is 0, it is 65,536. Other values are rounded
	// up to a power of two.
	MaxKeys int
	// Headers sends RateLimit-Policy and RateLimit in all answers, as defined by the
	// drafts of draft-ietf-httpapi-ratelimit-headers since 2024:
	//
	//	RateLimit-Policy: "default";q=100;w=60    100 requests in 60 seconds
	//	RateLimit: "default";r=7;t=3              7 are left, and one more in 3 seconds
	//
	// It costs three allocations.
	Headers bool
}

// RateLimit allows n requests in each period, for each key. Every key has a bucket of
// Burst tokens, which fills at an even rate. A request takes one token. If there is
// none, it is answered with 429 and a Retry-After header with the time until there is
// one, and takes nothing. o may be nil.
//
//	RateLimit(100, time.Minute, nil)   // 100 a minute, at any time up to 100 at once
//
// Safe: memory is bounded and allocated once, whatever the number and length of keys.
// Only a hash of a key, with a random seed, is stored. If there is no room for a new
// key, the fullest bucket nearby is dropped, whose key sends the fewest requests; its
// next request starts with a full bucket. Clients with an unknown address share the
// bucket of their peer.
//
// Not safe: a key that clients choose, such as a header, does not limit them. Clients
// with many addresses have many buckets, so use [Throttle] too. The counts are those of
// this process. Each call of RateLimit has one table for all routes that it covers.
//
// In a mux, a request takes a token of every RateLimit around a route; [NoRateLimit]
// lifts those around it.
//
// RateLimit panics if n or period is not positive, if an option is negative or MaxKeys
// is more than 67,108,864, or if the rate is more than a million a second, the period
// is more than a hundred years, or the bucket takes that long to fill.
func RateLimit(n int, period time.Duration, o *RateLimitOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &RateLimitOptions{}
	}
	notNegative("RateLimit", "Burst", int64(o.Burst))
	notNegative("RateLimit", "MaxKeys", int64(o.MaxKeys))
	burst := orDefault(o.Burst, n)
	if reason := rateFault(n, period, burst, o.MaxKeys); reason != "" {
		panic("middleware: RateLimit: " + reason)
	}
	b := newBuckets(n, period, burst, orDefault(o.MaxKeys, 1<<16))
	key := o.Key
	var policy string
	if o.Headers {
		policy = fmt.Sprintf(`"default";q=%d;w=%d`, n, wholeSeconds(period))
	}
	return func(next http.Handler) http.Handler {
		return newPart(func(c *compose.Chain) http.Handler {
			if c.Limit(rateLimits) != nil {
				return next
			}
			refuse := refuserOf(c)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var hash uint64
				if key != nil {
					hash = b.hashString(key(r))
				} else {
					hash = b.hashAddr(clientNetwork(r))
				}
				t := b.take(hash)
				if policy != "" {
					t.describe(w.Header(), policy)
				}
				if !t.ok {
					w.Header().Set("Retry-After", strconv.FormatInt(wholeSeconds(t.next), 10))
					refuse(w, r, compose.Refusal{Status: http.StatusTooManyRequests, Reason: "rate_limited"})
					return
				}
				next.ServeHTTP(w, r)
			})
		})
	}
}

// rateLimits is the kind of limits that NoRateLimit lifts.
const rateLimits limitKind = "RateLimit"

// NoRateLimit lifts every [RateLimit] around it in a mux, for routes that must always be
// served, such as health checks. One around the mux itself is not lifted. NoRateLimit is
// middleware: m.With(middleware.NoRateLimit).
func NoRateLimit(next http.Handler) http.Handler { return lift(rateLimits, next) }

// mostKeys is the maximum number of keys of a table, which then has 2.3 GB.
const mostKeys = 1 << 26

// rateFault returns what is wrong with a rate, or "".
func rateFault(n int, period time.Duration, burst, maxKeys int) string {
	const century = 100 * 365 * 24 * time.Hour
	switch {
	case n <= 0 || period <= 0:
		return fmt.Sprintf("%d requests in %s allow no requests; use positive numbers", n, period)
	case maxKeys > mostKeys:
		return fmt.Sprintf("MaxKeys is %d; use at most %d", maxKeys, mostKeys)
	case period > century:
		return fmt.Sprintf("a period of %s is more than a century; use a shorter one", period)
	case float64(n)/period.Seconds() > 1e6:
		return fmt.Sprintf("%d requests in %s are more than a million a second; omit the limit", n, period)
	case float64(burst)*(period.Seconds()/float64(n)) > century.Seconds():
		return fmt.Sprintf("a bucket of %d at %d in %s takes more than a century to fill; use a smaller burst", burst, n, period)
	}
	return ""
}

// describe sets the headers that tell a client about its limit.
func (t *tokens) describe(h http.Header, policy string) {
	h["Ratelimit-Policy"] = []string{policy}
	state := append(make([]byte, 0, 48), `"default";r=`...)
	state = strconv.AppendInt(state, t.left, 10)
	state = append(state, ";t="...)
	state = strconv.AppendInt(state, wholeSeconds(t.next), 10)
	h["Ratelimit"] = []string{string(state)}
}

// clientNetwork returns the address of the client; for IPv6 its first 64 bits.
func clientNetwork(r *http.Request) netip.Addr {
	addr, ok := ClientIPFrom(r.Context())
	if !ok {
		addr, _ = clientaddr.Parse(r.RemoteAddr)
	}
	if addr.Is6() {
		network := addr.As16()
		clear(network[8:])
		addr = netip.AddrFrom16(network)
	}
	return addr
}
