//go:build unix

package wholefile

import (
	"os"
	"syscall"
	"testing"
)

// TestReplaceUmask: the umask says who may read a file, also one that replaces another.
func TestReplaceUmask(t *testing.T) {
	t.Chdir(t.TempDir())
	defer syscall.Umask(syscall.Umask(0o022))
	for _, tt := range []struct {
		umask int
		want  os.FileMode
	}{{0o077, 0o600}, {0o022, 0o644}, {0o002, 0o664}, {0, 0o666}} {
		syscall.Umask(tt.umask)
		if err := Replace("a", text("x")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat("a")
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != tt.want {
			t.Errorf("umask %03o: got mode %v, want %v", tt.umask, info.Mode(), tt.want)
		}
	}
}
