//go:build !unix

package soak

import (
	"runtime"
	"time"
)

var started = time.Now()

// openFiles returns how many files the process may have open.
func openFiles() uint64 { return 1 << 20 }

// cpuTime returns the time of all cores, which is that of the process when it keeps
// them busy.
func cpuTime() time.Duration { return time.Since(started) * time.Duration(runtime.GOMAXPROCS(0)) }
