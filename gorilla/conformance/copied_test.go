package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/copied"
)

// TestMachinesAreCopies checks that the machines are the same except for the package that
// they import, and for what v1.8.1 does not have.
func TestMachinesAreCopies(t *testing.T) {
	for _, c := range copied.Copies {
		files, err := c.Files(filepath.Join("internal", "oracle"))
		if err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join("internal", c.Name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		want := len(files)
		if c.Except != "" {
			want++
		}
		if len(names) != want {
			t.Errorf("%d files in internal/%s, want %d", len(names), c.Name, want)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join("internal", c.Name, name))
			if err != nil {
				t.Error(err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("internal/%s/%s is stale: run go generate ./internal/oracle", c.Name, name)
			}
		}
	}
}
