package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme: the README has the services with what they are, and calls that are right.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, s := range allServices {
		if line := fmt.Sprintf("\n| `%s` | %s |\n", s.name, s.about); !strings.Contains(text, line) {
			t.Errorf("the line %q is missing", line)
		}
	}
	calls := regexp.MustCompile(`(?m)^go run \./similarity/compare(.*?)(#.*)?$`).FindAllStringSubmatch(text, -1)
	if len(calls) < 5 {
		t.Errorf("only %d calls are found", len(calls))
	}
	for _, c := range calls {
		if _, err := parse(strings.Fields(c[1]), io.Discard); err != nil && !strings.Contains(c[1], "-help") {
			t.Errorf("%s: %v", c[0], err)
		}
	}
}
