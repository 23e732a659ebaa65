// Package registration finds the routes that a package registers: on which router, below which
// prefix, with which pattern and handler, and from where in the source.
//
// It follows values in SSA form as far as they are certain. What is not known is left open: a
// route without a constant pattern has no Text, and a router that came from elsewhere is a
// [Router] of its own. A registration in a function that gets the router, the pattern or the
// handler as a parameter becomes one [Route] for each call of that function.
//
//	func (s *server) handle(pattern string, h http.HandlerFunc) {
//		s.mux.HandleFunc(pattern, s.log(h))
//	}
//	...
//	s.handle("GET /users/{id}", s.getUser)   // one Route, at this call
package registration

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/muxwell/muxwell/vet/internal/literal"
)

// Analyzer finds the routes of a package. Its result is a *[Table].
var Analyzer = &analysis.Analyzer{
	Name:       "registration",
	Doc:        "find the routes that a package registers",
	URL:        URL,
	Run:        run,
	ResultType: reflect.TypeFor[*Table](),
	FactTypes:  []analysis.Fact{new(registersFact), new(constraintsFact), new(setsFact), new(readsFact)},
}

// URL is the address of the documentation of all checks.
const URL = "https://github.com/muxwell/muxwell/blob/main/docs/vet.md"

// A Table has the routes of a package. If the package uses no router, SSA is nil.
type Table struct {
	SSA         *ssa.Package
	Funcs       []*ssa.Function // all that the package declares, with literals
	Routes      []*Route        // in the order of the source
	Mounts      []Mount
	Uses        []*Route      // calls of Use, as routes without a pattern
	Constraints []string      // names of constraints of this package and those it imports
	Kinds       map[Kind]bool // the routers whose packages are imported
	Sets        bool          // the package calls SetPathValue

	x *index
}

// A Route is a route that is registered on a router.
type Route struct {
	Kind    Kind
	Func    string        // the function that registers it: HandleFunc
	Method  string        // GET, if Func is Get
	Text    *literal.Text // the pattern as it was passed; nil if it is not constant
	Prefix  *string       // of the groups around it; nil if it is not constant
	Below   string        // the last part of the prefix, which is constant
	Router  Router
	Call    *ast.CallExpr // the outermost call that led to the registration and has the pattern
	Handler ast.Expr      // the argument of Call or of the registration; nil if there is none
	Options []ast.Expr    // of the registration
	Spread  bool          // the last option is followed by "..."
	Remote  string        // file:line of the registration, if another package makes it

	around  around
	uses    []Middleware // of a call of Use
	handler ssa.Value
	ctx     *context
	instr   ssa.CallInstruction
}

// A Router identifies the value on which routes are registered. Equal Routers are the same
// value, in one execution of the function that made or got it.
type Router struct {
	value any    // ssa.Value, or a constant for http.DefaultServeMux
	path  string // fields of value
	// New is the call of muxwell.New that made it, or nil.
	New *ast.CallExpr
	// Made is set if it is known where the router was made, with New or without options.
	Made bool
}

// Key returns what identifies the router.
func (r Router) Key() any { return [2]any{r.value, r.path} }

// Pos returns the position of the registration.
func (r *Route) Pos() token.Pos { return r.Call.Pos() }

func run(pass *analysis.Pass) (any, error) {
	t := &Table{Kinds: map[Kind]bool{kinds[pass.Pkg.Path()]: true}}
	var sets setsFact
	names := constraintsFact{}
	for _, p := range pass.Pkg.Imports() {
		t.Kinds[kinds[p.Path()]] = true
	}
	for _, fact := range pass.AllPackageFacts() {
		if f, ok := fact.Fact.(*constraintsFact); ok {
			names.Names = append(names.Names, f.Names...)
		}
	}
	if !t.Kinds[ServeMux] && !t.Kinds[Muxwell] && !t.Kinds[Chi] && !t.Kinds[Gorilla] || standard(pass) {
		return t, nil
	}
	for _, obj := range pass.TypesInfo.Uses {
		fn, ok := obj.(*types.Func)
		if ok && fn.FullName() == "(*net/http.Request).SetPathValue" {
			sets.Sets, t.Sets = true, true
		}
	}
	x := newIndex(pass)
	t.SSA, t.Funcs, t.x = x.pkg, x.funcs, x

	names.Names = append(names.Names, x.constraintNames()...)
	t.Constraints = names.Names
	for _, fn := range x.funcs {
		for _, call := range callsOf(fn) {
			t.Routes = append(t.Routes, x.routes(call)...)
			t.Mounts = append(t.Mounts, x.mounts(call)...)
			t.Uses = append(t.Uses, x.usesOf(call)...)
		}
	}
	t.exportRegisters()
	x.exportReads(sets.Sets)

	if own := x.constraintNames(); len(own) > 0 {
		pass.ExportPackageFact(&constraintsFact{own})
	}
	if sets.Sets {
		pass.ExportPackageFact(&sets)
	}
	return t, nil
}

// standard reports whether the package is of the standard library, whose own routes are no
// concern.
func standard(pass *analysis.Pass) bool {
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	return pass.Module == nil && !strings.Contains(first, ".")
}

// A registersFact has the routes that a function always registers on a parameter, or on the mux
// that it returns. If they are Complete, that mux has no others.
type registersFact struct {
	Routes   []remoteRoute
	Complete bool
}

type remoteRoute struct {
	Param                         int // index, where a receiver is the first one; -1 is the result
	Kind                          Kind
	Func, Method, Prefix, Pattern string
	Source                        string // file:line
}

// A constraintsFact has the names of the constraints that a package defines.
type constraintsFact struct{ Names []string }

// A setsFact is exported by packages that call SetPathValue.
type setsFact struct{ Sets bool }

// A readsFact has what a function reads of the request that it gets, or that the handler gets
// which it returns.
type readsFact struct {
	Names         []NamedRead
	Params, Nexts []int // see Reading; a receiver is the first one
	Unknown       bool
}

func (*registersFact) AFact()   {}
func (*readsFact) AFact()       {}
func (*constraintsFact) AFact() {}
func (*setsFact) AFact()        {}
