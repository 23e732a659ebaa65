// Package migrate rewrites programs that use http.ServeMux, chi or gorilla/mux for muxwell.
//
// It loads a whole program with its types, since routers cross packages, and collects
// edits of the source text, so that comments and format stay. A use of a router that it
// does not know how to rewrite, or for which the result would differ in a way that no
// document of muxwell lists, is a Diagnostic, and the source there stays as it is. The
// result is type-checked in memory before anything is written.
//
// The routers of chi and gorilla/mux are rewritten all together: a handler that reads
// mux.Vars does not say to which router it belongs. A ServeMux is rewritten together with
// the variables that it is copied to.
package migrate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	muxwellPath = "github.com/muxwell/muxwell"
	docs        = "https://github.com/muxwell/muxwell/blob/main/docs/"
)

// The values of the flag -from.
const (
	fromServeMux = "servemux"
	fromChi      = "chi"
	fromGorilla  = "gorilla"
)

// A Diagnostic is a place that a person has to look at.
type Diagnostic struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	From    string `json:"from"`    // servemux, chi or gorilla
	Message string `json:"message"` // why it is not rewritten, and what to do
	// Kept says that the program works without an edit there, unless a check finds
	// something, so that this is no reason to write nothing.
	Kept bool `json:"kept,omitempty"`
}

func (d Diagnostic) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", d.File, d.Line, d.Column, d.Message)
}

// A migrator rewrites one program.
type migrator struct {
	p       *program
	dir     string // file names are shown relative to it
	diags   []Diagnostic
	sites   map[string]int            // rewritten uses by router
	changes map[string]map[string]int // what changes, by router, with its order
	gone    []string                  // import paths that may be no longer used
}

func (m *migrator) manual(from string, pos token.Pos, format string, args ...any) {
	at := m.p.fset.PositionFor(pos, false)
	d := Diagnostic{File: m.rel(at.Filename), Line: at.Line, Column: at.Column, From: from, Message: fmt.Sprintf(format, args...)}
	m.add(d)
}

func (m *migrator) add(d Diagnostic) {
	if !slices.Contains(m.diags, d) {
		m.diags = append(m.diags, d)
	}
}

// keep reports a use that stays as it is.
func (m *migrator) keep(from string, pos token.Pos, message string) {
	at := m.p.fset.PositionFor(pos, false)
	m.add(Diagnostic{File: m.rel(at.Filename), Line: at.Line, Column: at.Column, From: from, Message: message, Kept: true})
}

func (m *migrator) rel(name string) string {
	if rel, err := filepath.Rel(m.dir, name); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return name
}

// change notes a difference in behavior that the program may see.
func (m *migrator) change(from, text string) {
	if m.changes[from] == nil {
		m.changes[from] = map[string]int{}
	}
	if _, ok := m.changes[from][text]; !ok {
		m.changes[from][text] = len(m.changes[from])
	}
}

func (m *migrator) changesOf(from string) []string {
	return slices.SortedFunc(maps.Keys(m.changes[from]), func(a, b string) int {
		return cmp.Compare(m.changes[from][a], m.changes[from][b])
	})
}

var (
	chiPaths     = regexp.MustCompile(`^github\.com/go-chi/chi(/v\d+)?$`)
	gorillaPaths = []string{"github.com/gorilla/mux", muxwellPath + "/gorilla/mux"}
)

func isChi(ipath string) bool     { return chiPaths.MatchString(ipath) }
func isGorilla(ipath string) bool { return slices.Contains(gorillaPaths, ipath) }

// named returns the package path and name of the type of a router, without pointers.
func named(t types.Type) (ipath, name string) {
	if t == nil {
		return "", ""
	}
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return "", ""
	}
	return n.Obj().Pkg().Path(), n.Obj().Name()
}

// constString returns the constant value of an expression.
func constString(f *file, e ast.Expr) (string, bool) {
	if v := f.info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v), true
	}
	return "", false
}

// A base is what the rewrites of chi and gorilla/mux have in common.
type base struct {
	*migrator
	from   string
	is     func(ipath string) bool
	g      *flows
	done   map[*ast.Ident]bool // uses of the package that a rule has rewritten or reported
	news   map[slot]*newCall
	routes []route
	known  map[string]bool // names of parameters
}

// A newCall is a call that creates a router, which becomes muxwell.New.
type newCall struct {
	f       *file
	from    token.Pos
	to      token.Pos
	options []string
}

// A route is a registration, for the comparison of all routes.
type route struct {
	pos     token.Pos
	cond    token.Pos // of the condition under which it is registered, if there is one
	slot    slot      // of the router
	methods []string
	pattern string // [HOST]/PATH of muxwell, with the prefix of groups
	name    string // its name, or ""
	plain   bool   // without matchers
}

func (b *base) manual(pos token.Pos, format string, args ...any) {
	b.migrator.manual(b.from, pos, format, args...)
}

func (b *base) change(text string) { b.migrator.change(b.from, text) }

// rewrote counts a rewritten use, and marks its name.
func (b *base) rewrote(ids ...*ast.Ident) {
	b.sites[b.from]++
	for _, id := range ids {
		b.done[id] = true
	}
}

// tail returns the constant text at the end of x+"/text".
func (b *base) tail(f *file, e ast.Expr) (string, bool) {
	sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return "", false
	}
	text, ok := constString(f, sum.Y)
	return text, ok && strings.HasPrefix(text, "/")
}

// plainPrefix reports that a pattern is x+"/text".
func (b *base) plainPrefix(f *file, e ast.Expr) {
	b.keep(b.from, e.Pos(), "the pattern begins with "+b.text(f, ast.Unparen(e).(*ast.BinaryExpr).X)+
		", which is not constant: check that it is plain text without a slash at the end")
}

// uses calls f for each use of the package's objects in the program.
func (b *base) uses(do func(f *file, id *ast.Ident, obj types.Object)) {
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := f.info.Uses[id]; obj != nil && obj.Pkg() != nil && b.is(obj.Pkg().Path()) {
					do(f, id, obj)
				}
			}
			return true
		})
	}
}

// funcCall returns the call and its selector if id is the called function of the package.
func (b *base) funcCall(f *file, id *ast.Ident) (*ast.CallExpr, *ast.SelectorExpr) {
	sel, ok := f.parents[id].(*ast.SelectorExpr)
	if !ok || sel.Sel != id {
		return nil, nil
	}
	call, ok := f.parent(sel).(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != sel {
		return nil, nil
	}
	return call, sel
}

// routerType rewrites an occurrence of the type of a router.
func (b *base) routerType(f *file, id *ast.Ident, pointer bool) {
	sel, ok := f.parents[id].(*ast.SelectorExpr)
	if !ok {
		return // a dot import
	}
	if spec, ok := f.parent(sel).(*ast.TypeSpec); ok {
		b.done[id] = true
		b.manual(id.Pos(), "a type is declared as %s; declare it as muxwell.Mux or muxwell.Group", b.text(f, spec.Type))
		return
	}
	if star, ok := f.parents[sel].(*ast.StarExpr); ok {
		if spec, ok := f.parent(star).(*ast.TypeSpec); ok {
			b.done[id] = true
			b.manual(id.Pos(), "a type is declared as %s; declare it as *muxwell.Mux or *muxwell.Group", b.text(f, spec.Type))
			return
		}
	}
	s := b.g.typeSlot(f, sel)
	name := "Mux"
	if b.g.group(s) {
		name = "Group"
	}
	text := "muxwell." + name
	if pointer {
		text = "*" + text
	}
	b.p.replace(f, sel.Pos(), sel.End(), text)
	b.rewrote(id)
	b.exported(f, sel)
	for n := ast.Node(sel); n != nil; n = f.parents[n] {
		if field, ok := n.(*ast.Field); ok {
			if v := f.embedded(field); v != nil {
				b.renameField(v, name)
			}
			break
		}
	}
}

// exported notes that the type is a part of an API.
func (b *base) exported(f *file, n ast.Node) {
	if f.pkg.Name == "main" || strings.Contains(f.pkg.PkgPath, "internal") || strings.HasSuffix(f.name, "_test.go") {
		return
	}
	for ; n != nil; n = f.parents[n] {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return
		case *ast.Field:
			if len(n.Names) > 0 && !n.Names[0].IsExported() {
				if _, ok := f.parents[f.parents[n]].(*ast.StructType); ok {
					return
				}
			}
		case *ast.FuncDecl:
			if n.Name.IsExported() {
				b.change("The exported API of package " + f.pkg.Name + " has the types of muxwell, so programs that import it change too.")
			}
			return
		case *ast.TypeSpec:
			if n.Name.IsExported() {
				b.change("The exported API of package " + f.pkg.Name + " has the types of muxwell, so programs that import it change too.")
			}
			return
		}
	}
}

func (b *base) text(f *file, n ast.Node) string { return f.text(b.p, n) }

// renameField renames the uses of an embedded field, whose name is that of its type.
func (b *base) renameField(v *types.Var, name string) {
	if v.Name() == name {
		return
	}
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if use, ok := f.info.Uses[id].(*types.Var); ok && use.Embedded() && use.Pos() == v.Pos() {
					b.p.replace(f, id.Pos(), id.End(), name)
				}
			}
			return true
		})
	}
}

// toGroups passes m.Group(nil) where a mux is copied to a variable for groups.
func (b *base) toGroups() {
	for _, e := range b.g.edges {
		if e.derived || !b.g.group(e.to) || b.g.group(e.from) {
			continue
		}
		switch {
		case e.expr == nil:
			continue
		case b.g.facts[e.to]&usesMux != 0:
			b.manual(e.expr.Pos(), "a router and a part of a router get to the same variable, and Use, NotFound and the like "+
				"mean different things for them; write one function for *muxwell.Mux and one for *muxwell.Group")
		default:
			b.p.insert(e.file, e.expr.End(), ".Group(nil)")
		}
	}
}

// constructor returns the only call that creates the routers in s, or nil.
func (b *base) constructor(s slot) *newCall {
	return b.constructorIn(s, map[slot]bool{})
}

func (b *base) constructorIn(s slot, seen map[slot]bool) *newCall {
	if c := b.news[s]; c != nil || seen[s] {
		return c
	}
	seen[s] = true
	var found *newCall
	for _, e := range b.g.edges {
		if e.to != s {
			continue
		}
		c := b.constructorIn(e.from, seen)
		if e.derived || c == nil || found != nil && found != c {
			return nil
		}
		found = c
	}
	return found
}

// movable reports whether e means the same at the place of the constructor: it is in
// the same function and names nothing that is local.
func (b *base) movable(f *file, e ast.Expr, c *newCall) bool {
	if c.f != f || f.functionAt(c.from) != f.functionAt(e.Pos()) || f.functionAt(e.Pos()) == nil {
		return false
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			obj := f.info.ObjectOf(n)
			if v, isVar := obj.(*types.Var); isVar && v.IsField() {
				return true
			}
			if obj != nil && obj.Pkg() == f.pkg.Types && obj.Parent() != nil && obj.Parent() != types.Universe && obj.Parent() != f.pkg.Types.Scope() {
				if _, isPkg := obj.(*types.PkgName); !isPkg && (obj.Pos() < e.Pos() || obj.Pos() >= e.End()) {
					ok = false
				}
			}
		case *ast.CallExpr:
			if !f.info.Types[n.Fun].IsType() && f.enclosingWithin(n, e) == nil {
				ok = false // a call could have an effect that the order decides about
			}
		}
		return ok
	})
	return ok
}

// enclosingWithin returns the innermost function literal around n inside of e.
func (f *file) enclosingWithin(n ast.Node, e ast.Node) ast.Node {
	if fn := f.enclosing(n); fn != nil && fn.Pos() >= e.Pos() && fn.End() <= e.End() {
		return fn
	}
	return nil
}

// condition returns the position of the innermost branch or loop around n in its
// function, or NoPos.
func (f *file) condition(n ast.Node) token.Pos {
	for n != nil {
		up := f.parents[n]
		switch up.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return token.NoPos
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause, *ast.CommClause:
			return n.Pos()
		}
		n = up
	}
	return token.NoPos
}

// functionAt returns the body of the innermost function at pos, or nil.
func (f *file) functionAt(pos token.Pos) ast.Node {
	var found ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || pos >= n.End() {
			return false
		}
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			found = n
		}
		return true
	})
	return found
}

// finishNews writes the constructors with their options.
func (b *base) finishNews(strictSlash bool) {
	for _, c := range b.news {
		options := slices.Clone(c.options)
		if strictSlash {
			options = append([]string{"muxwell.TrailingSlash(muxwell.SlashStrict)"}, options...)
		}
		b.p.replace(c.f, c.from, c.to, "muxwell.New("+strings.Join(options, ", ")+")")
	}
}

// leftovers reports the uses that no rule knows.
func (b *base) leftovers(hints map[string]string) {
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		if b.done[id] {
			return
		}
		if v, ok := obj.(*types.Var); ok && v.IsField() && hints[obj.Name()] == "" {
			return // reported with its type
		}
		hint := hints[obj.Name()]
		if hint == "" {
			hint = "muxwell has no equivalent"
		}
		b.manual(id.Pos(), "%s: %s", obj.Name(), hint)
	})
}

// onlyStatement returns the expression statement that consists of e, or nil.
func (f *file) onlyStatement(e ast.Expr) *ast.ExprStmt {
	s, _ := f.parent(e).(*ast.ExprStmt)
	return s
}
