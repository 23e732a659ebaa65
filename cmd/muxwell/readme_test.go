package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme: what README.md shows of match is what it prints. Package docs tests what
// the guides show.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```console\n\\$ go run ./cmd/muxwell ([^\n]+)\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("README.md shows no command with its output")
	}
	for _, block := range blocks {
		if _, stdout, stderr := call(t, "", strings.Fields(block[1])...); stdout != block[2] || stderr != "" {
			t.Errorf("muxwell %s prints\n%s%s\nREADME.md shows\n%s", block[1], stdout, stderr, block[2])
		}
	}
}

// TestDocumentedList: docs/command.md shows routes/options.txt as it is.
func TestDocumentedList(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile("docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("routes/options.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\n```text\n"+string(list)+"```\n") {
		t.Errorf("docs/command.md does not show routes/options.txt, which is\n%s", list)
	}
}

// TestDocumentedErrors: the errors that docs/patterns.md shows are those of their patterns.
func TestDocumentedErrors(t *testing.T) {
	text, err := os.ReadFile("../../docs/patterns.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```text\nmuxwell: pattern \"([^\n]+?)\": at offset (.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 3 {
		t.Fatalf("docs/patterns.md shows %d errors of patterns, want 3 at least", len(blocks))
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, block := range blocks {
		_, _, stderr := call(t, block[1]+"\n", "check", "-")
		_, want, _ := strings.Cut(block[2], ": ")
		want, _, _ = strings.Cut(want, "\n\t")
		if !strings.Contains(squeeze(stderr), squeeze(want)) {
			t.Errorf("%s: docs/patterns.md shows\n%s\nthe error is\n%s", block[1], want, stderr)
		}
	}
}
