package registration

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/muxwell/muxwell/vet/internal/literal"
)

// A Read is a place where the value of a parameter is read by a constant name.
type Read struct {
	Func  string        // PathValue, Get, Lookup or Param
	Name  *literal.Text // of the parameter
	Owner *ssa.Function // the function that gets the request or the Params as a parameter
	Type  types.Type    // of the result of Param, otherwise nil
}

// Reads returns the reads of the package whose name and owner are known. A read in a function
// that gets the name or the request as a parameter is returned once for each of its calls.
func (t *Table) Reads() (all []Read) {
	for _, fn := range t.Funcs {
		for _, call := range callsOf(fn) {
			if t.x.InTestFile(call.Pos()) {
				continue
			}
			r, from, name := t.x.readOf(call)
			e := t.x.calls[call.Common().Pos()]
			if r.Func == "" || e == nil || name >= len(e.Args) {
				continue
			}
			for _, c := range t.x.contexts(fn) {
				text, owner := t.x.text(e.Args[name], c, 0), t.x.owner(from, c)
				if text != nil && owner != nil {
					all = append(all, Read{r.Func, text, owner, r.Type})
				}
			}
		}
	}
	return all
}

// readOf returns what a call reads, from which value, and the index of the name's argument.
func (x *index) readOf(call ssa.CallInstruction) (r Read, from ssa.Value, name int) {
	c := call.Common()
	fn := c.StaticCallee()
	if fn == nil || len(c.Args) != 2 {
		return r, nil, 0
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return r, nil, 0
	}
	switch obj.FullName() {
	case "(*net/http.Request).PathValue", "(github.com/muxwell/muxwell.Params).Get", "(github.com/muxwell/muxwell.Params).Lookup":
		r.Func = obj.Name()
		return r, c.Args[0], 0
	case "github.com/muxwell/muxwell.Param":
		r.Func = "Param"
		if res, ok := call.Value().Type().(*types.Tuple); ok && res.Len() == 2 {
			r.Type = res.At(0).Type()
		}
		return r, c.Args[0], 1
	}
	return r, nil, 0
}

// owner returns the function whose parameter a request or a Params is, in a context, or nil.
func (x *index) owner(v ssa.Value, c *context) *ssa.Function {
	for range 20 {
		v = x.resolve(v)
		switch w := v.(type) {
		case *ssa.Parameter:
			outer, oc, ok := x.bound(w, c)
			if !ok {
				return w.Parent()
			}
			v, c = outer, oc
		case *ssa.Call:
			fn := funcObj(w)
			if fn == nil || fn.FullName() != "(*net/http.Request).WithContext" && fn.FullName() != "(*net/http.Request).Clone" {
				return nil
			}
			v = w.Call.Args[0]
		default:
			return nil
		}
	}
	return nil
}
