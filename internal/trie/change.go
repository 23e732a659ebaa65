package trie

import (
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/staticpath"
)

// A table with few changes is made from the one before. Its arrays are the same, with
// new nodes appended: those from the root to what changed, and what is new below. All
// other nodes are shared, since nothing that a table can reach is ever modified.
//
//	root ─ "api" ─► node ─ "users" ─► node ...       before
//	                  │
//	root'─ "api" ─► node'─ "pets" ─► new node        after
//
// What is not reached any more remains in the arrays until they are full. Then a copy
// of the rest is made.

// A Change describes how the paths of a table differ from those of another one.
type Change struct {
	Changed []*Path // the paths that were added, removed or replaced
	// Paths returns the current paths that agree with p in the first depth segments, as
	// for Build. If depth is 0, p may be nil.
	Paths func(p *Path, depth int) []*Path
}

// Change returns the table that differs from t by some paths. It shares with t what the
// change does not affect, so it is faster than Build. The table is the same except for
// the seeds of hashes. Change must not be called concurrently for tables that come from
// one another; they may be used meanwhile.
func (t *Table) Change(c Config, by Change) *Table {
	if t.classes != nil {
		return Build(c, by.Paths(nil, 0))
	}
	if t.isFull() {
		t = t.compacted()
	}
	t.extended = true
	b := &builder{Table: *t, config: c, base: t, change: by}
	b.extended = false // bools that are set here may remain so after paths were removed
	slashed, sameStatic := false, true
	var changed []*Path // in the trie
	for _, p := range by.Changed {
		b.slashes = max(b.slashes, p.slashes())
		slashed = slashed || p.endsInSlash()
		sameStatic = sameStatic && !p.besideStatic()
		if _, only := p.staticPath(); !only {
			changed = append(changed, p)
		}
	}
	b.Slashy = b.Slashy || slashed
	if !sameStatic {
		b.Static = staticpath.Build(b.staticPaths())
	}
	if len(changed) > 0 {
		b.root = b.changed(0, oldPosition{t.root, true, changed})
	}
	if len(b.added) > 0 {
		b.Table.text += string(b.added)
	}
	if b.nodes[b.root].visits >= manyVisits {
		return Build(c, by.Paths(nil, 0))
	}
	if slashed && c.Recheck == Slashless && b.recheckAll(false) {
		b.Table = *b.Table.compacted()
		b.recheckAll(true)
	}
	to := b.Table
	return &to // a pointer into b would keep the base, and with it all tables before
}

// A tableSize has the numbers of nodes and places for literals that a table can reach.
type tableSize struct{ nodes, literals, constrained int }

func sizeOf(t *Table) (size tableSize) {
	for n := range t.reached {
		size.nodes++
		size.literals += int(n.slots)
		size.constrained += len(t.constrainedOf(n))
	}
	return size
}

// isFull reports whether the arrays of t have no room for a change: they have little
// space left or much that is not reached any more, or another table has been made from
// t and uses the space.
func (t *Table) isFull() bool {
	return t.extended || cap(t.literals)-len(t.literals) < t.size.literals/2 ||
		len(t.literals) > 4*t.size.literals+64 || len(t.nodes) > 2*t.size.nodes+64 ||
		len(t.constrained) > 2*t.size.constrained+16 // they may keep removed routes alive
}

// compacted returns a copy of t that has only what it can reach, and room for changes.
func (t *Table) compacted() *Table {
	size := sizeOf(t)
	b := &builder{Table: *t, base: t}
	b.size, b.extended = size, false
	b.nodes = make([]node, 0, size.nodes+size.nodes/4+64)
	b.literals = make([]literalChild, 0, 4*size.literals+64)
	b.edges, b.constrained = nil, nil
	b.root = b.copied(t.root)
	b.Table.text = string(b.added)
	to := b.Table
	return &to
}

// reached iterates over the nodes of the table.
func (t *Table) reached(yield func(*node) bool) { t.reachedFrom(t.root, yield) }

func (t *Table) reachedFrom(index uint32, yield func(*node) bool) bool {
	n := &t.nodes[index]
	to := func(edge uint32) bool { return edge == 0 || edge&leafOnly != 0 || t.reachedFrom(edge, yield) }
	if !yield(n) || !to(n.param) || !to(t.innerCatchAllOf(n)) {
		return false
	}
	for _, k := range t.literals[n.literals : n.literals+n.slots] {
		if !to(k.to) {
			return false
		}
	}
	for _, a := range t.constrainedOf(n) {
		if !to(a.to) {
			return false
		}
	}
	return true
}

// recheckAll reports whether a changed path changes which paths some catch-all may not
// decide. If set is set, it corrects that.
func (b *builder) recheckAll(set bool) (differs bool) {
	for n := range b.reached {
		number := b.catchAllOf(n)
		if number == 0 {
			continue
		}
		if r := b.recheck(b.config.Path(number &^ Conditional)); r != n.recheck {
			if differs = true; !set {
				break
			}
			n.recheck = r
		}
	}
	return differs
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

// changed appends the node that replaces the one at w, which exists, with what is new
// below it, and returns its index. If the changed paths go on with literals, it looks
// at these only.
func (b *builder) changed(depth int, w oldPosition) uint32 {
	for _, p := range w.changed {
		if order := p.Pattern.Order(); len(order) == depth || order[depth].Kind != pattern.Literal {
			return b.node(rooted(b.change.Paths(p, depth)), depth, w)
		}
	}
	n := b.base.nodes[w.node]
	var labels []string // the first segments of the changed literals
	var kids []literalChild
	for _, p := range w.changed {
		if g := p.Pattern.Order()[depth]; !slices.Contains(labels, g.Text) {
			labels, kids = append(labels, g.Text), append(kids, b.changedLiteral(depth, w, g))
		}
	}
	b.replaceLiterals(&n, labels, kids)
	b.countVisits(&n)
	b.nodes = append(b.nodes, n)
	return uint32(len(b.nodes) - 1)
}

// changedLiteral returns the literal with the segment g of the node that replaces the
// one at w, or the zero literal if there is none any more.
func (b *builder) changedLiteral(depth int, w oldPosition, g pattern.Segment) literalChild {
	those := w.behind(g, depth)
	old := b.base.literal(&b.base.nodes[w.node], g.Text)
	if old != nil && old.to&leafOnly == 0 {
		label := b.base.label(old)
		run := 1 + strings.Count(label[old.len:], "/")
		if !slices.ContainsFunc(those, func(p *Path) bool { return !p.hasLabel(label[old.len:], depth+1) }) {
			k := *old
			if k.to = b.changed(depth+run, wayTo(old.to, those)); b.nodes[k.to].branches() {
				return k // otherwise the label may become longer, or be the end
			}
		}
	}
	paths := rooted(b.change.Paths(those[0], depth+1))
	if len(paths) == 0 {
		return literalChild{}
	}
	return b.literal(paths, depth, w)
}

// hasLabel reports whether the segments of p from depth on begin with those of a label,
// each after a slash.
func (p *Path) hasLabel(label string, depth int) bool {
	order := p.Pattern.Order()
	for ; label != ""; depth++ {
		if depth >= len(order) || order[depth].Kind != pattern.Literal {
			return false
		}
		text := order[depth].Text
		if !strings.HasPrefix(label[1:], text) || len(label) > 1+len(text) && label[1+len(text)] != '/' {
			return false
		}
		label = label[1+len(text):]
	}
	return true
}

// branches reports whether n is needed whatever leads to it: several paths go on from
// it, or one that is not joined with the label before.
func (n *node) branches() bool {
	return n.slots > 1 || n.slots == 1 && n.leaf != 0 || n.param|n.dollar|n.catchAll != 0
}

// replaceLiterals replaces the literals of n whose labels begin with the given segments,
// by new places. Those that have no edge are left out. It modifies both slices.
func (b *builder) replaceLiterals(n *node, labels []string, kids []literalChild) {
	old, same := b.base.literals[n.literals:n.literals+n.slots], true
	for i, label := range labels {
		same = same && kids[i].to != 0 && b.base.literal(n, label) != nil
	}
	if same { // copied as they are
		n.literals = uint32(len(b.literals))
		b.literals = append(b.literals, old...)
	}
	changed := len(labels)
	for i, k := range old {
		text := b.base.text[k.text : k.text+k.len]
		switch at := slices.Index(labels[:changed], text); {
		case k.to == 0:
		case at < 0 && !same:
			labels, kids = append(labels, text), append(kids, k)
		case at >= 0 && same:
			b.literals[int(n.literals)+i] = kids[at]
		}
	}
	if same {
		return
	}
	for i := changed - 1; i >= 0; i-- {
		if last := len(kids) - 1; kids[i].to == 0 {
			kids[i], labels[i] = kids[last], labels[last]
			kids, labels = kids[:last], labels[:last]
		}
	}
	b.placeLiterals(n, kids, labels, n.seed, n.slots == slotsFor(len(kids)))
}

// copied appends the node of the base to which the edge to leads, with everything below
// it, and returns the new edge.
func (b *builder) copied(to uint32) uint32 {
	if to&leafOnly != 0 {
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
	if n.param != 0 {
		n.param = b.copied(n.param)
	}
	if n.catchAll&hasEdges != 0 {
		f := base.edges[n.catchAll&^hasEdges]
		alts := slices.Clone(base.constrained[f.constrained : f.constrained+f.count])
		for i := range alts {
			alts[i].to = b.copied(alts[i].to)
		}
		if f.innerCatchAll != 0 {
			f.innerCatchAll = b.copied(f.innerCatchAll)
		}
		f.constrained = uint32(len(b.constrained))
		b.constrained = append(b.constrained, alts...)
		n.catchAll = hasEdges | uint32(len(b.edges))
		b.edges = append(b.edges, f)
	}
	b.nodes[index] = n
	return index
}

// copiedLiteral returns a literal of the base, with its label and everything below it
// appended.
func (b *builder) copiedLiteral(k literalChild) literalChild {
	label := b.base.label(&k)
	k.text = uint32(len(b.added))
	b.added = append(b.added, label...)
	k.to = b.copied(k.to)
	return k
}
