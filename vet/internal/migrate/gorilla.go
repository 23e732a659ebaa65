package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
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

// external reports routers that leave the program, and packages outside of it that may
// look for the routes of such a router.
func (b *base) external() {
	reported := map[string]bool{}
	for _, f := range b.p.files {
		for _, spec := range f.syntax.Imports {
			ipath := importPath(spec)
			dep := f.pkg.Imports[ipath]
			if dep == nil || b.g.local[ipath] || b.is(ipath) || b.is(strings.TrimSuffix(ipath, "/middleware")) || ipath == muxwellPath {
				continue
			}
			for path := range dep.Imports {
				if b.is(path) && !reported[ipath] {
					reported[ipath] = true
					b.manual(spec.Pos(), "%s uses %s: it finds no parameters and routes in a request that muxwell routes, "+
						"and a request that it routes itself has no path values; find a variant for net/http", ipath, path)
				}
			}
		}
	}
	for _, e := range b.g.external {
		if b.is(e.fn.Pkg().Path()) {
			continue
		}
		b.manual(e.arg.Pos(), "%s.%s is outside of the program and needs the type of %s; "+
			"find a variant for net/http, or keep a router of that type for it and mount it", e.fn.Pkg().Name(), e.fn.Name(), b.from)
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

// A spec is what the links of a chain say about a route.
type spec struct {
	methods  []string
	path     string   // the path of muxwell
	pathExpr ast.Expr // nil if there is none
	original string   // its constant value
	isPrefix bool
	host     string
	hostExpr ast.Expr
	options  []string
	name     string // its constant name
	handler  ast.Expr
	isFunc   bool
	err      string
	errPos   token.Pos
}

// matchers returns the number of options that decide whether the route matches.
func (s spec) matchers() (n int) {
	for _, o := range s.options {
		if !strings.HasPrefix(o, "muxwell.Name(") && !strings.HasPrefix(o, "muxwell.Meta(") {
			n++
		}
	}
	return n
}

func (b *gorillaRewriter) spec(f *file, links []link, subrouter bool) (s spec) {
	fail := func(pos token.Pos, format string, args ...any) {
		if s.err == "" {
			s.err, s.errPos = fmt.Sprintf(format, args...), pos
		}
	}
	for _, l := range links {
		args := l.call.Args
		var constants []string
		for _, arg := range args {
			if c, ok := constString(f, arg); ok {
				constants = append(constants, c)
			}
		}
		constant := len(constants) == len(args) && !l.call.Ellipsis.IsValid()
		quoted := func() string {
			var list []string
			for _, arg := range args {
				list = append(list, b.text(f, arg))
			}
			return strings.Join(list, ", ")
		}
		switch l.name {
		case "HandleFunc", "Handle", "Path", "PathPrefix":
			if s.pathExpr != nil {
				fail(l.sel.Sel.Pos(), "a route with two paths: write them as one pattern")
				break
			}
			s.pathExpr = args[0]
			s.isPrefix = l.name == "PathPrefix"
			pattern, ok := constString(f, args[0])
			if !ok && !s.isPrefix {
				pattern, ok = b.tail(f, args[0])
			}
			if !ok {
				fail(args[0].Pos(), "the path is not constant, so it is not known whether it means the same in muxwell: "+
					"there a final slash is a catch-all unless {$} follows, and expressions match one segment")
				break
			}
			s.original = pattern
			path, err := gorillaPath(s.original, s.isPrefix, subrouter)
			if _, whole := constString(f, args[0]); !whole && err == nil && !strings.HasPrefix(path, pattern) {
				err = errors.New("it follows a prefix that is not constant")
			}
			if err != nil {
				fail(args[0].Pos(), "pattern %q: %v", s.original, err)
				break
			}
			s.path = path
			if len(args) == 2 {
				s.handler, s.isFunc = args[1], l.name == "HandleFunc"
			}
		case "Handler", "HandlerFunc":
			s.handler, s.isFunc = args[0], l.name == "HandlerFunc"
		case "NewRoute", "Subrouter":
		case "Methods":
			if !constant {
				fail(l.sel.Sel.Pos(), "the methods are not constant; in muxwell they are a part of the pattern")
				break
			}
			if s.methods != nil {
				fail(l.sel.Sel.Pos(), "a route with two calls of Methods matches only methods that are in both")
				break
			}
			for _, c := range constants {
				if c = strings.ToUpper(c); !slices.Contains(s.methods, c) {
					s.methods = append(s.methods, c)
				}
			}
			if slices.Contains(s.methods, "GET") {
				s.methods = slices.DeleteFunc(s.methods, func(m string) bool { return m == "HEAD" })
			}
		case "Host":
			host, err := "", error(nil)
			if constant {
				host, err = gorillaHost(constants[0])
			}
			switch {
			case !constant:
				fail(l.sel.Sel.Pos(), "the host is not constant")
			case err != nil:
				fail(args[0].Pos(), "host %q: %v", constants[0], err)
			case s.hostExpr != nil:
				fail(l.sel.Sel.Pos(), "a route with two hosts")
			}
			s.host, s.hostExpr = host, args[0]
			b.change("The case of a host is ignored.")
		case "Name":
			s.options = append(s.options, "muxwell.Name("+quoted()+")")
			if constant {
				s.name = constants[0]
			}
		case "Metadata":
			s.options = append(s.options, "muxwell.Meta("+quoted()+")")
		case "Schemes":
			for _, c := range constants {
				constant = constant && (strings.EqualFold(c, "http") || strings.EqualFold(c, "https"))
			}
			if !constant {
				fail(l.sel.Sel.Pos(), "Schemes: muxwell knows only the constants http and https")
				break
			}
			s.options = append(s.options, "muxwell.Schemes("+quoted()+")")
			b.change("A scheme is that of the connection, or of the header X-Forwarded-Proto if the proxy is one of the option TrustedProxies.")
		case "Headers":
			if l.call.Ellipsis.IsValid() {
				quoted := b.text(f, args[0])
				s.options = append(s.options, "muxwell.Headers("+quoted+"...)")
				break
			}
			s.options = append(s.options, "muxwell.Headers("+quoted()+")")
		case "HeadersRegexp":
			if !constant {
				fail(l.sel.Sel.Pos(), "the expressions are not constant; in muxwell they match the whole value, so add .* at both ends")
				break
			}
			var list []string
			for i, c := range constants {
				if i%2 == 1 {
					c = wholeLine(c)
				}
				list = append(list, strconv.Quote(c))
			}
			s.options = append(s.options, "muxwell.HeadersRegexp("+strings.Join(list, ", ")+")")
		case "Queries":
			if !constant || len(constants)%2 != 0 {
				fail(l.sel.Sel.Pos(), "the queries are not constant")
				break
			}
			var list []string
			for i, c := range constants {
				if i%2 == 1 {
					q, err := gorillaQuery(c)
					if err != nil {
						fail(args[i].Pos(), "query %q: %v", c, err)
					}
					c = q
				}
				list = append(list, strconv.Quote(c))
			}
			s.options = append(s.options, "muxwell.Queries("+strings.Join(list, ", ")+")")
		case "MatcherFunc":
			fn, ok := ast.Unparen(args[0]).(*ast.FuncLit)
			if !ok || len(fn.Type.Params.List) != 2 || unused(f, fn.Type.Params.List[1]) != nil {
				fail(l.sel.Sel.Pos(), "MatcherFunc: use the option muxwell.MatchFunc with a func(*http.Request) bool, which cannot change the match")
				break
			}
			match := fn.Type.Params.List[1]
			text := b.between(f, fn.Pos(), fn.Type.Params.List[0].End()) + b.between(f, match.End(), fn.End())
			ast.Inspect(match, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					b.done[id] = true
				}
				return true
			})
			s.options = append(s.options, "muxwell.MatchFunc("+text+")")
		case "Use":
			fail(l.sel.Sel.Pos(), "middleware of a route: use m.With(middleware) for it")
		default:
			fail(l.sel.Sel.Pos(), "%s on a route: muxwell has no equivalent in a registration", l.name)
		}
	}
	return s
}

func (b *base) between(f *file, from, to token.Pos) string { return f.between(b.p, from, to) }

// unused returns a use of a parameter, or nil.
func unused(f *file, field *ast.Field) (use *ast.Ident) {
	for _, name := range field.Names {
		obj := f.info.Defs[name]
		for id, o := range f.info.Uses {
			if obj != nil && o == obj {
				use = id
			}
		}
	}
	return use
}

// wholeLine returns an expression that matches the lines in which expr finds something.
func wholeLine(expr string) string {
	if alternatives(expr) {
		return ".*(?:" + expr + ").*"
	}
	if cut, ok := strings.CutPrefix(expr, "^"); ok {
		expr = cut
	} else {
		expr = ".*" + expr
	}
	if strings.HasSuffix(expr, "$") && !strings.HasSuffix(expr, `\$`) {
		return strings.TrimSuffix(expr, "$")
	}
	return expr + ".*"
}

// gorillaQuery returns the template of muxwell for that of a query.
func gorillaQuery(template string) (string, error) {
	parts, err := splitPattern(template)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, p := range parts {
		switch {
		case !p.param:
			out.WriteString(p.text)
		case (p.expr == "" || p.expr == ".*") && len(parts) == 1:
			fmt.Fprintf(&out, "{%s...}", p.name)
		case p.expr == "" || matchesEmpty(p.expr):
			return "", fmt.Errorf("{%s} next to text also matches the empty text, and a parameter of muxwell does not", p.name)
		default:
			fmt.Fprintf(&out, "{%s:%s}", p.name, p.expr)
		}
	}
	return out.String(), nil
}

// subrouter rewrites r.PathPrefix(p).Subrouter().
func (b *gorillaRewriter) subrouter(f *file, router ast.Expr, links []link) {
	for _, l := range links {
		b.done[l.sel.Sel] = true
	}
	last := links[len(links)-1].call
	s := b.spec(f, links, true)
	if s.err == "" && s.handler != nil {
		s.err, s.errPos = "a subrouter with a handler", last.Pos()
	}
	if s.err != "" {
		b.manual(s.errPos, "%s", s.err)
		return
	}
	self := last.Lparen
	b.methods[self] = s.methods
	b.prefixes[self] = s.host + s.path
	b.sites[b.from]++
	text := ".Group(nil)"
	if s.path != "" || s.host != "" {
		text = ".Route(" + b.patternText(f, s, nil) + ", nil)"
	}
	b.p.replace(f, router.End(), last.End(), text)
	if len(s.options) == 0 {
		return
	}
	v := f.assigned(last)
	stmt := f.statement(last)
	if id, ok := v.(*ast.Ident); ok && id.Name != "_" && stmt != nil {
		b.p.insert(f, stmt.End(), "\n"+id.Name+".Defaults("+strings.Join(s.options, ", ")+")")
		return
	}
	b.manual(last.Pos(), "a subrouter with matchers: call Defaults(%s) on it", strings.Join(s.options, ", "))
}

// inherited returns the methods that the subrouters in s require. It fails if they differ.
func (b *gorillaRewriter) inherited(s slot, seen map[slot]bool) (methods []string, ok bool) {
	if methods := b.methods[s]; methods != nil {
		return methods, true
	}
	if seen[s] {
		return nil, true
	}
	seen[s] = true
	first := true
	for _, e := range b.g.edges {
		if e.to != s {
			continue
		}
		in, ok := b.inherited(e.from, seen)
		if !ok || !first && !slices.Equal(in, methods) {
			return nil, false
		}
		methods, first = in, false
	}
	return methods, true
}

// place returns the router and the prefix of the groups in s, if that is known.
func (b *gorillaRewriter) place(s slot, seen map[slot]bool) (root slot, prefix string, ok bool) {
	if b.news[s] != nil {
		return s, "", true
	}
	if seen[s] {
		return s, "", false
	}
	seen[s] = true
	for _, e := range b.g.edges {
		if e.to != s {
			continue
		}
		if ok { // a second one
			return s, "", false
		}
		if _, known := b.prefixes[s]; e.derived && !known {
			return s, "", false
		}
		if root, prefix, ok = b.place(e.from, seen); !ok {
			return s, "", false
		}
	}
	host, path := splitHost(b.prefixes[s])
	outerHost, outer := splitHost(prefix)
	return root, cmp.Or(host, outerHost) + outer + path, ok
}

// splitHost splits a prefix before its path.
func splitHost(s string) (host, path string) {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// route rewrites a registration.
func (b *gorillaRewriter) route(f *file, router ast.Expr, links []link) {
	for _, l := range links {
		b.done[l.sel.Sel] = true
	}
	last := links[len(links)-1].call
	s := b.spec(f, links, false)
	self := b.g.slotOf(f, router)
	inherited, ok := b.inherited(self, map[slot]bool{})
	switch {
	case s.err != "":
		b.manual(s.errPos, "%s", s.err)
		return
	case s.handler == nil:
		b.manual(last.Pos(), "a route without a handler; if another statement adds the handler register it there with all its parts")
		return
	case !ok:
		b.manual(last.Pos(), "routers that require different methods get to this variable")
		return
	case inherited != nil && s.methods != nil && !slices.Equal(inherited, s.methods):
		b.manual(last.Pos(), "the route and its subrouter have different methods, and only those in both match")
		return
	case f.onlyStatement(last) == nil:
		b.manual(last.Pos(), "a *mux.Route is used after its registration; a function such as m.Get, or m.Add, returns a *muxwell.Route")
		return
	case s.hostExpr != nil && s.pathExpr == nil || s.pathExpr == nil:
		// Every path.
		if b.g.facts[self]&prefixed != 0 {
			b.manual(last.Pos(), "a route without a path below a prefix matches the prefix and everything below it: "+
				"register it for the patterns \"\" and \"/\"")
			return
		}
		s.path = "/"
	}
	if s.methods == nil {
		s.methods = inherited
	}
	b.sites[b.from]++
	b.noteRoute(f, s, last, self)
	pattern := b.patternText(f, s, s.methods)
	handlerStart, handlerEnd := s.handler.Pos(), s.handler.End()
	if len(s.options) == 0 {
		name := "Handle"
		if s.isFunc {
			name = "HandleFunc"
		}
		b.p.replace(f, router.End(), handlerStart, b.dot(f, links[0])+name+"("+pattern+", ")
		b.p.replace(f, handlerEnd, last.End(), ")")
		return
	}
	options := ", " + strings.Join(s.options, ", ")
	verbs := map[string]string{
		"GET": "Get", "HEAD": "Head", "POST": "Post", "PUT": "Put", "PATCH": "Patch", "DELETE": "Delete",
		"OPTIONS": "Options", "TRACE": "Trace", "CONNECT": "Connect",
	}
	if len(s.methods) == 1 && s.isFunc && verbs[s.methods[0]] != "" {
		b.p.replace(f, router.End(), handlerStart, b.dot(f, links[0])+verbs[s.methods[0]]+"("+b.patternText(f, s, nil)+", ")
		b.p.replace(f, handlerEnd, last.End(), options+")")
		return
	}
	before, after := "", ""
	if s.isFunc {
		before, after = "http.HandlerFunc(", ")"
	}
	b.p.insert(f, router.Pos(), "if _, err := ")
	b.p.replace(f, router.End(), handlerStart, b.dot(f, links[0])+"Add("+pattern+", "+before)
	b.p.replace(f, handlerEnd, last.End(), after+options+"); err != nil {\npanic(err)\n}")
}

// dot returns the text between a router and the first method, which may be in the next line.
func (b *gorillaRewriter) dot(f *file, l link) string {
	return b.between(f, l.sel.X.End(), l.sel.Sel.Pos())
}

// patternText returns the expression for the pattern of a route or prefix.
func (b *base) quote(f *file, e ast.Expr, value string) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Value[0] == '`' && !strings.Contains(value, "`") {
		return "`" + value + "`"
	}
	if strings.Contains(value, `\`) && strconv.CanBackquote(value) {
		return "`" + value + "`"
	}
	return strconv.Quote(value)
}

// patternText returns the expression for a pattern: the program's own one if its constants
// can stay.
func (b *gorillaRewriter) patternText(f *file, s spec, methods []string) string {
	return b.expression(f, s.pathExpr, s.original, s.host, s.path, methods)
}

func (b *base) expression(f *file, e ast.Expr, original, host, path string, methods []string) string {
	before := host
	if len(methods) > 0 {
		before = strings.Join(methods, ",") + " " + host
	}
	if _, lit := e.(*ast.BasicLit); !lit && e != nil {
		if rest, ok := strings.CutPrefix(path, original); ok && original != "" {
			text := b.text(f, e)
			// A literal at the end takes what is added.
			switch {
			case before == "":
			case strings.ContainsRune("\"`", rune(text[0])):
				text = text[:1] + before + text[1:]
			default:
				text = strconv.Quote(before) + "+" + text
			}
			switch end := len(text) - 1; {
			case rest == "":
			case strings.ContainsRune("\"`", rune(text[end])):
				text = text[:end] + rest + text[end:]
			default:
				text += "+" + strconv.Quote(rest)
			}
			return text
		}
	}
	return b.quote(f, e, before+path)
}

// noteRoute records a route, and what changes for routes like it.
func (b *gorillaRewriter) noteRoute(f *file, s spec, call *ast.CallExpr, self slot) {
	whole := true
	if s.pathExpr != nil {
		_, whole = constString(f, s.pathExpr)
	}
	if !whole {
		b.plainPrefix(f, s.pathExpr)
	} else if root, prefix, ok := b.place(self, map[slot]bool{}); ok {
		host, path := splitHost(prefix)
		b.routes = append(b.routes, route{call.Pos(), f.condition(call), root, s.methods, cmp.Or(s.host, host) + path + s.path, s.name, s.matchers() == 0})
	}
	if slices.Contains(s.methods, "GET") {
		b.change("Routes for GET also match HEAD.")
	}
	if len(s.methods) > 0 {
		b.change("A wrong method is answered with 405, an Allow header and a body; gorilla/mux sends neither of them.")
	}
	if strings.Contains(s.path, "{") && !strings.HasSuffix(s.path, "/{$}") || strings.Count(s.path, "{") > 1 {
		b.change("A path is split at its slashes as it was sent: /users/a%2Fb matches /users/{id}, and the value is a/b.")
	}
	b.change("A path that is not clean, such as /a//b, is redirected with 307 instead of 301.")
	b.change("Of several routes that match, the one with the more specific pattern wins, not the one registered first.")
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
