package structure

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The bounds keep packages and files of a size that one can read at once.
const (
	maxRootFiles    = 30   // of the root package, each a public concept
	maxFileLines    = 450  // of the root package and below internal
	maxPackageLines = 2100 // below internal
)

// TestSizes: the root package has few files, and neither files nor packages grow over
// the bounds. Tests do not count.
func TestSizes(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for pkg := range imports(t) {
		if pkg != "." && !strings.HasPrefix(pkg, "internal/") {
			continue
		}
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files, lines := 0, 0
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n := bytes.Count(text, []byte("\n"))
			if n > maxFileLines {
				t.Errorf("%s/%s has %d lines, more than %d: split it", pkg, filepath.Base(name), n, maxFileLines)
			}
			files, lines = files+1, lines+n
		}
		if files == 0 {
			t.Errorf("%s has no files", pkg)
		}
		if pkg == "." && files > maxRootFiles {
			t.Errorf("the root package has %d files, more than %d: anything but a public concept belongs in a package below internal", files, maxRootFiles)
		}
		if pkg != "." && lines > maxPackageLines {
			t.Errorf("%s has %d lines, more than %d: split it", pkg, lines, maxPackageLines)
		}
	}
}
