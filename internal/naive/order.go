package naive

import "cmp"

// Order returns segments in the order in which they are compared: after a catch-all
// they are taken from the end.
func Order(segs []Segment) (order []Segment) {
	for i, g := range segs {
		order = append(order, g)
		if g.Kind == InnerCatchAll {
			for j := len(segs) - 1; j > i; j-- {
				order = append(order, segs[j])
			}
			break
		}
	}
	return order
}

// Compare orders two paths that match the same one, the better one first. What it
// leaves to the order of registration it asks rank for: the place where the first
// route was registered that begins as p, or as q, up to and including segment i of
// Order.
func Compare(p, q []Segment, rank func(segs []Segment, i int) int) int {
	ps, qs := Order(p), Order(q)
	for i := range min(len(ps), len(qs)) {
		g, h := ps[i], qs[i]
		if g.Kind != h.Kind {
			return cmp.Compare(g.Kind, h.Kind)
		}
		if g.Same(h) || len(g.Parts) == 0 {
			continue
		}
		if c := compareParts(g.Parts, h.Parts); c != 0 {
			return c
		}
		return rank(p, i) - rank(q, i)
	}
	return len(qs) - len(ps) // after a catch-all, more segments win
}

// compareParts orders two segments by more text, then more of it in front, then
// more constraints.
func compareParts(p, q []Part) int {
	measure := func(parts []Part) (text, front, constraints int) {
		for i, part := range parts {
			text += len(part.Text)
			if i == 0 {
				front = len(part.Text)
			}
			if part.Constraint != "" {
				constraints++
			}
		}
		return text, front, constraints
	}
	t, f, c := measure(p)
	u, g, d := measure(q)
	return cmp.Or(cmp.Compare(u, t), cmp.Compare(g, f), cmp.Compare(d, c))
}
