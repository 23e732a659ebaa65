package routelist

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// read returns a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// between returns the text between two others, which have to be in a file.
func between(t *testing.T, file, before, after string) string {
	t.Helper()
	_, found, ok := strings.Cut(read(t, file), before)
	found, _, ok2 := strings.Cut(found, after)
	if !ok || !ok2 {
		t.Fatalf("%s has nothing between %q and %q", file, before, after)
	}
	return found
}

// optionFuncs returns the functions of package muxwell that make an option of a route.
func optionFuncs(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^pkg muxwell: func ([A-Z]\w*)\(.*\) RouteOption$`).FindAllStringSubmatch(read(t, "testdata/api.txt"), -1) {
		names = append(names, found[1])
	}
	if len(names) < 10 {
		t.Fatalf("testdata/api.txt has the options %v, want 10 at least", names)
	}
	return names
}

// TestOptionKeysDocuments: the list of options in docs/command.md is the table. A failure says what to
// write in it.
func TestOptionKeysDocuments(t *testing.T) {
	var rows strings.Builder
	var often []string
	for _, k := range optionKeys {
		if k.becomes == "" || k.doc == "" || k.form == "" {
			t.Errorf("%s has no form, function or documentation", k.name)
		}
		option := k.name + "=" + k.form
		fmt.Fprintf(&rows, "| `%s` | %s | `%s` |\n", option, k.doc, k.becomes)
		if k.often {
			often = append(often, k.name)
		}
	}
	last := len(often) - 1
	severalTimes := "`" + strings.Join(often[:last], "`, `") + "` and `" + often[last] + "`"
	for _, list := range []struct{ file, before, after, want string }{
		{"docs/command.md", "| option | meaning | in a program |\n| --- | --- | --- |\n", "\n`" + often[0] + "`", rows.String()},
		{"docs/command.md", "| `" + optionKeys[len(optionKeys)-1].becomes + "` |\n\n", " may be given several times", severalTimes},
	} {
		if got := between(t, list.file, list.before, list.after); got != list.want {
			t.Errorf("%s lists the options as\n%s\nwant\n%s", list.file, got, list.want)
		}
	}
}

// TestOptionsOfRoutes: each option that a program can give a route is one of a list too,
// or named as one that a list cannot have.
func TestOptionsOfRoutes(t *testing.T) {
	without := regexp.MustCompile(`\[muxwell\.(\w+)\]`).FindAllStringSubmatch(between(t, "internal/routelist/option.go", "// A list has no option for ", "\nvar "), -1)
	funcs := optionFuncs(t)
	for _, name := range funcs {
		has := slices.ContainsFunc(optionKeys, func(k optionKey) bool { return k.becomes == name })
		lacks := slices.ContainsFunc(without, func(found []string) bool { return found[1] == name })
		if has == lacks {
			t.Errorf("muxwell.%s: a list has an option for it: %t; the table's comment says that none has: %t", name, has, lacks)
		}
	}
	for _, k := range optionKeys {
		if !slices.Contains(funcs, k.becomes) {
			t.Errorf("%s becomes muxwell.%s, which is no option of a route", k.name, k.becomes)
		}
	}
	for _, found := range without {
		if !slices.Contains(funcs, found[1]) {
			t.Errorf("the table's comment names muxwell.%s, which is no option of a route", found[1])
		}
	}
}

// TestMatchersDocuments: the lists of matchers in the documents have all of them, and
// nothing else.
func TestMatchersDocuments(t *testing.T) {
	var want []string
	for _, name := range optionFuncs(t) {
		if name != "Name" && name != "Meta" && name != "Source" { // these require nothing of a request
			want = append(want, name)
		}
	}
	slices.Sort(want)
	for _, list := range []struct{ file, before, after, row string }{
		{"docs/patterns.md", "\n| option | matches requests |\n", "\n\n", "(?m)^\\| `(\\w+)\\("},
		{"doc.go", "// Routes with the same pattern may differ in their matchers: ", ". ", `\[(\w+)\]`},
	} {
		var got []string
		for _, found := range regexp.MustCompile(list.row).FindAllStringSubmatch(between(t, list.file, list.before, list.after), -1) {
			got = append(got, found[1])
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s lists the matchers %v, want %v", list.file, got, want)
		}
	}
}

// TestOptionKeysBecome: routes/options.txt has an option of each key, and its route has
// what the table says that the option becomes.
func TestOptionKeysBecome(t *testing.T) {
	m := muxwell.New()
	if err := Load(m, "list", strings.NewReader(read(t, "routes/options.txt")), func(Entry) http.Handler { return http.NotFoundHandler() }); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for rt := range m.Routes() {
		e, _ := EntryOf(rt)
		for _, o := range e.Options {
			seen[o.Key] = true
			becomes := findKey(o.Key).becomes
			value := o.Value
			if i := strings.IndexAny(value, ":=,"); i > 0 {
				value = value[:i]
			}
			var ok bool
			switch becomes {
			case "Name":
				ok = rt.Name() == value
			case "Meta":
				_, ok = rt.Meta(value)
			default:
				ok = slices.ContainsFunc(rt.Matchers(), func(text string) bool {
					return strings.HasPrefix(text, becomes+"(") && strings.Contains(text, value)
				})
			}
			if !ok {
				t.Errorf("line %d: the route has the name %q and the matchers %q, want %s with %s", e.Line, rt.Name(), rt.Matchers(), becomes, value)
			}
		}
	}
	for _, k := range optionKeys {
		if !seen[k.name] {
			t.Errorf("routes/options.txt has no option %s", k.name)
		}
	}
}

// TestUsage: the help of commands has a line for each option.
func TestUsage(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(Usage(), "\n"), "\n")
	if len(lines) != len(optionKeys) {
		t.Fatalf("%d lines for %d options", len(lines), len(optionKeys))
	}
	for i, k := range optionKeys {
		if f := strings.Fields(lines[i]); f[0] != k.name+"="+k.form || strings.Join(f[1:], " ") != k.doc || len(lines[i]) > 100 {
			t.Errorf("line %q for %s", lines[i], k.name)
		}
	}
}
