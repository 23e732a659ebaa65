package migrate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// verify type-checks the program with the changed files, and returns the errors with
// their positions in these.
func verify(p *program, o options, dir string, files []changed) ([]Diagnostic, error) {
	v := &verifier{
		fset: token.NewFileSet(), after: map[string][]byte{}, parsed: map[string]*ast.File{},
		local: map[string]*packages.Package{}, checked: map[string]*types.Package{}, known: map[string]*types.Package{},
		imports: map[string]bool{},
	}
	for _, f := range files {
		v.after[f.name] = f.after
	}
	for _, pkg := range p.pkgs {
		v.local[pkg.ID] = pkg
		v.sizes = pkg.TypesSizes
	}
	packages.Visit(p.pkgs, nil, func(pkg *packages.Package) {
		if v.local[pkg.ID] == nil && pkg.Types != nil && pkg.PkgPath == pkg.ID {
			v.known[pkg.PkgPath] = pkg.Types
		}
	})
	if v.known[muxwellPath] == nil {
		if err := v.loadMuxwell(o, dir); err != nil {
			return nil, err
		}
	}
	for _, pkg := range p.pkgs {
		if _, err := v.check(pkg); err != nil {
			return nil, err
		}
	}
	return v.faults, nil
}

// A verifier type-checks packages from source, and has the others from
// the load of the program.
type verifier struct {
	fset    *token.FileSet
	after   map[string][]byte
	parsed  map[string]*ast.File
	local   map[string]*packages.Package // by ID
	checked map[string]*types.Package    // by ID
	known   map[string]*types.Package    // by path
	imports map[string]bool              // by ID, whether a package outside imports one of the program
	sizes   types.Sizes
	faults  []Diagnostic
}

// loadMuxwell reads the types of muxwell: of the version that the program requires, or
// else from a module of its own.
func (v *verifier) loadMuxwell(o options, dir string) error {
	export, err := exportOf(dir)
	if o.replace != "" || err != nil {
		tmp, err := os.MkdirTemp("", "muxwell-vet")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		mod := "module m\n\ngo 1.26.0\n\nrequire " + muxwellPath + " " + muxwellVersion() + "\n"
		if o.replace != "" {
			mod = "module m\n\ngo 1.26.0\n\nrequire " + muxwellPath + " v0.0.0\n\nreplace " + muxwellPath + " => " + o.replace + "\n"
		}
		if err := os.WriteFile(filepath.Join(tmp, "go.mod"), []byte(mod), 0o666); err != nil {
			return err
		}
		if export, err = exportOf(tmp, "-mod=mod"); err != nil {
			return fmt.Errorf("load %s: %w", muxwellPath, err)
		}
	}
	file, err := os.Open(export)
	if err != nil {
		return err
	}
	defer file.Close()
	//lint:ignore SA1019 up to Go 1.28 the go command writes archives, which only this reads
	r, err := gcexportdata.NewReader(file)
	if err != nil {
		return err
	}
	_, err = gcexportdata.Read(r, token.NewFileSet(), v.known, muxwellPath)
	return err
}

// exportOf returns the file with the types of muxwell, as the module in dir requires it.
func exportOf(dir string, flags ...string) (string, error) {
	cmd := exec.Command("go", append(append([]string{"list"}, flags...), "-export", "-f", "{{.Export}}", muxwellPath)...)
	cmd.Dir = dir
	if len(flags) > 0 {
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// muxwellVersion returns the version of muxwell that this command is built with.
func muxwellVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == muxwellPath && dep.Replace == nil && dep.Version != "(devel)" {
				return dep.Version
			}
		}
	}
	return "latest"
}

// check type-checks a package of the program and what it imports of it.
func (v *verifier) check(pkg *packages.Package) (*types.Package, error) {
	if t := v.checked[pkg.ID]; t != nil {
		return t, nil
	}
	names := pkg.CompiledGoFiles
	if v.local[pkg.ID] != nil {
		names = nil
		for _, old := range pkg.Syntax {
			names = append(names, pkg.Fset.File(old.FileStart).Name())
		}
	}
	var files []*ast.File
	for _, name := range names {
		f := v.parsed[name]
		if f == nil {
			var src any
			if after, ok := v.after[name]; ok {
				src = after
			}
			var err error
			if f, err = parser.ParseFile(v.fset, name, src, parser.SkipObjectResolution); err != nil {
				return nil, err
			}
			v.parsed[name] = f
		}
		files = append(files, f)
	}
	conf := types.Config{
		Sizes: v.sizes,
		Importer: importerFunc(func(path string) (*types.Package, error) {
			if path == "unsafe" {
				return types.Unsafe, nil
			}
			if dep := pkg.Imports[path]; dep != nil {
				if v.affected(dep) {
					return v.check(dep)
				}
				if dep.Types != nil {
					return dep.Types, nil
				}
			}
			if t := v.known[path]; t != nil {
				return t, nil
			}
			return nil, fmt.Errorf("cannot import %s", path)
		}),
		Error: func(err error) {
			if v.local[pkg.ID] == nil {
				return
			}
			if e, ok := err.(types.Error); ok && !e.Soft || ok && strings.Contains(e.Msg, "not used") {
				at := e.Fset.Position(e.Pos)
				d := Diagnostic{File: at.Filename, Line: at.Line, Column: at.Column, Message: "in the result: " + e.Msg}
				for _, other := range v.faults {
					if other == d {
						return
					}
				}
				v.faults = append(v.faults, d)
			}
		},
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		conf.GoVersion = "go" + pkg.Module.GoVersion
	}
	t, _ := conf.Check(pkg.PkgPath, v.fset, files, nil)
	v.checked[pkg.ID] = t
	return t, nil
}

// affected reports whether a package is one of the program or imports one, as the
// variants for tests of packages outside of the program do.
func (v *verifier) affected(pkg *packages.Package) bool {
	if v.local[pkg.ID] != nil {
		return true
	}
	known, ok := v.imports[pkg.ID]
	if ok {
		return known
	}
	v.imports[pkg.ID] = false
	for _, dep := range pkg.Imports {
		if v.affected(dep) {
			v.imports[pkg.ID] = true
			break
		}
	}
	return v.imports[pkg.ID]
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
