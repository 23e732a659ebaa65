package registration

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
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
// that a call passes to it, and on the one that it returns.
func (x *index) remoteRoutes(call ssa.CallInstruction, e *ast.CallExpr, fact *registersFact) (all []*Route) {
	for _, c := range x.contexts(call.Parent()) {
		for _, r := range fact.Routes {
			if call.Common().IsInvoke() || r.Param >= len(call.Common().Args) {
				continue
			}
			p := place{router: Router{value: call}, known: true}
			if r.Param >= 0 {
				p = x.place(call.Common().Args[r.Param], c, 0)
			}
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

// exportRegisters exports what exported functions always register on their parameters, and on
// the muxes that they return.
func (t *Table) exportRegisters() {
	x := t.x
	found := make(map[*types.Func]*registersFact)
	made := x.returnedMuxes()
	for _, rt := range t.Routes {
		if rt.Text == nil || len(rt.Options) > 0 || !rt.Always() || x.InTest(rt) {
			continue
		}
		rt, always := t.mounted(rt)
		param := 0
		obj := made[rt.Router.value]
		if obj != nil {
			if rt.outermostFunc().Object() != obj {
				continue // it depends on the arguments of one call
			}
			param = -1
		} else if p, ok := rt.Router.value.(*ssa.Parameter); ok && rt.Router.path == "" && p.Parent() == rt.outermostFunc() {
			obj, _ = p.Parent().Object().(*types.Func)
			param = slices.Index(p.Parent().Params, p)
		}
		if obj == nil || !obj.Exported() || !always {
			continue
		}
		r := remoteRoute{Param: param, Kind: rt.Kind, Func: rt.Func, Method: rt.Method, Pattern: rt.Text.Value, Source: rt.Remote}
		if rt.Prefix != nil {
			r.Prefix = *rt.Prefix
		} else if prefix, ok := prefixBelow(x, rt); ok {
			r.Prefix = prefix
		} else {
			continue
		}
		if r.Source == "" {
			r.Source = x.source(rt.Pos())
		}
		if found[obj] == nil {
			found[obj] = new(registersFact)
		}
		found[obj].Routes = append(found[obj].Routes, r)
	}
	for router, obj := range made {
		if fact := found[obj]; fact != nil {
			fact.Complete = x.onlyRegistered(router.(*ssa.Call), true) && len(fact.Routes) == len(t.on(router))
		}
	}
	for obj, fact := range found {
		x.pass.ExportObjectFact(obj, fact)
	}
}

// mounted returns a route as it is in the outermost router, and whether it always is there.
func (t *Table) mounted(rt *Route) (outer *Route, always bool) {
	r := rt.Router
	for range 10 {
		mount, _ := t.mount(r)
		if mount == nil {
			return t.Prefixed(rt), true
		}
		if !mount.At.Always() {
			return rt, false
		}
		r = mount.Outer
	}
	return rt, false
}

// on returns the routes of a router that is made by a call.
func (t *Table) on(router any) (all []*Route) {
	for _, rt := range t.Routes {
		if rt.Router.Key() == (Router{value: router}).Key() {
			all = append(all, rt)
		}
	}
	return all
}

// outermostFunc returns the function with the outermost call that leads to the registration.
func (r *Route) outermostFunc() *ssa.Function {
	c := r.ctx
	for c.caller != nil {
		c = c.caller
	}
	return c.fn
}

// returnedMuxes returns the functions that return a mux, by the call that makes it.
func (x *index) returnedMuxes() map[any]*types.Func {
	muxes := make(map[any]*types.Func)
	for _, fn := range x.funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !obj.Exported() || fn.Parent() != nil || fn.Signature.Results().Len() != 1 || fn.TypeParams() != nil {
			continue
		}
		var mux *ssa.Call
		for _, b := range fn.Blocks {
			r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
			if !ok {
				continue
			}
			v, _ := x.resolve(r.Results[0]).(*ssa.Call)
			cl, ok := x.calleeOf(callOrNil(v))
			if !ok || cl.role != creates || mux != nil && mux != v || v.Parent() != fn {
				mux = nil
				break
			}
			mux = v
		}
		if mux != nil {
			muxes[mux] = obj
		}
	}
	return muxes
}

// prefixBelow returns the prefix that a route has below a group that is a parameter.
func prefixBelow(x *index, rt *Route) (prefix string, ok bool) {
	if rt.Remote != "" {
		return "", false
	}
	cl, found := x.calleeOf(rt.instr)
	if !found || !cl.receiver {
		return "", false
	}
	p := x.place(receiver(rt.instr), rt.ctx, 0)
	return p.prefix, p.group
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

// constraintNames returns the names of the constraints that the package defines, sorted: the go
// command compares facts byte by byte.
func (x *index) constraintNames() (names []string) {
	for _, e := range x.calls {
		if fn := x.calledFunc(e); fn != nil && fn.FullName() == "github.com/muxwell/muxwell.Constraint" && len(e.Args) > 0 {
			if t := x.text(e.Args[0], nil, 0); t != nil {
				names = append(names, t.Value)
			}
		}
	}
	slices.Sort(names)
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
