package registration

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/muxwell/muxwell/vet/internal/literal"
)

// A context is a way to reach a function: by a call in another function, which has a context
// too. The outermost function is reached in unknown ways.
type context struct {
	fn     *ssa.Function
	call   ssa.CallInstruction // in caller.fn; nil for the outermost function
	caller *context
}

// An expansion is limited to so many calls from the outermost function, and to so many routes.
const (
	maxDepth  = 6
	maxRoutes = 200
)

// contexts returns the ways to reach a function, as far as they are in this package.
func (x *index) contexts(fn *ssa.Function) []*context { return x.contextsTo(fn, 0, true) }

// contextsTo returns the ways to reach a function that is so many calls from another one. Unless
// named is set, they begin in the declared function that a literal is in.
func (x *index) contextsTo(fn *ssa.Function, depth int, named bool) (all []*context) {
	callers := x.callers[fn]
	if !named && fn.Parent() == nil {
		callers = nil
	}
	if len(callers) == 0 || len(x.other[fn]) > 0 && fn.Parent() == nil || depth == maxDepth {
		all = append(all, &context{fn: fn})
	}
	if depth == maxDepth {
		return all
	}
	for _, call := range callers {
		if len(all) >= maxRoutes {
			break
		}
		for _, outer := range x.contextsTo(call.Parent(), depth+1, named) {
			all = append(all, &context{fn, call, outer})
		}
	}
	return all
}

// bound returns the value of a parameter: an argument, and the context of the call.
func (x *index) bound(p *ssa.Parameter, c *context) (ssa.Value, *context, bool) {
	for ; c != nil; c = c.caller {
		if c.fn != p.Parent() {
			continue
		}
		if c.call == nil || c.call.Common().IsInvoke() || x.staticCallee(c.call) != c.fn {
			return nil, nil, false
		}
		for i, q := range c.fn.Params {
			args := c.call.Common().Args
			if q == p && i < len(args) && len(args) == len(c.fn.Params) {
				return args[i], c.caller, true
			}
		}
	}
	return nil, nil, false
}

// text returns a constant string expression in a context, or nil.
func (x *index) text(e ast.Expr, c *context, depth int) *literal.Text {
	info := x.pass.TypesInfo
	e = ast.Unparen(e)
	if depth > 20 {
		return nil
	}
	if lit, ok := e.(*ast.BasicLit); ok {
		if t, ok := literal.Of(lit); ok {
			return &t
		}
		return nil
	}
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		a, b := x.text(sum.X, c, depth+1), x.text(sum.Y, c, depth+1)
		if a == nil || b == nil {
			return nil
		}
		t := a.Plus(*b)
		return &t
	}
	if tv := info.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String {
		if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
			return x.text(call.Args[0], c, depth+1)
		}
		t := literal.At(constant.StringVal(tv.Value), e)
		return &t
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := info.Uses[id].(*types.Var)
	if !ok || x.changed[v] {
		return nil
	}
	if init := x.inits[v]; init != nil {
		return x.text(init, c, depth+1)
	}
	for ; c != nil; c = c.caller {
		for i, p := range c.fn.Params {
			if p.Object() != v {
				continue
			}
			arg := x.argExpr(c, i)
			if arg == nil {
				return nil
			}
			return x.text(arg, c.caller, depth+1)
		}
	}
	return nil
}

// argExpr returns the expression for parameter i of the function of a context, or nil.
func (x *index) argExpr(c *context, i int) ast.Expr {
	if c.call == nil || x.staticCallee(c.call) != c.fn {
		return nil
	}
	call := x.calls[c.call.Common().Pos()]
	if c.fn.Signature.Recv() != nil {
		i--
	}
	if call == nil || call.Ellipsis.IsValid() || i < 0 || i >= len(call.Args) || c.fn.Signature.Variadic() && i >= c.fn.Signature.Params().Len()-1 {
		return nil
	}
	return call.Args[i]
}

// A place is a router, and what a group of it adds.
type place struct {
	router Router
	prefix string
	known  bool // the prefix
	around around
	param  *ssa.Parameter // if the router is a parameter of the outermost function
	group  bool           // it is, or may be, a group whose prefix is not known
}

// place returns the router that a value is in a context.
func (x *index) place(v ssa.Value, c *context, depth int) place {
	if v == nil || depth > 20 {
		return place{}
	}
	v = x.resolve(v)
	switch w := v.(type) {
	case *ssa.Parameter:
		if outer, oc, ok := x.bound(w, c); ok {
			return x.place(outer, oc, depth+1)
		}
		// The function may be one that is passed to Route, Group or Update.
		for d := c; d != nil; d = d.caller {
			if d.fn == w.Parent() && d.call != nil {
				if cl, ok := x.calleeOf(d.call); ok && cl.role == groups {
					return x.group(d.call, cl, d.caller, depth)
				} else if isUpdate(d.call) {
					return x.place(receiver(d.call), d.caller, depth+1)
				}
			}
		}
		return place{router: Router{value: w}, param: w, known: !isGroup(w.Type()), group: isGroup(w.Type())}
	case *ssa.Call:
		cl, ok := x.calleeOf(w)
		if ok && cl.role == groups {
			return x.group(w, cl, c, depth)
		}
		p := place{router: Router{value: w}, known: !isGroup(w.Type())}
		if ok && cl.role == creates {
			p.router.New, p.router.Made, p.known = x.calls[w.Common().Pos()], true, true
		}
		return p
	case *ssa.Alloc:
		return place{router: Router{value: w, Made: true}, known: true}
	case *ssa.UnOp:
		if w.Op == token.MUL {
			return x.load(w, w.X, c, depth)
		}
	case *ssa.FieldAddr, *ssa.Global:
		return x.load(w, w, c, depth)
	}
	return place{router: Router{value: v}, known: !isGroup(v.Type())}
}

// load returns the place that is stored at an address, or that an address is.
func (x *index) load(v, addr ssa.Value, c *context, depth int) place {
	p := place{router: Router{value: v}, known: !isGroup(v.Type())}
	field := variable(addr)
	if field == nil || x.stores[field] > 1 {
		return p
	}
	switch a := addr.(type) {
	case *ssa.Global:
		p.router.value = a
	case *ssa.FieldAddr:
		base := x.place(a.X, c, depth+1)
		p.router = Router{value: base.router.value, path: base.router.path + "." + field.Name()}
		p.param = base.param
	default:
		return p
	}
	if field.Exported() || isGroup(v.Type()) {
		return p
	}
	if x.stores[field] == 1 {
		if call, ok := x.resolve(x.stored[field]).(*ssa.Call); ok {
			if cl, ok := x.calleeOf(call); ok && cl.role == creates {
				p.router.New, p.router.Made = x.calls[call.Common().Pos()], true
			}
		}
	}
	return p
}

// group returns the place of a group that a call makes.
func (x *index) group(call ssa.CallInstruction, cl callee, c *context, depth int) place {
	if cl.name == "In" && cl.kind == Muxwell {
		return x.place(x.arg(call, 0), c, depth+1)
	}
	p := x.place(receiver(call), c, depth+1)
	p.around = p.around.inside(p.router, call)
	if cl.kind == Chi { // a router of its own
		p.router.path += fmt.Sprint(".", cl.name, call.Pos())
	}
	e := x.calls[call.Common().Pos()]
	switch {
	case e == nil:
		p.known = false
	case cl.pattern >= 0 && cl.pattern < len(e.Args):
		prefix := x.text(e.Args[cl.pattern], c, 0)
		if prefix == nil {
			p.known = false
			break
		}
		p.prefix = joinPrefix(p.prefix, prefix.Value)
	case cl.name == "With":
		p.around.groups[len(p.around.groups)-1].with = x.middlewareOf(call, e, c)
	}
	return p
}

// joinPrefix puts a group's prefix after that of the group around it. Hosts come first.
func joinPrefix(outer, inner string) string {
	if inner == "/" {
		return outer
	}
	for len(inner) > 0 && inner[len(inner)-1] == '/' {
		inner = inner[:len(inner)-1]
	}
	return outer + inner
}

// isGroup reports whether the type is of groups, which have a prefix.
func isGroup(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	name := n.Obj().Name()
	switch kinds[n.Obj().Pkg().Path()] {
	case Muxwell:
		return name == "Group" || name == "Tx"
	case Chi:
		return name == "Router" || name == "Mux"
	case Gorilla:
		return name == "Router"
	}
	return false
}

// routes returns the routes that a call registers, one for each way to reach it.
func (x *index) routes(call ssa.CallInstruction) []*Route {
	e := x.calls[call.Common().Pos()]
	if cl, ok := x.calleeOf(call); ok && cl.role == registers && e != nil && len(e.Args) > cl.pattern {
		var all []*Route
		for _, c := range x.contextsTo(call.Parent(), 0, false) {
			rt := x.route(call, e, cl, c)
			if _, param := rt.Router.value.(*ssa.Parameter); param || rt.Text == nil || rt.Prefix == nil {
				all = nil // it may depend on parameters of the declared function
				break
			}
			all = append(all, rt)
		}
		if all != nil {
			return all
		}
		for _, c := range x.contexts(call.Parent()) {
			all = append(all, x.route(call, e, cl, c))
		}
		return all
	}
	if fact := x.fact(funcObj(call)); fact != nil && e != nil {
		return x.remoteRoutes(call, e, fact)
	}
	return nil
}

// route returns the route that a call registers in a context.
func (x *index) route(call ssa.CallInstruction, e *ast.CallExpr, cl callee, c *context) *Route {
	rt := &Route{Kind: cl.kind, Func: cl.name, Method: cl.method, Call: e, ctx: c, instr: call}
	p := place{router: Router{value: "http.DefaultServeMux", Made: true}, known: true}
	if cl.receiver {
		p = x.place(receiver(call), c, 0)
	}
	rt.Router, rt.around, rt.Below = p.router, p.around, p.prefix
	if p.known {
		rt.Prefix = &p.prefix
	}
	rt.Text = x.text(e.Args[cl.pattern], c, 0)
	if x.removes && (cl.name == "Replace" || receiverName(funcObj(call)) == "Tx") {
		rt.Router.value = call // it may replace a route
	}
	if cl.name == "Replace" && rt.Text != nil && rt.Text.Value == "" {
		rt.Text = nil // that of the route it replaces
	}
	if cl.handler < len(e.Args) && cl.name != "Files" {
		rt.Handler, rt.handler = e.Args[cl.handler], x.arg(call, cl.handler)
	}
	if cl.kind == Muxwell && len(e.Args) > cl.handler+1 {
		rt.Options, rt.Spread = e.Args[cl.handler+1:], e.Ellipsis.IsValid()
	}
	// If the pattern came from an argument, the route is where that was passed.
	for d, pat := c, e.Args[cl.pattern]; d != nil && rt.Text != nil; d = d.caller {
		id, ok := ast.Unparen(pat).(*ast.Ident)
		if !ok {
			break
		}
		i := paramIndex(d.fn, x.pass.TypesInfo.Uses[id])
		if i < 0 {
			break
		}
		if pat = x.argExpr(d, i); pat == nil {
			break
		}
		rt.Call = x.calls[d.call.Common().Pos()]
		if id, ok := ast.Unparen(orNil(rt.Handler)).(*ast.Ident); ok {
			if j := paramIndex(d.fn, x.pass.TypesInfo.Uses[id]); j >= 0 && x.argExpr(d, j) != nil {
				rt.Handler = x.argExpr(d, j)
			}
		}
	}
	return rt
}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return &ast.BadExpr{}
	}
	return e
}

func paramIndex(fn *ssa.Function, obj types.Object) int {
	for i, p := range fn.Params {
		if obj != nil && p.Object() == obj {
			return i
		}
	}
	return -1
}
