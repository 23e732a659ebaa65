package routers

import (
	"errors"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// missingAdapters returns the adapters of docs/adding-a-router.md whose modules are missing.
func missingAdapters(t *testing.T) []string {
	t.Helper()
	_, section, ok := strings.Cut(document(t), "## Missing routers")
	if !ok {
		t.Fatal("there is no such section")
	}
	var adapters []string
	for _, block := range regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(section, -1) {
		adapters = append(adapters, block[1])
	}
	return adapters
}

// TestMissingAdapters checks that the adapters of routers whose modules are missing would be
// files of this package: each is formatted, has at most 60 lines, and its types are right as
// far as they do not depend on the missing module.
func TestMissingAdapters(t *testing.T) {
	adapters := missingAdapters(t)
	if len(adapters) != 4 {
		t.Errorf("the section has %d adapters, want 4", len(adapters))
	}
	p := newPackage(t)
	for _, text := range adapters {
		if n := strings.Count(text, "\n"); n > 60 {
			t.Errorf("an adapter has %d lines, want 60 or less:\n%s", n, text)
		}
		if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
			t.Errorf("an adapter is not formatted, error %v:\n%s", err, text)
		}
		for _, err := range p.errors(text) {
			t.Errorf("%v, in\n%s", err, text)
		}
	}
}

// TestMissingAdaptersWrong checks that the check of the types finds what is wrong.
func TestMissingAdaptersWrong(t *testing.T) {
	p := newPackage(t)
	adapter := missingAdapters(t)[0]
	for _, c := range []struct{ old, changed, want string }{
		{"Param: ", "Parameter: ", "unknown field Parameter"},
		{"router.NetHTTP(m)", "router.NoHTTP(m)", "undefined: router.NoHTTP"},
		{"work.Task", "work.Job", "work.Job undefined"},
		{"add(router", "register(router", "undefined: register"},
		{"router.Do(work, ", "router.Do(", "not enough arguments"},
		{`Module: "github.com`, `Module: "example.com`, "could not import"},
	} {
		text := strings.Replace(adapter, c.old, c.changed, 1)
		if text == adapter {
			t.Fatalf("the adapter does not have %q", c.old)
		}
		if !slices.ContainsFunc(p.errors(text), func(err error) bool { return strings.Contains(err.Error(), c.want) }) {
			t.Errorf("with %q the errors are %v, want one with %q", c.changed, p.errors(text), c.want)
		}
	}
}

// A typedPackage is this package, to which an adapter may be added.
type typedPackage struct {
	fset    *token.FileSet
	files   []*ast.File
	imports types.Importer
}

// newPackage reads this package and what the compiler made of its imports.
func newPackage(t *testing.T) *typedPackage {
	t.Helper()
	p := &typedPackage{fset: token.NewFileSet()}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, f)
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		exports[path] = file
	}
	p.imports = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("this package does not import it")
		}
		return os.Open(exports[path])
	})
	return p
}

// errors returns what is wrong with this package if it has an adapter too. The adapter may
// import the module that it names, though it is missing; what it uses of that is not checked.
func (p *typedPackage) errors(adapter string) []error {
	f, err := parser.ParseFile(p.fset, "adapter.go", adapter, parser.SkipObjectResolution)
	if err != nil {
		return []error{err}
	}
	var wrong []error
	config := types.Config{Importer: p.imports, Error: func(err error) {
		if m := missingImport.FindStringSubmatch(err.Error()); m == nil || !strings.Contains(adapter, `Module: "`+m[1]+`",`) {
			wrong = append(wrong, err)
		}
	}}
	config.Check("routers", p.fset, append(slices.Clip(p.files), f), nil) // Error has its errors
	return wrong
}

var missingImport = regexp.MustCompile(`could not import (\S+) `)
