package registration

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An index answers questions about the values of a package.
type index struct {
	pass    *analysis.Pass
	pkg     *ssa.Package
	funcs   []*ssa.Function
	calls   map[token.Pos]*ast.CallExpr             // by the position of the parenthesis
	callers map[*ssa.Function][]ssa.CallInstruction // static calls, and the group functions
	other   map[*ssa.Function][]ssa.Instruction     // other uses of a function as a value
	stores  map[*types.Var]int                      // assignments to a field or a global
	stored  map[*types.Var]ssa.Value                // the last of them
	inits   map[*types.Var]ast.Expr                 // of variables that are never assigned again
	changed map[*types.Var]bool                     // variables that are assigned again
	chained map[*ast.CallExpr]*ast.CallExpr         // the call of a method of a call's result
	removes bool                                    // routes are removed or replaced
	remote  map[*types.Func]*registersFact
}

// newIndex builds the SSA form of the package.
func newIndex(pass *analysis.Pass) *index {
	prog := ssa.NewProgram(pass.Fset, 0)
	for _, p := range pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	x := &index{
		pass: pass, pkg: prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false),
		calls: make(map[token.Pos]*ast.CallExpr), callers: make(map[*ssa.Function][]ssa.CallInstruction),
		other: make(map[*ssa.Function][]ssa.Instruction), stores: make(map[*types.Var]int), stored: make(map[*types.Var]ssa.Value),
		inits: make(map[*types.Var]ast.Expr), changed: make(map[*types.Var]bool), remote: make(map[*types.Func]*registersFact), chained: make(map[*ast.CallExpr]*ast.CallExpr),
	}
	x.pkg.Build()
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok {
				if fn := prog.FuncValue(pass.TypesInfo.Defs[d.Name].(*types.Func)); fn != nil {
					x.add(fn)
				}
			}
		}
		ast.Inspect(file, x.note)
	}
	x.add(x.pkg.Func("init"))
	for v := range x.changed {
		delete(x.inits, v)
	}
	for _, fn := range x.funcs {
		x.link(fn)
	}
	return x
}

func (x *index) add(fn *ssa.Function) {
	x.funcs = append(x.funcs, fn)
	for _, anon := range fn.AnonFuncs {
		x.add(anon)
	}
}

// note records the calls, and which variables have one value.
func (x *index) note(n ast.Node) bool {
	info := x.pass.TypesInfo
	change := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok {
				x.changed[v] = true
			}
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		x.calls[n.Lparen] = n
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
			if base, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok {
				x.chained[base] = n
			}
		}
		if fn := x.calledFunc(n); fn != nil && kinds[pkgPath(fn)] == Muxwell && receiverName(fn) == "Tx" && (fn.Name() == "Remove" || fn.Name() == "Replace") {
			x.removes = true
		}
	case *ast.AssignStmt:
		for i, lhs := range n.Lhs {
			change(lhs)
			if id, ok := lhs.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
				if v, ok := info.Defs[id].(*types.Var); ok {
					x.inits[v] = n.Rhs[i]
				}
			}
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if v, ok := info.Defs[id].(*types.Var); ok && i < len(n.Values) && len(n.Names) == len(n.Values) && !v.Exported() {
				x.inits[v] = n.Values[i]
			}
		}
	case *ast.IncDecStmt:
		change(n.X)
	case *ast.RangeStmt:
		if n.Key != nil {
			change(n.Key)
		}
		if n.Value != nil {
			change(n.Value)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			change(n.X)
		}
	}
	return true
}

// link records who calls and uses which function, and the stores.
func (x *index) link(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if s, ok := instr.(*ssa.Store); ok {
				if v := variable(s.Addr); v != nil {
					x.stores[v]++
					x.stored[v] = s.Val
				}
			}
			if _, ok := instr.(*ssa.MakeClosure); ok {
				if f := target(instr.(*ssa.MakeClosure).Fn.(*ssa.Function)); f != instr.(*ssa.MakeClosure).Fn {
					x.other[f] = append(x.other[f], instr) // the bound method is a value
				}
				continue
			}
			var direct *ssa.Function
			if call, ok := instr.(ssa.CallInstruction); ok {
				if direct = x.staticCallee(call); direct != nil {
					x.callers[direct] = append(x.callers[direct], call)
				}
				if c, ok := x.calleeOf(call); ok && c.role == groups && c.handler >= 0 {
					if f := x.funcOf(x.arg(call, c.handler)); f != nil {
						x.callers[f] = append(x.callers[f], call)
						direct = f
					}
				} else if isUpdate(call) {
					if f := x.funcOf(x.arg(call, 0)); f != nil {
						x.callers[f] = append(x.callers[f], call)
						direct = f
					}
				}
			}
			for _, op := range instr.Operands(nil) {
				if f, ok := (*op).(*ssa.Function); ok && target(f) != direct {
					x.other[target(f)] = append(x.other[target(f)], instr)
				}
			}
		}
	}
}

// variable returns the field or global that an address is of.
func variable(addr ssa.Value) *types.Var {
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return fieldOf(a)
	case *ssa.Global:
		v, _ := a.Object().(*types.Var)
		return v
	}
	return nil
}

func fieldOf(a *ssa.FieldAddr) *types.Var {
	return a.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(a.Field)
}

// target returns the method that a synthetic function for a method value calls, or fn.
func target(fn *ssa.Function) *ssa.Function {
	if fn.Synthetic == "" {
		return fn
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if m := fn.Prog.FuncValue(obj); m != nil {
			return m
		}
	}
	return fn
}

// callsOf returns the calls in a function, in the order of their positions in the blocks.
func callsOf(fn *ssa.Function) (calls []ssa.CallInstruction) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// funcObj returns the function or method that a call names.
func funcObj(call ssa.CallInstruction) *types.Func {
	c := call.Common()
	if c.Value == nil {
		return nil
	}
	if c.IsInvoke() {
		return c.Method
	}
	if fn := c.StaticCallee(); fn != nil {
		obj, _ := fn.Object().(*types.Func)
		if obj != nil {
			return obj.Origin()
		}
	}
	return nil
}

func (x *index) calleeOf(call ssa.CallInstruction) (callee, bool) { return calleeOf(funcObj(call)) }

// isUpdate reports whether a call is of muxwell's Update.
func isUpdate(call ssa.CallInstruction) bool {
	fn := funcObj(call)
	return fn != nil && fn.FullName() == "(*github.com/muxwell/muxwell.Mux).Update"
}

// arg returns an argument, not counting the receiver.
func (x *index) arg(call ssa.CallInstruction, i int) ssa.Value {
	c := call.Common()
	if !c.IsInvoke() && c.Signature().Recv() != nil {
		i++
	}
	if i < 0 || i >= len(c.Args) {
		return nil
	}
	return c.Args[i]
}

// receiver returns the receiver of a call of a method.
func receiver(call ssa.CallInstruction) ssa.Value {
	if c := call.Common(); c.IsInvoke() {
		return c.Value
	} else {
		return c.Args[0]
	}
}

// staticCallee returns the function of this package that a call surely calls, or nil.
func (x *index) staticCallee(call ssa.CallInstruction) *ssa.Function {
	if call.Common().IsInvoke() {
		return nil
	}
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return nil
	}
	fn := x.funcOf(call.Common().Value)
	if fn == nil || fn.Blocks == nil {
		return nil
	}
	return fn
}

// funcOf returns the function that a value is, without its receiver if it is bound, or nil.
func (x *index) funcOf(v ssa.Value) *ssa.Function {
	switch v := x.resolve(v).(type) {
	case *ssa.Function:
		return target(v)
	case *ssa.MakeClosure:
		return target(v.Fn.(*ssa.Function))
	}
	return nil
}

// resolve returns what a value is without conversions and variables that have only one value.
func (x *index) resolve(v ssa.Value) ssa.Value {
	for range 20 {
		switch w := v.(type) {
		case *ssa.ChangeType:
			v = w.X
		case *ssa.ChangeInterface:
			v = w.X
		case *ssa.MakeInterface:
			v = w.X
		case *ssa.UnOp:
			if w.Op != token.MUL {
				return v
			}
			one := onlyStore(w.X)
			if one == nil {
				return v
			}
			v = one
		default:
			return v
		}
	}
	return v
}

// captured returns the variable that a free variable captures.
func captured(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	for i, fv := range fn.FreeVars {
		if fv != v || fn.Parent() == nil {
			continue
		}
		for _, b := range fn.Parent().Blocks {
			for _, instr := range b.Instrs {
				if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == fn {
					return mc.Bindings[i]
				}
			}
		}
	}
	return nil
}

// onlyStore returns the only value that is ever stored in a local variable, or nil.
func onlyStore(addr ssa.Value) ssa.Value {
	for {
		fv, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		addr = captured(fv)
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var value ssa.Value
	stores := 0
	if !visitVariable(alloc, func(instr ssa.Instruction, at ssa.Value) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Addr != at {
				return false // its address is stored
			}
			stores++
			value = instr.Val
		case *ssa.UnOp, *ssa.MakeClosure, *ssa.DebugRef:
		default:
			return false
		}
		return true
	}) || stores != 1 {
		return nil
	}
	return value
}

// visitVariable calls f with each use of a variable, in closures too, until it returns false.
func visitVariable(addr ssa.Value, f func(ssa.Instruction, ssa.Value) bool) bool {
	for _, instr := range *addr.Referrers() {
		if !f(instr, addr) {
			return false
		}
		if mc, ok := instr.(*ssa.MakeClosure); ok {
			for i, b := range mc.Bindings {
				if b == addr && !visitVariable(mc.Fn.(*ssa.Function).FreeVars[i], f) {
					return false
				}
			}
		}
	}
	return true
}

func pkgPath(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	return fn.Pkg().Path()
}
