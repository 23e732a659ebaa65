package registration

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Mount is a router that is mounted below a prefix of another one.
type Mount struct {
	Outer, Inner Router
	Kind         Kind
	Prefix       *string // nil if it is not constant
	At           *Route  // the call, as a route without a pattern
}

// mounts returns the mounts that a call makes, one for each way to reach it.
func (x *index) mounts(call ssa.CallInstruction) (all []Mount) {
	cl, ok := x.calleeOf(call)
	e := x.calls[call.Common().Pos()]
	if !ok || cl.role != mounts || e == nil || len(e.Args) != 2 {
		return nil
	}
	for _, c := range x.waysTo(call) {
		outer, inner := x.place(receiver(call), c, 0), x.place(x.arg(call, 1), c, 0)
		at := &Route{Kind: cl.kind, Func: cl.name, Router: outer.router, Call: e, around: outer.around, ctx: c, instr: call}
		m := Mount{Outer: outer.router, Inner: inner.router, Kind: cl.kind, At: at}
		if prefix := x.text(e.Args[0], c, 0); prefix != nil && outer.known {
			full := joinPrefix(outer.prefix, prefix.Value)
			m.Prefix = &full
		}
		all = append(all, m)
	}
	return all
}

// mount returns the only mount of a router, or nil, and whether there is at most one.
func (t *Table) mount(r Router) (mount *Mount, ok bool) {
	for i, m := range t.Mounts {
		if m.Inner.Key() == r.Key() {
			if mount != nil {
				return nil, false
			}
			mount = &t.Mounts[i]
		}
	}
	return mount, true
}

// Prefixed returns a route as it is in the outermost router in which its router is mounted, as
// far as the mounts are in this package.
func (t *Table) Prefixed(rt *Route) *Route {
	outer := *rt
	for range 10 {
		mount, _ := t.mount(outer.Router)
		if mount == nil {
			break
		}
		outer.Router = mount.Outer
		if mount.Prefix == nil || outer.Prefix == nil {
			outer.Prefix = nil
			break
		}
		full := *mount.Prefix + *outer.Prefix
		outer.Prefix = &full
	}
	return &outer
}

// Pos returns where the router was made, or where it is from.
func (r Router) Pos() token.Pos {
	if r.New != nil {
		return r.New.Pos()
	}
	if v, ok := r.value.(ssa.Value); ok {
		return v.Pos()
	}
	return token.NoPos
}

// Returned reports whether a function that is not known made the router.
func (r Router) Returned() bool {
	_, call := r.value.(*ssa.Call)
	return call && r.New == nil
}

// Name returns what a function registers as a handler, for lists: the name of a function or
// the text of the expression.
func (t *Table) Name(rt *Route) string {
	if rt.Handler == nil {
		return ""
	}
	if fn := t.x.funcOf(orConst(rt.handler)); fn != nil && fn.Parent() == nil {
		return fn.RelString(nil)
	}
	return exprString(rt.Handler)
}

func orConst(v ssa.Value) ssa.Value {
	if v == nil {
		return ssa.NewConst(nil, types.Typ[types.UntypedNil])
	}
	return v
}
