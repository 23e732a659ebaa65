package measure

import (
	"syscall"
	"time"
)

// fineCPUTime reports whether the system measures a CPU time of a few milliseconds. Windows
// counts it in steps of 15.6 ms.
const fineCPUTime = false

// cpuTime returns the CPU time of this process, in user and kernel mode.
func cpuTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &created, &exited, &kernel, &user); err != nil {
		return 0
	}
	return filetime(kernel) + filetime(user)
}

// filetime returns a duration that Windows counts in units of 100 ns.
func filetime(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}
