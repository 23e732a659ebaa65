package trie

import (
	"math/bits"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// If several edges of a node may match, searchBranches tries the best one first and
// returns from a dead end to the next. Each node is reached by only one edge, so the
// number of nodes bounds the work. If a path may visit many of them, slowsearch.go is
// used instead, which remembers dead ends.

// searchBranches is matchFast at a node with several edges that may match.
func (t *Table) searchBranches(index uint32, i int, ends uint64, path string) uint32 {
	if t.classes != nil {
		return t.searchFrom(index, i, path)
	}
	n := &t.nodes[index]
	stop := bits.TrailingZeros64(ends)
	seg, next := path[i:stop], ends&(ends-1)
	if n.slots != 0 {
		if k := t.literal(n, seg); k != nil && t.hasMore(k, path, stop) {
			i := stop + int(k.more) + 1
			if rec := t.matchFast(k.to, i, ends&^(1<<(i&63)-1), path); rec != 0 {
				return rec
			}
		}
	}
	if urlpath.IsDots(seg) {
		return Undecided
	}
	alts := t.constrainedOf(n)
	for at := range alts {
		a := &alts[at]
		if !a.matches(seg) {
			continue
		}
		if stop == len(path) && a.to&leafOnly != 0 {
			return a.to &^ leafOnly
		}
		if rec := t.matchFast(a.to, stop+1, next, path); rec != 0 {
			return rec
		}
	}
	if n.param != 0 {
		if rec := t.params(n, i, ends, path); rec != 0 {
			return rec
		}
	}
	if middle := t.innerCatchAllOf(n); middle != 0 {
		if urlpath.HasDots(path, i, ends) {
			return Undecided
		}
		w := slowSearch{table: t, path: path, size: len(path)}
		if rec := w.behind(middle, i, len(path)); rec != 0 {
			return rec
		}
	}
	return t.catchAll(n, path, i, ends)
}

// params continues after the parameters of n.
func (t *Table) params(n *node, i int, ends uint64, path string) uint32 {
	for range n.skip {
		if i >= len(path) {
			return 0
		}
		stop := bits.TrailingZeros64(ends)
		if urlpath.IsDots(path[i:stop]) {
			return Undecided
		}
		i, ends = stop+1, ends&(ends-1)
	}
	return t.matchFast(n.param, i, ends, path)
}
