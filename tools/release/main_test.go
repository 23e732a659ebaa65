package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

func TestHelp(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-h"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Usage: go run ./tools/release [-proxy DIR] [-tag] [VERSION]", "  -proxy DIR\n", "  -tag\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got\n%s\nwant %q in it", &out, want)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"v0.1.0 v0.2.0", "there are 2 arguments"},
		{"-x", "flag provided but not defined: -x"},
	} {
		if err := run(strings.Fields(tt.args), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("release %s: got the error %v, want %s", tt.args, err, tt.want)
		}
	}
}

// TestPublished: CONTRIBUTING.md lists the modules that are published with their tags, and
// names the others.
func TestPublished(t *testing.T) {
	top := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(top, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\S+)` \\| `(\\S+)vX.Y.Z` \\||^\\| `(\\S+)` \\| `vX.Y.Z` \\|").FindAllStringSubmatch(string(text), -1) {
		rows = append(rows, row[1]+row[3]+" "+row[2])
	}
	var want []string
	for _, folder := range published {
		data, err := os.ReadFile(filepath.Join(top, folder, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, modfile.ModulePath(data)+" "+strings.TrimPrefix(folder+"/", "./"))
	}
	if !slices.Equal(rows, want) {
		t.Errorf("CONTRIBUTING.md has the modules and tags %q, want %q", rows, want)
	}

	data, err := os.ReadFile(filepath.Join(top, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var others []string
	for _, use := range work.Use {
		if folder := path.Clean(use.Path); !slices.Contains(published, folder) {
			others = append(others, "`"+folder+"`")
		}
	}
	if want := "not published: " + strings.Join(others, ", ") + "."; !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("CONTRIBUTING.md does not say %q", want)
	}
}
