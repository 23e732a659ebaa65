package trie

import (
	"math/bits"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// Find returns the number of the path of the table that matches a request's path, as
// [net/url] has unescaped it, and the bitmap of the slashes of that path if it is short
// enough for one. It returns 0 if none matches, and Undecided if only [Table.Search]
// can decide. If it returns a number, no segment of the request's path is empty, "." or
// "..", except an empty one after a final slash.
func (t *Table) Find(path string) (record uint32, slashes uint64) {
	if t.Static.May(path) {
		if rec := t.Static.Find(path); rec != 0 {
			return rec, 0
		}
	}
	return t.FindInTrie(path)
}

// FindInTrie is Find for the paths that have parameters.
func (t *Table) FindInTrie(path string) (record uint32, slashes uint64) {
	if uint(len(path)-1) >= urlpath.MaxShort {
		switch {
		case path == "" || path[0] != '/':
			return Undecided, 0
		case t.hasUnusualLiteral:
			return t.searchFrom(t.root, 1, path), 0
		}
		return t.matchLong(t.root, 1, path), 0
	}
	slashes = urlpath.Slashes(path)
	if t.hasUnusualLiteral || slashes&1 == 0 || slashes&(slashes<<1) != 0 {
		return t.findUnusual(path, slashes), slashes
	}
	return t.FindClean(path, slashes), slashes
}

// FindClean is FindInTrie for a clean path that is short enough for a bitmap of its
// slashes.
func (t *Table) FindClean(path string, slashes uint64) uint32 {
	return t.matchFast(t.root, 1, slashes&^1|1<<len(path), path)
}

// ComparesText reports whether the trie has only literals without a slash and plain
// parameters. Then a segment that contains an escaped slash may remain escaped in a path
// for FindInTrie, since no literal is equal to it.
func (t *Table) ComparesText() bool { return !t.hasUnusualLiteral && len(t.edges) == 0 }

// matchLong is matchFast for a path that is too long for a bitmap. It goes one way
// only, and hands over where there are several.
func (t *Table) matchLong(index uint32, i int, path string) (record uint32) {
	for index&leafOnly == 0 {
		n := &t.nodes[index]
		if n.catchAll != 0 {
			return t.searchRest(index, i, path)
		}
		if i >= len(path) {
			return t.here(n, i > len(path))
		}
		if n.slots != 0 {
			if k, next := t.literalAt(n, path, i); next > 0 {
				if n.param != 0 {
					return t.searchRest(index, i, path)
				}
				index, i = k.to, next+1
				continue
			}
		}
		if n.param == 0 {
			return 0
		}
		stop := urlpath.SegmentEnd(path, i)
		for run := n.skip; ; {
			if stop == i || urlpath.IsDots(path[i:stop]) {
				return Undecided
			}
			i = stop + 1
			if run--; run == 0 {
				break
			}
			if i >= len(path) {
				return 0
			}
			stop = urlpath.SegmentEnd(path, i)
		}
		index = n.param
	}
	if i <= len(path) {
		return 0
	}
	return index &^ leafOnly
}

// searchRest is matchLong at a node with several ways. If the rest of the path is short
// enough for a bitmap, matchFast continues.
func (t *Table) searchRest(index uint32, i int, path string) (number uint32) {
	n := &t.nodes[index]
	if i >= len(path) || n.catchAll&hasEdges != 0 || t.classes != nil {
		return t.searchFrom(index, i, path)
	}
	if len(path)-i < urlpath.MaxShort {
		rest := path[i-1:] // from a slash on
		slashes := urlpath.Slashes(rest)
		if slashes&(slashes<<1) != 0 {
			return Undecided
		}
		return t.matchFast(index, 1, slashes&^1|1<<len(rest), rest)
	}
	if n.slots != 0 {
		if k, next := t.literalAt(n, path, i); next > 0 {
			if rec := t.matchLong(k.to, next+1, path); rec != 0 {
				return rec
			}
		}
	}
	if n.param != 0 {
		if rec := t.paramsLong(n, i, path); rec != 0 {
			return rec
		}
	}
	if n.catchAll != 0 && (n.recheck.Applies(path) || !urlpath.IsClean(path[i-1:])) {
		return Undecided
	}
	return n.catchAll
}

// paramsLong continues after the parameters of n.
func (t *Table) paramsLong(n *node, i int, path string) uint32 {
	for range n.skip {
		if i >= len(path) {
			return 0
		}
		stop := urlpath.SegmentEnd(path, i)
		if stop == i || urlpath.IsDots(path[i:stop]) {
			return Undecided
		}
		i = stop + 1
	}
	return t.matchLong(n.param, i, path)
}

// searchFrom is matchFast for a path of any length, and for a table in which a path
// may visit many nodes.
func (t *Table) searchFrom(index uint32, i int, path string) (number uint32) {
	if i <= len(path) && !urlpath.IsClean(path[i-1:]) {
		return Undecided
	}
	w := slowSearch{table: t, path: path, size: len(path)}
	number, exact := w.search(index, i)
	if !exact && w.recheck {
		return Undecided
	}
	return number
}

// findUnusual is FindInTrie for a path that may be unclean or not begin with a
// slash.
func (t *Table) findUnusual(path string, slashes uint64) (record uint32) {
	if path[0] != '/' || !urlpath.IsClean(path) {
		return Undecided
	}
	return t.matchFast(t.root, 1, slashes&^1|1<<len(path), path)
}

// Results of Find that are not numbers, and the mark.
const (
	Undecided = ^uint32(0) // another path may be the result; only Search can decide
	// Conditional marks a number in a table: the table cannot decide whether the path
	// with that number matches, or another one with the same segments.
	Conditional = 1 << 30
)

// IsNumber reports whether a result is a number, marked or not.
func IsNumber(result uint32) bool { return result-1 < Undecided-1 }

// matchFast returns the number of the best path below a node for path from byte i on,
// which is the start of a segment, or past the end of the path. ends has a bit for the
// end of each segment from there on.
//
// It is the hot loop: it follows a single edge and makes no calls meanwhile. At a node
// with several edges that may match it hands over to searchBranches. A label that needs
// a closer look is handed over to matchLiteral.
func (t *Table) matchFast(index uint32, i int, ends uint64, path string) uint32 {
	for index&leafOnly == 0 {
		n := &t.nodes[index]
		if i >= len(path) {
			return t.here(n, i > len(path))
		}
		if n.slots != 0 {
			// The same as literal, with the words that are already loaded.
			stop := bits.TrailingZeros64(ends)
			length := uint(stop - i)
			var head, tail uint64
			if i+8 <= len(path) {
				head = urlpath.Word(path, i)
			} else {
				head = urlpath.TailWord(path, i)
			}
			if length > 8 {
				tail = urlpath.Word(path, stop-8)
			} else {
				head &= urlpath.LowBytes[length]
			}
			at := uint32(0)
			if n.slots > 1 {
				words := head ^ bits.RotateLeft64(tail, 23)
				if length > 16 {
					words ^= bits.RotateLeft64(urlpath.Word(path, i+midWord(length, n.seed)), 41)
				}
				at = literalHash(words, uint32(length), n.seed)
			}
			for {
				k := &t.literals[n.literals+at&(n.slots-1)]
				if k.head == head && k.tail == tail && k.len == uint32(length) {
					if n.param|n.catchAll|k.more != 0 || length > 16 {
						return t.matchLiteral(index, k, i, ends, path)
					}
					index, i, ends = k.to, stop+1, ends&(ends-1)
					goto down
				}
				if k.to == 0 || n.slots == 1 {
					break
				}
				at++
			}
		}
		if n.param == 0 {
			return t.matchOthers(index, path, i, ends)
		}
		if n.catchAll != 0 {
			return t.searchBranches(index, i, ends, path)
		}
		for run := n.skip; run > 0; run-- {
			if i >= len(path) {
				return 0
			}
			stop := bits.TrailingZeros64(ends)
			if path[i] == '.' && urlpath.IsDots(path[i:stop]) {
				return Undecided
			}
			i, ends = stop+1, ends&(ends-1)
		}
		index = n.param
	down:
	}
	if i <= len(path) {
		return 0
	}
	return index &^ leafOnly
}

// matchLiteral continues from matchFast at a literal of a node that the path seems to
// match but that needs a closer look: the label is long, or more than a segment, or the
// node has other edges too.
func (t *Table) matchLiteral(index uint32, k *literalChild, i int, ends uint64, path string) uint32 {
	n := &t.nodes[index]
	stop := bits.TrailingZeros64(ends)
	if n.param|n.catchAll != 0 || path[i:stop] != t.text[k.text:k.text+k.len] {
		return t.searchBranches(index, i, ends, path)
	}
	if !t.hasMore(k, path, stop) {
		return 0
	}
	i = stop + int(k.more) + 1
	return t.matchFast(k.to, i, ends&^(1<<(i&63)-1), path)
}

// here returns the number of the path that ends at n: without a slash if leaf is set,
// otherwise with one.
func (t *Table) here(n *node, leaf bool) uint32 {
	switch {
	case leaf:
		return n.leaf
	case n.dollar != 0:
		return n.dollar
	}
	return t.catchAllOf(n)
}

// matchOthers continues from matchFast at a node without a parameter, where none of the
// literals match.
func (t *Table) matchOthers(index uint32, path string, i int, ends uint64) uint32 {
	n := &t.nodes[index]
	if n.catchAll&hasEdges != 0 {
		return t.searchBranches(index, i, ends, path)
	}
	return t.catchAll(n, path, i, ends)
}

// catchAll returns the result for a path that, from byte i on, only the catch-all of n
// can match, if there is one.
func (t *Table) catchAll(n *node, path string, i int, ends uint64) uint32 {
	rec := t.catchAllOf(n)
	if rec != 0 && (n.recheck.Applies(path) || urlpath.HasDots(path, i, ends)) {
		return Undecided
	}
	return rec
}

// literal returns the literal of n whose label begins with the segment seg, or nil.
func (t *Table) literal(n *node, seg string) *literalChild {
	h := segmentHash(seg, n.seed)
	for range n.slots {
		k := &t.literals[n.literals+h&(n.slots-1)]
		if k.to == 0 {
			return nil
		}
		if t.text[k.text:k.text+k.len] == seg {
			return k
		}
		h++
	}
	return nil
}

// literalAt returns the literal of n whose whole label is in path from byte i on, and
// where it ends there, or 0 if there is none.
func (t *Table) literalAt(n *node, path string, i int) (k *literalChild, stop int) {
	if n.slots > 1 {
		stop = urlpath.SegmentEnd(path, i)
		if k = t.literal(n, path[i:stop]); k == nil || !t.hasMore(k, path, stop) {
			return nil, 0
		}
		return k, stop + int(k.more)
	}
	// A single literal is compared without searching the end of the segment.
	k = &t.literals[n.literals]
	stop = i + int(k.len+k.more)
	if stop > len(path) || path[i:stop] != t.label(k) || stop < len(path) && path[stop] != '/' {
		return nil, 0
	}
	return k, stop
}

// hasMore reports whether path continues from stop, the end of the first segment of k's
// label, with the rest of the label, and a segment or the path ends there.
func (t *Table) hasMore(k *literalChild, path string, stop int) bool {
	next := stop + int(k.more)
	return next <= len(path) && (next == len(path) || path[next] == '/') &&
		path[stop:next] == t.text[k.text+k.len:k.text+k.len+k.more]
}
