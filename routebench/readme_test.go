package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/suite"
)

// readmes are the pages that show commands of routebench.
var readmes = []string{"README.md", "../docs/adding-a-router.md"}

// readersRouters are the routers that a reader of docs/adding-a-router.md adds.
var readersRouters = []string{"chi1", "denco", "fox", "violetear"}

// shownCommands returns the arguments of the commands that a page shows in its sh
// blocks.
func shownCommands(t *testing.T, page string) [][]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var commands [][]string
	for _, block := range regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```$").FindAllStringSubmatch(string(text), -1) {
		for line := range strings.Lines(block[1]) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
			for _, start := range []string{"go run ./routebench", "go run ."} {
				if rest, ok := strings.CutPrefix(line+" ", start+" "); ok {
					commands = append(commands, strings.Fields(strings.ReplaceAll(rest, "'", "")))
				}
			}
		}
	}
	return commands
}

// TestReadmeCommands: the commands that pages show are right, with routers, suites
// and scenarios that there are.
func TestReadmeCommands(t *testing.T) {
	for _, page := range readmes {
		commands := shownCommands(t, page)
		if len(commands) == 0 {
			t.Errorf("%s shows no command", page)
		}
		for _, args := range commands {
			o, err := parse(args, io.Discard)
			if err != nil {
				t.Errorf("%s: routebench %s: %v", page, strings.Join(args, " "), err)
				continue
			}
			o.routers = strings.Join(slices.DeleteFunc(strings.Split(o.routers, ","), func(name string) bool {
				return slices.Contains(readersRouters, name)
			}), ",")
			if _, err := o.chosenRouters(); err != nil {
				t.Errorf("%s: routebench %s: %v", page, strings.Join(args, " "), err)
			}
			suites, err := o.chosenSuites(false)
			if err != nil {
				t.Errorf("%s: routebench %s: %v", page, strings.Join(args, " "), err)
			}
			if o.run != nil && !matches(t, o.run, suites) {
				t.Errorf("%s: routebench %s: -run matches no scenario", page, strings.Join(args, " "))
			}
		}
	}
}

// matches reports whether an expression matches a scenario of some suites. Those of
// growth take long to make: one of their names is enough.
func matches(t *testing.T, run *regexp.Regexp, suites []suite.Named) bool {
	t.Helper()
	for _, s := range suites {
		if s.Name == "growth" {
			if run.MatchString("Growth/100") {
				return true
			}
			continue
		}
		scenarios, err := s.Make(1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range scenarios {
			if run.MatchString(scenarios[i].Name) {
				return true
			}
		}
	}
	return false
}

// TestReadmeFlags: README.md names every flag, and no other.
func TestReadmeFlags(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, help, _ := call(t, t.Context(), "-help")
	flags := []string{"help"}
	for _, m := range regexp.MustCompile(`(?m)^  -([a-z]+)`).FindAllStringSubmatch(help, -1) {
		flags = append(flags, m[1])
		if !regexp.MustCompile("`-" + m[1] + "[` ]").Match(text) {
			t.Errorf("README.md does not name -%s", m[1])
		}
	}
	if len(flags) < 15 {
		t.Fatalf("-help shows the flags %v, want 15 at least", flags)
	}
	for _, m := range regexp.MustCompile("`-([a-z]+)").FindAllSubmatch(text, -1) {
		if !slices.Contains(flags, string(m[1])) {
			t.Errorf("README.md names -%s, which is no flag", m[1])
		}
	}
}

// TestReadmeList: the list that README.md shows is one.
func TestReadmeList(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "```text\n# shop.txt\n")
	list, _, found := strings.Cut(list, "```")
	if !found {
		t.Fatal("README.md shows no list of routes")
	}
	o := options{routes: write(t, "shop.txt", list)}
	rs, notes, err := o.ownRoutes()
	if err != nil || len(notes) > 0 || len(rs.All) != 5 {
		t.Fatalf("the list has the faults %v, the notes %v, or not five routes:\n%s", err, notes, list)
	}
	scenarios, _, err := suite.Own(rs, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scenarios {
		if !strings.Contains(string(text), "`"+scenarios[i].Name+"`") {
			t.Errorf("README.md does not name the scenario %s of one's own routes", scenarios[i].Name)
		}
	}
}
