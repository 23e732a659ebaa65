package language

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A compiler makes a [Set] of a program of package syntax.
//
// What there is in such a program are runes, forks and conditions on the runes
// on both sides of a place, as \b is one. Conditions are resolved by guessing:
// an instruction is made once for each kind of rune before its place and each
// kind of rune after it. The former is known from the way to the place. The
// latter is guessed behind each rune, and the next rune is cut down to what was
// guessed, so that a wrong guess leads nowhere. What becomes of a\b(.|$):
//
//	a, then guess
//	    a word:    \b fails
//	    a newline: \b holds, . has no newline, $ fails
//	    another:   \b holds, . is cut down to [^\w\n], $ fails
//	    the end:   \b holds, . fails, $ holds and the string may end
//
// A program without conditions is taken over without guesses.
type compiler struct {
	prog    *syntax.Prog
	set     *Set
	guesses []kind          // what may follow a place
	at      map[place]int32 // the instructions made
	todo    []place         // those of at whose slot is still empty
	seen    map[operand]int32
}

// A place is an instruction of prog in its surroundings.
type place struct {
	pc            uint32
	before, after kind
}

// An operand tells what runes an instruction of prog is about; equal ones share
// the slice.
type operand struct {
	first *rune
	len   int
	fold  bool
	kind  kind
}

// A kind is what a condition can tell of a rune.
type kind uint8

const (
	free    kind = iota // anything: the expression has no conditions
	unknown             // to be guessed
	edge                // no rune: the string begins or ends here
	newline
	word
	other
)

// kinds are the runes of each kind, and one of them as a sample for package
// syntax.
var kinds = [...]struct {
	sample rune
	runes  runes
}{
	edge:    {-1, nil},
	newline: {'\n', runes{'\n', '\n'}},
	word:    {'a', runes{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}},
	other:   {'-', runes{0, '\n' - 1, '\n' + 1, '0' - 1, '9' + 1, 'A' - 1, 'Z' + 1, '_' - 1, '_' + 1, 'a' - 1, 'z' + 1, lastByte}},
}

// compile returns the set of an expression.
func compile(expr string) (*Set, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	c := compiler{prog: prog, set: &Set{}, at: map[place]int32{}, seen: map[operand]int32{}}
	first := place{pc: uint32(prog.Start)}
	if conditional(prog) {
		c.guesses = []kind{edge, newline, word, other}
		first.before, first.after = edge, unknown
	}
	c.set.first = c.enter(first)
	for len(c.todo) > 0 {
		p := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		c.fill(p)
	}
	c.set.trim()
	return c.set, nil
}

// conditional reports whether a program looks at what surrounds a place.
func conditional(prog *syntax.Prog) bool {
	return slices.ContainsFunc(prog.Inst, func(in syntax.Inst) bool { return in.Op == syntax.InstEmptyWidth })
}

// enter returns the index of the instruction for a place.
func (c *compiler) enter(p place) int32 {
	i, ok := c.at[p]
	if !ok {
		i = c.add(inst{})
		c.at[p] = i
		c.todo = append(c.todo, p)
	}
	return i
}

// add appends an instruction.
func (c *compiler) add(in inst) int32 {
	c.set.code = append(c.set.code, in)
	return int32(len(c.set.code)) - 1
}

// fill writes the instruction for a place.
func (c *compiler) fill(p place) {
	made := c.make(p)
	c.set.code[c.at[p]] = made
}

// make returns the instruction for a place.
func (c *compiler) make(p place) inst {
	if p.after == unknown {
		return c.guess(p)
	}
	in := &c.prog.Inst[p.pc]
	next := place{in.Out, p.before, p.after}
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return inst{opFork, c.enter(next), c.enter(place{in.Arg, p.before, p.after})}
	case syntax.InstCapture, syntax.InstNop:
		return c.jump(next)
	case syntax.InstEmptyWidth:
		if holds(syntax.EmptyOp(in.Arg), p) {
			return c.jump(next)
		}
	case syntax.InstMatch:
		if p.after == free || p.after == edge {
			return inst{op: opMatch}
		}
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return c.rune(in, p)
	}
	return inst{}
}

// jump returns the instruction that does nothing but go on.
func (c *compiler) jump(p place) inst {
	next := c.enter(p)
	return inst{opFork, next, next}
}

// guess returns the instruction that goes on with every guess of what follows.
func (c *compiler) guess(p place) inst {
	made := inst{}
	for i, after := range c.guesses {
		next := c.enter(place{p.pc, p.before, after})
		if i == 0 {
			made = inst{opFork, next, next}
			continue
		}
		made = inst{opFork, next, c.add(made)}
	}
	return made
}

// rune returns the instruction for a rune that is of the kind guessed.
func (c *compiler) rune(in *syntax.Inst, p place) inst {
	i := c.operand(in, p.after)
	if len(c.set.runes[i]) == 0 {
		return inst{}
	}
	next := place{pc: in.Out}
	if p.after != free {
		next.before, next.after = p.after, unknown
	}
	return inst{opRune, c.enter(next), i}
}

// holds reports whether a condition is true of a place.
func holds(op syntax.EmptyOp, p place) bool {
	return op&^syntax.EmptyOpContext(kinds[p.before].sample, kinds[p.after].sample) == 0
}

// operand returns the index of the runes of a kind that an instruction is about.
func (c *compiler) operand(in *syntax.Inst, k kind) int32 {
	fold := syntax.Flags(in.Arg)&syntax.FoldCase != 0
	key := operand{len: len(in.Rune), fold: fold, kind: k}
	if len(in.Rune) > 0 {
		key.first = &in.Rune[0]
	}
	i, ok := c.seen[key]
	if !ok {
		i = int32(len(c.set.runes))
		c.seen[key] = i
		c.set.runes = append(c.set.runes, ofKind(expand(in.Rune, fold), k))
	}
	return i
}

// ofKind returns the runes of s that are of a kind.
func ofKind(s runes, k kind) runes {
	if k == free {
		return s
	}
	var kept runes
	of := kinds[k].runes
	for i := 0; i < len(of); i += 2 {
		kept = append(kept, s.within(of[i], of[i+1])...)
	}
	return kept
}

// expand returns the set that an operand of package syntax represents: a rune,
// with the other cases of it if fold is set, or pairs.
func expand(list []rune, fold bool) runes {
	var pairs [][2]rune
	if len(list) == 1 {
		pairs = append(pairs, [2]rune{list[0], list[0]})
		for r := unicode.SimpleFold(list[0]); fold && r != list[0]; r = unicode.SimpleFold(r) {
			pairs = append(pairs, [2]rune{r, r})
		}
	} else {
		for i := 0; i < len(list); i += 2 {
			pairs = append(pairs, [2]rune{list[i], list[i+1]})
		}
	}
	if slices.ContainsFunc(pairs, func(p [2]rune) bool { return p[0] <= utf8.RuneError && utf8.RuneError <= p[1] }) {
		pairs = append(pairs, [2]rune{firstByte, lastByte})
	}
	return orderly(pairs...)
}
