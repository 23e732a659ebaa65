package registration

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A Reach is what is known about the routes whose requests reach a function.
type Reach struct {
	Routes  []*Route
	Unknown bool // requests of other routes may reach it
	Open    bool // other packages may register it too
}

// Reach returns the routes whose requests a function of the package gets.
func (t *Table) Reach(fn *ssa.Function) *Reach {
	f := &flow{x: t.x, t: t, reach: new(Reach), values: make(map[ssa.Value]bool), funcs: make(map[*ssa.Function]bool)}
	f.function(fn)
	return f.reach
}

// A flow follows a handler from where it is made to where it is registered.
type flow struct {
	x      *index
	t      *Table
	reach  *Reach
	values map[ssa.Value]bool
	funcs  map[*ssa.Function]bool
}

// function adds the routes of a function that is a handler, or is called by one.
func (f *flow) function(fn *ssa.Function) {
	if f.funcs[fn] {
		return
	}
	f.funcs[fn] = true
	if fn.Parent() == nil {
		if fn.Object() == nil || fn.Name() == "ServeHTTP" || fn.TypeParams() != nil || fn.Signature.Recv() != nil && f.implements(fn) {
			f.reach.Unknown = true
			return
		}
		if fn.Object().Exported() && f.x.pass.Pkg.Name() != "main" {
			f.reach.Open = true
			before := len(f.reach.Routes)
			defer func() { // another package registers it
				if len(f.reach.Routes) == before {
					f.reach.Unknown = true
				}
			}()
		}
	}
	for _, call := range f.x.callers[fn] {
		if _, ok := f.x.calleeOf(call); ok || f.x.InTestFile(call.Pos()) {
			continue // a function that gets a group
		}
		f.function(call.Parent())
	}
	for _, use := range f.x.other[fn] {
		if f.x.InTestFile(use.Pos()) {
			continue
		}
		f.use(fn, use)
	}
	if fn.Parent() != nil {
		f.literal(fn)
	}
}

// literal adds the routes of a function literal.
func (f *flow) literal(fn *ssa.Function) {
	if len(fn.FreeVars) == 0 {
		return // it is used as a function, see index.other
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == fn {
				f.value(mc)
			}
		}
	}
}

// implements reports whether a method may be called through an interface that the package
// declares or that it imports from outside of net/http.
func (f *flow) implements(fn *ssa.Function) bool {
	recv := fn.Signature.Recv().Type()
	scope := f.x.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		i, ok := tn.Type().Underlying().(*types.Interface)
		if !ok || i.NumMethods() == 0 || !types.Implements(recv, i) {
			continue
		}
		for m := range i.Methods() {
			if m.Name() == fn.Name() {
				return true
			}
		}
	}
	return false
}

// use adds the routes of an instruction that uses a function as a value.
func (f *flow) use(fn *ssa.Function, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.MakeClosure: // a bound method
		f.value(instr)
	case ssa.CallInstruction:
		for i, arg := range instr.Common().Args {
			if g, ok := arg.(*ssa.Function); ok && target(g) == fn {
				f.argument(instr, i)
			}
		}
	case ssa.Value:
		f.converted(instr)
	case *ssa.Store:
		f.stored(instr)
	case *ssa.Return:
		f.returned(instr)
	case *ssa.DebugRef:
	default:
		f.reach.Unknown = true
	}
}

// converted adds the routes of a value that an instruction made of a handler.
func (f *flow) converted(v ssa.Value) {
	switch v.(type) {
	case *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.Phi, *ssa.MakeClosure:
		f.value(v)
	default:
		f.reach.Unknown = true
	}
}

// value adds the routes of a handler.
func (f *flow) value(v ssa.Value) {
	if f.values[v] || f.reach.Unknown {
		return
	}
	f.values[v] = true
	if v.Referrers() == nil {
		f.reach.Unknown = true
		return
	}
	for _, instr := range *v.Referrers() {
		switch instr := instr.(type) {
		case ssa.CallInstruction:
			c := instr.Common()
			if !c.IsInvoke() && c.Value == v {
				if mc, ok := v.(*ssa.MakeClosure); ok && len(mc.Fn.(*ssa.Function).FreeVars) > 0 {
					f.function(instr.Parent())
				}
				continue // see index.callers
			}
			if c.IsInvoke() && c.Value == v {
				f.reach.Unknown = true
				continue
			}
			for i, arg := range c.Args {
				if arg == v {
					f.argument(instr, i)
				}
			}
		case *ssa.Store:
			f.stored(instr)
		case *ssa.Return:
			f.returned(instr)
		case *ssa.DebugRef:
		case ssa.Value:
			f.converted(instr)
		default:
			f.reach.Unknown = true
		}
	}
}

// stored adds the routes of a handler that is stored: in a local variable with one value.
func (f *flow) stored(s *ssa.Store) {
	alloc, ok := s.Addr.(*ssa.Alloc)
	if !ok || onlyStore(alloc) != s.Val {
		f.reach.Unknown = true
		return
	}
	visitVariable(alloc, func(instr ssa.Instruction, _ ssa.Value) bool {
		if load, ok := instr.(*ssa.UnOp); ok {
			f.value(load)
		}
		return true
	})
}

// returned adds the routes of a handler that a function returns.
func (f *flow) returned(r *ssa.Return) {
	fn := r.Parent()
	if len(r.Results) != 1 || len(f.x.other[fn]) > 0 || fn.Parent() != nil && len(f.x.callers[fn]) == 0 {
		f.reach.Unknown = true
		return
	}
	if fn.Object() != nil && fn.Object().Exported() && f.x.pass.Pkg.Name() != "main" {
		f.reach.Open = true
	}
	if fn.Signature.Recv() != nil && f.implements(fn) {
		f.reach.Unknown = true
		return
	}
	for _, call := range f.x.callers[fn] {
		if v, ok := call.(*ssa.Call); ok {
			f.value(v)
		}
	}
}

// argument adds the routes of a handler that is an argument of a call.
func (f *flow) argument(call ssa.CallInstruction, i int) {
	if f.x.InTestFile(call.Pos()) {
		return
	}
	if cl, ok := f.x.calleeOf(call); ok {
		if cl.role == registers && (cl.kind == ServeMux || cl.kind == Muxwell) {
			f.registered(call)
		} else {
			f.reach.Unknown = true
		}
		return
	}
	callee := f.x.staticCallee(call)
	if callee != nil && i < len(callee.Params) && len(callee.Params) == len(call.Common().Args) {
		before := len(f.reach.Routes)
		f.parameter(callee.Params[i], call)
		if f.reach.Unknown || len(f.reach.Routes) > before {
			if v, ok := call.(*ssa.Call); !ok || !isHandler(v.Type()) {
				return
			}
		}
	} else if fn := funcObj(call); callee == nil && (fn == nil || fn.Pkg() == f.x.pass.Pkg || f.sets(fn)) {
		f.reach.Unknown = true
		return
	}
	if v, ok := call.(*ssa.Call); ok && isHandler(v.Type()) {
		f.value(v) // a middleware
		return
	}
	if callee == nil {
		f.reach.Unknown = true
	}
}

// sets reports whether a function is of a package that calls SetPathValue.
func (f *flow) sets(fn *types.Func) bool {
	return fn.Pkg() == nil || f.x.pass.ImportPackageFact(fn.Pkg(), new(setsFact))
}

// parameter adds the routes that a function registers with a handler that is its parameter, in
// a call.
func (f *flow) parameter(p *ssa.Parameter, call ssa.CallInstruction) {
	w, ok := call.(*ssa.Call)
	wraps := ok && isHandler(w.Type())
	var follow func(v ssa.Value, depth int)
	seen := make(map[ssa.Value]bool)
	follow = func(v ssa.Value, depth int) {
		if v.Referrers() == nil || seen[v] || depth > 10 {
			return
		}
		seen[v] = true
		for _, instr := range *v.Referrers() {
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				c := instr.Common()
				if c.Value == v { // it serves a request
					if !wraps {
						f.function(instr.Parent())
					}
					continue
				}
				if cl, ok := f.x.calleeOf(instr); ok {
					if cl.role != registers || cl.kind != ServeMux && cl.kind != Muxwell {
						f.reach.Unknown = true
						continue
					}
					f.registeredBy(instr, call)
					continue
				}
				if w, ok := instr.(*ssa.Call); ok && isHandler(w.Type()) {
					follow(w, depth+1)
					continue
				}
				f.reach.Unknown = true
			case *ssa.Store:
				alloc, ok := instr.Addr.(*ssa.Alloc)
				if !ok || onlyStore(alloc) != instr.Val {
					f.reach.Unknown = true
					continue
				}
				visitVariable(alloc, func(i ssa.Instruction, _ ssa.Value) bool {
					if load, ok := i.(*ssa.UnOp); ok {
						follow(load, depth+1)
					}
					return true
				})
			case *ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface:
				follow(instr.(ssa.Value), depth+1)
			case *ssa.Return, *ssa.DebugRef, *ssa.BinOp:
			default:
				f.reach.Unknown = true
			}
		}
	}
	follow(p, 0)
}

// registered adds all routes that a call registers.
func (f *flow) registered(call ssa.CallInstruction) {
	for _, rt := range f.t.Routes {
		if rt.instr == call {
			f.add(rt)
		}
	}
}

// registeredBy adds the routes that one call registers by means of another.
func (f *flow) registeredBy(inner, outer ssa.CallInstruction) {
	for _, rt := range f.t.Routes {
		if rt.instr != inner {
			continue
		}
		for c := rt.ctx; c != nil; c = c.caller {
			if c.call == outer {
				f.add(rt)
			}
		}
	}
}

func (f *flow) add(rt *Route) {
	f.reach.Routes = append(f.reach.Routes, rt)
	if rt.Text == nil {
		f.reach.Unknown = true
	}
}

// isHandler reports whether values of a type may be handlers.
func isHandler(t types.Type) bool {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return sig.Params().Len() >= 2 && sig.Params().At(1).Type().String() == "*net/http.Request"
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "ServeHTTP")
	return obj != nil
}
