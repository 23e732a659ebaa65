//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
)

// TestOutputFiles: the umask says who may read what is written, and an output that
// fails leaves the old file, and nothing else.
func TestOutputFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	defer syscall.Umask(syscall.Umask(0o027))
	errFull := errors.New("full")
	writing := func(err error) *outputs {
		return &outputs{files: []*output{{flag: "json", file: "r.json", write: func(w io.Writer, _ *result.Run) error {
			io.WriteString(w, "new")
			return err
		}}}}
	}
	if err := os.WriteFile("r.json", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		err  error
		want string
		mode os.FileMode
	}{{errFull, "old", 0o600}, {nil, "new", 0o640}} {
		if _, err := writing(tt.err).write(new(result.Run)); !errors.Is(err, tt.err) {
			t.Errorf("got error %v, want %v", err, tt.err)
		}
		got, err := os.ReadFile("r.json")
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat("r.json")
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != tt.want || info.Mode() != tt.mode {
			t.Errorf("error %v: got %q of mode %v, want %q of mode %v", tt.err, got, info.Mode(), tt.want, tt.mode)
		}
		if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
			t.Errorf("error %v: got files %v, error %v, want r.json only", tt.err, entries, err)
		}
	}
}
