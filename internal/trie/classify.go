package trie

import (
	"encoding/binary"
	"math"
)

// Two nodes belong to one class if the same paths match below them, whatever the
// patterns that they represent. The 2^n patterns of n segments that are each "a" or {x}
// have 2^(n+1) nodes and two classes per level. slowsearch.go remembers dead ends by
// class.

// manyVisits is the number of nodes from which on dead ends are remembered.
const manyVisits = 64

// classify sets the classes of nodes if a path may visit many of them.
func (b *builder) classify() {
	if b.nodes[b.root].visits < manyVisits {
		return
	}
	b.classes = make([]uint32, len(b.nodes))
	numbers := make(map[string]uint32)
	var form []byte
	for i := len(b.nodes) - 1; i >= 0; i-- {
		form = b.form(form[:0], &b.nodes[i])
		number, ok := numbers[string(form)]
		if !ok {
			number = uint32(len(numbers)) + 1
			numbers[string(form)] = number
		}
		b.classes[i] = number
	}
}

// countVisits sets the maximum number of nodes that the search for a path may visit from
// n on: for each node one literal and all other edges. It has set those of the nodes
// below.
func (b *builder) countVisits(n *node) {
	of := func(to uint32) int {
		switch {
		case to == 0:
			return 0
		case to&leafOnly != 0:
			return 1
		}
		return int(b.nodes[to].visits)
	}
	most := 0
	for _, k := range b.Table.literals[n.literals : n.literals+n.slots] {
		most = max(most, of(k.to))
	}
	visits := 1 + most + of(n.param) + of(b.innerCatchAllOf(n))
	for _, a := range b.constrainedOf(n) {
		visits += of(a.to)
	}
	n.visits = uint8(min(visits, math.MaxUint8))
}

// form appends a description of the paths that match below a node.
func (b *builder) form(form []byte, n *node) []byte {
	for _, rec := range []uint32{n.leaf, n.dollar, b.catchAllOf(n)} {
		form = binary.LittleEndian.AppendUint32(form, b.classOf(rec))
	}
	form = b.formOf(form, b.innerCatchAllOf(n))
	for _, a := range b.constrainedOf(n) {
		form = binary.LittleEndian.AppendUint32(form, uint32(len(a.matcher.Key)))
		form = append(form, a.matcher.Key...)
		form = b.formOf(form, a.to)
	}
	form = append(form, 0, 0, 0, 0) // keys of constrained edges never have this length
	form = binary.LittleEndian.AppendUint16(form, n.skip)
	form = b.formOf(form, n.param)
	for _, k := range b.Table.literals[n.literals : n.literals+n.slots] {
		if k.to != 0 {
			form = b.formOf(form, k.to)
			// Both lengths: a slash within a segment differs from one between segments.
			form = binary.LittleEndian.AppendUint32(form, k.len)
			form = binary.LittleEndian.AppendUint32(form, k.more)
			form = append(form, b.added[k.text:k.text+k.len+k.more]...)
		}
	}
	return form
}

// formOf appends the class of the node to which the edge to leads.
func (b *builder) formOf(form []byte, to uint32) []byte {
	class := to
	if to&leafOnly != 0 {
		class = leafOnly | b.classOf(to&^leafOnly)
	} else if to != 0 {
		class = b.classes[to]
	}
	return binary.LittleEndian.AppendUint32(form, class)
}

// classOf returns a class for numbers whose paths match alike: 0 for none, 1 for all
// that are not marked, otherwise one of its own.
func (b *builder) classOf(rec uint32) uint32 {
	if rec&Conditional != 0 {
		return rec
	}
	return min(rec, 1)
}
