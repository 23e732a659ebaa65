//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// startProcess runs the program as a process of its own that serves a list.
func startProcess(t *testing.T, list string) (*exec.Cmd, *running) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve", "-addr", "localhost:0", "-")
	cmd.Env = append(os.Environ(), "MUXWELL_TEST_MAIN=1")
	cmd.Stdin = strings.NewReader(list)
	cmd.Stderr = t.Output()
	out, stdout := io.Pipe()
	cmd.Stdout = stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &running{lines: scanLines(out)}
	go func() {
		cmd.Wait()
		stdout.Close()
	}()
	s.url = s.waitFor(t, "http://")
	return cmd, s
}

// finish waits for the end of the process.
func finish(cmd *exec.Cmd, s *running) syscall.WaitStatus {
	for range s.lines {
	}
	return cmd.ProcessState.Sys().(syscall.WaitStatus)
}

func TestSignalsEndTheProgram(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, s := startProcess(t, "GET /a\n")
		cmd.Process.Signal(sig)
		if ws := finish(cmd, s); !ws.Exited() || ws.ExitStatus() != 0 {
			t.Errorf("after %v: %v, want exit status 0", sig, cmd.ProcessState)
		}
	}
}

// While a request holds up the end, a second signal kills.
func TestSecondSignalKills(t *testing.T) {
	cmd, s := startProcess(t, "POST /upload/{id}\n")
	beginUpload(t, s.url)
	cmd.Process.Signal(os.Interrupt)
	s.waitFor(t, "Stopping")
	cmd.Process.Signal(os.Interrupt)
	if ws := finish(cmd, s); !ws.Signaled() || ws.Signal() != syscall.SIGINT {
		t.Errorf("after the second interrupt: %v, want that it killed", cmd.ProcessState)
	}
}
