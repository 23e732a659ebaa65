package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// variables rewrites mux.Vars and mux.SetURLVars.
func (b *gorillaRewriter) variables() {
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		call, _ := b.funcCall(f, id)
		if call == nil {
			return
		}
		switch obj.Name() {
		case "Vars":
			b.vars(f, id, call)
		case "SetURLVars":
			b.setVars(f, id, call)
		}
	})
}

// vars rewrites mux.Vars(r)["x"] and vars := mux.Vars(r).
func (b *gorillaRewriter) vars(f *file, id *ast.Ident, call *ast.CallExpr) {
	b.done[id] = true
	request := b.text(f, call.Args[0])
	if index, ok := f.parent(call).(*ast.IndexExpr); ok && ast.Unparen(index.X) == call {
		if why := b.readVar(f, index, request, index.Pos()); why != "" {
			b.manual(call.Pos(), "%s", why)
			return
		}
		b.sites[b.from]++
		return
	}
	v, ok := f.assigned(call).(*ast.Ident)
	stmt, simple := f.statement(call).(*ast.AssignStmt)
	arg, isIdent := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok || !simple || !isIdent || len(stmt.Lhs) != 1 {
		b.manual(call.Pos(), "the map of variables is passed on; read each variable with %s.PathValue", request)
		return
	}
	if v.Name == "_" {
		b.p.removeStmt(f, stmt)
		b.sites[b.from]++
		return
	}
	obj := f.info.Defs[v]
	if obj == nil {
		b.manual(call.Pos(), "the map of variables is assigned to a variable that exists already; read each variable with %s.PathValue", request)
		return
	}
	req := f.info.Uses[arg]
	var uses []*ast.IndexExpr
	for use, o := range f.info.Uses {
		if o != obj {
			continue
		}
		index, ok := f.parent(use).(*ast.IndexExpr)
		if !ok || ast.Unparen(index.X) != use {
			b.manual(use.Pos(), "the map of variables is used as a whole; read each variable with %s.PathValue", request)
			return
		}
		scope := f.pkg.Types.Scope().Innermost(use.Pos())
		if _, o := scope.LookupParent(arg.Name, use.Pos()); o != req {
			b.manual(use.Pos(), "%s is another variable here, so the variables of the request cannot be read from it", arg.Name)
			return
		}
		uses = append(uses, index)
	}
	slices.SortFunc(uses, func(a, b *ast.IndexExpr) int { return int(a.Pos() - b.Pos()) })
	if len(uses) > 0 {
		if at := f.replaced(req, stmt.Pos(), uses[len(uses)-1].Pos()); at.IsValid() {
			b.manual(at, "%s becomes another request here, and the variables of the first one are read afterwards", arg.Name)
			return
		}
	}
	before := len(f.edits)
	for _, index := range uses {
		if why := b.readVar(f, index, arg.Name, index.Pos()); why != "" {
			f.edits = f.edits[:before]
			b.manual(index.Pos(), "%s", why)
			return
		}
	}
	b.p.removeStmt(f, stmt)
	b.sites[b.from]++
}

// replaced returns the position between from and to at which a request becomes another one
// than a copy of itself, or NoPos.
func (f *file) replaced(req types.Object, from, to token.Pos) (at token.Pos) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Pos() < from || assign.Pos() > to {
			return true
		}
		for i, lhs := range assign.Lhs {
			if id, ok := lhs.(*ast.Ident); !ok || f.info.Uses[id] != req {
				continue
			}
			if len(assign.Lhs) == len(assign.Rhs) {
				if call, ok := assign.Rhs[i].(*ast.CallExpr); ok {
					if fn := callee(f, call); fn != nil && isRequest(recvType(fn)) && (fn.Name() == "WithContext" || fn.Name() == "Clone") {
						continue
					}
				}
			}
			at = assign.Pos()
		}
		return true
	})
	return at
}

// readVar rewrites vars["x"], or returns why it cannot.
func (b *gorillaRewriter) readVar(f *file, index *ast.IndexExpr, request string, at token.Pos) string {
	key := b.text(f, index.Index)
	read := request + ".PathValue(" + key + ")"
	switch up := f.parent(index).(type) {
	case *ast.AssignStmt:
		if slices.Contains(up.Lhs, ast.Expr(index)) {
			return "a variable is written; use " + request + ".SetPathValue"
		}
		if len(up.Lhs) != 2 || len(up.Rhs) != 1 {
			break
		}
		name, constant := constString(f, index.Index)
		if !constant || b.catchAll[name] {
			return "whether the variable exists cannot be found out with PathValue, which returns \"\" then; " +
				"here its value may be empty too"
		}
		if id, ok := up.Lhs[0].(*ast.Ident); ok && id.Name == "_" {
			b.p.replace(f, up.Lhs[0].Pos(), up.Lhs[1].Pos(), "")
			b.p.replace(f, index.Pos(), index.End(), read+` != ""`)
			return ""
		}
		if id, ok := up.Lhs[1].(*ast.Ident); ok && id.Name == "_" {
			b.p.replace(f, up.Lhs[0].End(), up.Lhs[1].End(), "")
			b.p.replace(f, index.Pos(), index.End(), read)
			return ""
		}
		b.p.replace(f, index.Pos(), index.End(), read+", "+read+` != ""`)
		return ""
	case *ast.ValueSpec:
		if len(up.Names) == 2 && len(up.Values) == 1 {
			return "declare the two variables with :="
		}
	case *ast.IncDecStmt, *ast.UnaryExpr:
		if u, ok := up.(*ast.UnaryExpr); !ok || u.Op == token.AND {
			return "a variable is changed"
		}
	}
	b.p.replace(f, at, index.End(), read)
	return ""
}

// setVars rewrites r = mux.SetURLVars(r, vars), as tests of handlers have it.
func (b *gorillaRewriter) setVars(f *file, id *ast.Ident, call *ast.CallExpr) {
	b.done[id] = true
	v := f.assigned(call)
	stmt, _ := f.statement(call).(*ast.AssignStmt)
	_, simple := call.Args[0].(*ast.Ident)
	if v == nil || stmt == nil || len(stmt.Lhs) != 1 || !simple {
		b.manual(call.Pos(), "SetURLVars returns another request; call SetPathValue(name, value) on the request before this, for each variable")
		return
	}
	target, request := b.text(f, v), b.text(f, call.Args[0])
	var out strings.Builder
	if target != request {
		out.WriteString(target + " " + stmt.Tok.String() + " " + request + ".Clone(" + request + ".Context())\n")
	}
	lit, ok := ast.Unparen(call.Args[1]).(*ast.CompositeLit)
	if ok {
		for _, e := range lit.Elts {
			kv := e.(*ast.KeyValueExpr)
			out.WriteString(target + ".SetPathValue(" + b.text(f, kv.Key) + ", " + b.text(f, kv.Value) + ")\n")
		}
	} else {
		out.WriteString("for name, value := range " + b.text(f, call.Args[1]) + " {\n" + target + ".SetPathValue(name, value)\n}\n")
	}
	b.sites[b.from]++
	b.p.replace(f, stmt.Pos(), stmt.End(), strings.TrimSuffix(out.String(), "\n"))
}
