package byteclass

import "slices"

// Last, a tree becomes a program. It lies in memory in the order in which it is
// run, and sets become bits in tables, eight to a table:
//
//	[a-z]+-[0-9]{2}    span  bit 0 of table, 1 to ∞ times
//	                   each  bits 1, 2, 2 of table
//
// where bit 0 is [a-z], bit 1 is - and bit 2 is [0-9].

// A step takes some bytes of a string.
type step struct {
	op       stepOp
	mask     uint8    // of a span, a rest and a loop: the bit of the set in table; of a byte: it
	text     string   // of an each: a mask for each byte
	min, max int      // of a span, a rest and a loop
	n        int      // of a rest: the bytes left; of a mark: the index into Find's at
	table    *table   // of a branch: the index of the step list by next byte
	steps    [][]step // of a loop and a branch
}

// A table has for each byte the sets, of eight, to which it belongs.
type table [256]uint8

type stepOp uint8

const (
	textStep   stepOp = iota // the text
	byteStep                 // the byte in mask
	eachStep                 // a byte of a set, one after the other
	spanStep                 // min to max bytes of a set
	restStep                 // the same, up to the last n bytes of all
	loopStep                 // steps[0], min to max times, as long as the next byte is in the set
	branchStep               // of steps, the one for the next byte; steps[0] for all others
	markStep                 // nothing, noted by Find
	failStep                 // no match
)

// What is longer is not written out byte by byte.
const (
	maxEachText  = 3  // bytes of text between sets
	maxEachCount = 64 // bytes of one set
)

// code is a program.
type code struct {
	steps []step
	// Short cuts past steps: the op of the only step if it is a span or an each,
	// or else all that matches if it is no more than maxQuick strings.
	quick stepOp
	words []string
}

const maxQuick = 3 // with four, a branch is faster than to compare with each

// compile returns the program for pieces, unless there is none that is exact.
func compile(pieces []piece) (code, bool) {
	n := newPieces(pieces)
	if n == nil {
		return code{}, false
	}
	subs := decide(n)
	if subs == nil {
		return code{}, false
	}
	var a assembler
	c := code{steps: a.list(subs)}
	words := n.words(maxQuick)
	switch {
	case len(c.steps) == 1 && (c.steps[0].op == spanStep || c.steps[0].op == eachStep):
		c.quick = c.steps[0].op
	default:
		c.words = words
	}
	return c, true
}

// An assembler makes steps, and places sets in tables.
type assembler struct {
	tables []*table
	sets   [][]set // of each table
}

// list returns the steps of nodes in order.
func (a *assembler) list(nodes []*node) []step {
	var steps []step
	for len(nodes) > 0 {
		sets, n := run(nodes)
		if n > 0 {
			steps = append(steps, a.each(sets))
		} else {
			steps = append(steps, a.step(nodes[0]))
			n = 1
		}
		nodes = nodes[n:]
	}
	return steps
}

// run returns the sets of an each, one for each byte, and how many of nodes it
// takes; none if it would be no more than text.
func run(nodes []*node) (sets []set, n int) {
	distinct := map[set]bool{}
	plain := true
	for _, node := range nodes {
		more := node.sets()
		for _, s := range more {
			distinct[s] = true
		}
		if more == nil || len(distinct) > 8 {
			break
		}
		sets = append(sets, more...)
		plain = plain && node.op == textNode
		n++
	}
	if plain {
		return nil, 0
	}
	return sets, n
}

// sets returns the set of each byte if n is short and leaves no choice but that
// of bytes.
func (n *node) sets() []set {
	switch {
	case n.op == setNode:
		return []set{n.first}
	case n.op == repeatNode && n.min == n.max && n.max <= maxEachCount && n.subs[0].op == setNode:
		return slices.Repeat([]set{n.first}, n.max)
	case n.op == textNode && len(n.text) <= maxEachText:
		sets := make([]set, len(n.text))
		for i := range sets {
			sets[i].add(n.text[i])
		}
		return sets
	}
	return nil
}

// each returns the step of one byte of each of sets, of which no more than
// eight differ.
func (a *assembler) each(sets []set) step {
	t, own := a.place(sets)
	masks := make([]byte, len(sets))
	for i, s := range sets {
		masks[i] = bit(own, s)
	}
	return step{op: eachStep, table: t, text: string(masks)}
}

// step returns the step of a node that is not part of an each.
func (a *assembler) step(n *node) step {
	switch n.op {
	case textNode:
		if len(n.text) == 1 {
			return step{op: byteStep, mask: n.text[0]}
		}
		return step{op: textStep, text: n.text}
	case markNode:
		return step{op: markStep, n: n.mark}
	case repeatNode:
		if n.subs[0].op == setNode {
			return a.repeat(spanStep, n)
		}
		loop := a.repeat(loopStep, n)
		loop.steps = [][]step{a.list(n.subs[0].list())}
		return loop
	case restNode:
		return a.repeat(restStep, n)
	}
	return a.branch(n)
}

// repeat returns the step of a repetition, except its body.
func (a *assembler) repeat(op stepOp, n *node) step {
	t, own := a.place([]set{n.first})
	return step{op: op, mask: bit(own, n.first), min: n.min, max: n.max, n: n.mark, table: t}
}

// branch returns the step of a choice. Its branches can be counted in a byte, for
// those that are not empty start with different bytes, and 0xf5 to 0xff start
// none or the same.
func (a *assembler) branch(n *node) step {
	st := step{op: branchStep, table: new(table), steps: [][]step{{{op: failStep}}}}
	for _, sub := range n.subs {
		steps := a.list(sub.list())
		if sub.empty {
			st.steps[0] = steps
		}
		for _, c := range sub.first.bytes() {
			st.table[c] = uint8(len(st.steps))
		}
		st.steps = append(st.steps, steps)
	}
	return st
}

// place returns a table with all of sets, and the sets in it.
func (a *assembler) place(sets []set) (*table, []set) {
	for i, own := range a.sets {
		if own, ok := merge(own, sets); ok {
			return a.fill(i, own)
		}
	}
	own, _ := merge(nil, sets)
	a.tables = append(a.tables, new(table))
	a.sets = append(a.sets, nil)
	return a.fill(len(a.tables)-1, own)
}

// merge returns own with those of sets that it does not have, and whether a
// table can hold them.
func merge(own, sets []set) ([]set, bool) {
	own = slices.Clone(own)
	for _, s := range sets {
		if !slices.Contains(own, s) {
			own = append(own, s)
		}
	}
	return own, len(own) <= 8
}

// fill makes own the sets of table i.
func (a *assembler) fill(i int, own []set) (*table, []set) {
	t := a.tables[i]
	for _, s := range own[len(a.sets[i]):] {
		for _, c := range s.bytes() {
			t[c] |= bit(own, s)
		}
	}
	a.sets[i] = own
	return t, own
}

// bit returns the mask of s in the table of own.
func bit(own []set, s set) uint8 { return 1 << slices.Index(own, s) }
