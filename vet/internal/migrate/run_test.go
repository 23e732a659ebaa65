package migrate

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const small = `package main

import "net/http"

func main() {
	mux := http.NewServeMux()
	http.ListenAndServe("localhost:8080", mux)
}
`

// TestRun runs the command with flags that the cases do not have.
func TestRun(t *testing.T) {
	broken := "package main\n\nfunc main() { x }\n"
	for _, c := range []struct {
		name, source string
		args         []string
		status       int
		stdout       string // a part
		stderr       string // a part
	}{
		{"help", small, []string{"-h"}, 0, "", "usage: muxwell-vet migrate"},
		{"unknown flag", small, []string{"-x"}, 2, "", "flag provided but not defined"},
		{"unknown router", small, []string{"-from", "gin"}, 2, "", "want servemux, chi or gorilla"},
		{"no router", small, []string{"-from", "chi"}, 0, "nothing to rewrite", ""},
		{"does not compile", broken, nil, 2, "", "the program does not compile"},
		{"no package", small, []string{"./nope"}, 2, "", "nope"},
		{"report", small, nil, 0, "files that would change: 1; places to edit by hand: 0, to check: 0\n", ""},
		{"diff", small, []string{"-diff"}, 0, "-\tmux := http.NewServeMux()\n+\tmux := muxwell.New()\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := module(t, []txtar.File{{Name: "main.go", Data: []byte(c.source)}})
			var stdout, stderr bytes.Buffer
			status := Run(append([]string{"-C", dir}, c.args...), &stdout, &stderr)
			if status != c.status || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("Run(%q) = %d, want %d\nstdout\n%s\nwant\n%s\nstderr\n%s\nwant\n%s",
					c.args, status, c.status, &stdout, c.stdout, &stderr, c.stderr)
			}
			if now, err := os.ReadFile(filepath.Join(dir, "main.go")); err != nil || string(now) != c.source {
				t.Errorf("the file has changed: %v\n%s", err, now)
			}
		})
	}
}

func TestRunReplaceAndJSON(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.26.0\n"))
	write(t, filepath.Join(dir, "main.go"), []byte(small))
	var stdout, stderr bytes.Buffer
	if status := Run([]string{"-C", dir, "-w", "-json", "-replace", root(t)}, &stdout, &stderr); status != 0 {
		t.Fatalf("status %d\n%s%s", status, &stdout, &stderr)
	}
	var r Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if !r.Written || r.Rewritten["servemux"] != 1 || len(r.Files) != 1 || r.Files[0] != "main.go" || len(r.Commands) == 0 {
		t.Errorf("report: %+v", r)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.Contains(string(mod), "replace github.com/muxwell/muxwell => ") {
		t.Errorf("go.mod: %v\n%s", err, mod)
	}
}

func TestUnifiedDiff(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"a\n", "a\nb\n", "@@ -1,1 +1,2 @@\n a\n+b\n"},
		{"a", "b", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "one\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\ntwelve\n",
			"@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n+twelve\n",
		},
	} {
		if got := unifiedDiff("f", c.before, c.after); got != "--- a/f\n+++ b/f\n"+c.want {
			t.Errorf("unifiedDiff(%q, %q):\n%s\nwant\n%s", c.before, c.after, got, c.want)
		}
	}
}

// FuzzDiffLines: each text is what its lines of the diff say, and oldLines finds equal
// lines.
func FuzzDiffLines(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc")
	f.Add("", "\n\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		var a, b strings.Builder
		for _, l := range diffLines(before, after) {
			if l.op != '+' {
				a.WriteString(l.text)
			}
			if l.op != '-' {
				b.WriteString(l.text)
			}
		}
		if a.String() != before || b.String() != after {
			t.Errorf("diffLines(%q, %q) has %q, %q", before, after, &a, &b)
		}
		old, lines := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
		for i, n := range oldLines(before, after) {
			if n > 0 && old[n-1] != lines[i] {
				t.Errorf("oldLines(%q, %q)[%d] = %d", before, after, i, n)
			}
		}
	})
}
