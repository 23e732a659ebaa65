package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEvents runs the handler of a guide that streams events, as a program that is a test
// of its own: testdata/events says what it has to do.
func TestEvents(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("the compiler takes long, and no other way under the race detector")
	}
	test, err := os.ReadFile(filepath.Join("testdata", "events", "events_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, p := range guides(t) {
		for _, b := range goBlocks(p) {
			if !strings.Contains(b.text, `"/events"`) {
				continue
			}
			found = true
			n := readNames(t, p)
			text, err := n.fileOf(b)
			if err != nil {
				t.Fatalf("%s:%d: %v", b.page, b.line, err)
			}
			m := newModule(t)
			m.add(t, "events", map[string]string{
				"names.go":       n.text,
				"events.go":      strings.Replace(text, "func _() {", "func register() {", 1),
				"events_test.go": string(test),
			})
			m.run(t, append([]string{"test", "-timeout=1m"}, m.tested...)...)
		}
	}
	if !found {
		t.Error(`no guide has code with the route "/events"`)
	}
}
