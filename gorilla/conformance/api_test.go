package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/copied"
)

// A goPackage is what "go list" says of a package.
type goPackage struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
}

// goList returns the packages of the module in a directory and all that they import, by
// import path.
func goList(t *testing.T, dir string, paths ...string) map[string]goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-C", dir, "-deps", "-export", "-json=Dir,ImportPath,Export,GoFiles"}, paths...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]goPackage{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

// TestAPI checks that each exported name of gorilla/mux, of its main branch and of v1.8.1,
// exists in the package under test with the same type.
func TestAPI(t *testing.T) {
	apis := exportedBy(t, ".", copied.Oracle, copied.Old, copied.Subject)
	got := apis[copied.Subject]
	for path, least := range map[string]int{copied.Oracle: 80, copied.Old: 70} {
		if len(apis[path]) < least {
			t.Errorf("%s exports %d names: the check sees too few", path, len(apis[path]))
		}
		for name, want := range apis[path] {
			if got[name] != want {
				t.Errorf("%s of %s is\n\t%q, want\n\t%q", name, path, got[name], want)
			}
		}
	}
}

// TestExportedIdentifiers checks that the module that replaces gorilla/mux exports the same
// identifiers as the main branch of gorilla/mux, with the same types, and with at least
// their methods and fields.
func TestExportedIdentifiers(t *testing.T) {
	main := exportedBy(t, ".", copied.Oracle)[copied.Oracle]
	got := exportedBy(t, filepath.Join("..", "replace"), copied.Replace)[copied.Replace]
	for name, want := range main {
		if got[name] != want {
			t.Errorf("%s is\n\t%q, want\n\t%q", name, got[name], want)
		}
	}
	for name := range got {
		if _, ok := main[name]; !ok && !strings.Contains(name, ".") {
			t.Errorf("%s is not in gorilla/mux", name)
		}
	}
}

// exportedBy returns the exported names of packages of the module in a directory, by
// path.
func exportedBy(t *testing.T, dir string, paths ...string) map[string]map[string]string {
	t.Helper()
	packages := goList(t, dir, paths...)
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(packages[path].Export)
	})
	apis := map[string]map[string]string{}
	for _, path := range paths {
		p, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		apis[path] = exported(p)
	}
	return apis
}

// exported returns the exported names of a package, also of fields and methods, with
// their types.
func exported(p *types.Package) map[string]string {
	api := map[string]string{}
	for _, name := range p.Scope().Names() {
		obj := p.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		kind := strings.TrimPrefix(fmt.Sprintf("%T", obj), "*types.")
		named, ok := types.Unalias(obj.Type()).(*types.Named)
		if _, isType := obj.(*types.TypeName); !isType || !ok {
			api[name] = kind + " " + typeText(p, obj.Type())
			continue
		}
		api[name] = kind + " " + typeText(p, named.Underlying())
		methods := types.NewMethodSet(types.NewPointer(named))
		values := types.NewMethodSet(named)
		for m := range methods.Methods() {
			if f := m.Obj(); f.Exported() {
				onValue := values.Lookup(f.Pkg(), f.Name()) != nil
				api[name+"."+f.Name()] = fmt.Sprintf("method of values %t %s", onValue, typeText(p, f.Type()))
			}
		}
		if s, ok := named.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					api[name+"."+f.Name()] = "field " + typeText(p, f.Type())
				}
			}
		}
	}
	return api
}

// typeText returns a type without the names of parameters and what is unexported. The types
// of a package under test are written as its own.
func typeText(p *types.Package, t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Signature:
		return fmt.Sprintf("func(%s)(%s) variadic %t", tuple(p, t.Params()), tuple(p, t.Results()), t.Variadic())
	case *types.Struct:
		return "struct"
	}
	return types.TypeString(t, func(q *types.Package) string {
		if q == p || q.Path() == copied.Subject {
			return ""
		}
		return q.Path()
	})
}

func tuple(p *types.Package, t *types.Tuple) string {
	var list []string
	for v := range t.Variables() {
		list = append(list, typeText(p, v.Type()))
	}
	return strings.Join(list, ", ")
}

// TestAPIComments checks that everything the package under test exports has a
// comment.
func TestAPIComments(t *testing.T) {
	p := goList(t, ".", copied.Subject)[copied.Subject]
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, p.Dir+string(os.PathSeparator)+name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, copied.Subject)
	if err != nil {
		t.Fatal(err)
	}
	check := func(name, comment string) {
		if strings.TrimSpace(comment) == "" {
			t.Errorf("%s has no comment", name)
		}
	}
	check("the package", d.Doc)
	values := slices.Concat(d.Consts, d.Vars)
	funcs := slices.Clone(d.Funcs)
	for _, typ := range d.Types {
		check(typ.Name, typ.Doc)
		values = slices.Concat(values, typ.Consts, typ.Vars)
		funcs = slices.Concat(funcs, typ.Funcs, typ.Methods)
		checkFields(typ, check)
	}
	for _, f := range funcs {
		check(f.Recv+" "+f.Name, f.Doc)
	}
	for _, v := range values {
		for _, spec := range v.Decl.Specs {
			spec := spec.(*ast.ValueSpec)
			for _, name := range spec.Names {
				check(name.Name, v.Doc+spec.Doc.Text()+spec.Comment.Text())
			}
		}
	}
}

func checkFields(typ *doc.Type, check func(name, comment string)) {
	for _, spec := range typ.Decl.Specs {
		s, ok := spec.(*ast.TypeSpec).Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range s.Fields.List {
			for _, name := range field.Names {
				if name.IsExported() {
					check(typ.Name+"."+name.Name, field.Doc.Text()+field.Comment.Text())
				}
			}
		}
	}
}
