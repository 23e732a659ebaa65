package routers

import (
	"go/format"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// document returns docs/adding-a-router.md.
func document(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/adding-a-router.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentedFields checks that the tables have every field that an adapter may
// set.
func TestDocumentedFields(t *testing.T) {
	text := document(t)
	for _, of := range []reflect.Type{reflect.TypeFor[router.Router](), reflect.TypeFor[router.Mux](), reflect.TypeFor[route.Syntax]()} {
		for f := range of.Fields() {
			if !f.IsExported() {
				continue
			}
			row := false
			for line := range strings.Lines(text) {
				first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
				row = row || strings.HasPrefix(line, "| ") && strings.Contains(first, "`"+f.Name+"`")
			}
			if !row {
				t.Errorf("no table has a row for %s.%s", of, f.Name)
			}
		}
	}
}

// TestDocumentedExample checks that the example is what it would be in a file: of
// the same shape as the adapter of today's chi, short enough and formatted.
func TestDocumentedExample(t *testing.T) {
	_, rest, _ := strings.Cut(document(t), "   ```go\n")
	indented, _, ok := strings.Cut(rest, "   ```\n")
	if !ok {
		t.Fatal("the example is not there")
	}
	var b strings.Builder
	for line := range strings.Lines(indented) {
		b.WriteString(strings.TrimPrefix(line, "   "))
	}
	example := b.String()
	formatted, err := format.Source([]byte(example))
	if err != nil || string(formatted) != example {
		t.Errorf("the example is not formatted, error %v:\n%s", err, example)
	}
	if n := strings.Count(example, "\n"); n > 60 {
		t.Errorf("the example has %d lines, want 60 or less", n)
	}
	file, err := os.ReadFile("chi.go")
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(example, "Syntax:")
	if _, want, _ := strings.Cut(string(file), "Syntax:"); got != want {
		t.Errorf("behind its names the example is\n%s\nand chi.go is\n%s", got, want)
	}
}

// TestMissingRouters checks that the document lists no router as missing that is
// here.
func TestMissingRouters(t *testing.T) {
	_, text, ok := strings.Cut(document(t), "## Missing routers")
	if !ok {
		t.Fatal("there is no such section")
	}
	for _, r := range All() {
		if r.Module != "" && strings.Contains(text, "`"+r.Module+"`") {
			t.Errorf("%s is said to be missing", r.Name)
		}
	}
}
