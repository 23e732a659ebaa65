package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// allowedCores returns the cores that this process may run on.
func allowedCores() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var all []int
	for core := range len(set) * 64 {
		if set.IsSet(core) {
			all = append(all, core)
		}
	}
	return all
}

// startOn starts a command on a core. The command inherits the affinity of the thread that
// starts it.
func startOn(cmd *exec.Cmd, core int) error {
	if core == anyCore {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("cannot read the cores of a thread: %w", err)
	}
	one.Set(core)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return fmt.Errorf("cannot pin a thread to core %d: %w", core, err)
	}
	defer unix.SchedSetaffinity(0, &before)
	return cmd.Start()
}

// apart protects a process from a terminal's Ctrl-C, which is meant for this process, and
// ends it when this process ends.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
