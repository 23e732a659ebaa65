package registration

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// usesOf returns a call of Use as a route without a pattern, one for each way to reach it.
func (x *index) usesOf(call ssa.CallInstruction) (all []*Route) {
	cl, ok := x.calleeOf(call)
	e := x.calls[call.Common().Pos()]
	if !ok || cl.role != uses || e == nil {
		return nil
	}
	for _, c := range x.contexts(call.Parent()) {
		all = append(all, &Route{Kind: cl.kind, Func: "Use", Router: x.place(receiver(call), c, 0).router, Call: e, ctx: c, instr: call})
	}
	return all
}

// Inner returns the router that a route has as its handler, if the route is the only use of it
// other than registrations that are all known, and their routes.
func (t *Table) Inner(rt *Route) []*Route {
	if rt.handler == nil {
		return nil
	}
	v, ok := t.x.resolve(rt.handler).(*ssa.Call)
	if cl, creates1 := t.x.calleeOf(callOrNil(v)); !ok || !creates1 || cl.role != creates || cl.kind != ServeMux {
		return nil
	}
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.MakeInterface, *ssa.DebugRef:
		case ssa.CallInstruction:
			if cl, ok := t.x.calleeOf(use); !ok || cl.role != registers {
				return nil
			}
		default:
			return nil
		}
	}
	var inner []*Route
	for _, r := range t.Routes {
		if r.Router.Key() == (Router{value: v}).Key() {
			if r.Text == nil {
				return nil
			}
			inner = append(inner, r)
		}
	}
	return inner
}

func callOrNil(v *ssa.Call) ssa.CallInstruction {
	if v == nil {
		return &ssa.Call{}
	}
	return v
}

// EarlyPatterns returns where a middleware around whole muxes reads r.Pattern before it calls
// the mux that sets it. The middleware is not used in another way.
func (t *Table) EarlyPatterns() (all []token.Pos) {
	for _, fn := range t.Funcs {
		if fn.Parent() != nil || !t.aroundMuxes(fn) {
			continue
		}
		for _, lit := range fn.AnonFuncs {
			all = append(all, t.x.early(lit)...)
		}
	}
	return all
}

// aroundMuxes reports whether all uses of a function are calls that wrap a whole mux for a
// server.
func (t *Table) aroundMuxes(fn *ssa.Function) bool {
	if len(t.x.callers[fn]) == 0 || len(t.x.other[fn]) > 0 || fn.Signature.Results().Len() != 1 || !isHandler(fn.Signature.Results().At(0).Type()) {
		return false
	}
	for _, call := range t.x.callers[fn] {
		v, ok := call.(*ssa.Call)
		if !ok || !wrapsMux(t.x, v) || !onlyServed(v) {
			return false
		}
	}
	return true
}

func wrapsMux(x *index, call *ssa.Call) bool {
	for _, arg := range call.Call.Args {
		switch types.TypeString(x.resolve(arg).Type(), nil) {
		case "*net/http.ServeMux", "*github.com/muxwell/muxwell.Mux":
			return true
		}
	}
	return false
}

// onlyServed reports whether a handler is only passed to functions of net/http that serve it,
// or is the Handler of a server.
func onlyServed(v ssa.Value) bool {
	served := false
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
			if !onlyServed(use.(ssa.Value)) {
				return false
			}
		case ssa.CallInstruction:
			fn := funcObj(use)
			if fn == nil || pkgPath(fn) != "net/http" || fn.Name() != "ListenAndServe" && fn.Name() != "ListenAndServeTLS" && fn.Name() != "Serve" && fn.Name() != "ServeTLS" {
				return false
			}
		case *ssa.Store:
			field := variable(use.Addr)
			if field == nil || field.Pkg() == nil || field.Pkg().Path() != "net/http" || field.Name() != "Handler" {
				return false
			}
		case *ssa.DebugRef:
			continue
		default:
			return false
		}
		served = true
	}
	return served
}

// early returns where a handler reads the Pattern of its request before it calls ServeHTTP.
func (x *index) early(fn *ssa.Function) (all []token.Pos) {
	var serves []ssa.CallInstruction
	for _, call := range callsOf(fn) {
		if c := call.Common(); c.IsInvoke() && c.Method.Name() == "ServeHTTP" {
			serves = append(serves, call)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.FieldAddr)
			if !ok || fieldOf(a).Name() != "Pattern" || x.owner(a.X, nil) != fn || types.TypeString(a.X.Type(), nil) != "*net/http.Request" || !onlyLoaded(a) {
				continue
			}
			for _, s := range serves {
				if before(a, s) && x.owner(s.Common().Args[1], nil) == fn {
					all = append(all, a.Pos())
					break
				}
			}
		}
	}
	return all
}

func onlyLoaded(a *ssa.FieldAddr) bool {
	for _, use := range *a.Referrers() {
		if _, ok := use.(*ssa.UnOp); !ok {
			return false
		}
	}
	return true
}

// before reports whether each execution that reaches b has executed a, and not b before a.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block()) && avoids(b.Block(), a.Block()) == unrelated
	}
	for _, i := range a.Block().Instrs {
		if i == a {
			return true
		} else if i == b {
			return false
		}
	}
	return false
}

// Before reports whether a is registered before b, if both are together.
func Before(a, b *Route) bool {
	fa, fb := a.frames(), b.frames()
	for len(fa) > 0 && len(fb) > 0 && fa[0] == fb[0] {
		fa, fb = fa[1:], fb[1:]
	}
	return len(fa) > 0 && len(fb) > 0 && fa[0].Parent() == fb[0].Parent() && before(fa[0], fb[0])
}
