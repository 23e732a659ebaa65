package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
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

// write writes a file in a directory, compressed if its name says so, and returns its name.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if strings.HasSuffix(name, ".gz") {
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
	} else {
		b.WriteString(text)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

const page = `.\" A comment
.TH RM 1 "2026"
.SH NAME
rm \- remove the \fIfile\fR\&s
.de XX
a macro
..
.B "rm \-\-force"
`

// TestExtract: man pages become text, other files stay as they are, and what is not English
// and the rest of a family is left out.
func TestExtract(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "man/man1/rm.1.gz", page)
	write(t, dir, "man/de/man1/rm.1.gz", page)
	write(t, dir, "man/man1/git-add.1", "Add the file.\n")
	write(t, dir, "man/man1/git-log.1", "Show the log.\n")
	write(t, dir, "man/man1/git-rm.1", "Remove the file.\n")
	write(t, dir, "text/a.md", "Der Text ist deutsch.\n")
	write(t, dir, "text/b.md", "The text is English.\n")
	write(t, dir, "text/b.go", "package the\n")
	var got []string
	for line := range strings.Lines(measure(t, 0, "extract", "-family", "2", dir)) {
		var d document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimPrefix("/"+d.ID, filepath.ToSlash(dir))+": "+d.Text)
	}
	want := []string{
		"/man/man1/git-add.1: Add the file.\n",
		"/man/man1/git-log.1: Show the log.\n",
		"/man/man1/rm.1.gz: NAME\nrm - remove the files\nrm --force\n",
		"/text/b.md: The text is English.\n",
	}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestExcerpt: an excerpt is from the middle of a text, in whole words.
func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		text string
		size int
		want string
	}{
		{"one two three four five", 30, ""},
		{"one two three four five", 14, "three four"},
		{"one two\nthree\nfour five", 14, "three\nfour"},
		{"unbroken", 4, "brok"},
	} {
		if got := excerpt(c.text, c.size); got != c.want {
			t.Errorf("excerpt(%q, %d) = %q, want %q", c.text, c.size, got, c.want)
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
