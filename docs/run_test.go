package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runs are the blocks of Go code in guides that are run, by a text that they have.
// testdata/run/NAME_test.go has the test, which calls the block as the function register.
var runs = []struct{ name, text string }{
	{"errors", "server.Handler = m\n"},
	{"attributes", `middleware.AddAttrs(`},
	{"events", `"/events"`},
	{"fallback", `api.Use(auth)`},
	{"files", `muxwell.Precompressed("br", "gzip")`},
	{"limits", `uploads.Put(`},
	{"log", `middleware.LogOptions{`},
	{"mount", `m.Mount("/admin", admin)`},
	{"proxy", `"/account"`},
}

// TestRun: what the code of the guides registers does what the guides say.
func TestRun(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("the compiler takes long, and no other way under the race detector")
	}
	m := newModule(t)
	for _, run := range runs {
		test, err := os.ReadFile(filepath.Join("testdata", "run", run.name+"_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, p := range guides(t) {
			for _, b := range goBlocks(p) {
				if !strings.Contains(b.text, run.text) {
					continue
				}
				found++
				n := readNames(t, p)
				text, err := n.fileOf(b)
				if err != nil {
					t.Fatalf("%s:%d: %v", b.page, b.line, err)
				}
				m.add(t, fmt.Sprint(run.name, found), map[string]string{
					"names.go":    n.text,
					"register.go": strings.Replace(text, "func _() {", "func register() {", 1),
					"run_test.go": string(test),
				})
			}
		}
		if found == 0 {
			t.Errorf("no guide has code with %s", run.text)
		}
	}
	m.run(t, append([]string{"test", "-timeout=1m"}, m.tested...)...)
}
