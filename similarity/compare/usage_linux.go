package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the CPU time of a process in user and system mode: the sum of utime
// and stime in /proc/PID/stat, which has hundredths of a second, in nanoseconds.
func cpuTime(pid int) (time.Duration, error) {
	const processClock = 2 // CPUCLOCK_SCHED of linux/posix-timers.h
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|processClock), &t); err != nil {
		return 0, fmt.Errorf("cannot read the CPU time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// peakMemory returns the largest resident set that a process had, in bytes.
func peakMemory(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	return peakOf(status)
}

// peakOf returns VmHWM of a text as /proc/PID/status has it, in bytes.
func peakOf(status []byte) (int64, error) {
	for line := range bytes.Lines(status) {
		value, ok := bytes.CutPrefix(line, []byte("VmHWM:"))
		if !ok {
			continue
		}
		fields := bytes.Fields(value)
		if len(fields) != 2 || string(fields[1]) != "kB" {
			break
		}
		n, err := strconv.ParseInt(string(fields[0]), 10, 64)
		return n << 10, err
	}
	return 0, fmt.Errorf("the status of the process has no VmHWM in kB")
}
