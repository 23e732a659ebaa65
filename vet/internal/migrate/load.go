package migrate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A program is the type-checked source of a module, tests included.
type program struct {
	fset  *token.FileSet
	pkgs  []*packages.Package // as loaded; a package and its variant for tests share files
	files []*file
}

// A file is a source file, with the types of one of the packages that it is part of.
type file struct {
	name    string
	src     []byte
	syntax  *ast.File
	pkg     *packages.Package
	info    *types.Info
	edits   []edit
	parents map[ast.Node]ast.Node
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule

// load loads the packages that match the patterns, in dir.
func load(dir string, tags string, patterns []string) (*program, error) {
	p := &program{fset: token.NewFileSet()}
	cfg := &packages.Config{Mode: loadMode &^ packages.NeedDeps, Dir: dir, Fset: p.fset, Tests: true}
	if tags != "" {
		cfg.BuildFlags = []string{"-tags=" + tags}
	}
	pkgs, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	var faults []error
	for _, pkg := range pkgs {
		if strings.HasSuffix(pkg.PkgPath, ".test") && pkg.Name == "main" {
			continue // the generated main package of a test
		}
		for _, e := range pkg.Errors {
			faults = append(faults, e)
		}
		p.pkgs = append(p.pkgs, pkg)
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("the program does not compile:\n%w", errors.Join(faults...))
	}
	// The variant for tests comes first: it has all files of the package itself.
	slices.SortStableFunc(p.pkgs, func(a, b *packages.Package) int { return len(b.Syntax) - len(a.Syntax) })
	seen := map[string]bool{}
	for _, pkg := range p.pkgs {
		for _, syntax := range pkg.Syntax {
			name := p.fset.File(syntax.FileStart).Name()
			if seen[name] || !strings.HasSuffix(name, ".go") || inCache(name) {
				continue
			}
			seen[name] = true
			src, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			f := &file{name: name, src: src, syntax: syntax, pkg: pkg, info: pkg.TypesInfo, parents: map[ast.Node]ast.Node{}}
			var stack []ast.Node
			ast.Inspect(syntax, func(n ast.Node) bool {
				if n == nil {
					stack = stack[:len(stack)-1]
					return true
				}
				if len(stack) > 0 {
					f.parents[n] = stack[len(stack)-1]
				}
				stack = append(stack, n)
				return true
			})
			p.files = append(p.files, f)
		}
	}
	slices.SortFunc(p.files, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	return p, nil
}

// inCache reports whether a file is generated into the build cache, as cgo does.
func inCache(name string) bool {
	cache, err := os.UserCacheDir()
	return err == nil && strings.HasPrefix(name, filepath.Join(cache, "go-build"))
}

// text returns the source of a node.
func (f *file) text(p *program, n ast.Node) string {
	return f.between(p, n.Pos(), n.End())
}

func (f *file) between(p *program, from, to token.Pos) string {
	return string(f.src[p.offset(from):p.offset(to)])
}

func (p *program) offset(pos token.Pos) int { return p.fset.PositionFor(pos, false).Offset }

// parent returns the node around n, without parentheses.
func (f *file) parent(n ast.Node) ast.Node {
	n = f.parents[n]
	for {
		paren, ok := n.(*ast.ParenExpr)
		if !ok {
			return n
		}
		n = f.parents[paren]
	}
}

// enclosing returns the innermost function around n: an *ast.FuncDecl, an
// *ast.FuncLit, or nil.
func (f *file) enclosing(n ast.Node) ast.Node {
	for n = f.parents[n]; n != nil; n = f.parents[n] {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return n
		}
	}
	return nil
}

// statement returns the statement in a list that n is part of, or nil.
func (f *file) statement(n ast.Node) ast.Stmt {
	for ; n != nil; n = f.parents[n] {
		s, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		switch f.parents[n].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return s
		}
	}
	return nil
}
