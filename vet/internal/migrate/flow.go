package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A slot is a variable, field, parameter or result that can hold a router, or an
// expression that creates one. It is identified by its position, since the packages of a
// program and their variants for tests have different objects for the same declaration.
type slot = token.Pos

// A fact is what is known about the routers in a slot.
type fact uint16

const (
	isMux      fact = 1 << iota // it is created as a router of its own
	isGroup                     // it is a part of a router
	atRoot                      // its patterns are whole paths
	prefixed                    // its patterns come after a prefix
	slashed                     // the prefix ends in a slash
	usesMux                     // the program calls what differs between a mux and a group of it
	pinned                      // it must keep its type
	noHandlers                  // it may be used outside of the program
)

// flows is the graph of how routers get from slot to slot.
type flows struct {
	p     *program
	of    func(types.Type) bool // whether a type is that of a router
	facts map[slot]fact
	edges []flowEdge
	seed  func(f *file, call *ast.CallExpr) (recv ast.Expr, add, drop fact, ok bool)
	self  func(f *file, call *ast.CallExpr) ast.Expr // the router that a call returns itself, or nil
	local map[string]bool                            // the packages of the program
	// Routers that are passed to functions outside of the program.
	external []external
}

type external struct {
	f   *file
	arg ast.Expr
	fn  *types.Func
}

// A flowEdge says that the routers of from are also in to. If derived, to is made from
// from: it has its facts except drop, and add.
type flowEdge struct {
	from, to  slot
	add, drop fact
	derived   bool
	expr      ast.Expr // the value that is copied, or nil
	file      *file
}

// newFlows builds the graph. seed describes a call that creates a router; recv is the
// router from which it is created, or nil.
func newFlows(p *program, of func(types.Type) bool, seed func(*file, *ast.CallExpr) (ast.Expr, fact, fact, bool),
	self func(*file, *ast.CallExpr) ast.Expr,
) *flows {
	g := &flows{p: p, of: of, facts: map[slot]fact{}, seed: seed, self: self, local: map[string]bool{}}
	for _, pkg := range p.pkgs {
		g.local[pkg.PkgPath] = true
	}
	for _, f := range p.files {
		g.collect(f)
	}
	g.interfaces()
	return g
}

// slotOf returns the slot of an expression, or NoPos if it has none.
func (g *flows) slotOf(f *file, e ast.Expr) slot {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := f.info.ObjectOf(e).(*types.Var); ok {
			return v.Pos()
		}
	case *ast.SelectorExpr:
		if v, ok := f.info.Uses[e.Sel].(*types.Var); ok {
			return v.Pos()
		}
	case *ast.StarExpr:
		return g.slotOf(f, e.X)
	case *ast.UnaryExpr:
		return g.slotOf(f, e.X)
	case *ast.IndexExpr:
		return g.slotOf(f, e.X)
	case *ast.SliceExpr:
		return g.slotOf(f, e.X)
	case *ast.CompositeLit:
		return e.Lbrace
	case *ast.TypeAssertExpr:
		if e.Type != nil {
			return e.Type.Pos()
		}
	case *ast.CallExpr:
		if f.info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			return g.slotOf(f, e.Args[0])
		}
		if self := g.self(f, e); self != nil {
			return g.slotOf(f, self)
		}
		if _, _, _, ok := g.seed(f, e); ok {
			return e.Lparen
		}
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && (id.Name == "append" || id.Name == "new") {
			if id.Name == "append" && len(e.Args) > 0 {
				return g.slotOf(f, e.Args[0])
			}
			return e.Lparen
		}
		if sig, ok := typeOf(f, e.Fun).(*types.Signature); ok {
			return g.resultSlot(sig)
		}
	}
	return token.NoPos
}

// resultSlot returns the slot of the first result that is a router.
func (g *flows) resultSlot(sig *types.Signature) slot {
	for v := range sig.Results().Variables() {
		if g.of(v.Type()) {
			return v.Pos()
		}
	}
	return token.NoPos
}

// typeOf returns the underlying type of an expression, or nil.
func typeOf(f *file, e ast.Expr) types.Type {
	if t := f.info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

// holds reports whether t is a router or a slice, array, map or channel of routers.
func (g *flows) holds(t types.Type) bool {
	if t == nil {
		return false
	}
	if g.of(t) {
		return true
	}
	switch t := t.(type) {
	case *types.Slice:
		return g.holds(t.Elem())
	case *types.Array:
		return g.holds(t.Elem())
	case *types.Map:
		return g.holds(t.Elem())
	case *types.Chan:
		return g.holds(t.Elem())
	case *types.Pointer:
		return g.holds(t.Elem())
	}
	return false
}

func (g *flows) edge(e flowEdge) {
	if e.from.IsValid() && e.to.IsValid() && e.from != e.to {
		g.edges = append(g.edges, e)
	}
}

func (g *flows) same(a, b slot) {
	g.edge(flowEdge{from: a, to: b})
	g.edge(flowEdge{from: b, to: a})
}

// flow records that the value of src is copied to a slot of type dst.
func (g *flows) flow(f *file, to slot, dst types.Type, src ast.Expr) {
	srcType := f.info.TypeOf(src)
	if dst == nil || srcType == nil {
		return
	}
	if g.holds(srcType) && g.holds(dst) {
		g.edge(flowEdge{from: g.slotOf(f, src), to: to, expr: src, file: f})
		return
	}
	g.unify(dst, srcType, 0)
}

// unify makes the parameters and results of two function types the same slots.
func (g *flows) unify(a, b types.Type, depth int) {
	if depth > 4 || a == b && depth > 0 {
		return
	}
	x, ok1 := a.Underlying().(*types.Signature)
	y, ok2 := b.Underlying().(*types.Signature)
	if !ok1 || !ok2 {
		return
	}
	for _, pair := range [][2]*types.Tuple{{x.Params(), y.Params()}, {x.Results(), y.Results()}} {
		for i := range min(pair[0].Len(), pair[1].Len()) {
			v, w := pair[0].At(i), pair[1].At(i)
			if g.holds(v.Type()) && g.holds(w.Type()) {
				g.same(v.Pos(), w.Pos())
			} else {
				g.unify(v.Type(), w.Type(), depth+1)
			}
		}
	}
}

// collect adds the edges of one file.
func (g *flows) collect(f *file) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names[min(1, len(n.Names)):] {
				g.same(n.Names[0].Pos(), name.Pos())
			}
		case *ast.ValueSpec:
			if n.Type != nil {
				for _, name := range n.Names[1:] {
					g.same(n.Names[0].Pos(), name.Pos())
				}
			}
			lhs := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				lhs[i] = name
			}
			g.assign(f, lhs, n.Values)
		case *ast.AssignStmt:
			g.assign(f, n.Lhs, n.Rhs)
		case *ast.RangeStmt:
			if n.Value != nil {
				g.edge(flowEdge{from: g.slotOf(f, n.X), to: g.slotOf(f, n.Value)})
			}
		case *ast.SendStmt:
			g.flow(f, g.slotOf(f, n.Chan), f.info.TypeOf(n.Value), n.Value)
		case *ast.ReturnStmt:
			g.returns(f, n)
		case *ast.CompositeLit:
			g.literal(f, n)
		case *ast.CallExpr:
			g.call(f, n)
		}
		return true
	})
}

func (g *flows) assign(f *file, lhs, rhs []ast.Expr) {
	if len(lhs) == len(rhs) {
		for i := range lhs {
			g.flow(f, g.slotOf(f, lhs[i]), f.info.TypeOf(lhs[i]), rhs[i])
		}
		return
	}
	if len(rhs) != 1 {
		return
	}
	// x, err := f()
	tuple, _ := f.info.TypeOf(rhs[0]).(*types.Tuple)
	if tuple == nil {
		g.flow(f, g.slotOf(f, lhs[0]), f.info.TypeOf(lhs[0]), rhs[0])
		return
	}
	for i := range min(len(lhs), tuple.Len()) {
		if v := tuple.At(i); g.holds(v.Type()) {
			g.edge(flowEdge{from: v.Pos(), to: g.slotOf(f, lhs[i]), file: f})
		}
	}
}

func (g *flows) returns(f *file, n *ast.ReturnStmt) {
	var sig *types.Signature
	switch fn := f.enclosing(n).(type) {
	case *ast.FuncDecl:
		sig, _ = f.info.Defs[fn.Name].Type().(*types.Signature)
	case *ast.FuncLit:
		sig, _ = typeOf(f, fn).(*types.Signature)
	}
	if sig == nil || sig.Results().Len() != len(n.Results) {
		return
	}
	for i, e := range n.Results {
		v := sig.Results().At(i)
		g.flow(f, v.Pos(), v.Type(), e)
	}
}

func (g *flows) literal(f *file, n *ast.CompositeLit) {
	if g.of(f.info.TypeOf(n)) {
		g.facts[n.Lbrace] |= isMux | atRoot
		return
	}
	t := typeOf(f, n)
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	for i, e := range n.Elts {
		kv, _ := e.(*ast.KeyValueExpr)
		switch t := t.(type) {
		case *types.Struct:
			if kv != nil {
				if v, ok := f.info.Uses[kv.Key.(*ast.Ident)].(*types.Var); ok {
					g.flow(f, v.Pos(), v.Type(), kv.Value)
				}
			} else if i < t.NumFields() {
				g.flow(f, t.Field(i).Pos(), t.Field(i).Type(), e)
			}
		case *types.Slice, *types.Array, *types.Map:
			if kv != nil {
				e = kv.Value
			}
			g.flow(f, n.Lbrace, t.(interface{ Elem() types.Type }).Elem(), e)
		}
	}
}

func (g *flows) call(f *file, n *ast.CallExpr) {
	if recv, add, drop, ok := g.seed(f, n); ok {
		if recv == nil {
			g.facts[n.Lparen] |= add
		} else {
			g.edge(flowEdge{from: g.slotOf(f, recv), to: n.Lparen, add: add, drop: drop, derived: true})
		}
	}
	if f.info.Types[n.Fun].IsType() {
		if len(n.Args) == 1 {
			g.flow(f, token.NoPos, f.info.TypeOf(n.Fun), n.Args[0])
		}
		return
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) > 0 {
		if _, ok := f.info.Uses[id].(*types.Builtin); ok {
			switch {
			case id.Name == "new" && g.of(f.info.TypeOf(n.Args[0])):
				g.facts[n.Lparen] |= isMux | atRoot
			case id.Name == "append" && !n.Ellipsis.IsValid():
				for _, arg := range n.Args[1:] {
					g.flow(f, g.slotOf(f, n.Args[0]), f.info.TypeOf(arg), arg)
				}
			}
		}
	}
	sig, _ := typeOf(f, n.Fun).(*types.Signature)
	if sig == nil || g.ownMethod(f, n) {
		return
	}
	for i, arg := range n.Args {
		var v *types.Var
		switch params := sig.Params(); {
		case sig.Variadic() && i >= params.Len()-1:
			v = params.At(params.Len() - 1)
		case i < params.Len():
			v = params.At(i)
		default:
			continue
		}
		t := v.Type()
		if slice, ok := t.(*types.Slice); ok && sig.Variadic() && i >= sig.Params().Len()-1 && !n.Ellipsis.IsValid() {
			t = slice.Elem()
		}
		if fn := callee(f, n); fn != nil && fn.Pkg() != nil && !g.local[fn.Pkg().Path()] && g.holds(t) {
			g.external = append(g.external, external{f, arg, fn})
		}
		g.flow(f, v.Pos(), t, arg)
	}
}

// ownMethod reports whether a call is one of the router packages' own functions, whose
// signatures are no slots.
func (g *flows) ownMethod(f *file, n *ast.CallExpr) bool {
	fn := callee(f, n)
	return fn != nil && fn.Pkg() != nil && (isGorilla(fn.Pkg().Path()) || isChi(fn.Pkg().Path()))
}

// callee returns the function or method that is called, or nil.
func callee(f *file, n *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		fn, _ := f.info.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := f.info.Uses[fun.Sel].(*types.Func)
		return fn
	}
	return nil
}

// assigned returns the variable to which e alone is assigned, or nil.
func (f *file) assigned(e ast.Expr) ast.Expr {
	switch up := f.parent(e).(type) {
	case *ast.AssignStmt:
		for i, rhs := range up.Rhs {
			if ast.Unparen(rhs) == e && i < len(up.Lhs) && len(up.Lhs) == len(up.Rhs) {
				return up.Lhs[i]
			}
		}
	case *ast.ValueSpec:
		for i, value := range up.Values {
			if ast.Unparen(value) == e && i < len(up.Names) && len(up.Names) == len(up.Values) {
				return up.Names[i]
			}
		}
	case *ast.KeyValueExpr:
		if id, ok := up.Key.(*ast.Ident); ok && up.Value == e {
			return id
		}
	}
	return nil
}

// embedded returns the variable of an embedded field, or nil.
func (f *file) embedded(field *ast.Field) *types.Var {
	if _, ok := f.parents[f.parents[field]].(*ast.StructType); !ok || len(field.Names) > 0 {
		return nil
	}
	e := field.Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			v, _ := f.info.Defs[x.Sel].(*types.Var)
			if v == nil { // the definition of an embedded field is found through its struct
				st, _ := typeOf(f, f.parents[f.parents[field]].(ast.Expr)).(*types.Struct)
				for i := 0; st != nil && i < st.NumFields(); i++ {
					if st.Field(i).Embedded() && st.Field(i).Pos() == x.Sel.Pos() {
						return st.Field(i)
					}
				}
			}
			return v
		default:
			return nil
		}
	}
}
