package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCommitted checks that the files of the packages are what the program writes.
func TestCommitted(t *testing.T) {
	for pkg, assembly := range map[string]string{"score": "simd_amd64.s", "join": "products_amd64.s"} {
		dir := t.TempDir()
		cmd := exec.Command("go", "run", ".", "-out", filepath.Join(dir, assembly), "-stubs", filepath.Join(dir, "stubs_amd64.go"), "-pkg", pkg)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, name := range []string{assembly, "stubs_amd64.go"} {
			want, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join("../../similarity", pkg, name))
			if err != nil {
				t.Fatal(err)
			}
			_, want, _ = bytes.Cut(want, []byte("\n")) // the first line has the command
			_, got, _ = bytes.Cut(got, []byte("\n"))
			if !bytes.Equal(got, want) {
				t.Errorf("%s/%s is not what the program writes; run go generate ./similarity/%s", pkg, name, pkg)
			}
		}
	}
}
