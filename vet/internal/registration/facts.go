package registration

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/muxwell/muxwell/vet/internal/literal"
)

// fact returns what a function of another package registers, or nil.
func (x *index) fact(fn *types.Func) *registersFact {
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == x.pass.Pkg {
		return nil
	}
	fact, ok := x.remote[fn]
	if !ok {
		fact = new(registersFact)
		if !x.pass.ImportObjectFact(fn, fact) {
			fact = nil
		}
		x.remote[fn] = fact
	}
	return fact
}

// remoteRoutes returns the routes that a function of another package registers on the routers
// that a call passes to it.
func (x *index) remoteRoutes(call ssa.CallInstruction, e *ast.CallExpr, fact *registersFact) (all []*Route) {
	for _, c := range x.contexts(call.Parent()) {
		for _, r := range fact.Routes {
			if call.Common().IsInvoke() || r.Param >= len(call.Common().Args) {
				continue
			}
			p := x.place(call.Common().Args[r.Param], c, 0)
			text := literal.At(r.Pattern, e)
			rt := &Route{
				Kind: r.Kind, Func: r.Func, Method: r.Method, Text: &text, Router: p.router, around: p.around,
				Call: e, Remote: r.Source, ctx: c, instr: call,
			}
			if p.known {
				prefix := p.prefix + r.Prefix
				rt.Prefix = &prefix
			}
			all = append(all, rt)
		}
	}
	return all
}

// exportRegisters exports what exported functions always register on their parameters.
func (x *index) exportRegisters(routes []*Route) {
	found := make(map[*types.Func]*registersFact)
	for _, rt := range routes {
		outer := rt.ctx
		for outer.caller != nil {
			outer = outer.caller
		}
		p, ok := rt.Router.value.(*ssa.Parameter)
		if !ok || rt.Router.path != "" || p.Parent() != outer.fn || rt.Text == nil || len(rt.Options) > 0 || !rt.Always() || x.InTest(rt) {
			continue
		}
		obj, _ := outer.fn.Object().(*types.Func)
		if obj == nil || !obj.Exported() {
			continue
		}
		if found[obj] == nil {
			found[obj] = new(registersFact)
		}
		r := remoteRoute{Kind: rt.Kind, Func: rt.Func, Method: rt.Method, Pattern: rt.Text.Value, Source: rt.Remote}
		if rt.Prefix != nil {
			r.Prefix = *rt.Prefix
		} else if _, _, ok := prefixBelow(x, rt); !ok {
			continue
		} else {
			r.Prefix, _, _ = prefixBelow(x, rt)
		}
		if r.Source == "" {
			r.Source = x.source(rt.Pos())
		}
		for i, q := range outer.fn.Params {
			if q == p {
				r.Param = i
			}
		}
		found[obj].Routes = append(found[obj].Routes, r)
	}
	for obj, fact := range found {
		x.pass.ExportObjectFact(obj, fact)
	}
}

// prefixBelow returns the prefix that a route has below a group that is a parameter.
func prefixBelow(x *index, rt *Route) (prefix string, group bool, ok bool) {
	if rt.Remote != "" {
		return "", false, false
	}
	cl, found := x.calleeOf(rt.instr)
	if !found || !cl.receiver {
		return "", false, false
	}
	p := x.place(receiver(rt.instr), rt.ctx, 0)
	return p.prefix, p.group, p.group
}

// source returns a position as file:line.
func (x *index) source(pos token.Pos) string {
	p := x.pass.Fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

// InTest reports whether a test file registers a route, itself or by a call.
func (x *index) InTest(rt *Route) bool {
	for _, frame := range rt.frames() {
		if x.InTestFile(frame.Pos()) {
			return true
		}
	}
	return x.InTestFile(rt.Pos())
}

// constraintNames returns the names of the constraints that the package defines.
func (x *index) constraintNames() (names []string) {
	for _, e := range x.calls {
		if fn := x.calledFunc(e); fn != nil && fn.FullName() == "github.com/muxwell/muxwell.Constraint" && len(e.Args) > 0 {
			if t := x.text(e.Args[0], nil, 0); t != nil {
				names = append(names, t.Value)
			}
		}
	}
	return names
}

// calledFunc returns the function that a call expression names, or nil.
func (x *index) calledFunc(e *ast.CallExpr) *types.Func {
	fun := ast.Unparen(e.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, _ := x.pass.TypesInfo.Uses[id].(*types.Func)
	return fn
}

// InTestFile reports whether a position is in a test file.
func (x *index) InTestFile(pos token.Pos) bool {
	return pos.IsValid() && strings.HasSuffix(x.pass.Fset.Position(pos).Filename, "_test.go")
}
