package muxwell

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
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

// TestGroupHasTheMethodsOfMux: each function of a Mux that registers is there for a
// Group, with the same parameters, and its documentation begins with the same sentence.
func TestGroupHasTheMethodsOfMux(t *testing.T) {
	ofMux := []string{"ByPrecedence", "Check", "Explain", "Handler", "Path", "RouteOf", "Routes", "Sample", "URL", "Update"}
	ofGroup := []string{"MethodNotAllowed", "NotFound", "Prefix"}
	muxMethods, groupMethods := methodsInSource(t, "Mux"), methodsInSource(t, "Group")
	if len(muxMethods) < 30 || len(groupMethods) < 20 {
		t.Fatalf("%d methods of Mux and %d of Group found, want 30 and 20 at least", len(muxMethods), len(groupMethods))
	}
	for name, method := range muxMethods {
		g, found := groupMethods[name]
		switch {
		case slices.Contains(ofMux, name):
			if found {
				t.Errorf("%s is a method of both, and was not expected to be", name)
			}
		case !found:
			t.Errorf("*Group has no method %s", name)
		case g.signature != method.signature:
			t.Errorf("%s: *Mux has %s, *Group has %s", name, method.signature, g.signature)
		case strings.ReplaceAll(g.sentence, "the group", "the mux") != method.sentence:
			t.Errorf("%s: the first sentences differ:\n*Mux:   %s\n*Group: %s", name, method.sentence, g.sentence)
		case !strings.HasPrefix(method.sentence, name+" "):
			t.Errorf("%s: the documentation begins with %q", name, method.sentence)
		}
	}
	for name := range groupMethods {
		if _, found := muxMethods[name]; !found && !slices.Contains(ofGroup, name) {
			t.Errorf("*Mux has no method %s", name)
		}
	}
}

// A sourceMethod is an exported method as the source has it.
type sourceMethod struct {
	signature string
	sentence  string // the first of its documentation
}

// methodsInSource returns the exported methods of a type of this package. It fails if a
// field of the type is embedded, which would have methods of its own.
func methodsInSource(t *testing.T, typeName string) map[string]sourceMethod {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods, fset := make(map[string]sourceMethod), token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.IsExported() && receiver(n.Recv.List[0].Type) == typeName {
					var b strings.Builder
					if err := printer.Fprint(&b, fset, n.Type); err != nil {
						t.Fatal(err)
					}
					methods[n.Name.Name] = sourceMethod{b.String(), new(doc.Package).Synopsis(n.Doc.Text())}
				}
				return false
			case *ast.TypeSpec:
				fields, isStruct := n.Type.(*ast.StructType)
				if isStruct && n.Name.Name == typeName && slices.ContainsFunc(fields.Fields.List, func(f *ast.Field) bool { return f.Names == nil }) {
					t.Errorf("%s has an embedded field", typeName)
				}
			}
			return true
		})
	}
	return methods
}
