package registration

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Reading is what a handler reads of the parameters of a request.
type Reading struct {
	Names   []NamedRead
	Unknown bool // it may read others

	params []int // of a function: those whose value is read as a name
	nexts  []int // and those that are called with the request
}

// A NamedRead is a parameter that is read by a constant name.
type NamedRead struct {
	Name   string
	Source string // file:line
	Helper bool   // by another package than that of the handler
	fn     *types.Func
}

// Remote returns the function of another package that is the handler or returns it, or nil.
func (n NamedRead) Remote() *types.Func { return n.fn }

// Reads reports whether a parameter is read.
func (r *Reading) Reads(name string) bool {
	return slices.ContainsFunc(r.Names, func(n NamedRead) bool { return n.Name == name })
}

func (r *Reading) add(n NamedRead) {
	if !slices.ContainsFunc(r.Names, func(m NamedRead) bool { return m.Name == n.Name && m.Helper == n.Helper && m.fn == n.fn }) {
		r.Names = append(r.Names, n)
	}
}

func addIndex(all []int, i int) []int {
	if slices.Contains(all, i) {
		return all
	}
	return append(all, i)
}

// HandlerReading returns what the handler of a route reads.
func (t *Table) HandlerReading(rt *Route) *Reading {
	f := newReader(t.x, nil)
	if rt.handler == nil || rt.Remote != "" {
		f.unknown()
	} else {
		f.handler(rt.handler, rt.ctx, 0)
	}
	return f.reading
}

// MiddlewareReading returns what a middleware reads, apart from the handler that it gets.
func (t *Table) MiddlewareReading(m Middleware) *Reading {
	f := newReader(t.x, nil)
	f.middleware(m.value, m.ctx)
	return f.reading
}

// exportReads exports what exported functions read of the requests that they get, or that the
// handlers get which they return.
func (x *index) exportReads(sets bool) {
	if sets {
		return
	}
	for _, fn := range x.funcs {
		obj, _ := fn.Object().(*types.Func)
		if fn.Parent() != nil || obj == nil || !obj.Exported() || fn.TypeParams() != nil || x.InTestFile(fn.Pos()) {
			continue
		}
		f := newReader(x, fn)
		c := &context{fn: fn}
		gets := false
		for _, p := range fn.Params {
			if isRequest(p.Type()) {
				gets = true
				f.follow(p, c, 0)
			}
		}
		if !gets {
			if res := fn.Signature.Results(); res.Len() == 0 || !isHandler(res.At(0).Type()) {
				continue
			}
			f.returned(fn, c, 0)
		}
		if r := f.reading; len(r.Names) > 0 || !r.Unknown {
			x.pass.ExportObjectFact(obj, &readsFact{r.Names, r.params, r.nexts, r.Unknown})
		}
	}
}

// isRequest reports whether parameters are read of values of a type.
func isRequest(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "*net/http.Request", "github.com/muxwell/muxwell.Params":
		return true
	}
	return false
}

// A reader follows a request to where its parameters are read.
type reader struct {
	x       *index
	root    *ssa.Function // whose parameters are left open; nil if a handler is read
	reading *Reading
	steps   int
	seen    map[visit]bool
}

type visit struct {
	v ssa.Value
	c *context
}

// A reader follows so many values, and calls of so many functions in each other.
const (
	maxSteps   = 5000
	maxNesting = 12
)

func newReader(x *index, root *ssa.Function) *reader {
	return &reader{x: x, root: root, reading: new(Reading), seen: make(map[visit]bool)}
}

func (f *reader) unknown() { f.reading.Unknown = true }

// follow reads what the uses of a request do.
func (f *reader) follow(v ssa.Value, c *context, depth int) {
	f.steps++
	if f.seen[visit{v, c}] {
		return
	}
	f.seen[visit{v, c}] = true
	if f.steps > maxSteps || depth > maxNesting || v.Referrers() == nil {
		f.unknown()
		return
	}
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case ssa.CallInstruction:
			f.call(use, v, c, depth)
		case *ssa.Phi, *ssa.ChangeType:
			f.follow(use.(ssa.Value), c, depth)
		case *ssa.FieldAddr:
			f.field(use)
		case *ssa.Store:
			f.variable(use, v, c, depth)
		case *ssa.BinOp, *ssa.DebugRef, *ssa.If:
		default:
			f.unknown()
		}
	}
}

// variable follows a request that is stored in a local variable.
func (f *reader) variable(s *ssa.Store, v ssa.Value, c *context, depth int) {
	addr := s.Addr
	for {
		fv, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		addr = captured(fv)
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok || s.Val != v {
		f.unknown()
		return
	}
	known := visitVariable(alloc, func(instr ssa.Instruction, at ssa.Value) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			return instr.Addr == at
		case *ssa.UnOp:
			f.follow(instr, c, depth)
		case *ssa.MakeClosure, *ssa.DebugRef:
		case ssa.CallInstruction: // of a method of the variable
			f.call(instr, at, c, depth)
		default:
			return false
		}
		return true
	})
	if !known {
		f.unknown()
	}
}

// field reads a field of a request. Only the path has the values of parameters.
func (f *reader) field(a *ssa.FieldAddr) {
	switch fieldOf(a).Name() {
	case "RequestURI":
		f.unknown()
	case "URL":
		for _, use := range *a.Referrers() {
			load, ok := use.(*ssa.UnOp)
			if !ok {
				f.unknown()
				return
			}
			for _, use := range *load.Referrers() {
				switch use := use.(type) {
				case *ssa.FieldAddr:
					if name := fieldOf(use).Name(); name == "Path" || name == "RawPath" {
						f.unknown()
					}
				case ssa.CallInstruction:
					if fn := funcObj(use); fn == nil || fn.FullName() != "(*net/url.URL).Query" {
						f.unknown()
					}
				default:
					f.unknown()
				}
			}
		}
	}
}

// harmless are the methods of a request that read neither its parameters nor its path.
var harmless = map[string]bool{
	"Context": true, "Cookie": true, "Cookies": true, "CookiesNamed": true, "AddCookie": true, "BasicAuth": true, "SetBasicAuth": true,
	"FormFile": true, "FormValue": true, "PostFormValue": true, "ParseForm": true, "ParseMultipartForm": true, "MultipartReader": true,
	"ProtoAtLeast": true, "Referer": true, "UserAgent": true,
}

// call reads what a call does that has a request as an argument.
func (f *reader) call(call ssa.CallInstruction, v ssa.Value, c *context, depth int) {
	if r, from, _ := f.x.readOf(call); r.Func != "" && from == v {
		f.name(call.Common().Args[1], call, c)
		return
	}
	fn := funcObj(call)
	if fn != nil && !call.Common().IsInvoke() && pkgPath(fn) == "net/http" {
		switch recv := receiverName(fn); {
		case recv == "Request" && (fn.Name() == "WithContext" || fn.Name() == "Clone"):
			f.follow(call.Value(), c, depth)
			return
		case recv == "Request" && harmless[fn.Name()], recv == "":
			return
		}
		f.unknown()
		return
	}
	if call.Common().IsInvoke() {
		if call.Common().Method.Name() != "ServeHTTP" || call.Common().Value == v {
			f.unknown()
			return
		}
		f.handler(call.Common().Value, c, depth+1)
		return
	}
	callee := f.x.staticCallee(call)
	if callee == nil {
		f.function(call.Common().Value, call, c, depth+1)
		return
	}
	f.enter(callee, call, v, c, depth)
}

// enter follows a request into a function of the package.
func (f *reader) enter(fn *ssa.Function, call ssa.CallInstruction, v ssa.Value, c *context, depth int) {
	inner := &context{fn, call, c}
	args := call.Common().Args
	if len(args) != len(fn.Params) {
		f.unknown()
		return
	}
	for i, arg := range args {
		if arg == v {
			f.follow(fn.Params[i], inner, depth+1)
		}
	}
}

// name adds a parameter that is read.
func (f *reader) name(v ssa.Value, call ssa.CallInstruction, c *context) {
	for range 20 {
		v = f.x.resolve(v)
		switch w := v.(type) {
		case *ssa.Const:
			if w.Value != nil && w.Value.Kind() == constant.String {
				f.reading.add(NamedRead{Name: constant.StringVal(w.Value), Source: f.x.source(call.Pos())})
				return
			}
		case *ssa.Parameter:
			outer, oc, ok := f.x.bound(w, c)
			if ok {
				v, c = outer, oc
				continue
			}
			if i := slices.Index(w.Parent().Params, w); w.Parent() == f.root {
				f.reading.params = addIndex(f.reading.params, i)
				return
			}
		}
		break
	}
	f.unknown()
}
