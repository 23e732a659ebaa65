package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/copied"
)

// TestSubjectIsACopy checks that both machines are the same except for the package
// that they import.
func TestSubjectIsACopy(t *testing.T) {
	files, err := copied.Files(filepath.Join("internal", "oracle"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join("internal", "subject", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) != len(files) {
		t.Errorf("%d files in internal/subject, want %d", len(names), len(files))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("internal", "subject", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("internal/subject/%s is stale: run go generate ./internal/oracle", name)
		}
	}
}
