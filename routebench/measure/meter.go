package measure

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// A meter reads the clock and the counters of the process. Tests have their own.
type meter struct {
	now           func() time.Time
	memory        func() memory
	collect       func()               // all garbage, and wait until that is done
	collected     func() uint64        // how many collections have ended
	cpu           func() time.Duration // that the process has had; always 0 where it cannot be told finely
	referenceTime func() time.Duration
}

// A memory is the state of the heap.
type memory struct {
	allocs, bytes uint64 // since the process began
	heap          uint64 // bytes in use, garbage included
	goal          uint64 // how large it may become before it is collected
}

func newMeter() meter {
	cycles := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	cpu := cpuTime
	if !fineCPUTime {
		cpu = func() time.Duration { return 0 }
	}
	return meter{
		now:           time.Now,
		cpu:           cpu,
		referenceTime: referenceTime,
		memory:        readMemory,
		collect:       runtime.GC,
		// A tenth of a microsecond, and unlike ReadMemStats it does not stop the
		// world, so it can be asked for in the midst of a slice.
		collected: func() uint64 {
			metrics.Read(cycles)
			return cycles[0].Value.Uint64()
		},
	}
}

func readMemory() memory {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return memory{allocs: s.Mallocs, bytes: s.TotalAlloc, heap: s.HeapAlloc, goal: s.NextGC}
}
