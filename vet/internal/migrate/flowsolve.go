package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// interfaces makes the signatures of methods the same slots as those of the interfaces
// that they implement.
func (g *flows) interfaces() {
	var named []*types.Named
	for _, pkg := range g.p.pkgs {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				if n, ok := t.Type().(*types.Named); ok && n.TypeParams() == nil {
					named = append(named, n)
				}
			}
		}
	}
	for _, n := range named {
		iface, ok := n.Underlying().(*types.Interface)
		if !ok || !g.mentions(iface) {
			continue
		}
		for _, impl := range named {
			if types.IsInterface(impl) || !types.Implements(types.NewPointer(impl), iface) {
				continue
			}
			for m := range iface.Methods() {
				if obj, _, _ := types.LookupFieldOrMethod(impl, true, m.Pkg(), m.Name()); obj != nil {
					g.unify(m.Type(), obj.Type(), 0)
				}
			}
		}
	}
}

// mentions reports whether a method of the interface has a router in its signature.
func (g *flows) mentions(iface *types.Interface) bool {
	for m := range iface.Methods() {
		sig := m.Type().(*types.Signature)
		for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
			for v := range tuple.Variables() {
				if g.holds(v.Type()) {
					return true
				}
				if fn, ok := v.Type().Underlying().(*types.Signature); ok {
					for w := range fn.Params().Variables() {
						if g.holds(w.Type()) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// solve propagates facts along the edges until nothing changes.
func (g *flows) solve() {
	for changed := true; changed; {
		changed = false
		for _, e := range g.edges {
			forward := g.facts[e.from] &^ usesMux
			if e.derived {
				forward = forward&^e.drop&^(isMux|isGroup|pinned) | e.add
			}
			if now := g.facts[e.to] | forward; now != g.facts[e.to] {
				g.facts[e.to] = now
				changed = true
			}
			// What is called on a copy is called on the original.
			if !e.derived {
				if now := g.facts[e.from] | g.facts[e.to]&usesMux; now != g.facts[e.from] {
					g.facts[e.from] = now
					changed = true
				}
			}
		}
	}
}

// pin propagates pinned against the edges too, for routers that keep their type.
func (g *flows) pin() {
	for changed := true; changed; {
		changed = false
		for _, e := range g.edges {
			if e.derived {
				continue
			}
			for _, pair := range [][2]slot{{e.from, e.to}, {e.to, e.from}} {
				if g.facts[pair[0]]&pinned != 0 && g.facts[pair[1]]&pinned == 0 {
					g.facts[pair[1]] |= pinned
					changed = true
				}
			}
		}
	}
}

// group reports whether the routers in a slot become groups.
func (g *flows) group(s slot) bool { return g.facts[s]&isGroup != 0 }

// typeSlot returns the slot whose type an occurrence of a type is part of. For a
// composite literal and new it is that of the expression.
func (g *flows) typeSlot(f *file, e ast.Expr) slot {
	var n ast.Node = e
	for {
		up := f.parents[n]
		switch up := up.(type) {
		case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.Ellipsis, *ast.ParenExpr:
			n = up
			continue
		case *ast.Field:
			if len(up.Names) > 0 {
				return up.Names[0].Pos()
			}
			if v := f.embedded(up); v != nil {
				return v.Pos()
			}
			return up.Type.Pos()
		case *ast.ValueSpec:
			if up.Type == n {
				return up.Names[0].Pos()
			}
		case *ast.TypeAssertExpr:
			return up.Type.Pos()
		case *ast.CompositeLit:
			return up.Lbrace
		case *ast.CallExpr:
			if up.Fun == n && len(up.Args) == 1 { // a conversion
				return g.slotOf(f, up.Args[0])
			}
			if id, ok := up.Fun.(*ast.Ident); ok && id.Name == "make" {
				if s := f.assigned(up); s != nil {
					return g.slotOf(f, s)
				}
			}
			return up.Lparen
		}
		return token.NoPos
	}
}
