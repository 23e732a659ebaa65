package registration

import "golang.org/x/tools/go/ssa"

// Inner returns the routes of the ServeMux that a route has as its handler, if it has no others:
// the route is the only use of it other than registrations that are all known.
func (t *Table) Inner(rt *Route) []*Route {
	if rt.handler == nil {
		return nil
	}
	v, ok := t.x.resolve(rt.handler).(*ssa.Call)
	if !ok || !t.x.onlyRegistered(v, false) {
		return nil
	}
	if cl, ok := t.x.calleeOf(v); !ok || cl.role != creates || cl.kind != ServeMux {
		if fact := t.x.fact(funcObj(v)); fact == nil || !fact.Complete {
			return nil
		}
	}
	inner := t.on(v)
	for _, r := range inner {
		if r.Text == nil || r.Kind != ServeMux {
			return nil
		}
	}
	return inner
}

// onlyRegistered reports whether a router is only used to register routes and as a handler of
// one, or if returned is set, as the result of the function that made it.
func (x *index) onlyRegistered(v *ssa.Call, returned bool) bool {
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.MakeInterface:
			for _, use := range *use.Referrers() {
				switch use := use.(type) {
				case *ssa.Return:
					if !returned {
						return false
					}
				case *ssa.DebugRef:
				case ssa.CallInstruction:
					if cl, ok := x.calleeOf(use); !ok || cl.role != registers && cl.role != mounts {
						return false
					}
				default:
					return false
				}
			}
		case *ssa.Return:
			if !returned {
				return false
			}
		case *ssa.DebugRef:
		case ssa.CallInstruction:
			if cl, ok := x.calleeOf(use); !ok || cl.role != registers {
				return false
			}
		default:
			return false
		}
	}
	return true
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
