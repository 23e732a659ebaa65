package explorer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Each latency is at most an eighth away from the one that its bucket represents.
func TestBucketOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	latencies := []time.Duration{128, 159, 160, 361, 1<<37 - 1}
	for range 100_000 {
		latencies = append(latencies, 128+time.Duration(rng.Int64N(1<<(1+rng.IntN(36)))))
	}
	slices.Sort(latencies)
	last := 0
	for _, d := range latencies {
		bucket := bucketOf(d)
		mid := latencyOf(bucket)
		if off := (d - mid).Abs(); 8*off > d || bucket < last {
			t.Fatalf("bucketOf(%d) = %d, which represents %d; the one before was %d", d, bucket, mid, last)
		}
		last = bucket
	}
	for _, tt := range []struct {
		latency time.Duration
		bucket  int
	}{{-1, 0}, {0, 0}, {127, 0}, {128, 1}, {1<<37 - 1, lastBucket - 1}, {1 << 37, lastBucket}, {1<<63 - 1, lastBucket}} {
		if got := bucketOf(tt.latency); got != tt.bucket {
			t.Errorf("bucketOf(%d) = %d, want %d", tt.latency, got, tt.bucket)
		}
	}
}

// The quantiles are those of the sorted latencies, as far as buckets tell.
func TestQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{1, 2, 3, 99, 100, 101, 5000} {
		var h histogram
		latencies := make([]time.Duration, size)
		for i := range latencies {
			latencies[i] = time.Duration(rng.ExpFloat64() * 1e6)
			h.add(latencies[i])
		}
		slices.Sort(latencies)
		want50, want99 := latencies[(size+1)/2-1], latencies[(99*size+99)/100-1]
		total, p50, p99 := h.quantiles()
		if total != uint64(size) || p50 != latencyOf(bucketOf(want50)) || p99 != latencyOf(bucketOf(want99)) {
			t.Errorf("%d latencies: got %d, %v, %v, want those of %v and %v", size, total, p50, p99, want50, want99)
		}
	}
	var h histogram // of 100 latencies 99 do not exceed what 99 have
	for range 99 {
		h.add(time.Millisecond)
	}
	h.add(time.Second)
	if _, _, p99 := h.quantiles(); p99 != latencyOf(bucketOf(time.Millisecond)) {
		t.Errorf("p99 of 99 milliseconds and one second is %v", p99)
	}
	if total, p50, p99 := new(histogram).quantiles(); total != 0 || p50 != 0 || p99 != 0 {
		t.Errorf("without latencies: %d, %v, %v, want zeros", total, p50, p99)
	}
}
