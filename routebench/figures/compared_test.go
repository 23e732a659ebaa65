package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/suite"
)

// TestReadmeRows: the rows of the table in README.md are scenarios that there are, so
// that a row is left out only if the run does not have it.
func TestReadmeRows(t *testing.T) {
	var names []string
	for _, s := range suite.All() {
		if s.Name != "classic" && s.Name != "today" {
			continue
		}
		scenarios, err := s.Make(1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range scenarios {
			names = append(names, scenarios[i].Name)
		}
	}
	for _, name := range readmeRows {
		if !slices.Contains(names, name) {
			t.Errorf("no scenario is called %s", name)
		}
	}
}

// TestRowsOfToday: tables have the scenarios of the suite today if the run has them, and
// the classic scenarios and their mean are the same with and without them.
func TestRowsOfToday(t *testing.T) {
	// rows returns the rows of a table by their first cell, with the sentences around it.
	rows := func(text string) (map[string]string, []string) {
		of, order := map[string]string{}, []string(nil)
		for _, m := range regexp.MustCompile(`(?m)^\| ([A-Za-z0-9 ]+) \|(.*)$`).FindAllStringSubmatch(text, -1) {
			of[m[1]], order = m[2], append(order, m[1])
		}
		return of, order
	}
	d := open(repository)
	run, err := d.run("classic")
	if err != nil {
		t.Fatal(err)
	}
	run.Scenarios = slices.DeleteFunc(run.Scenarios, func(s result.Scenario) bool { return s.Suite == "today" })
	without := slices.Clone(run.Scenarios)
	today := []string{"Middleware1", "Middleware5", "UUID", "UUID2", "UUID3"}
	for _, name := range []string{"readme", "classic/1", "classic/2"} {
		run.Scenarios = without
		text, err := d.block(name, "README.md")
		if err != nil {
			t.Fatal(err)
		}
		before, _ := rows(text)
		if strings.Contains(text, "Middleware") || strings.Contains(text, "UUID") || len(before) < 4 {
			t.Errorf("%s without the suite today:\n%s", name, text)
		}
		run.Scenarios = slices.Clone(without)
		for i, added := range today {
			s := without[i] // any other scenario
			s.Name, s.Suite = added, "today"
			run.Scenarios = append(run.Scenarios, s)
		}
		if text, err = d.block(name, "README.md"); err != nil {
			t.Fatal(err)
		}
		after, order := rows(text)
		want, last := today, "UUID3"
		if name == "readme" {
			want, last = []string{"Middleware1", "Middleware5", "UUID2"}, "geometric mean"
		}
		if len(after) != len(before)+len(want) || order[len(order)-1] != last {
			t.Errorf("%s has the rows %q, want %q too, and %s last", name, order, want, last)
		}
		for _, row := range want {
			if after[row] == "" {
				t.Errorf("%s has no row %s", name, row)
			}
		}
		for row, cells := range before {
			if after[row] != cells {
				t.Errorf("%s, row %s: %s with the suite today, and %s without it", name, row, after[row], cells)
			}
		}
	}
}

// TestReadmeHasRoom: README.md has room for the rows that its run does not have yet.
func TestReadmeHasRoom(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	const most = 200
	lines := strings.Count(string(text), "\n")
	for _, name := range readmeRows {
		if !strings.Contains(string(text), "\n| "+name+" |") {
			lines++
		}
	}
	if lines > most {
		t.Errorf("README.md has %d lines with all rows of its table, want %d at most", lines, most)
	}
}
