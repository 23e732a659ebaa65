package byteclass

import "slices"

// A program is run from its first step to its last. Steps within steps, those of
// loops and branches, lie as deep as they do in the expression; the string does
// not matter. Each byte is taken once, so the time is linear in the length of the
// string.

// Match reports whether all of s matches. It does not allocate, but for what
// package regexp keeps in pools.
func (p *Program) Match(s string) bool {
	switch {
	case p.quick == spanStep:
		return p.steps[0].all(s)
	case p.quick == eachStep:
		return len(s) == len(p.steps[0].text) && p.steps[0].each(s)
	case p.words != nil:
		return slices.Contains(p.words, s)
	case p.regexp != nil:
		return p.regexp.MatchString(s)
	}
	return walk(p.steps, s, 0, nil) == len(s)
}

// Find is like Match, and sets at[2*i] and at[2*i+1] to where captured part i
// starts and ends in s. If it returns false, at may hold anything. It does not
// allocate if the program is compiled. It panics if len(at) is not
// 2*p.Captures().
func (p *Program) Find(s string, at []int) bool {
	switch {
	case len(at) != 2*p.captures:
		panic("byteclass: len(at) is not twice the number of captured parts")
	case p.whole:
		at[0], at[1] = 0, len(s)
		return p.Match(s)
	case p.regexp != nil:
		return p.find(s, at)
	}
	return walk(p.steps, s, 0, at) == len(s)
}

// find is Find by package regexp.
func (p *Program) find(s string, at []int) bool {
	found := p.regexp.FindStringSubmatchIndex(s)
	if found == nil {
		return false
	}
	for i, group := range p.captured {
		at[2*i], at[2*i+1] = found[2*group], found[2*group+1]
	}
	return true
}

// all reports whether s is as many bytes of the set of st as it may be.
func (st *step) all(s string) bool {
	if len(s) < st.min || len(s) > st.max {
		return false
	}
	t, mask := st.table, st.mask
	i := 0
	for ; i < len(s)-3; i += 4 {
		if t[s[i]]&t[s[i+1]]&t[s[i+2]]&t[s[i+3]]&mask == 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if t[s[i]]&mask == 0 {
			return false
		}
	}
	return true
}

// each reports whether s, which is as long as an each is, matches it.
func (st *step) each(s string) bool {
	t, masks := st.table, st.text[:len(s)]
	i := 0
	for ; i < len(s)-3; i += 4 {
		if t[s[i]]&masks[i] == 0 || t[s[i+1]]&masks[i+1] == 0 || t[s[i+2]]&masks[i+2] == 0 || t[s[i+3]]&masks[i+3] == 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if t[s[i]]&masks[i] == 0 {
			return false
		}
	}
	return true
}

// walk takes steps from byte i of s on and returns where they end, or -1. It
// notes marks in at, unless that is nil. It is one long loop because a call for
// each step would cost as much as the step.
func walk(steps []step, s string, i int, at []int) int {
	for k := 0; k < len(steps); k++ {
		st := &steps[k]
		rest := s[i:]
		switch st.op {
		case textStep:
			if len(rest) < len(st.text) || rest[:len(st.text)] != st.text {
				return -1
			}
			i += len(st.text)
		case byteStep:
			if len(rest) == 0 || rest[0] != st.mask {
				return -1
			}
			i++
		case eachStep:
			if len(rest) < len(st.text) || !st.each(rest[:len(st.text)]) {
				return -1
			}
			i += len(st.text)
		case spanStep:
			if len(rest) > st.max {
				rest = rest[:st.max]
			}
			t, mask := st.table, st.mask
			n := 0
			for n < len(rest) && t[rest[n]]&mask != 0 {
				n++
			}
			if n < st.min {
				return -1
			}
			i += n
		case restStep:
			if len(rest) < st.n || !st.all(rest[:len(rest)-st.n]) {
				return -1
			}
			i = len(s) - st.n
		case loopStep:
			if i = st.loop(s, i); i < 0 {
				return -1
			}
		case branchStep:
			branch := st.steps[0]
			if len(rest) > 0 {
				branch = st.steps[st.table[rest[0]]]
			}
			if k == len(steps)-1 {
				steps, k = branch, -1
			} else if i = walk(branch, s, i, nil); i < 0 {
				return -1
			}
		case markStep:
			if at != nil {
				at[st.n] = i
			}
		case failStep:
			return -1
		}
	}
	return i
}

// loop returns where the rounds of a loop from byte i of s on end, or -1.
func (st *step) loop(s string, i int) int {
	n := 0
	for n < st.max && i < len(s) && st.table[s[i]]&st.mask != 0 {
		if i = walk(st.steps[0], s, i, nil); i < 0 {
			return -1
		}
		n++
	}
	if n < st.min {
		return -1
	}
	return i
}
