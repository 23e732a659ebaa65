package migrate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// contexts rewrites what tests do to give a handler parameters:
//
//	rctx := chi.NewRouteContext()
//	rctx.URLParams.Add("id", "7")
//	r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, rctx))
func (b *chiRewriter) contexts() {
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		if obj.Name() != "NewRouteContext" {
			return
		}
		call, _ := b.funcCall(f, id)
		if call == nil {
			return
		}
		v, ok := f.assigned(call).(*ast.Ident)
		stmt, _ := f.statement(call).(*ast.AssignStmt)
		if !ok || stmt == nil || len(stmt.Lhs) != 1 || f.info.Defs[v] == nil {
			return
		}
		b.context(f, id, stmt, f.info.Defs[v])
	})
}

func (b *chiRewriter) context(f *file, id *ast.Ident, stmt *ast.AssignStmt, rctx types.Object) {
	var adds []*ast.CallExpr
	var wrap *ast.CallExpr // r.WithContext(…)
	for use, o := range f.info.Uses {
		if o != rctx {
			continue
		}
		// rctx.URLParams.Add(k, v)
		if params, ok := f.parent(use).(*ast.SelectorExpr); ok && params.Sel.Name == "URLParams" {
			if add, ok := f.parent(params).(*ast.SelectorExpr); ok && add.Sel.Name == "Add" {
				if call, ok := f.parent(add).(*ast.CallExpr); ok && f.onlyStatement(call) != nil && len(call.Args) == 2 {
					adds = append(adds, call)
					continue
				}
			}
			return
		}
		value, ok := f.parent(use).(*ast.CallExpr) // context.WithValue
		if !ok || wrap != nil || len(value.Args) != 3 {
			return
		}
		if wrap, ok = f.parent(value).(*ast.CallExpr); !ok || len(wrap.Args) != 1 {
			return
		}
		if fn := callee(f, wrap); fn == nil || fn.Name() != "WithContext" || !isRequest(recvType(fn)) {
			return
		}
	}
	if wrap == nil {
		return
	}
	slices.SortFunc(adds, func(a, b *ast.CallExpr) int { return cmp.Compare(a.Pos(), b.Pos()) })
	at := f.statement(wrap)
	request, ok := ast.Unparen(wrap.Fun).(*ast.SelectorExpr).X.(*ast.Ident)
	if !ok || at == nil {
		return
	}
	target, tok, head, tail := "", "", "", ""
	switch s := at.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Rhs[0] != wrap {
			return
		}
		target, tok = b.text(f, s.Lhs[0]), s.Tok.String()
	case *ast.ReturnStmt:
		if len(s.Results) != 1 || s.Results[0] != wrap {
			return
		}
		target, tok, tail = request.Name, "=", "\nreturn "+request.Name
		head = "clone"
	default:
		return
	}
	if target != request.Name || head != "" {
		head = fmt.Sprintf("%s %s %s.Clone(%[3]s.Context())\n", target, tok, request.Name)
	}
	var sets []string
	for _, add := range adds {
		if f.parents[f.statement(add)] != f.parents[at] || add.Pos() > at.Pos() || !plain(add.Args[0]) || !plain(add.Args[1]) {
			return
		}
		sets = append(sets, fmt.Sprintf("%s.SetPathValue(%s, %s)", target, b.text(f, add.Args[0]), b.text(f, add.Args[1])))
	}
	if f.parents[stmt] != f.parents[at] {
		return
	}
	b.rewrote(id)
	for _, add := range adds {
		ast.Inspect(add.Fun, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				b.done[id] = true
			}
			return true
		})
		b.p.removeStmt(f, f.statement(add))
	}
	ast.Inspect(wrap, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			b.done[id] = true
		}
		return true
	})
	if !slices.Contains(b.gone, "context") {
		b.gone = append(b.gone, "context")
	}
	b.p.removeStmt(f, stmt)
	b.p.replace(f, at.Pos(), at.End(), head+strings.Join(sets, "\n")+tail)
}

// plain reports whether e can be evaluated later.
func plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.CallExpr:
		if !plain(e.Fun) {
			return false
		}
		for _, arg := range e.Args {
			if !plain(arg) {
				return false
			}
		}
		return true
	}
	return simple(e)
}

// middleware handles chi's own middleware that needs chi's router.
func (b *chiRewriter) middleware() {
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := f.info.Uses[id]
			if obj == nil || obj.Pkg() == nil {
				return true
			}
			parent, ok := strings.CutSuffix(obj.Pkg().Path(), "/middleware")
			if !ok || !isChi(parent) {
				return true
			}
			if _, ok := obj.(*types.Func); ok && recvType(obj.(*types.Func)) == nil {
				b.chiMiddleware(f, id, obj.Pkg().Path())
			}
			return true
		})
	}
}

func (b *chiRewriter) chiMiddleware(f *file, id *ast.Ident, ipath string) {
	// use returns the call of Use that has the middleware as an argument.
	use := func() (*ast.CallExpr, *ast.SelectorExpr) {
		sel, ok := f.parents[id].(*ast.SelectorExpr)
		if !ok {
			return nil, nil
		}
		call, ok := f.parents[sel].(*ast.CallExpr)
		if !ok || !slices.Contains(call.Args, ast.Expr(sel)) || f.onlyStatement(call) == nil {
			return nil, nil
		}
		router, name := b.method(f, call)
		if name != "Use" {
			return nil, nil
		}
		return call, router
	}
	remove := func(call *ast.CallExpr) {
		b.sites[b.from]++
		b.gone = append(b.gone, ipath)
		i := slices.Index(call.Args, f.parents[id].(ast.Expr))
		switch {
		case len(call.Args) == 1:
			b.p.removeStmt(f, f.onlyStatement(call))
		case i == 0:
			b.p.replace(f, call.Args[0].Pos(), call.Args[1].Pos(), "")
		default:
			b.p.replace(f, call.Args[i-1].End(), call.Args[i].End(), "")
		}
	}
	switch id.Name {
	case "GetHead":
		if call, _ := use(); call != nil {
			remove(call)
			return
		}
		b.manual(id.Pos(), "GetHead: delete it, a route for GET matches HEAD")
	case "StripSlashes":
		if call, router := use(); call != nil {
			if c := b.constructor(b.g.slotOf(f, router.X)); c != nil {
				b.noStrict[c] = true
				c.options = append(c.options, "muxwell.TrailingSlash(muxwell.SlashIgnore)")
				remove(call)
				return
			}
		}
		b.manual(id.Pos(), "StripSlashes: pass muxwell.TrailingSlash(muxwell.SlashIgnore) to muxwell.New")
	case "CleanPath":
		b.manual(id.Pos(), "CleanPath: it does nothing without chi; muxwell redirects to the clean path")
	case "SupressNotFound", "URLFormat":
		b.manual(id.Pos(), "%s: it needs chi's route context", id.Name)
	case "Profiler":
		b.manual(id.Pos(), "Profiler: it is a router of chi, which gets its path from the one around it. "+
			"Mount it with m.Mount(prefix, middleware.Profiler()), and check its links, or use net/http/pprof")
	}
}
