package main

import (
	"flag"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

// readme returns README.md.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeFlags: the table of flags has all of them, with their variables and
// defaults.
func TestReadmeFlags(t *testing.T) {
	table := map[string][2]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `-([a-z-]+)` *\\| `(\\w+)` *\\| `([^`]*)` *\\| \\S").FindAllStringSubmatch(readme(t), -1) {
		if _, twice := table[row[1]]; twice {
			t.Errorf("-%s is there twice", row[1])
		}
		table[row[1]] = [2]string{row[2], row[3]}
	}
	newFlags(new(options)).VisitAll(func(f *flag.Flag) {
		want := [2]string{envPrefix + "_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_")), f.DefValue}
		if got := table[f.Name]; got != want {
			t.Errorf("-%s: %q, want %q", f.Name, got, want)
		}
		delete(table, f.Name)
	})
	for name := range table {
		t.Errorf("there is no flag -%s", name)
	}
}

// TestReadmeRequest: the request that is shown is answered as it is shown.
func TestReadmeRequest(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^curl -H 'Content-Type: application/json' -d '(.*)' localhost:8080/similarity\n(.*)$`).FindStringSubmatch(readme(t))
	if shown == nil {
		t.Fatal("there is no request")
	}
	if !strings.Contains(usageHead, strings.SplitN(shown[0], "\n", 2)[0]) {
		t.Error("-help shows another request")
	}
	s := start(t)
	status, body := s.post("similarity", shown[1])
	if status != 200 || body != shown[2] {
		t.Errorf("%d %s, want %s", status, body, shown[2])
	}
}

// TestReadmeCommands: the commands that are shown exist.
func TestReadmeCommands(t *testing.T) {
	commands := regexp.MustCompile("(?m)^go run ./similarity(.*)$").FindAllStringSubmatch(readme(t), -1)
	if len(commands) < 2 {
		t.Fatalf("there are %d commands", len(commands))
	}
	for _, c := range commands {
		args := strings.Fields(c[1])
		if len(args) > 0 && (args[0] == "batch" || args[0] == "pairs") {
			continue
		}
		if _, err := parse(args, io.Discard); err != nil {
			t.Errorf("similarity%s: %v", c[1], err)
		}
	}
}
