package explorer

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// A histogram counts latencies in buckets, each of which is a quarter of a power
// of two wide: of the 64 ns that follow 256 ns, of the 128 ns that follow 512 ns.
// The first has what is shorter than 128 ns, the last what takes two minutes or
// more.
//
//	bits of a latency   1 0 1 1 0 1 0 0 1      361 ns
//	                    │ └┬┘
//	                octave quarter             bucket of 320 to 383 ns
type histogram [lastBucket + 1]atomic.Uint64

const (
	firstOctave = 7  // 2^7 ns = 128 ns
	lastOctave  = 37 // 2^37 ns = 137 s
	lastBucket  = (lastOctave-firstOctave)*4 + 1
)

// bucketOf returns the bucket of a latency.
func bucketOf(latency time.Duration) int {
	octave := bits.Len64(uint64(latency)) - 1
	switch {
	case latency < 1<<firstOctave: // or the clock went back
		return 0
	case octave >= lastOctave:
		return lastBucket
	}
	quarter := int(latency>>(octave-2)) & 3
	return (octave-firstOctave)*4 + quarter + 1
}

// latencyOf returns the latency in the middle of a bucket.
func latencyOf(bucket int) time.Duration {
	switch bucket {
	case 0:
		return 1 << firstOctave
	case lastBucket:
		return 1 << lastOctave
	}
	octave, quarter := firstOctave+(bucket-1)/4, (bucket-1)%4
	return 1<<octave + time.Duration(2*quarter+1)<<(octave-3)
}

func (h *histogram) add(latency time.Duration) { h[bucketOf(latency)].Add(1) }

// quantiles returns how many latencies there are, and those that half of them and
// 99 in 100 do not exceed.
func (h *histogram) quantiles() (total uint64, p50, p99 time.Duration) {
	var counts [len(h)]uint64
	for i := range h {
		counts[i] = h[i].Load()
		total += counts[i]
	}
	seen := uint64(0)
	for i, n := range counts {
		if n == 0 {
			continue
		}
		if seen += n; p50 == 0 && 2*seen >= total {
			p50 = latencyOf(i)
		}
		if 100*seen >= 99*total {
			return total, p50, latencyOf(i)
		}
	}
	return total, p50, p99
}
