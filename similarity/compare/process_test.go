package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

func TestChooseCores(t *testing.T) {
	for _, c := range []struct {
		allowed []int
		want    cores
		note    string
	}{
		{nil, cores{anyCore, anyCore}, "pins no process"},
		{[]int{3}, cores{3, 3}, "one core, 3"},
		{[]int{2, 5, 6}, cores{2, 5}, ""},
	} {
		got, note := chooseCores(c.allowed)
		if got != c.want || !strings.Contains(note, c.note) || (note == "") != (c.note == "") {
			t.Errorf("%v: %+v, %q; want %+v, %q", c.allowed, got, note, c.want, c.note)
		}
	}
}

// TestStartOn: a process runs on its core only, and tells its CPU time and memory.
func TestStartOn(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are pinned on Linux only")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(allowedCores())
	for _, core := range allowedCores() {
		p, err := startProcess(t.Context(), program, []string{"-fake=right"}, core)
		if err != nil {
			t.Fatal(err)
		}
		pid := p.cmd.Process.Pid
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if want := fmt.Sprintf("Cpus_allowed_list:\t%d\n", core); err != nil || !strings.Contains(string(status), want) {
			t.Errorf("core %d: %q is not in %s, %v", core, want, status, err)
		}
		cpu, err := cpuTime(pid)
		if err != nil || cpu <= 0 {
			t.Errorf("CPU time %v, %v", cpu, err)
		}
		peak, err := peakMemory(pid)
		if err != nil || peak < 1<<20 {
			t.Errorf("peak memory %d, %v", peak, err)
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		if _, err := cpuTime(pid); err == nil {
			t.Error("the process has ended and still tells its CPU time")
		}
	}
	if after := fmt.Sprint(allowedCores()); after != before {
		t.Errorf("this process may run on %s, and before on %s", after, before)
	}
}

// TestNoProgram: a program that is not there is an error.
func TestNoProgram(t *testing.T) {
	if _, err := startProcess(t.Context(), "./nosuch", nil, anyCore); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("error %v", err)
	}
}
