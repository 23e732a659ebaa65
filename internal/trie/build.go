package trie

import (
	"math/bits"
	"slices"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/staticpath"
)

// A table is built from paths in the order of precedence. Paths that share their first
// segments are next to each other, so each node is made from a run of paths, and the
// nodes below it from shorter runs within it. Nothing is inserted, and the finished
// table has no unused capacity.

// A Config has the functions and options for building tables.
type Config struct {
	Number func(*Path) uint32        // in the table; it may be marked Conditional
	Path   func(number uint32) *Path // of a number
	// Recheck selects the paths that match a catch-all but may also match with another
	// final slash, if any.
	Recheck Recheck
}

// A builder makes a table.
type builder struct {
	Table
	config Config
	source
	added    []byte // to the text
	backward bool   // the nodes are after an inner catch-all
	base     *Table // the table as it was before some paths were changed, or nil
	change   Change // if base is not nil
}

// Build returns the table of paths, which are in the order of precedence (see Ranked)
// and have distinct segments.
func Build(c Config, paths []*Path) *Table {
	b := &builder{config: c}
	b.setSource(paths)
	b.Slashy = slices.ContainsFunc(paths, (*Path).endsInSlash)
	b.Static = staticpath.Build(b.staticPaths())
	b.root = b.node(b.rooted, 0, oldPosition{})
	b.Table.text = string(b.added)
	b.size = tableSize{len(b.nodes), len(b.literals), len(b.constrained)}
	b.nodes, b.literals = slices.Clone(b.nodes[:len(b.nodes):len(b.nodes)]), slices.Clone(b.literals[:len(b.literals):len(b.literals)])
	b.classify()
	t := b.Table
	return &t // a pointer into b would keep everything else of it
}

// number returns the number of a path in the table.
func (b *builder) number(p *Path) uint32 {
	n := b.config.Number(p)
	if n&Conditional != 0 {
		b.Conditional = true
	}
	return n
}

// endsInSlash reports whether a path that p matches may end in a slash.
func (p *Path) endsInSlash() bool {
	k := p.Pattern.Last().Kind
	return k == pattern.Dollar || k == pattern.CatchAll
}

// to returns the edge to paths, which share their first depth segments: a new node, or
// a leafOnly.
func (b *builder) to(paths []*Path, depth int, w oldPosition) uint32 {
	if len(paths) == 1 && len(paths[0].Pattern.Order()) == depth {
		return leafOnly | b.number(paths[0])
	}
	return b.node(paths, depth, w)
}

// node appends the node of paths, which share their first depth segments, with
// everything below it, and returns its index. Unchanged parts below the node of the
// base at w are copied.
func (b *builder) node(paths []*Path, depth int, w oldPosition) uint32 {
	index := uint32(len(b.nodes))
	b.nodes = append(b.nodes, node{})
	var n, base node
	if w.known {
		base = b.base.nodes[w.node]
	}
	if len(paths) > 0 && len(paths[0].Pattern.Order()) == depth {
		n.leaf = b.number(paths[0])
		paths = paths[1:]
	}
	kids, paths := groupsOf(paths, depth, pattern.Literal)
	if len(kids) > 0 {
		b.hashLiterals(&n, kids, depth, w)
	}
	var f edges
	mixedGroups, paths := groupsOf(paths, depth, pattern.Composite)
	constrainedGroups, paths := groupsOf(paths, depth, pattern.Constrained)
	b.addConstrained(&f, slices.Concat(mixedGroups, constrainedGroups), depth, w)
	if params, others := ofKind(paths, depth, pattern.Param); len(params) > 0 {
		changed := w.behind(pattern.Segment{Kind: pattern.Param}, depth)
		if base.param != 0 && len(changed) == 0 {
			n.skip, n.param = base.skip, base.param
		} else {
			n.skip = paramRun(params, depth)
			var below oldPosition
			if n.skip == base.skip {
				below = wayTo(base.param, changed)
			}
			n.param = b.to(params, depth+int(n.skip), below)
		}
		paths = others
	}
	if ends, others := ofKind(paths, depth, pattern.Dollar); len(ends) > 0 {
		n.dollar = b.number(ends[0])
		paths = others
	}
	if middles, others := ofKind(paths, depth, pattern.InnerCatchAll); len(middles) > 0 {
		b.backward = true
		f.innerCatchAll = b.node(middles, depth+1, wayTo(b.base.innerCatchAllBelow(w), w.behind(pattern.Segment{Kind: pattern.InnerCatchAll}, depth)))
		b.backward = false
		paths = others
	}
	if len(paths) > 0 {
		f.catchAll = b.number(paths[0])
		n.recheck = b.recheck(paths[0])
	}
	n.catchAll = f.catchAll
	if f.count|f.innerCatchAll != 0 {
		n.catchAll = hasEdges | uint32(len(b.edges))
		b.edges = append(b.edges, f)
	}
	b.countVisits(&n)
	b.nodes[index] = n
	return index
}

// ofKind splits paths into the first ones, which have a segment of the kind at
// depth, and the others.
func ofKind(paths []*Path, depth int, kind pattern.Kind) (those, others []*Path) {
	n := 0
	for n < len(paths) && paths[n].Pattern.Order()[depth].Kind == kind {
		n++
	}
	return paths[:n], paths[n:]
}

// groupsOf splits paths into the first ones, which have a segment of the kind at
// depth, a group for those with the same one, and the others.
func groupsOf(paths []*Path, depth int, kind pattern.Kind) (groups [][]*Path, others []*Path) {
	those, others := ofKind(paths, depth, kind)
	for len(those) > 0 {
		size := groupSize(those, depth)
		groups = append(groups, those[:size])
		those = those[size:]
	}
	return groups, others
}

// addConstrained makes the constrained edges of f, one for each group of paths, whose
// segments at depth are composite or constrained.
func (b *builder) addConstrained(f *edges, groups [][]*Path, depth int, w oldPosition) {
	alts := make([]constrainedEdge, len(groups))
	known := b.knownConstrained(w)
	for i, g := range groups {
		f := g[0].Pattern.Order()[depth].Matcher
		alts[i] = constrainedEdge{f.Matches, b.behindConstrained(g, depth, w, known), f, true}
		if g[0].Pattern.Order()[depth].Kind == pattern.Constrained {
			alts[i].matches, alts[i].composite = f.Check, false
		}
	}
	f.constrained, f.count = uint32(len(b.constrained)), uint32(len(alts))
	b.constrained = append(b.constrained, alts...)
}

// A constrainedKey identifies a constrained edge of a node.
type constrainedKey struct {
	key   string
	mixed bool
}

// knownConstrained returns the targets of the constrained edges of the base at the node
// of w.
func (b *builder) knownConstrained(w oldPosition) map[constrainedKey]uint32 {
	if !w.known {
		return nil
	}
	alts := b.base.constrainedOf(&b.base.nodes[w.node])
	if len(alts) == 0 {
		return nil
	}
	known := make(map[constrainedKey]uint32, len(alts))
	for _, a := range alts {
		known[constrainedKey{a.matcher.Key, a.composite}] = a.to
	}
	return known
}

// behindConstrained returns the edge to paths, which have the same composite or
// constrained segment at depth.
func (b *builder) behindConstrained(paths []*Path, depth int, w oldPosition, known map[constrainedKey]uint32) uint32 {
	var below oldPosition
	g := paths[0].Pattern.Order()[depth]
	if to, ok := known[constrainedKey{g.Matcher.Key, g.Kind == pattern.Composite}]; ok {
		below = wayTo(to, w.behind(g, depth))
		if len(below.changed) == 0 {
			return to
		}
	}
	return b.to(paths, depth+1, below)
}

// paramRun returns how many parameters in a row all the paths have from depth
// on, with no path ending in between.
func paramRun(paths []*Path, depth int) uint16 {
	first, last := paths[0].Pattern.Order(), paths[len(paths)-1].Pattern.Order()
	run := 1
	for run < 1<<16-1 && len(first) > depth+run && first[depth+run].Kind == pattern.Param && last[depth+run].Kind == pattern.Param {
		run++
	}
	return uint16(run)
}

// hashLiterals places the literals of n, one for each group of paths, whose segments at
// depth are literals.
func (b *builder) hashLiterals(n *node, groups [][]*Path, depth int, w oldPosition) {
	kids, labels := make([]literalChild, len(groups)), make([]string, len(groups))
	for i, g := range groups {
		labels[i] = g[0].Pattern.Order()[depth].Text
		kids[i] = b.literal(g, depth, w)
	}
	seed, known := uint32(0), false
	if w.known {
		base := &b.base.nodes[w.node]
		seed, known = base.seed, base.slots == slotsFor(len(kids))
	}
	b.placeLiterals(n, kids, labels, seed, known)
}

// slotsFor returns the number of places for literals.
func slotsFor(literals int) uint32 {
	if literals < 2 {
		return uint32(literals)
	}
	return 1 << bits.Len(uint(2*literals-1))
}

// placeLiterals makes a hash table of the literals of n. If known is set, n had as many
// places with the given seed before.
func (b *builder) placeLiterals(n *node, kids []literalChild, labels []string, seed uint32, known bool) {
	if n.slots = slotsFor(len(kids)); n.slots == 0 {
		n.literals, n.seed = 0, 0
		return
	}
	if n.seed = seed; !known || len(kids) <= manyLiterals {
		n.seed = bestSeed(labels, n.slots)
	}
	n.literals = uint32(len(b.literals))
	b.literals = append(b.literals, make([]literalChild, n.slots)...)
	places := b.literals[n.literals:]
	for i, k := range kids {
		h := segmentHash(labels[i], n.seed) & (n.slots - 1)
		for places[h].to != 0 {
			h = (h + 1) & (n.slots - 1)
		}
		places[h] = k
	}
}

// manyLiterals is the number of literals from which on a seed is kept after some of
// them have changed.
const manyLiterals = 64

// literal returns the literal for paths with the same literal at depth, and appends
// everything below it.
func (b *builder) literal(paths []*Path, depth int, w oldPosition) literalChild {
	label := paths[0].Pattern.Order()[depth].Text
	var base *literalChild
	var changed []*Path
	if w.known {
		changed = w.behind(paths[0].Pattern.Order()[depth], depth)
		if base = b.base.literal(&b.base.nodes[w.node], label); base != nil && len(changed) == 0 {
			return *base
		}
	}
	from := len(b.added)
	k := literalChild{len: uint32(len(label)), text: uint32(len(b.Table.text) + from)}
	k.head, k.tail = segmentWords(label)
	b.added = append(b.added, label...)
	b.widest = max(b.widest, len(label))
	run := 1
	if plainLiteral(label) && !b.backward {
		run = literalRun(paths, depth)
	} else if !plainLiteral(label) {
		b.hasUnusualLiteral = true
	}
	for _, s := range paths[0].Pattern.Order()[depth+1 : depth+run] {
		b.added = append(append(b.added, '/'), s.Text...)
		b.widest = max(b.widest, len(s.Text))
	}
	k.more = uint32(len(b.added)-from) - k.len
	var below oldPosition
	if base != nil && b.base.label(base) == string(b.added[from:]) {
		below = wayTo(base.to, changed)
		k.text, b.added = base.text, b.added[:from]
	}
	k.to = b.to(paths, depth+run, below)
	return k
}

// literalRun returns how many literals in a row all the paths share from depth
// on, with no path ending in between.
func literalRun(paths []*Path, depth int) int {
	first, last := paths[0].Pattern.Order(), paths[len(paths)-1].Pattern.Order()
	run := 1
	for len(first) > depth+run && len(last) > depth+run && first[depth+run].Same(last[depth+run]) &&
		first[depth+run].Kind == pattern.Literal && plainLiteral(first[depth+run].Text) {
		run++
	}
	return run
}

// bestSeed returns the seed with which the fewest labels miss their own slot.
func bestSeed(labels []string, slots uint32) uint32 {
	if len(labels) == 1 {
		return 0
	}
	best, fewest := uint32(0), len(labels)
	taken := make([]uint64, (slots+63)/64)
	for seed := range uint32(seeds) {
		clear(taken)
		misses := 0
		for _, label := range labels {
			h := segmentHash(label, seed) & (slots - 1)
			if taken[h/64]>>(h%64)&1 != 0 {
				misses++
			}
			taken[h/64] |= 1 << (h % 64)
		}
		if misses < fewest {
			best, fewest = seed, misses
		}
		if misses == 0 || len(labels) > 1<<10 && misses < len(labels)/2 {
			break
		}
	}
	return best
}

// recheck returns which paths that match the catch-all of p may match exactly with a
// final slash added or, with Recheck Everything, removed. The result may include too
// many.
func (b *builder) recheck(p *Path) Recheck {
	switch depth := len(p.Pattern.Segments) - 1; {
	case b.config.Recheck != Slashless:
		return b.config.Recheck
	case b.slashes <= depth:
		return Never
	default:
		budget := 256
		if slashBelow(b.all().paths, p.Pattern.Segments[:depth], 0, &budget) {
			return Slashless
		}
		return Never
	}
}

// slashBelow reports whether one of paths, which are sorted and agree with prefix in
// the first depth segments, agrees with all of it and has a final slash after at least
// one more segment. It returns true when the budget is spent.
func slashBelow(paths []*Path, prefix []pattern.Segment, depth int, budget *int) bool {
	for len(paths) > 0 {
		if *budget--; *budget < 0 {
			return true
		}
		segs := paths[0].Pattern.Order()
		if depth == len(prefix) {
			if k := paths[0].Pattern.Last().Kind; len(segs) > depth+1 && (k == pattern.Dollar || k == pattern.CatchAll) {
				return true
			}
			paths = paths[1:]
			continue
		}
		size := 1
		if len(segs) > depth {
			size = groupSize(paths, depth)
			switch g := segs[depth]; {
			case g.Kind == pattern.InnerCatchAll:
				for _, p := range paths[:size] {
					if p.Pattern.Last().Kind == pattern.Dollar {
						return true
					}
				}
			case g.Kind == pattern.Dollar, g.Kind == pattern.CatchAll, g.Kind == pattern.Literal && prefix[depth].Kind == pattern.Literal && prefix[depth].Text != g.Text:
			case slashBelow(paths[:size], prefix, depth+1, budget): // the texts that constraints match are not compared
				return true
			}
		}
		paths = paths[size:]
	}
	return false
}

// groupSize returns how many of the sorted paths have the same segment at
// depth as the first, by doubling and then halving steps.
func groupSize(paths []*Path, depth int) int {
	same := func(i int) bool {
		s := paths[i].Pattern.Order()
		return len(s) > depth && s[depth].Same(paths[0].Pattern.Order()[depth])
	}
	lo, hi := 0, 1 // same(lo); not same(hi), or hi is past the end
	for hi < len(paths) && same(hi) {
		lo, hi = hi, 2*hi
	}
	hi = min(hi, len(paths))
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; same(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
