package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"
)

// files are those of a repository with two published modules and one that is not.
var files = map[string]string{
	"CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-11-22\n",
	"LICENSE":      "Do what you want.\n",
	"old.txt":      "",

	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"m.go":   "package m\n\nconst Text = \"text\"\n",
	"cmd/hello/main.go": `package main

import "example.com/m"

func main() { println("hello", m.Text) }
`,
	"tool/go.mod": `module example.com/m/tool

go 1.26

replace example.com/m => ../

require example.com/m v0.0.0
`,
	"tool/main.go": `package main

import "example.com/m"

func main() { println("tool", m.Text) }
`,
	"tests/go.mod": "module example.com/m/tests\n\ngo 1.26\n",
}

// newRepository returns a folder that is a repository with files in its only commit.
func newRepository(t *testing.T) string {
	t.Helper()
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GOWORK": "off",
		"GOPROXY": "off", "GONOSUMDB": "example.com", "GOMODCACHE": filepath.Join(t.TempDir(), "modules"), "GOFLAGS": "-modcacherw",
	} {
		t.Setenv(name, value)
	}
	top := filepath.Join(t.TempDir(), "repository")
	write(t, top, files)
	mustGit(t, top, "init", "--quiet")
	mustGit(t, top, "config", "user.name", "Somebody")
	mustGit(t, top, "config", "user.email", "somebody@example.com")
	mustGit(t, top, "add", "--all")
	mustGit(t, top, "commit", "--quiet", "--message", "Begin")
	return top
}

func write(t *testing.T, top string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func mustGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := git(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mustRun runs a command in a folder and returns all that it prints.
func mustRun(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// state is all of a repository that a release may change.
func state(t *testing.T, top string) string {
	t.Helper()
	return mustGit(t, top, "for-each-ref") + mustGit(t, top, "rev-parse", "HEAD") + mustGit(t, top, "status", "--porcelain")
}

// TestProxy: the commands of what is packaged are installed by version, and a module is
// tidy as it is packaged. It is the working tree that is packaged, not the last commit.
func TestProxy(t *testing.T) {
	top, proxy := newRepository(t), filepath.Join(t.TempDir(), "proxy")
	write(t, top, map[string]string{"m.go": "package m\n\nconst Text = \"changed\"\n", "new.txt": "", ".gitignore": "*.bin\n", "x.bin": ""})
	if err := os.Remove(filepath.Join(top, "old.txt")); err != nil {
		t.Fatal(err)
	}
	before := state(t, top)
	r := release{top: top, folders: []string{".", "tool"}, version: "v0.1.0", proxy: proxy}
	if err := r.run(io.Discard); err != nil {
		t.Fatal(err)
	}
	if after := state(t, top); after != before {
		t.Errorf("the repository was\n%s\nand is\n%s", before, after)
	}
	dir := filepath.Join(proxy, "example.com", "m")
	if got, want := zipped(t, filepath.Join(dir, "@v", "v0.1.0.zip")), "CHANGELOG.md LICENSE cmd/hello/main.go go.mod m.go new.txt .gitignore"; !sameWords(got, want) {
		t.Errorf("the root module has the files %s, want %s", got, want)
	}
	if got, want := zipped(t, filepath.Join(dir, "tool", "@v", "v0.1.0.zip")), "LICENSE go.mod go.sum main.go"; !sameWords(got, want) {
		t.Errorf("the module tool has the files %s, want %s", got, want)
	}

	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	for pkg, want := range map[string]string{"example.com/m/cmd/hello": "hello changed\n", "example.com/m/tool": "tool changed\n"} {
		bin := t.TempDir()
		t.Setenv("GOBIN", bin)
		mustRun(t, bin, "go", "install", pkg+"@v0.1.0")
		if got := mustRun(t, bin, filepath.Join(bin, filepath.Base(pkg))); got != want {
			t.Errorf("%s prints %q, want %q", pkg, got, want)
		}
	}
	extracted := filepath.Join(os.Getenv("GOMODCACHE"), "example.com", "m", "tool@v0.1.0")
	mustRun(t, extracted, "go", "mod", "tidy", "-diff")
	mustRun(t, extracted, "go", "mod", "verify")
}

// zipped returns the names of the files of a packaged module.
func zipped(t *testing.T, name string) string {
	t.Helper()
	r, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var names []string
	for _, f := range r.File {
		_, file, _ := strings.Cut(f.Name, "@v0.1.0/")
		names = append(names, file)
	}
	return strings.Join(names, " ")
}

func sameWords(a, b string) bool {
	return slices.Equal(slices.Sorted(slices.Values(strings.Fields(a))), slices.Sorted(slices.Values(strings.Fields(b))))
}

// TestTag: the tag of the root module is that of the last commit. The others are those of
// commits on it, in which nothing but go.mod and go.sum differ.
func TestTag(t *testing.T) {
	top := newRepository(t)
	head, branches := mustGit(t, top, "rev-parse", "HEAD"), mustGit(t, top, "for-each-ref", "refs/heads")
	var out bytes.Buffer
	r := release{top: top, folders: []string{".", "tool"}, version: "v0.1.0", tag: true}
	if err := r.run(&out); err != nil {
		t.Fatal(err)
	}
	if want := "git push origin v0.1.0 tool/v0.1.0\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("printed %q, want %q at the end", out.String(), want)
	}
	if got := mustGit(t, top, "rev-parse", "v0.1.0", "tool/v0.1.0^"); got != head+"\n"+head {
		t.Errorf("v0.1.0 and the commit before tool/v0.1.0 are\n%s\nwant\n%s", got, head)
	}
	if got, want := mustGit(t, top, "diff", "--name-only", "v0.1.0", "tool/v0.1.0"), "tool/go.mod\ntool/go.sum"; got != want {
		t.Errorf("%s differ, want %s", got, want)
	}
	if got, want := mustGit(t, top, "show", "tool/v0.1.0:tool/go.mod"), "module example.com/m/tool\n\ngo 1.26\n\nrequire example.com/m v0.1.0"; got != want {
		t.Errorf("go.mod is\n%s\nwant\n%s", got, want)
	}
	if got, want := mustGit(t, top, "log", "-1", "--format=%an", "tool/v0.1.0"), "Somebody"; got != want {
		t.Errorf("the commit is by %s, want %s", got, want)
	}
	if got := mustGit(t, top, "for-each-ref", "refs/heads") + mustGit(t, top, "status", "--porcelain"); got != branches {
		t.Errorf("the branches were\n%s\nand are\n%s", branches, got)
	}
}

// TestErrors: what cannot be released, and why. The repository stays as it was.
func TestErrors(t *testing.T) {
	tests := map[string]struct {
		files   map[string]string // in another commit
		release release
		want    string
	}{
		"paths that differ in case": {
			map[string]string{"a/names.go": "package a\n", "A/names.go": "package a\n"},
			release{folders: []string{"."}},
			"case-insensitive file name collision",
		},
		"a path that Windows does not have": {
			map[string]string{"a/aux.go": "package a\n"},
			release{folders: []string{"."}},
			"aux",
		},
		"a module that is not published is required": {
			map[string]string{"tests/go.mod": "module example.com/m/tests\n\ngo 1.26\n\nrequire example.com/m/tool v0.0.0\n"},
			release{folders: []string{".", "tests"}},
			"folder tests: it requires example.com/m/tool, which is not published before it",
		},
		"another module is replaced": {
			map[string]string{"tool/go.mod": "module example.com/m/tool\n\ngo 1.26\n\nreplace example.org/other => ../other\n"},
			release{folders: []string{".", "tool"}},
			"folder tool: its go.mod replaces example.org/other",
		},
		"a version that is none": {
			nil, release{folders: []string{"."}, version: "0.1.0"}, `"0.1.0" is not a version; write it as v0.1.0`,
		},
		"a version that is not complete": {
			nil, release{folders: []string{"."}, version: "v0.1"}, `"v0.1" is not a version`,
		},
		"a major version that the path does not have": {
			nil, release{folders: []string{"."}, version: "v2.0.0"}, "v2.0.0",
		},
		"no version for tags": {
			nil,
			release{folders: []string{"."}, tag: true},
			`"" is not a version`,
		},
		"a version that exists": {
			nil, release{folders: []string{"."}, version: "v0.0.1"}, "already exists",
		},
		"a version that CHANGELOG.md does not have": {
			nil, release{folders: []string{"."}, version: "v0.2.0", tag: true}, "CHANGELOG.md has no heading ## [0.2.0]",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			top := newRepository(t)
			mustGit(t, top, "tag", "v0.0.1")
			write(t, top, tt.files)
			mustGit(t, top, "add", "--all")
			mustGit(t, top, "commit", "--quiet", "--allow-empty", "--message", "Go on")
			before := state(t, top)
			tt.release.top, tt.release.proxy = top, filepath.Join(t.TempDir(), "proxy")
			err := tt.release.run(io.Discard)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got the error %v, want %s", err, tt.want)
			}
			if after := state(t, top); after != before {
				t.Errorf("the repository was\n%s\nand is\n%s", before, after)
			}
			if _, err := os.Stat(tt.release.proxy); err == nil {
				t.Error("there is a proxy")
			}
		})
	}
}

// TestVersionOfTree: without a version each tree has its own, before the next minor version.
func TestVersionOfTree(t *testing.T) {
	top := newRepository(t)
	mustGit(t, top, "tag", "v0.4.2")
	version := func() string {
		r := release{top: top, folders: []string{"."}}
		if err := r.run(io.Discard); err != nil {
			t.Fatal(err)
		}
		return r.version
	}
	first, again := version(), version()
	write(t, top, map[string]string{"new.txt": ""})
	changed := version()
	if first != again || first == changed {
		t.Errorf("got %s, the same tree again %s, another one %s", first, again, changed)
	}
	for _, v := range []string{first, changed} {
		if !strings.HasPrefix(v, "v0.5.0-check-") || !semver.IsValid(v) || semver.Compare(v, "v0.5.0") >= 0 {
			t.Errorf("got %s, want a pre-release of v0.5.0", v)
		}
	}
}

// TestTagUncommitted: the tags are for a commit, so nothing may be left out of it.
func TestTagUncommitted(t *testing.T) {
	top := newRepository(t)
	write(t, top, map[string]string{"new.txt": ""})
	r := release{top: top, folders: []string{"."}, version: "v0.1.0", tag: true}
	if err := r.run(io.Discard); err == nil || !strings.Contains(err.Error(), "the working tree has changes; commit them first:\n?? new.txt") {
		t.Errorf("got the error %v", err)
	}
}

func TestNextMinor(t *testing.T) {
	for _, tt := range []struct{ tags, want string }{
		{"", "v0.1.0"},
		{"v0.1.0", "v0.2.0"},
		{"v0.9.3 v0.10.1 v0.2.0 vendor", "v0.11.0"},
		{"v1.0.0-rc.1", "v1.1.0"},
	} {
		if got := nextMinor(strings.Fields(tt.tags)); got != tt.want {
			t.Errorf("after %q: got %s, want %s", tt.tags, got, tt.want)
		}
	}
}
