package registration

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Middleware is an argument of Use or With.
type Middleware struct {
	Expr  ast.Expr
	value ssa.Value // nil if it is not known
	ctx   *context
}

// An around has the groups that are around a route, outermost first, and the router in which the
// outermost one was made.
type around struct {
	router any // Key of a Router; nil if there is no group
	groups []group
}

// A group is made by a call of Route, Group or With.
type group struct {
	call ssa.CallInstruction
	with []Middleware
}

// inside returns what is around a group that a call makes in a router.
func (a around) inside(r Router, call ssa.CallInstruction) around {
	if len(a.groups) == 0 {
		a.router = r.Key()
	}
	a.groups = append(slices.Clip(a.groups), group{call: call})
	return a
}

// outermost returns the Key of the router in which a route's outermost group was made.
func (r *Route) outermost() any {
	if len(r.around.groups) == 0 {
		return r.Router.Key()
	}
	return r.around.router
}

// usesOf returns a call of Use as a route without a pattern, one for each way to reach it.
func (x *index) usesOf(call ssa.CallInstruction) (all []*Route) {
	cl, ok := x.calleeOf(call)
	e := x.calls[call.Common().Pos()]
	if !ok || cl.role != uses || e == nil {
		return nil
	}
	for _, c := range x.waysTo(call) {
		p := x.place(receiver(call), c, 0)
		all = append(all, &Route{
			Kind: cl.kind, Func: "Use", Router: p.router, Call: e,
			around: p.around, uses: x.middlewareOf(call, e, c), ctx: c, instr: call,
		})
	}
	return all
}

// waysTo returns the ways to reach a call of a method of a router: from the declared function it
// is in, or if that gets the router as a parameter, from all.
func (x *index) waysTo(call ssa.CallInstruction) []*context {
	local := x.contextsTo(call.Parent(), 0, false)
	for _, c := range local {
		if _, param := x.place(receiver(call), c, 0).router.value.(*ssa.Parameter); param {
			return x.contexts(call.Parent())
		}
	}
	return local
}

// middlewareOf returns the variadic arguments of a call.
func (x *index) middlewareOf(call ssa.CallInstruction, e *ast.CallExpr, c *context) (all []Middleware) {
	for _, arg := range e.Args {
		all = append(all, Middleware{Expr: arg, ctx: c})
	}
	slice, ok := x.arg(call, 0).(*ssa.Slice)
	if !ok || e.Ellipsis.IsValid() {
		return all
	}
	for _, use := range *slice.X.Referrers() {
		at, ok := use.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		i, ok := at.Index.(*ssa.Const)
		if !ok || len(*at.Referrers()) != 1 {
			continue
		}
		if s, ok := (*at.Referrers())[0].(*ssa.Store); ok && int(i.Int64()) < len(all) {
			all[i.Int64()].value = s.Val
		}
	}
	return all
}

// Middleware returns the middleware around a route, outermost first: that of Use and With, in
// its groups and in the routers in which its router is mounted. certain is false if there may be
// more.
func (t *Table) Middleware(rt *Route) (all []Middleware, certain bool) {
	all, certain = t.within(rt)
	r := rt.Router
	for range 10 {
		mount, ok := t.mount(r)
		if mount == nil {
			return all, certain && ok
		}
		outer, ok := t.within(mount.At)
		all, certain = append(outer, all...), certain && ok
		r = mount.Outer
	}
	return all, false
}

// within returns the middleware around a route in its own router.
func (t *Table) within(rt *Route) (all []Middleware, certain bool) {
	certain = true
	for n := 0; ; n++ {
		var seen []*ast.CallExpr
		for _, use := range t.Uses {
			if use.outermost() != rt.outermost() || !sameGroups(use.around.groups, rt.around.groups[:n]) || slices.Contains(seen, use.Call) {
				continue
			}
			if !implies(rt, use) {
				certain = false
				continue
			}
			seen = append(seen, use.Call)
			all = append(all, use.uses...)
		}
		if n == len(rt.around.groups) {
			return all, certain
		}
		all = append(all, rt.around.groups[n].with...)
	}
}

func sameGroups(a, b []group) bool {
	return slices.EqualFunc(a, b, func(g, h group) bool { return g.call == h.call })
}

// implies reports whether each execution that registers a also does b.
func implies(a, b *Route) bool {
	fa, fb := a.frames(), b.frames()
	for len(fa) > 0 && len(fb) > 0 && fa[0] == fb[0] {
		fa, fb = fa[1:], fb[1:]
	}
	if len(fa) == 0 || len(fb) == 0 {
		return false
	}
	fa, fb = from(fb[0].Parent(), fa), from(fa[0].Parent(), fb) // the router may be made in either
	if fa[0].Parent() != fb[0].Parent() || !allAlways(fb[1:]) {
		return false
	}
	x, y := fa[0].Block(), fb[0].Block()
	return y == x || y.Dominates(x) || avoids(x, y) == blocked
}

// from returns the frames from those of a function on, or all if there is none.
func from(fn *ssa.Function, frames []ssa.Instruction) []ssa.Instruction {
	for i, f := range frames {
		if f.Parent() == fn {
			return frames[i:]
		}
	}
	return frames
}

// AroundReading returns what the middleware around a route reads, and whether it is all known.
func (t *Table) AroundReading(rt *Route) (all []*Reading, ok bool) {
	if rt.Kind == ServeMux {
		return nil, true
	}
	middleware, certain := t.Middleware(rt)
	if !certain {
		return nil, false
	}
	for _, m := range middleware {
		if m.value == nil {
			return nil, false
		}
		r := t.MiddlewareReading(m)
		if r.Unknown {
			return nil, false
		}
		all = append(all, r)
	}
	return all, true
}
