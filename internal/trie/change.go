package trie

import (
	"slices"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A table with few changes is made of the one before: all that stands beside the way to
// a changed path is copied, node by node, which asks no path.

// takeOver takes from the base what is as good for the new table, and makes room
// for what will be.
func (b *builder) takeOver(base *Table) {
	b.Conditional, b.odd, b.widest, b.Slashy = base.Conditional, base.odd, base.widest, base.Slashy // or less, if routes were removed
	b.nodes = make([]node, 0, len(base.nodes)+len(base.nodes)/64+8)
	b.kids = make([]kid, 0, len(base.kids)+len(base.kids)/64+16)
	b.text = make([]byte, 0, len(base.text)+len(base.text)/64+64)
}

// A way leads to a node of the base table that a new one is made of, behind the
// same segments, and has the changed routes that begin with these.
type way struct {
	node    uint32
	known   bool // there is such a node
	changed []*Path
}

// behind returns those of the changed routes whose segment at depth is g.
func (w *way) behind(g pattern.Segment, depth int) []*Path {
	var those []*Path
	for _, rt := range w.changed {
		if order := rt.Pattern.Order(); len(order) > depth && order[depth].Same(g) {
			those = append(those, rt)
		}
	}
	return those
}

// wayTo returns the way to what a node of the base leads to.
func wayTo(to uint32, changed []*Path) way {
	return way{node: to, known: to != 0 && to&leafOnly == 0, changed: changed}
}

// middleBelow returns the node behind the catch-alls in the middle of the node at
// the end of w, or 0.
func (t *Table) middleBelow(w way) uint32 {
	if !w.known {
		return 0
	}
	return t.middleOf(&t.nodes[w.node])
}

// copied appends the node of the base that to leads to, with all below it, and
// returns what leads to it now.
func (b *builder) copied(to uint32) uint32 {
	if to == 0 || to&leafOnly != 0 {
		return to
	}
	base, index := b.base, uint32(len(b.nodes))
	n := base.nodes[to]
	b.nodes = append(b.nodes, node{})
	if from := n.kids; n.slots > 0 {
		n.kids = uint32(len(b.kids))
		b.kids = append(b.kids, base.kids[from:from+n.slots]...)
		for i := range n.slots {
			if k := base.kids[from+i]; k.to != 0 {
				b.kids[n.kids+i] = b.copiedKid(k)
			}
		}
	}
	n.param = b.copied(n.param)
	if n.rest&isFork != 0 {
		f := base.forks[n.rest&^isFork]
		alts := slices.Clone(base.alts[f.alts : f.alts+f.size])
		for i := range alts {
			alts[i].to = b.copied(alts[i].to)
		}
		f.middle = b.copied(f.middle)
		f.alts = uint32(len(b.alts))
		b.alts = append(b.alts, alts...)
		n.rest = isFork | uint32(len(b.forks))
		b.forks = append(b.forks, f)
	}
	if rest := b.restOf(&n); rest != 0 && b.slashed {
		n.recheck = b.recheck(b.config.Path(rest &^ Conditional))
	}
	b.nodes[index] = n
	return index
}

// copiedKid returns a kid of the base, with its label and all below it appended.
func (b *builder) copiedKid(k kid) kid {
	label := b.base.label(&k)
	k.text = uint32(len(b.text))
	b.text = append(b.text, label...)
	k.to = b.copied(k.to)
	return k
}
