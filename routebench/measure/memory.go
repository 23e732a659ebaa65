package measure

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Memory returns the heap size in bytes of what build returns, and the time of build in
// nanoseconds. Each has one number per round.
//
// A structure that its first request completes must have served one when build returns.
// Pools are emptied and do not count. What build adds to process-wide caches counts in the
// round that fills them, so use the median of several rounds. The rest of the process
// should be idle, because anything that it allocates or releases meanwhile counts too. A
// negative amount is such noise, and is returned as 0.
//
// If ctx ends, Memory returns the results of the complete rounds with the error of ctx. It
// also returns an error if build returns one or panics.
func Memory(ctx context.Context, rounds int, build func() (any, error)) (heap, load []float64, err error) {
	for range rounds {
		if err := ctx.Err(); err != nil {
			return heap, load, err
		}
		bytes, took, err := weigh(build)
		if err != nil {
			return nil, nil, err
		}
		heap, load = append(heap, bytes), append(load, float64(took))
	}
	return heap, load, nil
}

// weigh builds once.
func weigh(build func() (any, error)) (bytes float64, took time.Duration, err error) {
	defer func() { recovered(recover(), &err) }()
	before := settledHeap()
	began := time.Now()
	built, err := build()
	took = time.Since(began)
	if err != nil {
		return 0, 0, fmt.Errorf("cannot build it: %w", err)
	}
	after := settledHeap()
	runtime.KeepAlive(built)
	return max(0, float64(after)-float64(before)), took, nil
}

// settledHeap returns how many bytes of the heap are alive. The first collection
// moves what is in pools to where the second finds it, and runs finalizers and
// cleanups, whose objects the second frees; more are needed only where those make
// others unreachable.
func settledHeap() uint64 {
	runtime.GC()
	last := ^uint64(0)
	for range 5 {
		runtime.GC()
		now := readMemory().heap
		if now >= last {
			break
		}
		last = now
	}
	return last
}
