package program

import "slices"

// Shrink returns a smaller program for which fails returns true, as it must for p. It
// removes sequences of ops, shorter and shorter ones, until no single op can be removed.
func Shrink(p Program, fails func(Program) bool) Program {
	for size := len(p) / 2; size > 0; {
		smaller := false
		for end := len(p); end > 0; end -= size {
			q := p.without(max(end-size, 0), end)
			if fails(q) {
				p, smaller = q, true
			}
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	return p
}

// without returns p without the ops [from:to], and without the ops that need a value that
// these create.
func (p Program) without(from, to int) Program {
	made := map[int]bool{0: true}
	q := slices.Clone(p[:from])
	for _, op := range q {
		made[op.Out] = true
	}
	for _, op := range p[min(to, len(p)):] {
		if slices.ContainsFunc(op.uses(), func(v int) bool { return !made[v] }) {
			continue
		}
		made[op.Out] = true
		q = append(q, op)
	}
	return q
}
