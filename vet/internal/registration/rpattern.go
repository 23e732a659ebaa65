package registration

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A PatternRead is a place in a middleware around whole muxes where r.Pattern is empty.
type PatternRead struct {
	Pos      token.Pos
	Replaced bool // it comes after the mux was called, with another request than r
}

// EmptyPatterns returns where a middleware around whole muxes reads an empty r.Pattern: before it
// calls the handler that sets it, or after it has called that with a copy of the request. The
// middleware is not used in another way.
func (t *Table) EmptyPatterns() (all []PatternRead) {
	for _, fn := range t.Funcs {
		if fn.Parent() != nil || !t.aroundMuxes(fn) {
			continue
		}
		for _, lit := range fn.AnonFuncs {
			all = append(all, t.x.emptyPatterns(lit)...)
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
		if !ok || !wrapsMux(t.x, v, 0) || !onlyServed(v) {
			return false
		}
	}
	return true
}

// wrapsMux reports whether an argument of a call is a mux, or middleware around one.
func wrapsMux(x *index, call *ssa.Call, depth int) bool {
	if depth > 10 || !isHandler(call.Type()) {
		return false
	}
	for _, arg := range call.Call.Args {
		v := x.resolve(arg)
		switch types.TypeString(v.Type(), nil) {
		case "*net/http.ServeMux", "*github.com/muxwell/muxwell.Mux":
			return true
		}
		if inner, ok := v.(*ssa.Call); ok && wrapsMux(x, inner, depth+1) {
			return true
		}
	}
	return false
}

// onlyServed reports whether a handler is only passed to functions of net/http that serve it,
// or is the Handler of a server, in other middleware or not.
func onlyServed(v ssa.Value) bool {
	served := false
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType:
			if !onlyServed(use.(ssa.Value)) {
				return false
			}
		case ssa.CallInstruction:
			if !serves(use) {
				outer, ok := use.(*ssa.Call)
				if _, router := calleeOf(funcObj(use)); !ok || router || !isHandler(outer.Type()) || !onlyServed(outer) {
					return false
				}
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

// serves reports whether a call is of a function of net/http that serves a handler.
func serves(call ssa.CallInstruction) bool {
	fn := funcObj(call)
	if fn == nil || pkgPath(fn) != "net/http" {
		return false
	}
	switch fn.Name() {
	case "ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS":
		return true
	}
	return false
}

// emptyPatterns returns where a handler that calls a mux reads an empty Pattern of its request.
func (x *index) emptyPatterns(fn *ssa.Function) (all []PatternRead) {
	var same, copied []ssa.CallInstruction // calls of ServeHTTP with the request, and with a copy
	for _, call := range callsOf(fn) {
		if c := call.Common(); c.IsInvoke() && c.Method.Name() == "ServeHTTP" && x.owner(c.Args[1], nil) == fn {
			if _, ok := x.resolve(c.Args[1]).(*ssa.Parameter); ok {
				same = append(same, call)
			} else {
				copied = append(copied, call)
			}
		}
	}
	if len(copied) > 0 && len(same) == 0 && x.servesOnly(fn, copied) {
		for _, g := range append(fn.AnonFuncs, fn) {
			for _, a := range x.patternReads(g, fn) {
				if _, ok := x.resolve(a.X).(*ssa.Parameter); ok && (g == fn && before(copied[0], a) || g != fn && deferred(g)) {
					all = append(all, PatternRead{a.Pos(), true})
				}
			}
		}
	}
	for _, a := range x.patternReads(fn, fn) {
		for _, s := range append(same, copied...) {
			if before(a, s) {
				all = append(all, PatternRead{a.Pos(), false})
				break
			}
		}
	}
	return all
}

// patternReads returns where a function reads the Pattern of a request that its owner has as a
// parameter, unless it sets that too.
func (x *index) patternReads(fn, owner *ssa.Function) (all []*ssa.FieldAddr) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			a, ok := instr.(*ssa.FieldAddr)
			if ok && types.TypeString(a.X.Type(), nil) == "*net/http.Request" && fieldOf(a).Name() == "Pattern" && x.owner(a.X, nil) == owner {
				if !onlyLoaded(a) {
					return nil
				}
				all = append(all, a)
			}
		}
	}
	return all
}

// servesOnly reports whether only these calls, all in fn, may serve the request that fn has as a
// parameter: no other call gets a ResponseWriter, and no function literal but deferred ones is
// made.
func (x *index) servesOnly(fn *ssa.Function, calls []ssa.CallInstruction) bool {
	for _, g := range fn.AnonFuncs {
		if !deferred(g) {
			return false
		}
		if !x.servesOnly(g, nil) {
			return false
		}
	}
	for _, call := range callsOf(fn) {
		if slices.Contains(calls, call) {
			continue
		}
		for _, arg := range call.Common().Args {
			if m, _, _ := types.LookupFieldOrMethod(arg.Type(), true, nil, "WriteHeader"); m != nil {
				return false
			}
		}
	}
	return true
}

// deferred reports whether a function literal is only called when the function around it returns.
func deferred(fn *ssa.Function) bool {
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok || mc.Fn != fn {
				continue
			}
			for _, use := range *mc.Referrers() {
				if _, ok := use.(*ssa.Defer); !ok {
					return false
				}
			}
			return true
		}
	}
	return false
}

func onlyLoaded(a *ssa.FieldAddr) bool {
	for _, use := range *a.Referrers() {
		if _, ok := use.(*ssa.UnOp); !ok {
			return false
		}
	}
	return true
}
