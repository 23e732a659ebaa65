package migrate

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// chiRewriter rewrites chi for muxwell.
type chiRewriter struct {
	base
	rest     string // the name of catch-alls, or "" if no handler reads one
	slashes  bool
	prefixes map[slot]string
	names    map[ast.Node]map[string]bool // variables that were added to a function
	noStrict map[*newCall]bool
}

// chiVerbs are the methods of a router for one method of requests.
var chiVerbs = []string{"Get", "Post", "Put", "Patch", "Delete", "Head", "Options", "Trace", "Connect", "Query"}

func migrateChi(m *migrator) []route {
	b := &chiRewriter{
		base: base{
			migrator: m, from: fromChi, is: isChi,
			done: map[*ast.Ident]bool{}, news: map[slot]*newCall{}, known: map[string]bool{},
		},
		prefixes: map[slot]string{}, names: map[ast.Node]map[string]bool{}, noStrict: map[*newCall]bool{},
	}
	b.g = newFlows(m.p, isChiRouter, b.seed, func(*file, *ast.CallExpr) ast.Expr { return nil })
	b.scan()
	b.g.solve()
	b.external()
	b.calls()
	b.contexts()
	b.middleware()
	b.types()
	b.toGroups()
	for _, c := range b.news {
		if b.noStrict[c] {
			continue
		}
		if b.slashes {
			c.options = append([]string{"muxwell.TrailingSlash(muxwell.SlashStrict)"}, c.options...)
		}
	}
	b.finishNews(false)
	b.leftovers(map[string]string{
		"RouteContext":     "use r.Pattern, which begins with the method, or m.RouteOf(r).Path()",
		"RouteCtxKey":      "muxwell adds nothing to the context; use r.PathValue, r.SetPathValue and r.Pattern",
		"NewRouteContext":  "use r.SetPathValue in tests, and m.Explain(r) to find a route",
		"Context":          "muxwell adds nothing to the context; use r.PathValue, r.SetPathValue and r.Pattern",
		"RoutePattern":     "use r.Pattern, which begins with the method, or m.RouteOf(r).Path()",
		"Walk":             "range over m.Routes()",
		"Routes":           "range over m.Routes()",
		"Match":            "use m.Explain(r)",
		"Find":             "use m.Explain(r)",
		"URLParamFromCtx":  "a context has no parameters; pass the request and use r.PathValue",
		"NotFound":         "chi sets it for the router around a group without a prefix: call it there",
		"MethodNotAllowed": "chi sets it for the router around a group without a prefix: call it there",
		"Router":           "this use of the type is not known to the migration",
		"Mux":              "this use of the type is not known to the migration",
		"URLParam":         "use r.PathValue",
		"URLParams":        "use r.PathValue and r.SetPathValue",
	})
	return b.routes
}

func isChiRouter(t types.Type) bool {
	ipath, name := named(t)
	return isChi(ipath) && (name == "Router" || name == "Mux")
}

// method returns the router on which a method of chi's routers is called, and its name.
func (b *chiRewriter) method(f *file, call *ast.CallExpr) (sel *ast.SelectorExpr, name string) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	fn, ok := f.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || !isChi(fn.Pkg().Path()) || !isChiRouter(recvType(fn)) {
		return nil, ""
	}
	return sel, fn.Name()
}

func recvType(fn *types.Func) types.Type {
	if recv := fn.Type().(*types.Signature).Recv(); recv != nil {
		return recv.Type()
	}
	return nil
}

func (b *chiRewriter) seed(f *file, call *ast.CallExpr) (ast.Expr, fact, fact, bool) {
	if sel, name := b.method(f, call); sel != nil {
		switch name {
		case "With", "Group":
			return sel.X, isGroup, 0, true
		case "Route":
			prefix, _ := constString(f, call.Args[0])
			switch {
			case prefix == "/":
				return sel.X, isGroup, 0, true
			case strings.HasSuffix(prefix, "/"):
				return sel.X, isGroup | slashed, atRoot | prefixed, true
			}
			return sel.X, isGroup | prefixed, atRoot | slashed, true
		}
		return nil, 0, 0, false
	}
	if fn := callee(f, call); fn != nil && fn.Pkg() != nil && isChi(fn.Pkg().Path()) && (fn.Name() == "NewRouter" || fn.Name() == "NewMux") {
		return nil, isMux | atRoot, 0, true
	}
	return nil, 0, 0, false
}

// scan finds the constructors, and what all routes together decide.
func (b *chiRewriter) scan() {
	reads := false
	for _, f := range b.p.files {
		for _, spec := range f.syntax.Imports {
			if ipath := importPath(spec); isChi(ipath) && !slices.Contains(b.gone, ipath) {
				b.gone = append(b.gone, ipath)
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, name := b.method(f, call)
			if sel == nil {
				fn := callee(f, call)
				if fn == nil || fn.Pkg() == nil || !isChi(fn.Pkg().Path()) {
					return true
				}
				switch fn.Name() {
				case "NewRouter", "NewMux":
					if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
						b.news[call.Lparen] = &newCall{f: f, from: call.Pos(), to: call.End()}
						b.rewrote(sel.Sel)
					}
				case "URLParam", "URLParamFromCtx":
					key, constant := constString(f, call.Args[1])
					reads = reads || !constant || key == "*"
				}
				return true
			}
			switch name {
			case "Use", "NotFound", "MethodNotAllowed", "Routes", "Middlewares", "Match":
				b.g.facts[b.g.slotOf(f, sel.X)] |= usesMux
			case "Route", "Group":
				// The function gets the group.
				if sig, ok := typeOf(f, call.Args[len(call.Args)-1]).(*types.Signature); ok && sig.Params().Len() == 1 {
					b.g.edge(flowEdge{from: call.Lparen, to: sig.Params().At(0).Pos()})
				}
			}
			for _, arg := range call.Args {
				s, ok := constString(f, arg)
				if !ok {
					s, ok = b.tail(f, arg)
				}
				if !ok {
					continue
				}
				b.slashes = b.slashes || name != "Mount" && name != "Route" && len(s) > 1 && (strings.HasSuffix(s, "/") || strings.HasSuffix(s, "/*"))
				parts, _ := splitPattern(s)
				for _, p := range parts {
					if p.param {
						b.known[p.name] = true
					}
				}
			}
			b.slashes = b.slashes || name == "Mount"
			return true
		})
	}
	if reads {
		b.rest = "rest"
		for i := 2; b.known[b.rest]; i++ {
			b.rest = "rest" + strconv.Itoa(i)
		}
	}
}

// calls rewrites the methods of routers and the functions that read parameters.
func (b *chiRewriter) calls() {
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, name := b.method(f, call); sel != nil {
				b.call(f, call, sel, name)
				return true
			}
			if fn := callee(f, call); fn != nil && fn.Pkg() != nil && isChi(fn.Pkg().Path()) && recvType(fn) == nil {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
					b.function(f, call, sel, fn.Name())
				}
			}
			return true
		})
	}
}

// function rewrites a function of the package.
func (b *chiRewriter) function(f *file, call *ast.CallExpr, sel *ast.SelectorExpr, name string) {
	switch name {
	case "URLParam", "URLParamFromCtx":
		request := call.Args[0]
		if name == "URLParamFromCtx" {
			ctx, ok := ast.Unparen(request).(*ast.CallExpr)
			fn := (*types.Func)(nil)
			if ok {
				fn = callee(f, ctx)
			}
			if fn == nil || fn.Name() != "Context" || !isRequest(recvType(fn)) {
				return // a leftover
			}
			request = ast.Unparen(ctx.Fun).(*ast.SelectorExpr).X
		}
		key, constant := constString(f, call.Args[1])
		if !constant && b.rest != "" && b.readsStar() {
			b.done[sel.Sel] = true
			b.manual(call.Pos(), "the name of the parameter is not constant, and may be that of a catch-all, which is called %q in muxwell", b.rest)
			return
		}
		b.rewrote(sel.Sel)
		b.p.replace(f, call.Pos(), request.Pos(), "")
		end := call.Args[1].End()
		if key == "*" {
			b.p.replace(f, request.End(), end, ".PathValue("+strconv.Quote(b.rest))
			return
		}
		b.p.replace(f, request.End(), call.Args[1].Pos(), ".PathValue(")
	case "RegisterMethod":
		if s := f.onlyStatement(call); s != nil {
			b.rewrote(sel.Sel)
			b.p.removeStmt(f, s)
		}
	case "Chain":
		b.done[sel.Sel] = true // it has nothing to do with routers
	}
}

func (b *chiRewriter) readsStar() bool {
	return b.slashes
}

func isRequest(t types.Type) bool {
	ipath, name := named(t)
	return ipath == "net/http" && name == "Request"
}

// call rewrites a method of a router.
func (b *chiRewriter) call(f *file, call *ast.CallExpr, sel *ast.SelectorExpr, name string) {
	self := b.g.slotOf(f, sel.X)
	switch {
	case slices.Contains(chiVerbs, name):
		b.register(f, call, sel, self, name, nil, call.Args[0], call.Args[1])
	case name == "Handle" || name == "HandleFunc":
		b.register(f, call, sel, self, name, nil, call.Args[0], call.Args[1])
	case name == "Method" || name == "MethodFunc":
		to := "Handle"
		if name == "MethodFunc" {
			to = "HandleFunc"
		}
		b.register(f, call, sel, self, to, call.Args[0], call.Args[1], call.Args[2])
	case name == "Route":
		b.route(f, call, sel)
	case name == "Mount":
		b.mount(f, call, sel, self)
	case name == "With" || name == "Group" || name == "ServeHTTP":
		b.rewrote(sel.Sel)
	case name == "Use":
		b.rewrote(sel.Sel)
		b.change("Middleware of a router or of a group with a prefix also runs for the 404 and 405 below it, and is called once for each route, not once.")
	case name == "NotFound" || name == "MethodNotAllowed":
		b.fallback(f, call, sel, self, name)
	}
}

// types rewrites the types of variables.
func (b *chiRewriter) types() {
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		if _, ok := obj.(*types.TypeName); !ok || b.done[id] {
			return
		}
		switch obj.Name() {
		case "Router":
			b.routerType(f, id, true)
		case "Mux":
			b.routerType(f, id, false)
		case "Middlewares":
			b.done[id] = true // it has nothing to do with routers
		}
	})
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		if name := obj.Name(); name == "Handler" || name == "HandlerFunc" {
			if fn, ok := obj.(*types.Func); ok {
				if _, typ := named(recvType(fn)); typ == "Middlewares" {
					b.done[id] = true
				}
			}
		}
	})
}

// place returns the router and the prefix of the groups in s, if that is known.
func (b *chiRewriter) place(s slot) (root slot, prefix string, ok bool) {
	known := func(e flowEdge) bool {
		_, ok := b.prefixes[e.to]
		return ok || !e.derived || e.add&(prefixed|slashed) == 0
	}
	return b.base.place(s, known, func(outer string, s slot) string { return outer + b.prefixes[s] }, map[slot]bool{})
}
