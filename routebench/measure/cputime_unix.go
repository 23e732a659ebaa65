//go:build unix

package measure

import (
	"syscall"
	"time"
)

// fineCPUTime reports whether the system measures a CPU time of a few milliseconds.
const fineCPUTime = true

// cpuTime returns the CPU time of this process, in user and system mode, without
// that of its children.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
