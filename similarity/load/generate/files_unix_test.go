//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFileMode: the umask says who may read a file.
func TestFileMode(t *testing.T) {
	t.Chdir(t.TempDir())
	defer syscall.Umask(syscall.Umask(0o027))
	generate(t, 0, "-texts", "-n", "2", "-out", "texts.jsonl")
	info, err := os.Stat("texts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o640 {
		t.Errorf("got mode %v, want -rw-r-----", info.Mode())
	}
}

// TestDevice: -out /dev/null writes to it, and does not put a file in its place.
func TestDevice(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink(os.DevNull, "null"); err != nil {
		t.Fatal(err)
	}
	generate(t, 0, "-texts", "-n", "2", "-out", "null")
	if to, err := os.Readlink("null"); err != nil || to != os.DevNull {
		t.Errorf("null leads to %q, error %v", to, err)
	}
}

// TestInterrupted: Ctrl-C ends generate with status 130, and leaves no file behind.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if got := run(ctx, []string{"-texts", "-n", "2", "-out", "texts.jsonl"}, &out, &errs); got != 130 || errs.String() != "generate: interrupted\n" {
		t.Errorf("got status %d and %q", got, errs.String())
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("files are left over: %q", left)
	}
}
