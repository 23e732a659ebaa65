package migrate

import (
	"errors"
	"go/ast"
	"go/types"
	"net/http"

	"github.com/muxwell/muxwell"
)

// serveMuxRewriter rewrites http.ServeMux, whose patterns and methods muxwell has. Only the type
// changes, so the muxes that get to a place with a fixed type stay what they are.
type serveMuxRewriter struct {
	base
	all bool // every mux stays
}

func migrateServeMux(m *migrator) {
	b := &serveMuxRewriter{base: base{
		migrator: m, from: fromServeMux, is: func(ipath string) bool { return ipath == "net/http" },
		done: map[*ast.Ident]bool{}, news: map[slot]*newCall{},
	}}
	b.g = newFlows(m.p, isServeMux, func(f *file, call *ast.CallExpr) (ast.Expr, fact, fact, bool) {
		fn := callee(f, call)
		return nil, isMux, 0, fn != nil && fn.FullName() == "net/http.NewServeMux"
	}, func(*file, *ast.CallExpr) ast.Expr { return nil })
	b.g.solve()
	b.pins()
	b.g.pin()
	b.uses(b.use)
	b.finishNews(false)
	if m.sites[fromServeMux] > 0 {
		m.gone = append(m.gone, "net/http")
		b.change("The case of hosts is ignored.")
		b.change("Patterns that ServeMux refuses as conflicting are accepted and ordered, unless the mux has the option muxwell.StrictConflicts.")
	}
}

func isServeMux(t types.Type) bool {
	ipath, name := named(t)
	return ipath == "net/http" && name == "ServeMux"
}

// pins finds the places whose type is fixed.
func (b *serveMuxRewriter) pins() {
	for _, e := range b.g.external {
		b.g.facts[b.g.slotOf(e.f, e.arg)] |= pinned
	}
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if v, ok := f.info.Uses[n].(*types.Var); ok && v.Pkg() != nil && !b.g.local[v.Pkg().Path()] && b.g.holds(v.Type()) {
					b.g.facts[v.Pos()] |= pinned
				}
			case *ast.CallExpr:
				fn := callee(f, n)
				if fn != nil && fn.Pkg() != nil && !b.g.local[fn.Pkg().Path()] && fn.Name() != "NewServeMux" {
					if s := b.g.resultSlot(fn.Signature()); s.IsValid() {
						b.g.facts[s] |= pinned
					}
				}
			case *ast.TypeAssertExpr:
				if n.Type != nil && isServeMux(f.info.TypeOf(n.Type)) {
					b.all = true
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					b.all = b.all || f.info.Types[e].IsType() && isServeMux(f.info.TypeOf(e))
				}
			case *ast.TypeSpec:
				b.all = b.all || isServeMux(f.info.TypeOf(n.Type))
			case *ast.IndexExpr:
				b.all = b.all || f.info.Types[n.Index].IsType() && isServeMux(f.info.TypeOf(n.Index))
			}
			return true
		})
	}
}

// use rewrites a constructor or a type.
func (b *serveMuxRewriter) use(f *file, id *ast.Ident, obj types.Object) {
	sel, ok := f.parents[id].(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch obj.Name() {
	case "NewServeMux":
		call, _ := b.funcCall(f, id)
		if call == nil {
			return
		}
		if b.stays(call.Lparen) {
			b.keep(fromServeMux, call.Pos(), "this mux stays an http.ServeMux, since it gets to code outside of the program, or to an assertion, that needs the type")
			return
		}
		b.news[call.Lparen] = &newCall{f: f, from: call.Pos(), to: call.End()}
		b.rewrote(id)
	case "ServeMux":
		if _, ok := obj.(*types.TypeName); !ok {
			return
		}
		if s := b.g.typeSlot(f, sel); s.IsValid() && !b.stays(s) {
			b.routerType(f, id, false)
		}
	case "Handle", "HandleFunc":
		call, ok := f.parent(sel).(*ast.CallExpr)
		if fn, isFunc := obj.(*types.Func); !ok || !isFunc || !isServeMux(recvType(fn)) || len(call.Args) != 2 || b.stays(b.g.slotOf(f, sel.X)) {
			return
		}
		pattern, ok := constString(f, call.Args[0])
		if !ok {
			return
		}
		_, err := muxwell.New().Add(pattern, http.NotFoundHandler())
		var fault *muxwell.PatternError
		if errors.As(err, &fault) {
			b.manual(call.Args[0].Pos(), "pattern %q: %s", pattern, fault.Reason)
		}
	}
}

func (b *serveMuxRewriter) stays(s slot) bool { return b.all || b.g.facts[s]&pinned != 0 }
