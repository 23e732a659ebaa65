package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// measure runs the command and returns what it prints.
func measure(t *testing.T, status int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(args, &out, &errs); got != status {
		t.Fatalf("%q: exit status %d, want %d: %s", args, got, status, errs.String())
	}
	return out.String() + errs.String()
}

// write writes a file in a directory and returns its name.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestExtract: a line is a document, at most as many as the flags say.
func TestExtract(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.md", "The <file>.\n")
	write(t, dir, "b.md", "In the directory.\n")
	for _, c := range []struct {
		flags []string
		want  []string
	}{
		{nil, []string{"a.md The <file>.\n", "b.md In the directory.\n"}},
		{[]string{"-family", "1"}, []string{"a.md The <file>.\n"}},
		{[]string{"-size", "16"}, []string{"b.md the directory."}},
	} {
		var got []string
		for line := range strings.Lines(measure(t, 0, append(append([]string{"extract"}, c.flags...), dir)...)) {
			var d document
			if err := json.Unmarshal([]byte(line), &d); err != nil {
				t.Fatal(err)
			}
			got = append(got, path.Base(d.ID)+" "+d.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.flags, got, c.want)
		}
	}
}

// TestStatistics: the figures of a file that can be counted by hand.
func TestStatistics(t *testing.T) {
	file := write(t, t.TempDir(), "a.jsonl", `{"id":"1","text":"a a b"}`+"\n"+`{"id":"2","text":"A c d"}`+"\n")
	if got, want := measure(t, 0, "words", file), "a 3 2\nb 1 1\nc 1 1\nd 1 1\n"; got != want {
		t.Errorf("words: got %q, want %q", got, want)
	}
	got := measure(t, 0, "statistics", file, file)
	for _, want := range []string{
		"| documents | 2 | 2 |\n",
		"| words per document, p10 / median / p90 | 3 / 3 / 3 |",
		"| distinct words per document, p10 / median / p90 | 2 / 3 / 3 |",
		"| Σc² per document, p10 / median / p90 | 3 / 5 / 5 |",
		"| distinct words in 2 documents | 4 |",
		"| distinct words that occur once in the file | 75.0 % |",
		"| words in common of two documents, p10 / median / p90 | 1 / 1 / 1 |",
		"| similarity of two documents, p10 / median / p90 | 0.382 / 0.382 / 0.382 |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}

// TestUsage: invalid arguments and files give an error.
func TestUsage(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		status int
		args   []string
		want   string
	}{
		{0, []string{"-h"}, "Usage: measure extract"},
		{0, []string{"words", "-help"}, "Usage: measure extract"},
		{2, nil, "Usage: measure extract"},
		{2, []string{"words"}, "Usage: measure extract"},
		{2, []string{"count", "file"}, "Usage: measure extract"},
		{2, []string{"words", "-size", "1", "file"}, "Usage: measure extract"},
		{1, []string{"words", filepath.Join(dir, "missing")}, "missing"},
		{1, []string{"extract", filepath.Join(dir, "missing")}, "missing"},
		{1, []string{"words", write(t, dir, "bad", "{}\n{\n")}, "bad: line 2: "},
		{1, []string{"statistics", write(t, dir, "one", "{}\n")}, "one: statistics need two documents or more"},
	} {
		if got := measure(t, c.status, c.args...); !strings.Contains(got, c.want) {
			t.Errorf("%q: got %q, want %q in it", c.args, got, c.want)
		}
	}
}
