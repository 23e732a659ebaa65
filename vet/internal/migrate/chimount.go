package migrate

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// route rewrites r.Route(prefix, f).
func (b *chiRewriter) route(f *file, call *ast.CallExpr, sel *ast.SelectorExpr) {
	b.done[sel.Sel] = true
	original, ok := constString(f, call.Args[0])
	if !ok {
		b.manual(call.Args[0].Pos(), "the prefix is not constant, so it is not known whether it means the same in muxwell")
		return
	}
	prefix, err := chiPath(strings.TrimSuffix(original, "/"), "")
	if err == nil && strings.HasSuffix(original, "*") {
		err = fmt.Errorf("a prefix with a catch-all")
	}
	if err != nil {
		b.manual(call.Args[0].Pos(), "pattern %q: %v", original, err)
		return
	}
	b.prefixes[call.Lparen] = prefix
	b.sites[b.from]++
	if prefix != strings.TrimSuffix(original, "/") {
		b.p.replace(f, call.Args[0].Pos(), call.Args[0].End(), b.quote(f, call.Args[0], prefix))
	}
}

// The answers of mounted.
type mounted int

const (
	unknownHandler mounted = iota
	chiRouter
	otherHandler
)

// mount rewrites r.Mount(prefix, h).
func (b *chiRewriter) mount(f *file, call *ast.CallExpr, sel *ast.SelectorExpr, self slot) {
	b.done[sel.Sel] = true
	original, ok := constString(f, call.Args[0])
	if !ok {
		b.manual(call.Args[0].Pos(), "the prefix is not constant, so it is not known whether it means the same in muxwell")
		return
	}
	prefix, err := chiPath(strings.TrimSuffix(original, "/"), "")
	switch {
	case err != nil:
		b.manual(call.Args[0].Pos(), "pattern %q: %v", original, err)
		return
	case strings.HasSuffix(original, "*"):
		b.manual(call.Args[0].Pos(), "pattern %q: a prefix with a catch-all", original)
		return
	case original != "/" && strings.HasSuffix(original, "/"):
		b.manual(call.Args[0].Pos(), "pattern %q: chi does not match the prefix without the slash, and Mount of muxwell does", original)
		return
	}
	handler := call.Args[1]
	switch b.mounts(f, handler, 0) {
	case chiRouter:
		b.sites[b.from]++
		if prefix != strings.TrimSuffix(original, "/") {
			b.p.replace(f, call.Args[0].Pos(), call.Args[0].End(), b.quote(f, call.Args[0], prefix))
		}
		b.change("A route of the outer router may match below the prefix of a mounted one, where chi answers 404. " +
			"Then the middleware of the mounted one does not run.")
	case otherHandler:
		below := "/"
		if b.rest != "" {
			below = "/{" + b.rest + "...}"
		}
		if prefix == "" && b.g.facts[self]&prefixed == 0 {
			b.sites[b.from]++
			b.p.replace(f, sel.Sel.Pos(), sel.Sel.End(), "Handle")
			b.p.replace(f, call.Args[0].Pos(), call.Args[0].End(), strconv.Quote(below))
			return
		}
		b.twice(f, call, sel, "Handle", strconv.Quote(prefix), strconv.Quote(prefix+below), handler)
	default:
		b.manual(handler.Pos(), "it is not known whether the mounted handler is a router of chi. For one that becomes a muxwell.Mux, keep Mount. "+
			"Others get the whole path from chi: register them with Handle for %q and %q", prefix, prefix+"/")
	}
}

// mounts returns what a mounted handler is.
func (b *chiRewriter) mounts(f *file, e ast.Expr, depth int) mounted {
	e = ast.Unparen(e)
	t := f.info.TypeOf(e)
	if isChiRouter(t) {
		return chiRouter
	}
	if depth > 5 {
		return unknownHandler
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		if f.info.Types[e.Fun].IsType() {
			if isChiRouter(f.info.TypeOf(e.Args[0])) {
				return chiRouter
			}
			if types.IsInterface(f.info.TypeOf(e.Fun)) {
				return b.mounts(f, e.Args[0], depth+1)
			}
			return otherHandler
		}
		fn := callee(f, e)
		if fn == nil || fn.Pkg() == nil {
			return unknownHandler
		}
		if ipath := fn.Pkg().Path(); ipath == "net/http" {
			for _, arg := range e.Args {
				if h := f.info.TypeOf(arg); h != nil && types.IsInterface(h) && fn.Name() == "StripPrefix" && b.mounts(f, arg, depth+1) != otherHandler {
					return unknownHandler
				} else if isChiRouter(h) {
					return unknownHandler
				}
			}
			return otherHandler
		}
		return b.returned(fn, depth)
	case *ast.Ident:
		if v, ok := f.info.ObjectOf(e).(*types.Var); ok && types.IsInterface(v.Type()) {
			return b.assignedTo(f, v, depth)
		}
	}
	if t != nil && !types.IsInterface(t) {
		if st, ok := deref(t).Underlying().(*types.Struct); ok {
			for v := range st.Fields() {
				if v.Embedded() && (isChiRouter(v.Type()) || types.IsInterface(v.Type())) {
					return unknownHandler
				}
			}
		}
		ipath, _ := named(t)
		if b.g.local[ipath] && b.servesChi(t) {
			return unknownHandler
		}
		return otherHandler
	}
	return unknownHandler
}

func deref(t types.Type) types.Type {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// servesChi reports whether a type of the program has a field with a router, to which its
// ServeHTTP may pass the request.
func (b *chiRewriter) servesChi(t types.Type) bool {
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range st.Fields() {
		if isChiRouter(v.Type()) {
			return true
		}
		if types.IsInterface(v.Type()) {
			if ipath, name := named(v.Type()); ipath == "net/http" && name == "Handler" {
				return true
			}
		}
	}
	return false
}

// returned returns what all returns of a function of the program are.
func (b *chiRewriter) returned(fn *types.Func, depth int) mounted {
	var found []mounted
	for _, f := range b.p.files {
		for _, decl := range f.syntax.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body == nil || d.Name.Pos() != fn.Pos() {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.ReturnStmt:
					if len(n.Results) > 0 {
						found = append(found, b.mounts(f, n.Results[0], depth+1))
					}
				}
				return true
			})
		}
	}
	return unanimous(found)
}

// assignedTo returns what all values of a local variable are.
func (b *chiRewriter) assignedTo(f *file, v *types.Var, depth int) mounted {
	var found []mounted
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && f.info.ObjectOf(id) == v {
					if len(n.Rhs) != len(n.Lhs) {
						found = append(found, unknownHandler)
						continue
					}
					found = append(found, b.mounts(f, n.Rhs[i], depth+1))
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if f.info.Defs[id] == v && i < len(n.Values) {
					found = append(found, b.mounts(f, n.Values[i], depth+1))
				}
			}
		}
		return true
	})
	return unanimous(found)
}

func unanimous(found []mounted) mounted {
	if len(found) == 0 {
		return unknownHandler
	}
	for _, m := range found {
		if m != found[0] {
			return unknownHandler
		}
	}
	return found[0]
}
