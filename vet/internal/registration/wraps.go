package registration

import "golang.org/x/tools/go/ssa"

// Inner returns the router that a route has as its handler, if the route is the only use of it
// other than registrations that are all known, and their routes.
func (t *Table) Inner(rt *Route) []*Route {
	if rt.handler == nil {
		return nil
	}
	v, ok := t.x.resolve(rt.handler).(*ssa.Call)
	if cl, creates1 := t.x.calleeOf(callOrNil(v)); !ok || !creates1 || cl.role != creates || cl.kind != ServeMux {
		return nil
	}
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.MakeInterface, *ssa.DebugRef:
		case ssa.CallInstruction:
			if cl, ok := t.x.calleeOf(use); !ok || cl.role != registers {
				return nil
			}
		default:
			return nil
		}
	}
	var inner []*Route
	for _, r := range t.Routes {
		if r.Router.Key() == (Router{value: v}).Key() {
			if r.Text == nil {
				return nil
			}
			inner = append(inner, r)
		}
	}
	return inner
}

func callOrNil(v *ssa.Call) ssa.CallInstruction {
	if v == nil {
		return &ssa.Call{}
	}
	return v
}

// before reports whether each execution that reaches b has executed a, and not b before a.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block()) && avoids(b.Block(), a.Block()) == unrelated
	}
	for _, i := range a.Block().Instrs {
		if i == a {
			return true
		} else if i == b {
			return false
		}
	}
	return false
}

// Before reports whether a is registered before b, if both are together.
func Before(a, b *Route) bool {
	fa, fb := a.frames(), b.frames()
	for len(fa) > 0 && len(fb) > 0 && fa[0] == fb[0] {
		fa, fb = fa[1:], fb[1:]
	}
	return len(fa) > 0 && len(fb) > 0 && fa[0].Parent() == fb[0].Parent() && before(fa[0], fb[0])
}
