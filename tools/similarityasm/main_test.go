package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCommitted checks that the files of package score are what the program writes.
func TestCommitted(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("go", "run", ".", "-out", filepath.Join(dir, "simd_amd64.s"), "-stubs", filepath.Join(dir, "stubs_amd64.go"), "-pkg", "score")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"simd_amd64.s", "stubs_amd64.go"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../similarity/score", name))
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ = bytes.Cut(want, []byte("\n")) // the first line has the command
		_, got, _ = bytes.Cut(got, []byte("\n"))
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the program writes; run go generate ./similarity/score", name)
		}
	}
}
