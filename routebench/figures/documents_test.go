package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestFigures: the documents, pages and pictures of the repository have what the files
// of the runs have, and no figures without a mark.
func TestFigures(t *testing.T) {
	if status, out, errs := call(t, "-check", "-root", repository); status != 0 {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// TestEveryTableIsShown: some document shows each table that there is.
func TestEveryTableIsShown(t *testing.T) {
	names, err := documents(repository, nil)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^<!-- figures:(\S+) -->\n\n\S`).FindAllSubmatch(text, -1) {
			shown[string(m[1])] = true
		}
	}
	for _, b := range blocks {
		if !shown[b.name] {
			t.Errorf("no document shows %s", b.name)
		}
	}
}
