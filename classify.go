package muxwell

import "encoding/binary"

// Two nodes are of one class if the same paths match below them, whatever their
// routes are. The 2^n patterns of n segments that are each "a" or {x} have
// 2^(n+1) nodes and two classes a level. backtrack.go remembers dead ends by
// class.

// classify sets the classes of nodes if so many of them have several ways that
// a path could take very many. A node comes before those below it, so the
// classes of these are known when its own is looked for.
func (b *tableBuilder) classify() {
	const many = 32
	forks := 0
	for i := range b.nodes {
		if n := &b.nodes[i]; n.slots != 0 && n.param|n.rest != 0 || n.param != 0 && n.rest != 0 {
			forks++
		}
	}
	if forks < many {
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

// form appends what tells which paths match below a node.
func (b *tableBuilder) form(form []byte, n *node) []byte {
	for _, rec := range []uint32{n.leaf, n.end, n.rest} {
		form = append(form, byte(min(rec, 1)))
	}
	form = binary.LittleEndian.AppendUint16(form, n.skip)
	form = b.formOf(form, n.param)
	for _, k := range b.table.kids[n.kids : n.kids+n.slots] {
		if k.to != 0 {
			form = b.formOf(form, k.to)
			// Both lengths: a slash in a segment is not one between two.
			form = binary.LittleEndian.AppendUint32(form, k.len)
			form = binary.LittleEndian.AppendUint32(form, k.more)
			form = append(form, b.text[k.text:k.text+k.len+k.more]...)
		}
	}
	return form
}

// formOf appends the class of the node that to leads to.
func (b *tableBuilder) formOf(form []byte, to uint32) []byte {
	class := to // 0, or the same for all records
	if to&leafOnly != 0 {
		class = leafOnly
	} else if to != 0 {
		class = b.classes[to]
	}
	return binary.LittleEndian.AppendUint32(form, class)
}
