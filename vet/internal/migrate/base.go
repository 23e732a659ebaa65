package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// A base is what the rewrites of chi and gorilla/mux have in common.
type base struct {
	*migrator
	from   string
	is     func(ipath string) bool
	g      *flows
	done   map[*ast.Ident]bool // uses of the package that a rule has rewritten or reported
	news   map[slot]*newCall
	routes []route
	known  map[string]bool // names of parameters
}

// A newCall is a call that creates a router, which becomes muxwell.New.
type newCall struct {
	f       *file
	from    token.Pos
	to      token.Pos
	options []string
}

// A route is a registration, for the comparison of all routes.
type route struct {
	pos     token.Pos
	cond    token.Pos // of the condition under which it is registered, if there is one
	slot    slot      // of the router
	methods []string
	pattern string // [HOST]/PATH of muxwell, with the prefix of groups
	name    string // its name, or ""
	plain   bool   // without matchers
}

func (b *base) manual(pos token.Pos, format string, args ...any) {
	b.migrator.manual(b.from, pos, format, args...)
}

func (b *base) change(text string) { b.migrator.change(b.from, text) }

// rewrote counts a rewritten use, and marks its name.
func (b *base) rewrote(ids ...*ast.Ident) {
	b.sites[b.from]++
	for _, id := range ids {
		b.done[id] = true
	}
}

// tail returns the constant text at the end of x+"/text".
func (b *base) tail(f *file, e ast.Expr) (string, bool) {
	sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return "", false
	}
	text, ok := constString(f, sum.Y)
	return text, ok && strings.HasPrefix(text, "/")
}

// plainPrefix reports that a pattern is x+"/text".
func (b *base) plainPrefix(f *file, e ast.Expr) {
	b.keep(b.from, e.Pos(), "the pattern begins with "+b.text(f, ast.Unparen(e).(*ast.BinaryExpr).X)+
		", which is not constant: check that it is plain text without a slash at the end")
}

// uses calls f for each use of the package's objects in the program.
func (b *base) uses(do func(f *file, id *ast.Ident, obj types.Object)) {
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if obj := f.info.Uses[id]; obj != nil && obj.Pkg() != nil && b.is(obj.Pkg().Path()) {
					do(f, id, obj)
				}
			}
			return true
		})
	}
}

// funcCall returns the call and its selector if id is the called function of the package.
func (b *base) funcCall(f *file, id *ast.Ident) (*ast.CallExpr, *ast.SelectorExpr) {
	sel, ok := f.parents[id].(*ast.SelectorExpr)
	if !ok || sel.Sel != id {
		return nil, nil
	}
	call, ok := f.parent(sel).(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != sel {
		return nil, nil
	}
	return call, sel
}

// routerType rewrites an occurrence of the type of a router.
func (b *base) routerType(f *file, id *ast.Ident, pointer bool) {
	sel, ok := f.parents[id].(*ast.SelectorExpr)
	if !ok {
		return // a dot import
	}
	if spec, ok := f.parent(sel).(*ast.TypeSpec); ok {
		b.done[id] = true
		b.manual(id.Pos(), "a type is declared as %s; declare it as muxwell.Mux or muxwell.Group", b.text(f, spec.Type))
		return
	}
	if star, ok := f.parents[sel].(*ast.StarExpr); ok {
		if spec, ok := f.parent(star).(*ast.TypeSpec); ok {
			b.done[id] = true
			b.manual(id.Pos(), "a type is declared as %s; declare it as *muxwell.Mux or *muxwell.Group", b.text(f, spec.Type))
			return
		}
	}
	s := b.g.typeSlot(f, sel)
	name := "Mux"
	if b.g.group(s) {
		name = "Group"
	}
	text := "muxwell." + name
	if pointer {
		text = "*" + text
	}
	b.p.replace(f, sel.Pos(), sel.End(), text)
	b.rewrote(id)
	b.exported(f, sel)
	for n := ast.Node(sel); n != nil; n = f.parents[n] {
		if field, ok := n.(*ast.Field); ok {
			if v := f.embedded(field); v != nil {
				b.renameField(v, name)
			}
			break
		}
	}
}

// exported notes that the type is a part of an API.
func (b *base) exported(f *file, n ast.Node) {
	if f.pkg.Name == "main" || strings.Contains(f.pkg.PkgPath, "internal") || strings.HasSuffix(f.name, "_test.go") {
		return
	}
	for ; n != nil; n = f.parents[n] {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return
		case *ast.Field:
			if len(n.Names) > 0 && !n.Names[0].IsExported() {
				if _, ok := f.parents[f.parents[n]].(*ast.StructType); ok {
					return
				}
			}
		case *ast.FuncDecl:
			if n.Name.IsExported() {
				b.change("The exported API of package " + f.pkg.Name + " has the types of muxwell, so programs that import it change too.")
			}
			return
		case *ast.TypeSpec:
			if n.Name.IsExported() {
				b.change("The exported API of package " + f.pkg.Name + " has the types of muxwell, so programs that import it change too.")
			}
			return
		}
	}
}

func (b *base) text(f *file, n ast.Node) string { return f.text(b.p, n) }

// renameField renames the uses of an embedded field, whose name is that of its type.
func (b *base) renameField(v *types.Var, name string) {
	if v.Name() == name {
		return
	}
	for _, f := range b.p.files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if use, ok := f.info.Uses[id].(*types.Var); ok && use.Embedded() && use.Pos() == v.Pos() {
					b.p.replace(f, id.Pos(), id.End(), name)
				}
			}
			return true
		})
	}
}

// toGroups passes m.Group(nil) where a mux is copied to a variable for groups.
func (b *base) toGroups() {
	for _, e := range b.g.edges {
		if e.derived || !b.g.group(e.to) || b.g.group(e.from) {
			continue
		}
		switch {
		case e.expr == nil:
			continue
		case b.g.facts[e.to]&usesMux != 0:
			b.manual(e.expr.Pos(), "a router and a part of a router get to the same variable, and Use, NotFound and the like "+
				"mean different things for them; write one function for *muxwell.Mux and one for *muxwell.Group")
		default:
			b.p.insert(e.file, e.expr.End(), ".Group(nil)")
		}
	}
}

// constructor returns the only call that creates the routers in s, or nil.
func (b *base) constructor(s slot) *newCall {
	return b.constructorIn(s, map[slot]bool{})
}

func (b *base) constructorIn(s slot, seen map[slot]bool) *newCall {
	if c := b.news[s]; c != nil || seen[s] {
		return c
	}
	seen[s] = true
	var found *newCall
	for _, e := range b.g.edges {
		if e.to != s {
			continue
		}
		c := b.constructorIn(e.from, seen)
		if e.derived || c == nil || found != nil && found != c {
			return nil
		}
		found = c
	}
	return found
}

// movable reports whether e means the same at the place of the constructor: it is in
// the same function and names nothing that is local.
func (b *base) movable(f *file, e ast.Expr, c *newCall) bool {
	if c.f != f || f.functionAt(c.from) != f.functionAt(e.Pos()) || f.functionAt(e.Pos()) == nil {
		return false
	}
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			obj := f.info.ObjectOf(n)
			if v, isVar := obj.(*types.Var); isVar && v.IsField() {
				return true
			}
			if obj != nil && obj.Pkg() == f.pkg.Types && obj.Parent() != nil && obj.Parent() != types.Universe && obj.Parent() != f.pkg.Types.Scope() {
				if _, isPkg := obj.(*types.PkgName); !isPkg && (obj.Pos() < e.Pos() || obj.Pos() >= e.End()) {
					ok = false
				}
			}
		case *ast.CallExpr:
			if !f.info.Types[n.Fun].IsType() && f.enclosingWithin(n, e) == nil {
				ok = false // a call could have an effect that the order decides about
			}
		}
		return ok
	})
	return ok
}

// finishNews writes the constructors with their options.
func (b *base) finishNews(strictSlash bool) {
	for _, c := range b.news {
		options := slices.Clone(c.options)
		if strictSlash {
			options = append([]string{"muxwell.TrailingSlash(muxwell.SlashStrict)"}, options...)
		}
		b.p.replace(c.f, c.from, c.to, "muxwell.New("+strings.Join(options, ", ")+")")
	}
}

// leftovers reports the uses that no rule knows.
func (b *base) leftovers(hints map[string]string) {
	b.uses(func(f *file, id *ast.Ident, obj types.Object) {
		if b.done[id] {
			return
		}
		if v, ok := obj.(*types.Var); ok && v.IsField() && hints[obj.Name()] == "" {
			return // reported with its type
		}
		hint := hints[obj.Name()]
		if hint == "" {
			hint = "muxwell has no equivalent"
		}
		b.manual(id.Pos(), "%s: %s", obj.Name(), hint)
	})
}

// edited reports whether something in e would be rewritten, so that its text cannot move.
func (b *base) edited(f *file, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := f.info.Uses[id]; obj != nil && obj.Pkg() != nil && b.is(obj.Pkg().Path()) {
				found = true
			}
		}
		return true
	})
	return found
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

func (b *base) between(f *file, from, to token.Pos) string { return f.between(b.p, from, to) }

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

// place returns the router and the prefix of the groups in s, if there is one way to s and
// the prefix of each edge on it is known. join adds the prefix of a slot to that around it.
func (b *base) place(s slot, known func(flowEdge) bool, join func(outer string, s slot) string, seen map[slot]bool) (root slot, prefix string, ok bool) {
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
		if ok || !known(e) { // a second one, or an unknown prefix
			return s, "", false
		}
		if root, prefix, ok = b.place(e.from, known, join, seen); !ok {
			return s, "", false
		}
	}
	return root, join(prefix, s), ok
}
