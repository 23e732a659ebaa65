//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package pairs

import (
	"os"
	"syscall"
)

// lock locks a file until it is closed, and reports false if another run has locked it. A file
// system without locks has no such runs.
func lock(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != syscall.EWOULDBLOCK
}
