package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// An edit replaces src[start:end] by text. Edits of a file do not overlap; insertions at
// one offset are applied in the order in which they were made.
type edit struct {
	start, end int
	text       string
}

func (p *program) replace(f *file, from, to token.Pos, text string) {
	f.edits = append(f.edits, edit{p.offset(from), p.offset(to), text})
}

func (p *program) insert(f *file, at token.Pos, text string) { p.replace(f, at, at, text) }

// removeStmt removes a statement with its line, if it is alone there.
func (p *program) removeStmt(f *file, s ast.Stmt) {
	start, end := p.offset(s.Pos()), p.offset(s.End())
	for start > 0 && (f.src[start-1] == ' ' || f.src[start-1] == '\t') {
		start--
	}
	if (start == 0 || f.src[start-1] == '\n') && end < len(f.src) && f.src[end] == '\n' {
		end++
	} else {
		start = p.offset(s.Pos())
	}
	f.edits = append(f.edits, edit{start, end, ""})
}

// apply returns the source of f after its edits, with imports and format corrected.
func (f *file) apply(gone []string) ([]byte, error) {
	edits := slices.Clone(f.edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	// What is deleted needs no other edit.
	edits = slices.DeleteFunc(edits, func(e edit) bool {
		return slices.ContainsFunc(f.edits, func(d edit) bool {
			return d.text == "" && d.start <= e.start && e.end <= d.end && d.end-d.start > e.end-e.start && e.start < d.end
		})
	})
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.start < at {
			return nil, fmt.Errorf("%s: two edits overlap at offset %d", f.name, e.start)
		}
		out.Write(f.src[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(f.src[at:])
	src, err := fixImports(f, out.Bytes(), gone)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	return src, nil
}

// fixImports adds and removes the imports that the rewrite is about: those in gone if
// they are no longer used, and the packages that rewritten code uses.
func fixImports(f *file, src []byte, gone []string) ([]byte, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, f.name, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	changed := false
	for _, spec := range slices.Clone(syntax.Imports) {
		name, ipath := "", importPath(spec)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "_" || name == "." || !slices.Contains(gone, ipath) || usesName(syntax, cmp.Or(name, importName(ipath))) {
			continue
		}
		changed = true
		if ipath != "net/http" && usesName(syntax, "muxwell") && !imports(syntax, muxwellPath) {
			spec.Path.Value, spec.Name = strconv.Quote(muxwellPath), nil // in its place
			continue
		}
		astutil.DeleteNamedImport(fset, syntax, name, ipath)
	}
	for _, add := range [][2]string{{"http", "net/http"}, {"muxwell", muxwellPath}} {
		if name, ipath := add[0], add[1]; usesName(syntax, name) && !imports(syntax, ipath) {
			changed = astutil.AddImport(fset, syntax, ipath) || changed
		}
	}
	if changed {
		var out bytes.Buffer
		if err := format.Node(&out, fset, syntax); err != nil {
			return nil, err
		}
		src = out.Bytes()
	}
	return format.Source(src)
}

func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// importName returns the name of one of the packages that the rewrite is about.
func importName(ipath string) string {
	name := path.Base(ipath)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(ipath))
	}
	return name
}

func imports(syntax *ast.File, ipath string) bool {
	return slices.ContainsFunc(syntax.Imports, func(s *ast.ImportSpec) bool { return importPath(s) == ipath })
}

// usesName reports whether name is used as a package: name.X where the parser finds no
// other declaration of name.
func usesName(syntax *ast.File, name string) bool {
	used := false
	ast.Inspect(syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == name && id.Obj == nil {
				used = true
			}
		}
		return !used
	})
	return used
}
