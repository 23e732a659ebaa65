// Package structure holds the module to its structure: which package imports which,
// how large packages, files and programs may be, and which functions the compiler must
// inline.
package structure

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/muxwell/muxwell"

// mayImport says which packages of this module each package may import, its tests
// left out. Arrows go one way: a package is listed after those that it imports.
// Packages of internal know nothing of the root package, but for those that read
// route lists for commands.
var mayImport = []struct {
	pkg     string
	imports []string
}{
	{"bytereplace", nil},
	{"docs", nil},
	{"graceful", nil},
	{"internal/byteclass", nil},
	{"internal/clientaddr", nil},
	{"internal/compose", nil},
	{"internal/excerpt", nil},
	{"internal/language", nil},
	{"internal/loadgen", nil},
	{"internal/pages", nil},
	{"internal/paramconv", nil},
	{"internal/pathvalue", nil},
	{"internal/refuse", nil},
	{"internal/respwriter", nil},
	{"internal/requestline", nil},
	{"internal/tests/exhaustive", nil},
	{"internal/tests/long", nil},
	{"internal/tests/random", nil},
	{"internal/text", nil},
	{"internal/urlpath", nil},
	{"internal/hostname", []string{"internal/urlpath"}},
	{"internal/wholefile", nil},
	{"internal/constraint", []string{"internal/urlpath"}},
	{"internal/tests/builtin", []string{"internal/constraint"}},
	{"internal/naive", []string{"internal/constraint"}},
	{"internal/pattern", []string{"internal/byteclass", "internal/constraint", "internal/excerpt", "internal/hostname", "internal/language", "internal/urlpath"}},
	{"internal/foreign", []string{"internal/constraint", "internal/excerpt", "internal/pattern"}},
	{"internal/overlap", []string{"internal/language", "internal/pattern", "internal/urlpath"}},
	{"internal/mediatype", []string{"internal/excerpt", "internal/pattern"}},
	{"internal/fileserver", []string{"internal/mediatype", "internal/urlpath"}},
	{"internal/matcher", []string{"internal/byteclass", "internal/clientaddr", "internal/excerpt", "internal/mediatype", "internal/overlap", "internal/pattern", "internal/urlpath"}},
	{"internal/params", []string{"internal/hostname", "internal/matcher", "internal/pathvalue", "internal/pattern", "internal/urlpath"}},
	{"internal/staticpath", []string{"internal/urlpath"}},
	{"internal/trie", []string{"internal/pattern", "internal/staticpath", "internal/urlpath"}},
	{"internal/routing", []string{"internal/hostname", "internal/matcher", "internal/pattern", "internal/trie", "internal/urlpath"}},
	{"internal/inspect", []string{"internal/excerpt", "internal/hostname", "internal/language", "internal/matcher", "internal/overlap", "internal/pattern", "internal/routing", "internal/urlpath"}},
	{"routes", nil},
	{"internal/tests/muxtest", []string{"internal/tests/random", "routes"}},

	{".", []string{"internal/clientaddr", "internal/compose", "internal/constraint", "internal/excerpt", "internal/fileserver", "internal/foreign", "internal/hostname", "internal/inspect", "internal/matcher", "internal/overlap", "internal/pages", "internal/paramconv", "internal/params", "internal/pathvalue", "internal/pattern", "internal/refuse", "internal/respwriter", "internal/routing", "internal/trie", "internal/urlpath"}},

	{"internal/tests/policies", []string{"."}},
	{"problem", []string{".", "internal/mediatype", "internal/refuse", "internal/respwriter"}},
	{"internal/routelist", []string{".", "internal/text"}},
	{"internal/routepage", []string{"internal/routelist"}},
	{"middleware", []string{"internal/clientaddr", "internal/compose"}},
	{"explorer", []string{".", "internal/constraint", "internal/requestline", "internal/routelist", "internal/routepage", "internal/text"}},
	{"gorilla/mux", []string{"internal/byteclass", "internal/pathvalue", "internal/refuse", "internal/urlpath"}},
	{"examples/service", []string{".", "graceful", "middleware", "problem"}},
	{"cmd/muxwell", []string{".", "explorer", "internal/requestline", "internal/routelist", "internal/routepage", "internal/text"}},
}

// TestImports: each package imports what the table says and nothing else.
func TestImports(t *testing.T) {
	found := imports(t)
	var before []string
	for _, row := range mayImport {
		for _, path := range row.imports {
			if !slices.Contains(before, path) {
				t.Errorf("%s may import %s, which the table lists after it", row.pkg, path)
			}
		}
		before = append(before, row.pkg)
		got, ok := found[row.pkg]
		if !ok {
			t.Errorf("%s is in the table, but not in the module", row.pkg)
		}
		delete(found, row.pkg)
		for _, path := range got {
			if !slices.Contains(row.imports, path) {
				t.Errorf("%s imports %s, which the table does not allow", row.pkg, path)
			}
		}
		for _, path := range row.imports {
			if !slices.Contains(got, path) {
				t.Errorf("%s does not import %s; take it out of the table", row.pkg, path)
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s is not in the table", pkg)
	}
}

// imports returns for each package of the module which others of it the package
// imports.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	found := make(map[string][]string)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root:
			if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") || isModule(path) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		list := found[pkg]
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if imported == module {
				imported = module + "/."
			}
			if rest, ok := strings.CutPrefix(imported, module+"/"); ok && !slices.Contains(list, rest) {
				list = append(list, rest)
			}
		}
		found[pkg] = list
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// isModule reports whether a folder is a module of its own.
func isModule(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}
