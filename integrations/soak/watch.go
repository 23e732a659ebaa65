package soak

import (
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"
)

const (
	samples = 40
	warmUp  = samples / 10 // samples that do not count: pools and connections fill
	// Between the halves of a run the live memory may grow by a quarter plus this, because
	// the number of current requests varies.
	moreHeap = 4 << 20
)

// A watch samples the live memory, and reports the longest pause of the garbage collector
// since it was created.
type watch struct {
	heap   []uint64
	before *metrics.Float64Histogram
}

func newWatch() *watch { return &watch{before: pauses()} }

// sample collects garbage and takes samples, until the time is over or stop returns true.
func (w *watch) sample(d time.Duration, stop func() bool) {
	every := max(d/samples, 10*time.Millisecond)
	for end := time.Now().Add(d); time.Now().Before(end) && !stop(); {
		time.Sleep(min(every, time.Until(end)))
		runtime.GC()
		w.heap = append(w.heap, liveHeap())
	}
}

// medians returns the medians of both halves of the samples, or 0 if there are few.
func (w *watch) medians() [2]uint64 {
	if len(w.heap) < samples/2 {
		return [2]uint64{}
	}
	steady := w.heap[warmUp:]
	half := len(steady) / 2
	return [2]uint64{median(steady[:half]), median(steady[half:])}
}

// flat records an error if memory grows.
func (w *watch) flat(f *faults) {
	if m := w.medians(); m[1] > m[0]+m[0]/4+moreHeap {
		f.addf("memory", "the live heap grows: its median was %d KiB in the first half and %d KiB in the second", m[0]>>10, m[1]>>10)
	}
}

// pause returns the longest pause of the garbage collector, rounded up to a bound of
// the runtime's histogram.
func (w *watch) pause() time.Duration {
	now := pauses()
	for i := len(now.Counts) - 1; i >= 0; i-- {
		if now.Counts[i] > w.before.Counts[i] {
			bound := now.Buckets[i+1]
			if math.IsInf(bound, 1) {
				bound = now.Buckets[i]
			}
			return time.Duration(bound * float64(time.Second))
		}
	}
	return 0
}

// pauses returns the histogram of all pauses of the garbage collector so far.
func pauses() *metrics.Float64Histogram {
	s := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(s)
	return s[0].Value.Float64Histogram()
}

// liveHeap returns the memory that the last collection found live.
func liveHeap() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// median returns the median of a few values.
func median[T uint64 | float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
