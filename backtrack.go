package muxwell

import "math/bits"

// Where a node has several ways that may match, the best is tried first and the
// others noted. A dead end leads back to the node noted last. Without more that
// could visit every node of the table; in tables with many such nodes a dead
// end is remembered by its class, so that the same search is not made again in
// another place.

// Marks on a node's index: the ways from it that have been taken.
const (
	kidsTaken  = 1 << 30
	paramTaken = 1 << 29
	justNode   = paramTaken - 1
)

// branches holds the nodes noted, the last one last, and the dead ends.
type branches struct {
	n    int
	ends uint64 // of all segments of the path
	at   [maxPlain/2 + 2]branch
	dead [64]uint32 // by hash: class and place of a node below which nothing matches
}

type branch struct {
	index   uint32 // of the node, with a mark
	i       int32
	to      uint32 // the way that was taken from it
	toPlace int32
}

// push notes a node, with the ways taken from it marked, and where the last of
// these led.
func (b *branches) push(index uint32, i int, to uint32, next int) {
	b.at[b.n] = branch{index, int32(i), to, int32(next)}
	b.n++
}

// pop returns the last node noted, the way taken from which was a dead end.
func (b *branches) pop(t *table) (index uint32, i int) {
	b.n--
	last := &b.at[b.n]
	if t.classes != nil && last.to&leafOnly == 0 {
		key := deadKey(t.classes[last.to], int(last.toPlace))
		b.dead[deadSlot(key)] = key
	}
	return last.index, int(last.i)
}

// isDead reports whether a node of the same class led nowhere from byte i on.
func (b *branches) isDead(t *table, index uint32, i int) bool {
	if t.classes == nil || index&leafOnly != 0 {
		return false
	}
	key := deadKey(t.classes[index], i)
	return b.dead[deadSlot(key)] == key
}

func deadKey(class uint32, i int) uint32 { return class<<6 | uint32(i&63) }

func deadSlot(key uint32) uint32 { return key * 2654435769 >> 26 }

// backtrack is descend for tables where several ways may match.
func (t *table) backtrack(index uint32, i int, ends uint64, path string) uint32 {
	back := branches{ends: ends}
	for {
		rec, to, next := t.step(&back, index, i, ends, path)
		switch {
		case rec != 0:
			return rec
		case to != 0:
			index, i = to, next
		case back.n == 0:
			return 0
		default:
			index, i = back.pop(t)
		}
		ends = back.ends &^ (1<<(i&63) - 1)
	}
}

// step takes the best way from a node that is not marked as taken, and notes the
// node if there are others. It returns the record of a route, or where the way
// leads, or neither at a dead end.
func (t *table) step(back *branches, index uint32, i int, ends uint64, path string) (rec, to uint32, next int) {
	if index&leafOnly != 0 {
		if i > len(path) {
			rec = index &^ leafOnly
		}
		return rec, 0, 0
	}
	n := &t.nodes[index&justNode]
	if i >= len(path) {
		return n.here(i > len(path)), 0, 0
	}
	if n.slots != 0 && index < paramTaken {
		stop := bits.TrailingZeros64(ends)
		if k := t.kid(n, path[i:stop]); k != nil && t.hasMore(k, path, stop) {
			next := stop + int(k.more) + 1
			if !back.isDead(t, k.to, next) {
				if n.param|n.rest != 0 {
					back.push(index|kidsTaken, i, k.to, next)
				}
				return 0, k.to, next
			}
		}
	}
	if n.param != 0 && index&paramTaken == 0 {
		next, dots := skipParams(n, i, ends, path)
		if dots {
			return undecided, 0, 0
		}
		if next > 0 && !back.isDead(t, n.param, next) {
			if n.rest != 0 {
				back.push(index|paramTaken, i, n.param, next)
			}
			return 0, n.param, next
		}
	}
	return t.catchAll(n, path, i, ends), 0, 0
}

// skipParams returns where the segment behind the parameters of n begins, or 0
// if the path has too few, and whether one of these is "." or "..".
func skipParams(n *node, i int, ends uint64, path string) (next int, dots bool) {
	for range n.skip {
		if i >= len(path) {
			return 0, false
		}
		stop := bits.TrailingZeros64(ends)
		if isDots(path[i:stop]) {
			return 0, true
		}
		i, ends = stop+1, ends&(ends-1)
	}
	return i, false
}
