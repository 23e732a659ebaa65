//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals: the program itself ends with status 0 after SIGTERM and SIGINT.
func TestSignals(t *testing.T) {
	if os.Getenv("SIMILARITY_TEST_CHILD") != "" {
		os.Args = []string{"similarity", "-addr", "localhost:0", "-admin", "off"}
		main()
	}
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		child := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestSignals$")
		child.Env = append(os.Environ(), "SIMILARITY_TEST_CHILD=1")
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "Press ") {
		}
		child.Process.Signal(signal)
		rest, _ := io.ReadAll(out)
		if err := child.Wait(); err != nil {
			t.Errorf("%v: %v", signal, err)
		}
		if !strings.Contains(string(rest)+lines.Text(), "Stopping") {
			t.Errorf("%v: the program said %q", signal, rest)
		}
	}
}
