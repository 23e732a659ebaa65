package trie

import (
	"slices"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A table with few changes is made from the one before: everything except the branches
// to changed paths is copied, node by node, without looking at paths.

// takeOver copies from the base what is valid for the new table, and allocates room for
// the rest.
func (b *builder) takeOver(base *Table) {
	b.Conditional, b.hasUnusualLiteral, b.widest, b.Slashy = base.Conditional, base.hasUnusualLiteral, base.widest, base.Slashy // may be too large, if paths were removed
	b.nodes = make([]node, 0, len(base.nodes)+len(base.nodes)/64+8)
	b.literals = make([]literalChild, 0, len(base.literals)+len(base.literals)/64+16)
	b.text = make([]byte, 0, len(base.text)+len(base.text)/64+64)
}

// An oldPosition identifies the node of the base table after the same segments, from
// which a new one is made, and has the changed paths that begin with these.
type oldPosition struct {
	node    uint32
	known   bool // the node exists
	changed []*Path
}

// behind returns the changed paths whose segment at depth is g.
func (w *oldPosition) behind(g pattern.Segment, depth int) []*Path {
	var those []*Path
	for _, p := range w.changed {
		if order := p.Pattern.Order(); len(order) > depth && order[depth].Same(g) {
			those = append(those, p)
		}
	}
	return those
}

// wayTo returns the position to which an edge of the base leads.
func wayTo(to uint32, changed []*Path) oldPosition {
	return oldPosition{node: to, known: to != 0 && to&leafOnly == 0, changed: changed}
}

// innerCatchAllBelow returns the node after the inner catch-all of the node at w, or 0.
func (t *Table) innerCatchAllBelow(w oldPosition) uint32 {
	if !w.known {
		return 0
	}
	return t.innerCatchAllOf(&t.nodes[w.node])
}

// copied appends the node of the base to which the edge to leads, with everything below
// it, and returns the new edge.
func (b *builder) copied(to uint32) uint32 {
	if to == 0 || to&leafOnly != 0 {
		return to
	}
	base, index := b.base, uint32(len(b.nodes))
	n := base.nodes[to]
	b.nodes = append(b.nodes, node{})
	if from := n.literals; n.slots > 0 {
		n.literals = uint32(len(b.literals))
		b.literals = append(b.literals, base.literals[from:from+n.slots]...)
		for i := range n.slots {
			if k := base.literals[from+i]; k.to != 0 {
				b.literals[n.literals+i] = b.copiedLiteral(k)
			}
		}
	}
	n.param = b.copied(n.param)
	if n.catchAll&hasEdges != 0 {
		f := base.edges[n.catchAll&^hasEdges]
		alts := slices.Clone(base.constrained[f.constrained : f.constrained+f.count])
		for i := range alts {
			alts[i].to = b.copied(alts[i].to)
		}
		f.innerCatchAll = b.copied(f.innerCatchAll)
		f.constrained = uint32(len(b.constrained))
		b.constrained = append(b.constrained, alts...)
		n.catchAll = hasEdges | uint32(len(b.edges))
		b.edges = append(b.edges, f)
	}
	if rest := b.catchAllOf(&n); rest != 0 && b.slashed {
		n.recheck = b.recheck(b.config.Path(rest &^ Conditional))
	}
	b.nodes[index] = n
	return index
}

// copiedLiteral returns a literal of the base, with its label and everything below it
// appended.
func (b *builder) copiedLiteral(k literalChild) literalChild {
	label := b.base.label(&k)
	k.text = uint32(len(b.text))
	b.text = append(b.text, label...)
	k.to = b.copied(k.to)
	return k
}
