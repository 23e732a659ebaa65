package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// gorillaRewriter rewrites gorilla/mux, or muxwell's package with its API, for muxwell's own API.
type gorillaRewriter struct {
	base
	hosts    bool // some route has a host or a query, so URL and URLPath differ
	catchAll map[string]bool
	slashes  bool
	methods  map[slot][]string // that a subrouter requires
	prefixes map[slot]string
}

// selfMethods return the router that they are called on.
var selfMethods = []string{"StrictSlash", "SkipClean", "UseEncodedPath", "OmitRouteFromContext", "OmitRouterFromContext"}

// routeMethods are the methods of Router that begin a route.
var routeMethods = []string{
	"HandleFunc", "Handle", "Path", "PathPrefix", "Methods", "Host", "Headers", "HeadersRegexp", "Queries", "Schemes",
	"MatcherFunc", "Name", "NewRoute", "BuildVarsFunc",
}

func migrateGorilla(m *migrator) []route {
	b := &gorillaRewriter{
		base: base{
			migrator: m, from: fromGorilla, is: isGorilla,
			done: map[*ast.Ident]bool{}, news: map[slot]*newCall{}, known: map[string]bool{},
		},
		catchAll: map[string]bool{}, methods: map[slot][]string{}, prefixes: map[slot]string{},
	}
	m.gone = append(m.gone, gorillaPaths...)
	b.g = newFlows(m.p, func(t types.Type) bool {
		ipath, name := named(t)
		return name == "Router" && isGorilla(ipath)
	}, b.seed, b.self)
	b.scan()
	b.g.solve()
	b.external()
	b.calls()
	b.variables()
	b.types()
	b.toGroups()
	b.finishNews(b.slashes)
	b.leftovers(map[string]string{
		"CurrentRoute":          "use m.RouteOf(r), whose Path, Name and Meta never fail, or r.Pattern",
		"Walk":                  "range over m.Routes()",
		"SetURLVars":            "use r.SetPathValue",
		"Vars":                  "read each variable with r.PathValue",
		"RouteMatch":            "use m.Explain(r)",
		"Match":                 "use m.Explain(r)",
		"MatcherFunc":           "use the option muxwell.MatchFunc",
		"Route":                 "routes of muxwell do not change: register the route with all its parts in one call, which may return a *muxwell.Route",
		"CORSMethodMiddleware":  "use the option muxwell.OptionsHandler",
		"NotFoundHandler":       "use the option muxwell.NotFound",
		"BuildVarsFunc":         "muxwell has no equivalent",
		"KeepContext":           "delete it: there is nothing to keep",
		"ErrNotFound":           "muxwell has no such error; m.Explain(r) has a Status",
		"ErrMethodMismatch":     "muxwell has no such error; m.Explain(r) has a Status",
		"Router":                "this use of the type is not known to the migration",
		"Get":                   "use m.URL(name, …), m.Path(name, …), or keep the *muxwell.Route that registration returns",
		"GetRoute":              "use m.URL(name, …), m.Path(name, …), or keep the *muxwell.Route that registration returns",
		"OmitRouteFromContext":  "delete it: muxwell adds nothing to the context",
		"OmitRouterFromContext": "delete it: muxwell adds nothing to the context",
	})
	return b.routes
}

// method returns the method of Router or Route that is called, with its selector.
func (b *gorillaRewriter) method(f *file, call *ast.CallExpr) (recv string, sel *ast.SelectorExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	fn, ok := f.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || !isGorilla(fn.Pkg().Path()) {
		return "", nil
	}
	sig := fn.Type().(*types.Signature)
	if sig.Recv() == nil {
		return "", nil
	}
	_, recv = named(sig.Recv().Type())
	return recv, sel
}

// A link is a call in a chain of calls, r.Path(…).Methods(…).Handler(…).
type link struct {
	name string
	sel  *ast.SelectorExpr
	call *ast.CallExpr
}

// chain returns the calls of routes that end in call, and the router at which they begin.
func (b *gorillaRewriter) chain(f *file, call *ast.CallExpr) (router ast.Expr, links []link) {
	for {
		recv, sel := b.method(f, call)
		if sel == nil {
			return nil, nil
		}
		links = append(links, link{sel.Sel.Name, sel, call})
		if recv == "Router" {
			slices.Reverse(links)
			return sel.X, links
		}
		inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok || recv != "Route" {
			return nil, links
		}
		call = inner
	}
}

func (b *gorillaRewriter) self(f *file, call *ast.CallExpr) ast.Expr {
	if recv, sel := b.method(f, call); recv == "Router" && slices.Contains(selfMethods, sel.Sel.Name) {
		return sel.X
	}
	return nil
}

func (b *gorillaRewriter) seed(f *file, call *ast.CallExpr) (ast.Expr, fact, fact, bool) {
	if fn := callee(f, call); fn != nil && fn.Pkg() != nil && isGorilla(fn.Pkg().Path()) {
		switch fn.Name() {
		case "NewRouter":
			return nil, isMux | atRoot, 0, true
		case "Subrouter":
			router, links := b.chain(f, call)
			if router == nil {
				return nil, isGroup, 0, true
			}
			for _, l := range links {
				if l.name == "PathPrefix" || l.name == "Path" {
					return router, isGroup | prefixed, atRoot, true
				}
			}
			return router, isGroup, 0, true
		}
	}
	return nil, 0, 0, false
}

// scan finds the constructors, and what all routes together decide.
func (b *gorillaRewriter) scan() {
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				fn := callee(f, n)
				if fn == nil || fn.Pkg() == nil || !isGorilla(fn.Pkg().Path()) {
					return true
				}
				switch fn.Name() {
				case "NewRouter":
					if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
						b.news[n.Lparen] = &newCall{f: f, from: n.Pos(), to: n.End()}
						b.rewrote(sel.Sel)
					}
				case "Host", "Queries":
					b.hosts = true
				case "Use", "Get", "GetRoute":
					if recv, sel := b.method(f, n); recv == "Router" {
						b.g.facts[b.g.slotOf(f, sel.X)] |= usesMux
					}
				case "HandleFunc", "Handle", "Path", "PathPrefix":
					if len(n.Args) == 0 {
						return true
					}
					s, ok := constString(f, n.Args[0])
					if !ok {
						s, _ = b.tail(f, n.Args[0])
					}
					b.slashes = b.slashes || strings.HasSuffix(s, "/") && s != "/" || strings.HasSuffix(s, ":.*}")
					parts, _ := splitPattern(s)
					for _, p := range parts {
						if p.param {
							b.known[p.name] = true
							if p.expr == ".*" {
								b.catchAll[p.name] = true
							}
						}
					}
				}
			case *ast.SelectorExpr:
				if v, ok := f.info.Uses[n.Sel].(*types.Var); ok && (v.Name() == "NotFoundHandler" || v.Name() == "MethodNotAllowedHandler") &&
					v.Pkg() != nil && isGorilla(v.Pkg().Path()) {
					b.g.facts[b.g.slotOf(f, n.X)] |= usesMux
				}
			}
			return true
		})
	}
}

// calls rewrites chains of calls and assignments to handlers.
func (b *gorillaRewriter) calls() {
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				recv, sel := b.method(f, n)
				if sel == nil {
					return true
				}
				// Only the outermost call of a chain.
				if up, ok := f.parent(n).(*ast.SelectorExpr); ok && recv != "" {
					if outer, ok := f.parent(up).(*ast.CallExpr); ok {
						if r, _ := b.method(f, outer); r == "Route" {
							return true
						}
					}
				}
				b.call(f, n)
			case *ast.AssignStmt:
				b.handlerField(f, n)
			}
			return true
		})
	}
}

func names(links []link) (ids []*ast.Ident) {
	for _, l := range links {
		ids = append(ids, l.sel.Sel)
	}
	return ids
}

func (b *gorillaRewriter) call(f *file, call *ast.CallExpr) {
	router, links := b.chain(f, call)
	if router == nil {
		for _, l := range links {
			b.done[l.sel.Sel] = true
		}
		if len(links) > 0 {
			b.manual(call.Pos(), "a *mux.Route is kept and changed afterwards; routes of muxwell do not change: "+
				"register the route with all its parts in one call")
		}
		return
	}
	first, last := links[0], links[len(links)-1]
	switch first.name {
	case "Use":
		b.rewrote(first.sel.Sel)
		b.change("Middleware of Use also runs for the router's own answers, 404, 405 and redirects, " +
			"and the function passed to Use is called once for each route, not for each request.")
		return
	case "ServeHTTP":
		b.rewrote(first.sel.Sel)
		return
	case "StrictSlash", "SkipClean", "UseEncodedPath", "OmitRouteFromContext", "OmitRouterFromContext":
		b.option(f, first)
		return
	case "Get", "GetRoute":
		b.url(f, router, links)
		return
	}
	if !slices.Contains(routeMethods, first.name) {
		return // a leftover
	}
	if last.name == "Subrouter" {
		b.subrouter(f, router, links)
		return
	}
	b.route(f, router, links)
}

// option rewrites an option of a router.
func (b *gorillaRewriter) option(f *file, l link) {
	b.done[l.sel.Sel] = true
	s := b.g.slotOf(f, l.sel.X)
	c := b.constructor(s)
	on := len(l.call.Args) == 0 || b.text(f, l.call.Args[0]) == "true"
	off := len(l.call.Args) == 1 && b.text(f, l.call.Args[0]) == "false"
	switch {
	case l.name == "StrictSlash" && on:
		b.manual(l.sel.Sel.Pos(), "StrictSlash(true) redirects /x to /x/ and back. Muxwell redirects only /x to /x/, unless TrailingSlash(SlashStrict) is set; "+
			"TrailingSlash(SlashIgnore) serves both without a redirect")
		return
	case l.name == "SkipClean" && on:
		if c == nil {
			b.manual(l.sel.Sel.Pos(), "SkipClean: pass muxwell.UncleanPath(muxwell.PathServe) to muxwell.New")
			return
		}
		c.options = append(c.options, "muxwell.UncleanPath(muxwell.PathServe)")
	case !on && !off:
		b.manual(l.sel.Sel.Pos(), "%s with a value that is not constant", l.name)
		return
	case l.name == "UseEncodedPath":
		b.manual(l.sel.Sel.Pos(), "UseEncodedPath: muxwell splits paths as they were sent, and unescapes each value, which was escaped until now: "+
			"do not unescape it again")
	}
	b.sites[b.from]++
	if s := f.onlyStatement(l.call); s != nil {
		b.p.removeStmt(f, s)
		return
	}
	b.p.replace(f, l.sel.X.End(), l.call.End(), "")
	if c != nil && c.f == f && c.to == l.sel.X.End() {
		return
	}
}

// url rewrites r.Get(name).URL(pairs…).
func (b *gorillaRewriter) url(f *file, router ast.Expr, links []link) {
	if len(links) != 2 || links[1].name != "URL" && links[1].name != "URLPath" || b.g.group(b.g.slotOf(f, router)) {
		return // a leftover
	}
	ids := names(links)
	if b.hosts {
		for _, id := range ids {
			b.done[id] = true
		}
		b.manual(links[0].sel.Sel.Pos(), "%s(…).%s: some route has a host or a query, for which the URLs of muxwell are different; use m.URL or m.Path",
			links[0].name, links[1].name)
		return
	}
	b.rewrote(ids...)
	b.p.replace(f, links[0].sel.Sel.Pos(), links[0].sel.Sel.End(), "URL")
	second := links[1].call
	if len(second.Args) == 0 {
		b.p.replace(f, links[0].call.Rparen, second.End(), ")")
		return
	}
	b.p.replace(f, links[0].call.Rparen, second.Args[0].Pos(), ", ")
}

// handlerField rewrites r.NotFoundHandler = h.
func (b *gorillaRewriter) handlerField(f *file, n *ast.AssignStmt) {
	for i, lhs := range n.Lhs {
		sel, ok := lhs.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		v, ok := f.info.Uses[sel.Sel].(*types.Var)
		if !ok || !v.IsField() || v.Pkg() == nil || !isGorilla(v.Pkg().Path()) || len(n.Lhs) != len(n.Rhs) {
			continue
		}
		name := strings.TrimSuffix(v.Name(), "Handler")
		if name != "NotFound" && name != "MethodNotAllowed" || len(n.Lhs) != 1 || n.Tok != token.ASSIGN {
			continue
		}
		if b.text(f, n.Rhs[i]) == "nil" {
			continue
		}
		s := b.g.slotOf(f, sel.X)
		b.rewrote(sel.Sel)
		if name == "MethodNotAllowed" {
			b.change("MethodNotAllowedHandler finds the Allow header set.")
		}
		c := b.constructor(s)
		switch {
		case b.g.group(s):
			b.p.replace(f, sel.Sel.Pos(), n.Rhs[i].Pos(), name+"(")
			b.p.insert(f, n.End(), ")")
		case c != nil && b.movable(f, n.Rhs[i], c) && !b.edited(f, n.Rhs[i]):
			c.options = append(c.options, "muxwell."+name+"("+b.text(f, n.Rhs[i])+")")
			b.p.removeStmt(f, n)
		default:
			b.p.replace(f, sel.Sel.Pos(), n.Rhs[i].Pos(), `Route("/", nil).`+name+"(")
			b.p.insert(f, n.End(), ")")
		}
	}
}

// types rewrites the types of variables.
func (b *gorillaRewriter) types() {
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		if _, ok := obj.(*types.TypeName); !ok || b.done[id] {
			return
		}
		switch obj.Name() {
		case "Router":
			if lit, ok := f.parents[f.parents[id]].(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
				b.done[id] = true
				b.manual(id.Pos(), "a router with fields: pass muxwell.NotFound and muxwell.MethodNotAllowed to muxwell.New")
				return
			}
			b.routerType(f, id, false)
		case "MiddlewareFunc":
			if sel, ok := f.parents[id].(*ast.SelectorExpr); ok {
				b.p.replace(f, sel.Pos(), sel.End(), "muxwell.Middleware")
				b.rewrote(id)
			}
		}
	})
}
