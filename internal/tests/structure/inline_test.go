package structure

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inlined are the functions on the way of a request that must stay within the
// compiler's budget for inlining: a call costs as much as the work that they do. By
// package, as the compiler names them.
var inlined = map[string][]string{
	".": {
		"(*Mux).current", "Params.At", "Params.Get", "Params.Lookup",
	},
	"internal/params":     {"Plain", "Values.Get", "Values.atByBitmap"},
	"internal/pathvalue":  {"Clear", "New", "Set", "IdentityOf"},
	"internal/routing":    {"(*hostTables).of", "methodIndex"},
	"internal/staticpath": {"(*Table).May"},
	"internal/trie":       {"(*Table).FindClean", "IsNumber"},
	"internal/urlpath":    {"HalfWord", "IsDots", "ShortSlashes", "SlashBits", "Word"},
}

// TestInlining asks the compiler.
func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the packages with -m")
	}
	for pkg, functions := range inlined {
		cmd := exec.Command("go", "build", "-gcflags=-m", "./"+pkg)
		cmd.Dir = filepath.Join("..", "..", "..")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		can := make(map[string]bool)
		for line := range strings.Lines(string(out)) {
			if _, name, ok := strings.Cut(strings.TrimSpace(line), ": can inline "); ok {
				can[name] = true
			}
		}
		if len(can) == 0 {
			t.Errorf("the compiler says nothing of %s:\n%s", pkg, out)
		}
		for _, name := range functions {
			if !can[name] {
				t.Errorf("%s: the compiler does not inline %s", pkg, name)
			}
		}
	}
}
