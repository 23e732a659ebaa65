package conformance

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/copied"
	"github.com/muxwell/muxwell/internal/tests/long"
)

// TestGorillaSuite runs gorilla/mux's own tests on the package under test, those of the
// main branch and those of v1.8.1. They are
// taken from the module cache into a temporary module, where they become tests of
// the package from outside: what they reach of its inside is replaced by what can
// be reached by the API, as the tables of gorillasuite_table_test.go say.
//
// The tests run on gorilla/mux itself first, with the same replacements but those
// for differences that are meant: that shows that the others change no test. As they
// are what it depends on, it is not for each run.
func TestGorillaSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs two modules")
	}
	packages := goList(t, ".", copied.Oracle, copied.Old)
	main, old := packages[copied.Oracle].Dir, packages[copied.Old].Dir
	encoded := []string{"-run", encodedPathsTests}
	for _, run := range []struct {
		name, source, path string
		tables             [][]replacement
		args               []string
		least              int // tests that pass
	}{
		{"gorilla", main, copied.Oracle, [][]replacement{shortcuts}, nil, 340},
		{"gorilla encoded paths", main, copied.Oracle, [][]replacement{shortcuts, encodedPaths}, encoded, 70},
		{"subject", main, copied.Subject, [][]replacement{shortcuts, meant}, nil, 340},
		{"subject encoded paths", main, copied.Subject, [][]replacement{shortcuts, meant, encodedPaths}, encoded, 70},
		{"v1.8.1", old, copied.Old, [][]replacement{shortcuts181()}, nil, 290},
		{"subject with the tests of v1.8.1", old, copied.Subject, [][]replacement{shortcuts181(), meant}, nil, 290},
	} {
		t.Run(run.name, func(t *testing.T) {
			if run.path != copied.Subject {
				long.Only(t, "it tests the replacements")
			}
			dir := t.TempDir()
			for name, text := range suite(t, run.source, run.path, run.tables) {
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			moduleFor(t, dir)
			// The tests are run as they are: vet has remarks on them.
			args := append([]string{"test", "-vet=off", "-count=1", "-v", "-bench=.", "-benchtime=1x"}, run.args...)
			out, err := command(dir, args...)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			passed := bytes.Count(out, []byte("--- PASS: "))
			t.Logf("%d tests pass", passed)
			if passed < run.least {
				t.Errorf("%d tests pass, want %d at least", passed, run.least)
			}
		})
	}
}

// TestSuiteOnGorilla runs the tests of the folder suite on gorilla/mux: what they
// assert is its behaviour too.
func TestSuiteOnGorilla(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a module")
	}
	names, err := filepath.Glob(filepath.Join("suite", "*_test.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no tests in suite, %v", err)
	}
	dir := t.TempDir()
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte(`"`+copied.Subject+`"`), []byte(`"`+copied.Oracle+`"`))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	moduleFor(t, dir)
	// TestRedirectOfAbsoluteForm tests a difference that is meant.
	out, err := command(dir, "test", "-count=1", "-skip", "^TestRedirectOfAbsoluteForm$")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// suite returns the files of gorilla's tests for the package with the given path.
func suite(t *testing.T, source, path string, tables [][]replacement) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(source, "*_test.go"))
	if err != nil || len(names) < 7 {
		t.Fatalf("%d test files in %s, %v", len(names), source, err)
	}
	files := map[string][]byte{"shims_test.go": []byte(strings.ReplaceAll(shims, "PATH", path))}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = []byte(outside(string(text), path))
	}
	for _, table := range tables {
		for _, r := range table {
			text, err := r.apply(string(files[r.file]))
			if err != nil {
				t.Fatal(err)
			}
			files[r.file] = []byte(text)
		}
	}
	return files
}

// outside makes a test file of a package one from outside.
func outside(text, path string) string {
	text = strings.ReplaceAll(text, `"github.com/gorilla/mux"`, fmt.Sprintf("%q", path))
	head, rest, inside := strings.Cut(text, "package mux\n")
	if !inside {
		return text
	}
	return head + "package mux_test\n\nimport . " + fmt.Sprintf("%q", path) + "\n" + rest +
		"\nvar _ = NewRouter\n"
}

// A replacement is a change of a file. If to is all that is given, old is cut out up
// to and without upTo.
type replacement struct {
	file      string
	old, with string
	upTo      string
	count     int // how often it must be found, 0 for once
	why       string
}

// apply makes the change.
func (r replacement) apply(text string) (string, error) {
	count := max(r.count, 1)
	if n := strings.Count(text, r.old); n != count {
		return "", fmt.Errorf("%s: %q is found %d times, want %d", r.file, r.old, n, count)
	}
	if r.upTo == "" {
		return strings.ReplaceAll(text, r.old, r.with), nil
	}
	head, rest, _ := strings.Cut(text, r.old)
	_, rest, ok := strings.Cut(rest, r.upTo)
	if !ok {
		return "", fmt.Errorf("%s: no %q after %q", r.file, r.upTo, r.old)
	}
	return head + r.upTo + rest, nil
}

// moduleFor writes the go.mod of a temporary module that uses both packages.
func moduleFor(t *testing.T, dir string) {
	t.Helper()
	out, err := command("", "list", "-m", "-f", "{{.Dir}}", "github.com/muxwell/muxwell")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod := strings.Replace(string(text), "=> ../..", "=> "+strings.TrimSpace(string(out)), 1)
	mod = strings.Replace(mod, "gorilla/conformance", "gorilla/suite", 1)
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"go.mod": []byte(mod), "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// command runs the go command in a directory, outside of any workspace.
func command(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	return cmd.CombinedOutput()
}
