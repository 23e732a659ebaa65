package language

// A Set is a set of strings: those that an expression matches in whole. It is
// immutable and safe for concurrent use.
//
// It is kept as a program for a machine that is in many places at once. What
// [0-9]+|x compiles to, in the order of the expression:
//
//	0  fork 1, 3
//	1  rune [0-9] -> 2
//	2  fork 1, 4
//	3  rune [x] -> 4
//	4  match
//
// Invariant: from each instruction but opFail there is a way to opMatch.
type Set struct {
	literal bool   // the set is text and no other string
	text    string // if literal
	code    []inst
	first   int32   // where the program begins
	runes   []runes // the operands of opRune
}

// An inst is an instruction.
type inst struct {
	op  op
	out int32 // the next instruction; unused by opFail and opMatch
	arg int32 // opFork: the other next instruction; opRune: an index of Set.runes
}

// An op is what an instruction does.
type op uint8

const (
	opFail  op = iota // this way leads nowhere
	opFork            // go on at out and at arg
	opRune            // go on at out after a rune of runes[arg]
	opMatch           // the string may end here
)

// New returns the strings that an expression matches from their beginning to
// their end, as if it stood between \A(?: and )\z. The expression is read as
// package regexp does; an error is a *syntax.Error of regexp/syntax.
func New(expr string) (*Set, error) { return compile(expr) }

// Text returns the set of one string, which may hold any bytes.
func Text(s string) *Set {
	set := &Set{literal: true, text: s}
	at := map[rune]int32{}
	for r := range decode(s) {
		i, ok := at[r]
		if !ok {
			i = int32(len(set.runes))
			at[r] = i
			set.runes = append(set.runes, runes{r, r})
		}
		set.code = append(set.code, inst{opRune, int32(len(set.code)) + 1, i})
	}
	set.code = append(set.code, inst{op: opMatch})
	return set
}

// Any returns the set of every string but the empty one.
func Any() *Set { return anything }

var anything = must(New(`(?s).+`))

// Concat returns the strings that consist of one string of each set, one after
// the other. What an expression says of its surroundings, as ^ and \b do, is
// about its own string. Strings are taken to meet between runes: where a string
// ends in half a rune and the next begins with the other half, only texts that
// are next to each other make it whole.
func Concat(sets ...*Set) *Set {
	sets = joinTexts(sets)
	if len(sets) == 1 {
		return sets[0]
	}
	whole := &Set{}
	for i, s := range sets {
		code, runes := int32(len(whole.code)), int32(len(whole.runes))
		if i == 0 {
			whole.first = s.first
		}
		whole.runes = append(whole.runes, s.runes...)
		for _, in := range s.code {
			in = in.moved(code, runes)
			if in.op == opMatch && i+1 < len(sets) {
				next := code + int32(len(s.code)) + sets[i+1].first
				in = inst{opFork, next, next}
			}
			whole.code = append(whole.code, in)
		}
	}
	whole.trim()
	return whole
}

// joinTexts replaces neighbours of one string each with their concatenation.
// It returns at least one set.
func joinTexts(sets []*Set) []*Set {
	joined := []*Set{}
	for _, s := range sets {
		if last := len(joined) - 1; last >= 0 && s.literal && joined[last].literal {
			joined[last] = Text(joined[last].text + s.text)
			continue
		}
		joined = append(joined, s)
	}
	if len(joined) == 0 {
		return []*Set{Text("")}
	}
	return joined
}

// moved returns the instruction for a program that has more code and runes
// before it.
func (in inst) moved(code, runes int32) inst {
	switch in.op {
	case opFork:
		in.out, in.arg = in.out+code, in.arg+code
	case opRune:
		in.out, in.arg = in.out+code, in.arg+runes
	}
	return in
}

// trim makes opFail of what leads to no match.
func (s *Set) trim() {
	from := make([][]int32, len(s.code)) // whence an instruction is reached
	var todo []int32
	for i, in := range s.code {
		switch in.op {
		case opMatch:
			todo = append(todo, int32(i))
		case opFork:
			from[in.arg] = append(from[in.arg], int32(i))
			fallthrough
		case opRune:
			from[in.out] = append(from[in.out], int32(i))
		}
	}
	live := make([]bool, len(s.code))
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !live[i] {
			live[i] = true
			todo = append(todo, from[i]...)
		}
	}
	for i := range s.code {
		if !live[i] {
			s.code[i] = inst{}
		}
	}
}

// Has reports whether text is in the set. A byte that is not UTF-8 is what
// package regexp takes it for, U+FFFD, except in a set made by [Text].
func (s *Set) Has(text string) bool {
	if s.literal {
		return s.text == text
	}
	var steps int
	f := newFront(s, &steps)
	now, match := f.advance(nil, s.first)
	var next []int32
	for r := range decode(text) {
		f.clear()
		next, match = next[:0], false
		for _, i := range now {
			if in := s.code[i]; s.runes[in.arg].has(r) {
				var end bool
				next, end = f.advance(next, in.out)
				match = match || end
			}
		}
		now, next = next, now
		if len(now) == 0 && !match {
			return false
		}
	}
	return match
}

// A front follows the instructions that need no rune.
type front struct {
	code  []inst
	seen  []uint32 // the round in which an instruction was reached
	round uint32
	todo  []int32
	steps *int // incremented for each instruction
}

func newFront(s *Set, steps *int) *front {
	return &front{code: s.code, seen: make([]uint32, len(s.code)), round: 1, steps: steps}
}

// clear forgets what was reached.
func (f *front) clear() { f.round++ }

// advance appends to list the places before a rune that are reached from a
// place and were not yet, and reports whether a match was.
func (f *front) advance(list []int32, from int32) (places []int32, match bool) {
	f.todo = append(f.todo[:0], from)
	for len(f.todo) > 0 {
		i := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		if f.seen[i] == f.round {
			continue
		}
		f.seen[i] = f.round
		*f.steps++
		switch in := f.code[i]; in.op {
		case opFork:
			f.todo = append(f.todo, in.arg, in.out)
		case opRune:
			list = append(list, i)
		case opMatch:
			match = true
		}
	}
	return list, match
}

// must returns the set of an expression that is known to be right.
func must(s *Set, err error) *Set {
	if err != nil {
		panic(err)
	}
	return s
}
