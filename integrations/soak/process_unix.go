//go:build unix

package soak

import (
	"syscall"
	"time"
)

// openFiles returns how many files the process may have open. The Go runtime has
// raised the limit as far as it may.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1 << 20 // then opening them will tell
	}
	return uint64(limit.Cur) //nolint:unconvert // it is signed on some systems
}

// cpuTime returns the CPU time of the process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
