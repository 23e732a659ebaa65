package muxwell

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateAPI = flag.Bool("update-api", false, "write the exported API to testdata/api.txt")

// TestAPI: the exported API is that of testdata/api.txt, so that nothing is exported,
// changed or removed by accident.
func TestAPI(t *testing.T) {
	got := exportedAPI(t)
	file := filepath.Join("testdata", "api.txt")
	if *updateAPI {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	lines := strings.Split(got, "\n")
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("new: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(lines, line) {
			t.Errorf("gone: %s", line)
		}
	}
	if t.Failed() {
		t.Log("If it is meant, say so in CHANGELOG.md and run: go test -run TestAPI . -update-api")
	}
}

// exportedAPI returns the declarations that the module's packages export, a line each.
func exportedAPI(t *testing.T) string {
	var lines []string
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "internal" || name == "testdata" || name == "cmd" || len(name) > 1 && strings.HasPrefix(name, ".") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != "." {
			return fs.SkipDir // a module of its own
		}
		lines = append(lines, packageAPI(t, dir)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// packageAPI returns the same of a package.
func packageAPI(t *testing.T, dir string) (lines []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		prefix := "pkg " + filepath.ToSlash(filepath.Join("muxwell", dir)) + ": "
		ast.FileExports(file)
		for _, decl := range file.Decls {
			for _, text := range declared(t, fset, decl) {
				lines = append(lines, prefix+text)
			}
		}
	}
	return lines
}

// declared returns what a declaration declares, without values and bodies.
func declared(t *testing.T, fset *token.FileSet, decl ast.Decl) (texts []string) {
	text := func(prefix string, node any) {
		var b bytes.Buffer
		if err := printer.Fprint(&b, fset, node); err != nil {
			t.Fatal(err)
		}
		line := strings.Join(strings.Fields(b.String()), " ")
		texts = append(texts, prefix+strings.ReplaceAll(line, "// contains filtered or unexported fields ", ""))
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
			return nil
		}
		d.Doc, d.Body = nil, nil
		text("", d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				s.Doc, s.Comment = nil, nil
				undocument(s)
				text("type ", s)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					texts = append(texts, fmt.Sprintf("%s %s", d.Tok, name))
				}
			}
		}
	}
	return texts
}

// receiver returns the name of a receiver's type.
func receiver(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// undocument drops the comments of fields and methods.
func undocument(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			f.Doc, f.Comment, f.Tag = nil, nil, nil
		}
		return true
	})
}
