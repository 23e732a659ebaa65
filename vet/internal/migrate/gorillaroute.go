package migrate

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"
)

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
func (b *gorillaRewriter) place(s slot) (root slot, prefix string, ok bool) {
	known := func(e flowEdge) bool {
		_, ok := b.prefixes[e.to]
		return ok || !e.derived
	}
	return b.base.place(s, known, func(outer string, s slot) string {
		host, path := splitHost(b.prefixes[s])
		outerHost, outer := splitHost(outer)
		return cmp.Or(host, outerHost) + outer + path
	}, map[slot]bool{})
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

// patternText returns the expression for a pattern: the program's own one if its constants
// can stay.
func (b *gorillaRewriter) patternText(f *file, s spec, methods []string) string {
	return b.expression(f, s.pathExpr, s.original, s.host, s.path, methods)
}

// noteRoute records a route, and what changes for routes like it.
func (b *gorillaRewriter) noteRoute(f *file, s spec, call *ast.CallExpr, self slot) {
	whole := true
	if s.pathExpr != nil {
		_, whole = constString(f, s.pathExpr)
	}
	if !whole {
		b.plainPrefix(f, s.pathExpr)
	} else if root, prefix, ok := b.place(self); ok {
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
