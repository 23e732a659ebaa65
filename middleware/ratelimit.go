package middleware

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// RateLimitOptions are the options of [RateLimit].
type RateLimitOptions struct {
	// Burst is how many requests may come at once. If it is 0, it is the number of
	// requests that a period allows.
	Burst int
	// Key returns whose requests are counted, as the name of a user. If it is nil,
	// each client address has its own count, of IPv6 each network of 64 bits, since
	// one client has as many addresses there as it likes. The address is that of
	// [ClientIP] if it stands outside, else the peer's.
	Key func(r *http.Request) string
	// MaxKeys is for how many keys there is room, of 34 bytes each, taken at once. If
	// it is 0, it is 65,536; others are rounded up to a power of two.
	MaxKeys int
	// Headers sends RateLimit-Policy and RateLimit in all answers, as the drafts of
	// draft-ietf-httpapi-ratelimit-headers have them since 2024:
	//
	//	RateLimit-Policy: "default";q=100;w=60    so many requests in so many seconds
	//	RateLimit: "default";r=7;t=3              so many are left, and one more in so many seconds
	//
	// It costs three allocations.
	Headers bool
}

// RateLimit lets n requests in each period in, for each key: every key has a bucket
// of Burst tokens, which fills at an even rate, and a request takes one. A request
// that finds none is answered 429, with a Retry-After header that says when there is
// one. It takes nothing. o may be nil.
//
//	RateLimit(100, time.Minute, nil)   // 100 a minute, at any time up to 100 at once
//
// Safe: memory is bounded and taken once, whatever keys there are and however long;
// of keys only a hash with a random seed is kept. Where there is no room for a new
// key the fullest bucket nearby goes, whose key asks least; it comes back with a full
// one. Clients whose address is not known share the bucket of their peer.
//
// Not safe: a key that clients choose, as a header, is no limit. Whoever has many
// addresses has many buckets, so keep [Throttle] beside it. The counts are those of
// this process. One call of RateLimit has one table for all routes that it covers.
//
// RateLimit panics if n or period is not positive, if an option is negative or
// MaxKeys is more than 67,108,864, or if the rate is beyond a million a second, or the
// period is more than a hundred years or the bucket takes that long to fill.
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
				refuse(w, http.StatusTooManyRequests, strconv.FormatInt(wholeSeconds(t.next), 10))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// mostKeys are the most keys that a table is made for, of 2.3 GB.
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

// describe sets the headers that tell a client where it stands.
func (t *tokens) describe(h http.Header, policy string) {
	h["Ratelimit-Policy"] = []string{policy}
	state := append(make([]byte, 0, 48), `"default";r=`...)
	state = strconv.AppendInt(state, t.left, 10)
	state = append(state, ";t="...)
	state = strconv.AppendInt(state, wholeSeconds(t.next), 10)
	h["Ratelimit"] = []string{string(state)}
}

// clientNetwork returns the address of the client, of IPv6 the first 64 bits.
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
