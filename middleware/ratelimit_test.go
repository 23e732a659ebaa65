package middleware

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestRateLimit has requests at seconds, and what they are answered.
func TestRateLimit(t *testing.T) {
	for _, row := range []struct {
		name    string
		n       int
		period  time.Duration
		options *RateLimitOptions
		visits  string // SECONDS:KEY=STATUS[/RETRY-AFTER]
	}{
		{"burst and refill", 2, 10 * time.Second, &RateLimitOptions{Key: byKey}, "0:a=200 0:a=200 0:a=429/5 4:a=429/1 5:a=200 5:a=429/5 20:a=200 20:a=200 20:a=429/5"},
		{"each key for itself", 1, 10 * time.Second, &RateLimitOptions{Key: byKey}, "0:a=200 0:b=200 1:a=429/9 1:b=429/9 1:c=200"},
		{"small burst", 60, time.Minute, &RateLimitOptions{Key: byKey, Burst: 1}, "0:a=200 0:a=429/1 1:a=200 1:a=429/1"},
		{"large burst", 1, time.Second, &RateLimitOptions{Key: byKey, Burst: 3}, "0:a=200 0:a=200 0:a=200 0:a=429/1 1:a=200 1:a=429/1"},
		{"a refusal takes nothing", 1, 10 * time.Second, &RateLimitOptions{Key: byKey}, "0:a=200 5:a=429/5 9:a=429/1 10:a=200"},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			h := RateLimit(row.n, row.period, row.options)(says(""))
			for visit := range strings.FieldsSeq(row.visits) {
				var at int
				var key, want string
				fmt.Sscanf(strings.NewReplacer(":", " ", "=", " ").Replace(visit), "%d %s %s", &at, &key, &want)
				time.Sleep(time.Until(start.Add(time.Duration(at) * time.Second)))
				w := answer(h, newRequest("GET", "/", "Key: "+key))
				got := fmt.Sprint(w.Code)
				if retry := w.Header().Get("Retry-After"); retry != "" {
					got += "/" + retry
				}
				if got != want {
					t.Errorf("%s, %s: got %s", row.name, visit, got)
				}
			}
		})
	}
}

func TestRateLimitByAddress(t *testing.T) {
	h := ClientIP(FromXForwardedFor(prefixes("10.0.0.0/8")...))(RateLimit(1, time.Hour, nil)(says("")))
	for _, row := range []struct {
		peer, forwarded string
		want            int
	}{
		{"192.0.2.1:1", "", 200},
		{"192.0.2.1:2", "", 429}, // another port
		{"[::ffff:192.0.2.1]:2", "", 429},
		{"192.0.2.1:2", "192.0.2.9", 429}, // who is not trusted
		{"192.0.2.2:1", "", 200},
		{"10.0.0.1:1", "192.0.2.3", 200},
		{"10.0.0.2:1", "192.0.2.3", 429},
		{"[2001:db8::1]:1", "", 200},
		{"[2001:db8::2]:1", "", 429},
		{"[2001:db8:0:0:ffff::]:1", "", 429},
		{"[2001:db8:0:1::]:1", "", 200},
		{"@", "", 200},
		{"", "", 429}, // all who are not known
	} {
		r := newRequest("GET", "/")
		r.RemoteAddr = row.peer
		if row.forwarded != "" {
			r.Header.Set("X-Forwarded-For", row.forwarded)
		}
		if got := answer(h, r).Code; got != row.want {
			t.Errorf("%+v: got %d", row, got)
		}
	}
	// Without ClientIP it is the peer.
	h = RateLimit(1, time.Hour, nil)(says(""))
	for _, want := range []int{200, 429} {
		if got := answer(h, newRequest("GET", "/")).Code; got != want {
			t.Errorf("without ClientIP: got %d, want %d", got, want)
		}
	}
}

func TestRateLimitHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := RateLimit(3, 30*time.Second, &RateLimitOptions{Burst: 2, Headers: true})(says(""))
		for _, want := range []string{`200 "default";r=1;t=10`, `200 "default";r=0;t=10`, `429 "default";r=0;t=10`} {
			w := answer(h, newRequest("GET", "/"))
			if got := fmt.Sprint(w.Code, " ", w.Header().Get("RateLimit")); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got, want := w.Header().Get("RateLimit-Policy"), `"default";q=3;w=30`; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// A naiveBucket counts tokens as one would by hand.
type naiveBucket struct {
	tokens float64
	at     time.Time
}

// TestBucketsAreNaive compares the table with a map of buckets, at times that are
// whole parts of the interval, where both are exact.
func TestBucketsAreNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 6))
	synctest.Test(t, func(t *testing.T) {
		const n, burst, keys = 4, 7, 50
		b := newBuckets(n, time.Second, burst, 1<<10) // 250 ms a token
		naive := make(map[string]*naiveBucket)
		refused := 0
		for step := range 20_000 {
			time.Sleep(time.Duration(src.IntN(3)) * 3906250) // 1/64 of 250 ms
			key := fmt.Sprint(src.IntN(keys) * src.IntN(2))
			bucket := naive[key]
			if bucket == nil {
				bucket = &naiveBucket{burst, time.Now()}
				naive[key] = bucket
			}
			bucket.tokens = min(burst, bucket.tokens+float64(time.Since(bucket.at))/250e6)
			bucket.at = time.Now()
			want := tokens{ok: bucket.tokens >= 1}
			if want.ok {
				bucket.tokens--
				want.left = int64(bucket.tokens)
			} else {
				refused++
			}
			want.next = time.Duration((1 - (bucket.tokens - float64(int64(bucket.tokens)))) * 250e6)
			if got := b.take(b.hashString(key)); got != want {
				t.Fatalf("step %d, key %s: got %+v, want %+v", step, key, got, want)
			}
		}
		if refused < 1000 {
			t.Errorf("only %d were refused", refused)
		}
	})
}

// TestBucketsEvict: in a full table the fullest bucket goes, so that who asks most
// stays limited.
func TestBucketsEvict(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBuckets(10, time.Hour, 10, 1)
		if len(b.sets) != 1 {
			t.Fatalf("%d sets", len(b.sets))
		}
		for range 10 {
			b.take(1)
		}
		for key := uint64(2); key < 10_000; key++ {
			if !b.take(key).ok {
				t.Fatalf("key %d is refused at once", key)
			}
		}
		if b.take(1).ok {
			t.Error("the greediest was forgotten")
		}
	})
}

// TestRateLimitUnderLoad: many goroutines get as many through as there are tokens.
func TestRateLimitUnderLoad(t *testing.T) {
	h := RateLimit(100, 1000*time.Hour, nil)(says(""))
	var passed atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, newRequest("GET", "/")); w.Code == 200 {
					passed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if passed.Load() != 100 {
		t.Errorf("%d passed, want 100", passed.Load())
	}
}

func TestRateLimitPanics(t *testing.T) {
	checkPanics(t, map[string]func(){
		"middleware: RateLimit: 0 requests in 1s allow no requests; use positive numbers":                                 func() { RateLimit(0, time.Second, nil) },
		"middleware: RateLimit: 1 requests in 0s allow no requests; use positive numbers":                                 func() { RateLimit(1, 0, nil) },
		"middleware: RateLimit: Burst is negative; use 0 for its default":                                                 func() { RateLimit(1, 1, &RateLimitOptions{Burst: -1}) },
		"middleware: RateLimit: MaxKeys is negative; use 0 for its default":                                               func() { RateLimit(1, 1, &RateLimitOptions{MaxKeys: -1}) },
		"middleware: RateLimit: MaxKeys is 67108865; use at most 67108864":                                                func() { RateLimit(1, time.Second, &RateLimitOptions{MaxKeys: 1<<26 + 1}) },
		"middleware: RateLimit: 2 requests in 1ns are more than a million a second; omit the limit":                       func() { RateLimit(2, 1, nil) },
		"middleware: RateLimit: a bucket of 900000 at 1 in 1h0m0s takes more than a century to fill; use a smaller burst": func() { RateLimit(1, time.Hour, &RateLimitOptions{Burst: 900_000}) },
		"middleware: RateLimit: a period of 876001h0m0s is more than a century; use a shorter one":                        func() { RateLimit(1, 876001*time.Hour, nil) },
		"middleware: RateLimit: a period of 2562047h47m16.854775807s is more than a century; use a shorter one":           func() { RateLimit(1000, math.MaxInt64, &RateLimitOptions{Burst: 1}) },
	})
}

// FuzzClientNetwork: whatever the peer is called, it has a bucket.
func FuzzClientNetwork(f *testing.F) {
	f.Add("192.0.2.1:80")
	f.Add("[2001:db8::1%eth0]:80")
	f.Fuzz(func(t *testing.T, peer string) {
		addr := clientNetwork(&http.Request{RemoteAddr: peer})
		if addr.Is6() && netip.PrefixFrom(addr, 64).Masked().Addr() != addr {
			t.Errorf("%q: got %s", peer, addr)
		}
	})
}
