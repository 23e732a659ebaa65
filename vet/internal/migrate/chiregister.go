package migrate

import (
	"errors"
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// register rewrites the registration of a handler.
func (b *chiRewriter) register(f *file, call *ast.CallExpr, sel *ast.SelectorExpr, self slot, to string, method, pattern, handler ast.Expr) {
	b.done[sel.Sel] = true
	methods := []string{}
	original, whole := constString(f, pattern)
	ok := whole
	if !whole {
		original, ok = b.tail(f, pattern)
	}
	if !ok {
		b.manual(pattern.Pos(), "the pattern is not constant, so it is not known whether it means the same in muxwell: "+
			"there a final slash is a catch-all unless {$} follows, and /* is /{name...}")
		return
	}
	if method != nil {
		name, ok := constString(f, method)
		if !ok {
			b.manual(method.Pos(), "the method is not constant; in muxwell it is a part of the pattern")
			return
		}
		methods = append(methods, strings.ToUpper(name))
	}
	path := original
	if to == "Handle" || to == "HandleFunc" {
		if verb, rest, ok := strings.Cut(original, " "); ok && !strings.Contains(verb, "/") {
			methods, path = append(methods, strings.ToUpper(verb)), strings.TrimSpace(rest)
		}
	}
	converted, err := chiPath(path, b.rest)
	if err == nil && !whole && !strings.HasPrefix(converted, original) {
		err = errors.New("it follows a prefix that is not constant")
	}
	if err != nil {
		b.manual(pattern.Pos(), "pattern %q: %v", original, err)
		return
	}
	if f.onlyStatement(call) == nil {
		b.manual(call.Pos(), "the registration is not a statement")
		return
	}
	b.note(f, call, to, methods, converted, self, whole)
	if !whole {
		b.plainPrefix(f, pattern)
	}
	text := b.expression(f, pattern, original, "", converted, methods)
	if whole && (path == "/" || path == "/*") {
		where := b.g.facts[self] & (atRoot | prefixed | slashed)
		switch where {
		case atRoot, slashed, atRoot | slashed:
		case prefixed:
			first := `""`
			if len(methods) > 0 {
				first = strconv.Quote(strings.Join(methods, ",") + " ")
			}
			b.twice(f, call, sel, to, first, text, handler)
			return
		case 0:
			b.manual(pattern.Pos(), "pattern %q: nothing in the program passes a router here. Below a prefix, chi matches the prefix without and with a slash, "+
				"which needs the patterns \"\" and %q in muxwell", original, converted)
			return
		default:
			b.manual(pattern.Pos(), "pattern %q: a router and a part with a prefix get here. Below a prefix, chi matches the prefix without and with a slash, "+
				"which needs the patterns \"\" and %q in muxwell", original, converted)
			return
		}
	}
	b.sites[b.from]++
	if to != sel.Sel.Name {
		b.p.replace(f, sel.Sel.Pos(), sel.Sel.End(), to)
	}
	if method == nil && text == b.text(f, pattern) {
		return
	}
	b.p.replace(f, call.Args[0].Pos(), pattern.End(), text)
}

// twice registers a handler for two patterns.
func (b *chiRewriter) twice(f *file, call *ast.CallExpr, sel *ast.SelectorExpr, to, first, second string, handler ast.Expr) {
	b.sites[b.from]++
	router, value := b.text(f, sel.X), b.text(f, handler)
	start := call.Pos()
	if !simple(sel.X) {
		router = b.fresh(f, call, "part")
		b.p.insert(f, start, router+" := ")
		start = sel.X.End()
	}
	if !simple(handler) {
		value = b.fresh(f, call, "index")
		text := value + " := "
		if start != call.Pos() {
			text = "\n" + text
		}
		b.p.replace(f, start, handler.Pos(), text)
		start = handler.End()
	}
	text := fmt.Sprintf("%s.%s(%s, %s)\n%[1]s.%[2]s(%[5]s, %[4]s)", router, to, first, value, second)
	if start != call.Pos() {
		text = "\n" + text
	}
	b.p.replace(f, start, call.End(), text)
}

// simple reports whether e is a name, which may be evaluated twice.
func simple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return simple(e.X)
	}
	return false
}

// fresh returns a name for a variable that nothing at the call has.
func (b *chiRewriter) fresh(f *file, call *ast.CallExpr, name string) string {
	fn := f.enclosing(call)
	if b.names[fn] == nil {
		b.names[fn] = map[string]bool{}
		ast.Inspect(fn, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				b.names[fn][id.Name] = true
			}
			return true
		})
	}
	free := name
	for i := 2; b.names[fn][free]; i++ {
		free = name + strconv.Itoa(i)
	}
	b.names[fn][free] = true
	return free
}

// fallback rewrites r.NotFound(h) and r.MethodNotAllowed(h).
func (b *chiRewriter) fallback(f *file, call *ast.CallExpr, sel *ast.SelectorExpr, self slot, name string) {
	handler := call.Args[0]
	before, after := "http.HandlerFunc(", ")"
	if ipath, typ := named(f.info.TypeOf(handler)); ipath == "net/http" && typ == "HandlerFunc" {
		before, after = "", ""
	}
	if name == "MethodNotAllowed" {
		b.change("The handler of MethodNotAllowed finds the Allow header set.")
	}
	if b.g.group(self) {
		if b.g.facts[self]&(prefixed|slashed) == 0 {
			return // a leftover: chi sets it for the router around the group
		}
		b.rewrote(sel.Sel)
		b.p.insert(f, handler.Pos(), before)
		b.p.insert(f, handler.End(), after)
		return
	}
	b.rewrote(sel.Sel)
	c := b.constructor(self)
	if s := f.onlyStatement(call); s != nil && c != nil && b.movable(f, handler, c) && !b.edited(f, handler) {
		c.options = append(c.options, "muxwell."+name+"("+before+b.text(f, handler)+after+")")
		b.p.removeStmt(f, s)
		return
	}
	b.p.insert(f, sel.Sel.Pos(), `Route("/", nil).`)
	b.p.insert(f, handler.Pos(), before)
	b.p.insert(f, handler.End(), after)
}

// note records a route, and what changes for routes like it.
func (b *chiRewriter) note(f *file, call *ast.CallExpr, to string, methods []string, path string, self slot, whole bool) {
	if to != "Handle" && to != "HandleFunc" {
		methods = []string{strings.ToUpper(to)}
	}
	if root, prefix, ok := b.place(self); ok && whole {
		b.routes = append(b.routes, route{call.Pos(), f.condition(call), root, methods, prefix + path, "", true})
	}
	if slices.Contains(methods, "GET") {
		b.change("Routes for GET also match HEAD.")
	}
	if len(methods) > 0 {
		b.change("A 405 has a body.")
	}
	if strings.Contains(strings.TrimSuffix(path, "{$}"), "{") {
		b.change("Values are unescaped: for /users/{id} and the path /users/a%2Fb, the value is a/b instead of a%2Fb.")
		b.change("A parameter does not match an empty text, so that {a}-{b} does not match -x.")
	}
	if textFollows(path) {
		b.change("A value can contain the text that follows it in its segment: {name}.json matches a.b.json.")
	}
	b.change("A path that is not clean, such as //x or /a/../b, is redirected to its clean form with 307.")
}
