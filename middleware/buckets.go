package middleware

import (
	"hash/maphash"
	"net/netip"
	"sync"
	"time"
)

// A bucket of tokens is stored as one number, the time at which it will be full again
// (the theoretical arrival time of the generic cell rate algorithm). For an empty
// bucket this is burst×interval from now; for a full one it is in the past:
//
//	now ──┬──────────┬──────────┬──────────┬─► time, burst 3
//	      full       2 left     1 left     empty
//
// So an unused bucket fills by itself, and a full one need not be stored. The table
// consists of sets of eight slots. The hash of a key selects the set, and in it the
// slot with that hash, or else the slot that is full first. Nothing is searched, grown
// or cleaned up, and a request costs the same however full the table is. The table has
// twice the room for its keys, so that few sets overflow before it holds that many.
type buckets struct {
	interval int64 // nanoseconds until one more token is available, rounded up
	capacity int64 // nanoseconds that an empty bucket takes to fill
	start    time.Time
	seed     maphash.Seed
	sets     []bucketSet // the number of sets is a power of two
}

const slotsOfSet = 8

type bucketSet struct {
	mu    sync.Mutex
	slots [slotsOfSet]bucket
}

type bucket struct {
	hash uint64
	full int64 // nanoseconds since start
}

func newBuckets(n int, period time.Duration, burst, maxKeys int) *buckets {
	interval := (int64(period) + int64(n) - 1) / int64(n)
	sets := 1
	for sets*slotsOfSet < 2*maxKeys {
		sets *= 2
	}
	return &buckets{
		interval: interval, capacity: interval * int64(burst),
		start: time.Now(), seed: maphash.MakeSeed(), sets: make([]bucketSet, sets),
	}
}

func (b *buckets) hashString(key string) uint64 { return maphash.String(b.seed, key) }

func (b *buckets) hashAddr(addr netip.Addr) uint64 {
	raw := addr.As16() // zero for an unknown address
	return maphash.Bytes(b.seed, raw[:])
}

// A tokens is the result of take.
type tokens struct {
	ok   bool
	left int64         // after this request
	next time.Duration // until there is one more
}

// take takes a token from the bucket of a key.
func (b *buckets) take(hash uint64) tokens {
	s := &b.sets[hash&uint64(len(b.sets)-1)]
	s.mu.Lock()
	defer s.mu.Unlock()
	now := int64(time.Since(b.start))
	slot := s.slot(hash)
	full := max(slot.full, now)
	if slot.hash != hash {
		full = now // the slot was another key's
	}
	if wait := full + b.interval - now - b.capacity; wait > 0 {
		return tokens{next: time.Duration(wait)}
	}
	full += b.interval
	*slot = bucket{hash, full}
	missing := full - now // of a full bucket, at most the capacity
	next := missing % b.interval
	if next == 0 {
		next = b.interval
	}
	return tokens{ok: true, left: (b.capacity - missing) / b.interval, next: time.Duration(next)}
}

// slot returns the slot with a hash or, if there is none, the slot that is full first.
func (s *bucketSet) slot(hash uint64) *bucket {
	first := &s.slots[0]
	for i := range s.slots {
		slot := &s.slots[i]
		if slot.hash == hash {
			return slot
		}
		if slot.full < first.full {
			first = slot
		}
	}
	return first
}
