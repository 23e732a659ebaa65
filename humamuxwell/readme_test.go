package humamuxwell_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadme checks that the code of README.md is that of the example.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	code, _, found := strings.Cut(rest, "```\n")
	if !found || !strings.Contains(string(example), code) {
		t.Errorf("README.md has other code than example_test.go:\n%s", code)
	}
}
