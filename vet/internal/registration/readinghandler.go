package registration

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// handler reads what a handler reads of its request.
func (f *reader) handler(v ssa.Value, c *context, depth int) {
	f.steps++
	if v == nil || depth > maxNesting || f.steps > maxSteps {
		f.unknown()
		return
	}
	v = f.x.resolve(v)
	switch w := v.(type) {
	case *ssa.Function:
		f.declared(target(w), c, depth)
		return
	case *ssa.MakeClosure:
		f.declared(target(w.Fn.(*ssa.Function)), c, depth)
		return
	case *ssa.Parameter:
		if outer, oc, ok := f.x.bound(w, c); ok {
			f.handler(outer, oc, depth+1)
			return
		}
		if w.Parent() == f.root {
			f.reading.nexts = addIndex(f.reading.nexts, slices.Index(f.root.Params, w))
			return
		}
	case *ssa.Call:
		f.made(w, c, depth)
		return
	}
	m, _, _ := types.LookupFieldOrMethod(v.Type(), true, f.x.pass.Pkg, "ServeHTTP")
	obj, ok := m.(*types.Func)
	switch {
	case !ok || types.IsInterface(v.Type()):
		f.unknown()
	case obj.Pkg() != f.x.pass.Pkg:
		f.fact(obj, nil, c, depth, false)
	default:
		if fn := f.x.pkg.Prog.FuncValue(obj); fn != nil {
			f.declared(fn, c, depth)
		} else {
			f.unknown()
		}
	}
}

// declared reads what a function reads that is a handler.
func (f *reader) declared(fn *ssa.Function, c *context, depth int) {
	if fn.Blocks == nil {
		obj, _ := fn.Object().(*types.Func)
		f.fact(obj, nil, c, depth, false)
		return
	}
	inner := &context{fn: fn, caller: c}
	gets := false
	for _, p := range fn.Params {
		if isRequest(p.Type()) {
			gets = true
			f.follow(p, inner, depth+1)
		}
	}
	if !gets {
		f.unknown()
	}
}

// made reads what a handler reads that a call returns.
func (f *reader) made(call *ssa.Call, c *context, depth int) {
	if fn := f.x.staticCallee(call); fn != nil {
		f.returned(fn, &context{fn, call, c}, depth+1)
		return
	}
	fn := funcObj(call)
	if fn == nil || call.Call.IsInvoke() {
		f.unknown()
		return
	}
	if pkgPath(fn) == "net/http" {
		switch fn.Name() {
		case "NotFoundHandler", "RedirectHandler":
			return
		case "StripPrefix":
			f.handler(call.Call.Args[1], c, depth+1)
			return
		case "TimeoutHandler", "MaxBytesHandler", "AllowQuerySemicolons":
			f.handler(call.Call.Args[0], c, depth+1)
			return
		}
	}
	f.fact(fn, call, c, depth, false)
}

// returned reads what the handlers read that a function of the package returns.
func (f *reader) returned(fn *ssa.Function, c *context, depth int) {
	found := false
	for _, b := range fn.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if len(r.Results) != 1 {
			f.unknown()
			return
		}
		found = true
		f.handler(r.Results[0], c, depth+1)
	}
	if !found {
		f.unknown()
	}
}

// function reads what a function reads that is called with the request as an argument.
func (f *reader) function(v ssa.Value, call ssa.CallInstruction, c *context, depth int) {
	if fn, ok := v.(*ssa.Function); ok && fn.Blocks == nil {
		f.fact(funcObj(call), call, c, depth, true)
		return
	}
	f.handler(v, c, depth)
}

// fact reads what is known about a function of another package. call is its call, or nil if it
// is a handler. A helper gets the request from a handler.
func (f *reader) fact(fn *types.Func, call ssa.CallInstruction, c *context, depth int, helper bool) {
	var fact readsFact
	if fn == nil || fn.Pkg() == f.x.pass.Pkg || !f.x.pass.ImportObjectFact(fn.Origin(), &fact) {
		f.unknown()
		return
	}
	for _, n := range fact.Names {
		n.Helper = n.Helper || helper
		if !n.Helper {
			n.fn = fn
		}
		f.reading.add(n)
	}
	if fact.Unknown {
		f.unknown()
	}
	if call == nil && len(fact.Params)+len(fact.Nexts) > 0 {
		f.unknown()
		return
	}
	for _, i := range fact.Params {
		f.name(call.Common().Args[i], call, c)
	}
	for _, i := range fact.Nexts {
		f.handler(call.Common().Args[i], c, depth+1)
	}
}

// middleware reads what a middleware reads, whose parameter is not known.
func (f *reader) middleware(v ssa.Value, c *context) {
	switch w := f.x.resolve(v).(type) {
	case *ssa.Function, *ssa.MakeClosure:
		fn := f.x.funcOf(w)
		if fn.Blocks == nil {
			obj, _ := fn.Object().(*types.Func)
			var fact readsFact
			if obj == nil || !f.x.pass.ImportObjectFact(obj.Origin(), &fact) || len(fact.Params) > 0 || fact.Unknown {
				f.unknown()
			}
			for _, n := range fact.Names {
				f.reading.add(n)
			}
			return
		}
		f.root = fn
		f.returned(fn, &context{fn: fn, caller: c}, 0)
	default:
		f.unknown()
	}
}
