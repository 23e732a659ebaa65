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

// onlyStatement returns the expression statement that consists of e, or nil.
func (f *file) onlyStatement(e ast.Expr) *ast.ExprStmt {
	s, _ := f.parent(e).(*ast.ExprStmt)
	return s
}
