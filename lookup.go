package muxwell

import (
	"math/bits"
	"strings"
)

// find returns the record of the route that a request for path, as [net/url]
// unescaped it, goes to, with the bitmap of the path's slashes if it is short
// enough for one (see [Params]). It returns 0 if no route matches, and undecided
// where the answer may be a redirect, which is for fallback.go to say. No
// segment of a path that it finds a record for is empty, "." or "..", but for
// the empty one after a final slash.
func (t *table) find(path string) (record uint32, slashes uint64) {
	if rec := t.static.find(path); rec != 0 {
		return rec, 0
	}
	if len(t.nodes) == 0 || path == "" || path[0] != '/' {
		return 0, 0
	}
	if len(path) > maxPlain {
		w := walk{table: t, path: path, size: len(path), careful: true}
		rec, exact := w.from(0, 1)
		if !exact && w.recheck {
			return undecided, 0
		}
		return rec, 0
	}
	var words pathWords
	slashes, unclean := words.load(path)
	if unclean && !isClean(path) {
		return undecided, 0
	}
	return t.descend(0, 1, slashes&^1|1<<len(path), path, &words), slashes
}

// undecided stands for a record in the results of find and descend.
const undecided = ^uint32(0)

// isRecord reports whether rec is neither 0 nor undecided.
func isRecord(rec uint32) bool { return rec-1 < undecided-1 }

// pathWords is a path of up to 63 bytes as little-endian words, filled up with
// zeros, so that eight bytes from anywhere are two shifts away.
type pathWords [9]uint64

// load fills w and returns a bitmap of the path's slashes, and whether a slash
// is followed by another or by a dot. It handles eight bytes at a time: '.' and
// '/' differ in the lowest bit only, so one exact search for a zero byte finds
// both.
func (w *pathWords) load(path string) (slashes uint64, unclean bool) {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	var suspect, before uint64 // before: the high bit of a byte is set if its left neighbour is a slash
	i := 0
	for ; i < len(path); i += 8 {
		var word uint64
		if i+8 <= len(path) {
			word = le64(path, i)
		} else if len(path) >= 8 {
			word = le64(path, len(path)-8) >> (8 * uint(i+8-len(path)) & 63)
		} else {
			word = shortWord(path)
		}
		w[i>>3&7] = word
		zero := (word | ones) ^ ones*'/'
		zero = ^(zero&^highs + (ones * 0x7f) | zero) & highs
		slash := zero & (word << 7)
		suspect |= zero & (slash<<8 | before)
		before = slash >> 56
		slashes |= (slash >> 7 * 0x0102040810204080 >> 56) << (i & 63)
	}
	return slashes, suspect != 0
}

// at returns the eight bytes of the path from i on, 0 ≤ i < 64.
func (w *pathWords) at(i int) uint64 {
	shift := uint(i&7) * 8
	return w[i>>3&7]>>shift | w[i>>3&7+1]<<1<<(63-shift)
}

// descend returns the record of the best route below node n for path from byte
// i on, which is the start of a segment, or past the end of the path. ends has a
// bit for the end of each segment from there on. It backtracks by recursion
// where both a kid and something that ranks lower may match, and steps on in
// all other places. It is long because it is the hot loop.
func (t *table) descend(index uint32, i int, ends uint64, path string, words *pathWords) uint32 {
	for {
		n := &t.nodes[index]
		if i >= len(path) {
			if i > len(path) {
				return n.leaf
			}
			if n.end != 0 { // the path ended with a slash
				return n.end
			}
			return n.rest
		}
		if n.slots != 0 {
			stop := bits.TrailingZeros64(ends)
			length := uint32(stop - i)
			head := words.at(i)
			if length < 8 {
				head &= 1<<(8*length&63) - 1
			}
			h := kidHash(head, length, n.seed)
			for {
				k := &t.kids[n.kids+h&(n.slots-1)]
				if k.node == 0 {
					break
				}
				if k.head == head && k.len == length && (length <= 8 || t.sameTail(k, path[i:stop])) {
					next, left := stop+1, ends&(ends-1)
					if k.more != 0 {
						next += int(k.more)
						if !t.hasMore(k, path, next-1) {
							break
						}
						left = ends &^ (1<<uint(next&63) - 1)
					}
					if n.param == 0 && n.rest == 0 {
						index, i, ends = k.node, next, left
						goto down
					}
					if rec := t.descend(k.node, next, left, path, words); rec != 0 {
						return rec
					}
					break
				}
				if h++; n.slots == 1 {
					break
				}
			}
		}
		if n.param != 0 {
			left := ends
			for range n.skip - 1 {
				left &= left - 1
			}
			if left != 0 {
				// The last segment of the run ends at next-1; it may be empty
				// only if it is the path's last.
				next := bits.TrailingZeros64(left) + 1
				if next <= len(path) || path[len(path)-1] != '/' {
					if n.rest == 0 {
						index, i, ends = n.param, next, left&(left-1)
						goto down
					}
					if rec := t.descend(n.param, next, left&(left-1), path, words); rec != 0 {
						return rec
					}
				}
			}
		}
		if n.recheck && path[len(path)-1] != '/' {
			return undecided
		}
		return n.rest
	down:
	}
}

// sameTail reports whether a segment longer than eight bytes, of which head
// and length have been compared, equals the first one of k's label.
func (t *table) sameTail(k *kid, seg string) bool {
	return le64(seg, len(seg)-8) == k.tail && (len(seg) <= 16 || t.text[k.text:k.text+k.len] == seg)
}

// hasMore reports whether path, of which the first segment of k's label has
// been compared, goes on with the rest of it up to next, and a segment or the
// path ends there.
func (t *table) hasMore(k *kid, path string, next int) bool {
	return next <= len(path) && (next == len(path) || path[next] == '/') &&
		path[next-int(k.more):next] == t.text[k.text+k.len:k.text+k.len+k.more]
}

// isClean reports whether no segment of a path that begins with a slash is
// "." or "..", or empty, but for the one after a final slash.
func isClean(path string) bool {
	for i := 0; ; {
		j := strings.IndexByte(path[i+1:], '/')
		if j < 0 {
			return !isDots(path[i+1:])
		}
		if j == 0 || isDots(path[i+1:i+1+j]) {
			return false
		}
		i += j + 1
	}
}

// isDots reports whether s is "." or "..".
func isDots(s string) bool { return s == "." || s == ".." }
