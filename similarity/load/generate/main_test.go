package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/load"
)

// generate runs the command and returns what it prints.
func generate(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(t.Context(), args, &out, &errs); got != status {
		t.Fatalf("%q: exit status %d, want %d: %s", args, got, status, errs.String())
	}
	return out.String(), errs.String()
}

// TestWrites: what is written is what package load makes, in all forms.
func TestWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 10 MB of texts five times")
	}
	dir := t.TempDir()
	want := load.Bodies(load.Messy, 3, 5)
	stdout, _ := generate(t, 0, "-kind", "messy", "-n", "3", "-seed", "5")
	if stdout != string(bytes.Join(want, []byte("\n")))+"\n" {
		t.Errorf("on the standard output there are other bodies")
	}

	file := filepath.Join(dir, "bodies.jsonl")
	generate(t, 0, "-kind", "messy", "-n", "3", "-seed", "5", "-out", file)
	if got, err := os.ReadFile(file); err != nil || string(got) != stdout {
		t.Errorf("the file has other bodies than the standard output: %v", err)
	}

	many := filepath.Join(dir, "many")
	generate(t, 0, "-kind", "messy", "-n", "2", "-seed", "5", "-out", many+"/")
	generate(t, 0, "-kind", "messy", "-n", "3", "-seed", "5", "-out", many) // which is there now
	for k, name := range []string{"000000.json", "000001.json", "000002.json"} {
		if got, err := os.ReadFile(filepath.Join(many, name)); err != nil || !bytes.Equal(got, want[k]) {
			t.Errorf("%s has another body: %v", name, err)
		}
	}
	for _, d := range []string{dir, many} {
		if left, _ := filepath.Glob(filepath.Join(d, "*.json*.*")); len(left) > 0 {
			t.Errorf("files are left over: %q", left)
		}
	}
}

// TestWritesTexts: a line is a string of JSON, of 10,000 characters.
func TestWritesTexts(t *testing.T) {
	stdout, _ := generate(t, 0, "-texts", "-kind", "messy", "-n", "4", "-seed", "6")
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	texts := load.Texts(load.Messy, 4, load.TextSize, 6)
	if len(lines) != len(texts) {
		t.Fatalf("%d lines, want %d", len(lines), len(texts))
	}
	for i, line := range lines {
		var got string
		if err := json.Unmarshal([]byte(line), &got); err != nil || got != texts[i] {
			t.Errorf("line %d has another text: %v", i+1, err)
		}
	}
}

// TestWritesDocuments: a line is an object with the identifier and the text of a document.
func TestWritesDocuments(t *testing.T) {
	stdout, _ := generate(t, 0, "documents", "-n", "50", "-size", "500", "-seed", "6")
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != 50 {
		t.Fatalf("%d lines, want 50", len(lines))
	}
	for want := range load.Documents(50, 500, 6) {
		var got struct{ ID, Text string }
		err := json.Unmarshal([]byte(lines[want.ID]), &got)
		if err != nil || got.ID != strconv.Itoa(want.ID) || got.Text != string(want.Text) {
			t.Errorf("line %d: got document %q, %.80q, want %.80q; error %v", want.ID+1, got.ID, got.Text, want.Text, err)
		}
	}
}

// TestUsage: wrong flags are refused with a way out, and nothing is written.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		status int
		args   []string
		want   string
	}{
		{2, []string{"-kind", "fancy"}, "must be plain or messy; -help shows all flags"},
		{2, []string{"-n", "many"}, "must be a whole number"},
		{2, []string{"-n", "0"}, "must be from 1 to 999000, the number of distinct bodies"},
		{2, []string{"-n", "999001"}, "must be from 1 to 999000, the number of distinct bodies"},
		{2, []string{"-texts", "-n", "7"}, "an even number of texts"},
		{2, []string{"-seed", "-1"}, "a whole number, 0 or more"},
		{2, []string{"-out", ""}, "use - for standard output"},
		{2, []string{"bodies.jsonl"}, "set the file with -out"},
		{2, []string{"documents", "-n", "0"}, "must be from 1 to 1073741824 documents"},
		{2, []string{"documents", "-size", "0"}, "must be from 1 to 67108864 bytes"},
		{2, []string{"documents", "-kind", "messy"}, "-help shows all flags"},
		{2, []string{"-bodies"}, "-help shows all flags"},
		{1, []string{"-n", "1", "-out", filepath.Join(t.TempDir(), "missing", "file")}, "no such file or directory"},
	} {
		stdout, stderr := generate(t, c.status, c.args...)
		if stdout != "" || !strings.HasPrefix(stderr, "generate: ") || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: it prints %.80q and the error %q, want %q in it", c.args, stdout, stderr, c.want)
		}
	}
	if stdout, _ := generate(t, 0, "-help"); !strings.Contains(stdout, "Usage: generate") || !strings.Contains(stdout, "-seed") {
		t.Errorf("-help prints %q", stdout)
	}
}
