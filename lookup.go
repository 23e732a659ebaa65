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
	if t.static.may(len(path)) {
		if rec := t.static.find(path); rec != 0 {
			return rec, 0
		}
	}
	return t.findInTrie(path)
}

// findInTrie is find for the routes that have parameters.
func (t *table) findInTrie(path string) (record uint32, slashes uint64) {
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
	slashes = slashMap(path)
	if slashes&(slashes<<1) != 0 || t.dotted && !isClean(path) {
		return undecided, 0
	}
	return t.descend(0, 1, slashes&^1|1<<len(path), path, nil), slashes
}

// undecided stands for a record in the results of find and descend.
const undecided = ^uint32(0)

// isRecord reports whether rec is neither 0 nor undecided.
func isRecord(rec uint32) bool { return rec-1 < undecided-1 }

// slashMap returns a bitmap of the slashes of a path of up to 63 bytes. It takes
// eight bytes at a time, the last eight first; the rest without a loop, which
// would cost as much as the work.
func slashMap(path string) uint64 {
	n := len(path)
	if n < 8 {
		return slashBits(shortWord(path))
	}
	m := slashBits(le64(path, n-8)) << (uint(n-8) & 63)
	if n <= 8 {
		return m
	}
	m |= slashBits(le64(path, 0))
	if n <= 16 {
		return m
	}
	m |= slashBits(le64(path, 8)) << 8
	if n <= 24 {
		return m
	}
	m |= slashBits(le64(path, 16)) << 16
	if n <= 32 {
		return m
	}
	m |= slashBits(le64(path, 24)) << 24
	if n <= 40 {
		return m
	}
	m |= slashBits(le64(path, 32)) << 32
	if n <= 48 {
		return m
	}
	m |= slashBits(le64(path, 40)) << 40
	if n <= 56 {
		return m
	}
	return m | slashBits(le64(path, 48))<<48
}

// slashBits returns a bit for each byte of word, set where it is a slash. The
// search for zero bytes is the exact one; the product gathers their high bits.
func slashBits(word uint64) uint64 {
	const (
		ones = 0x0101010101010101
		lows = 0x7f * ones
	)
	word ^= '/' * ones
	return ^(word&lows + lows | word | lows) * 0x0002040810204081 >> 56
}

// tailWord returns the last, fewer than eight, bytes of a path from i on as a
// little-endian word.
func tailWord(path string, i int) uint64 {
	if len(path) >= 8 {
		return le64(path, len(path)-8) >> (8 * uint(i+8-len(path)) & 63)
	}
	return shortWord(path[i:])
}

// lowBytes holds words whose n low bytes are set.
var lowBytes = [9]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1}

// Marks on a node's index for descend: the ways from it that have been taken.
const (
	kidsTaken  = 1 << 30
	paramTaken = 1 << 29
	justNode   = paramTaken - 1
)

// branches holds the nodes to which descend goes back where a way was a dead
// end, the last one first, and which ways were.
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

// isDead reports whether a node of the same class led nowhere from byte i on.
func (b *branches) isDead(t *table, index uint32, i int) bool {
	if t.classes == nil || index&leafOnly != 0 {
		return false
	}
	key := t.classes[index]<<6 | uint32(i&63)
	return b.dead[key*2654435769>>26] == key
}

// pop returns the last node noted, the way taken from which was a dead end.
func (b *branches) pop(t *table) (index uint32, i int) {
	b.n--
	last := &b.at[b.n]
	if t.classes != nil && last.to&leafOnly == 0 {
		key := t.classes[last.to]<<6 | uint32(last.toPlace&63)
		b.dead[key*2654435769>>26] = key
	}
	return last.index, int(last.i)
}

// descend returns the record of the best route below a node for path from byte
// i on, which is the start of a segment, or past the end of the path. ends has a
// bit for the end of each segment from there on.
//
// It is the hot loop: long, since it calls nothing as long as there is but one
// way to go. Where there are two for the first time, it starts again from that
// node with a list of branches, which is too dear to make for every request.
func (t *table) descend(index uint32, i int, ends uint64, path string, back *branches) uint32 {
	for {
		n := &t.nodes[index&justNode]
		if i >= len(path) {
			rec := n.leaf
			if i == len(path) { // the path ended with a slash
				if rec = n.end; rec == 0 {
					rec = n.rest
				}
			}
			if rec != 0 {
				return rec
			}
			goto dead
		}
		if n.slots != 0 && index < paramTaken {
			stop := bits.TrailingZeros64(ends)
			length := uint(stop - i)
			var head, tail uint64
			if i+8 <= len(path) {
				head = le64(path, i)
			} else {
				head = tailWord(path, i)
			}
			place := n.kids
			if length > 8 {
				tail = le64(path, stop-8)
			} else {
				head &= lowBytes[length]
			}
			if n.slots > 1 {
				h := head ^ bits.RotateLeft64(tail, 23)
				if length > 16 {
					h ^= bits.RotateLeft64(le64(path, i+middle(length, n.seed)), 41)
				}
				place += kidHash(h, uint32(length), n.seed) & (n.slots - 1)
			}
			for {
				k := &t.kids[place]
				if k.head == head && k.tail == tail && k.len == uint32(length) && (length <= 16 || sameMiddle(path[i:stop], t.text[k.text:])) {
					next, left := stop+1, ends&(ends-1)
					if k.more != 0 {
						next += int(k.more)
						if !t.hasMore(k, path, next-1) {
							break
						}
						left = ends &^ (1<<(next&63) - 1)
					}
					if k.to&leafOnly != 0 {
						if next > len(path) {
							return k.to &^ leafOnly
						}
						break
					}
					if n.param|n.rest != 0 {
						if back == nil {
							return t.backtrack(index, i, ends, path)
						}
						if back.isDead(t, k.to, next) {
							break
						}
						back.push(index|kidsTaken, i, k.to, next)
					}
					index, i, ends = k.to, next, left
					goto down
				}
				if k.to == 0 || n.slots == 1 {
					break
				}
				if place++; place == n.kids+n.slots {
					place = n.kids
				}
			}
		}
		if n.param != 0 && index&paramTaken == 0 {
			next, left := i, ends
			for run := n.skip; run > 0; run-- {
				if next >= len(path) {
					goto catch
				}
				stop := bits.TrailingZeros64(left)
				if path[next] == '.' && isDots(path[next:stop]) {
					return undecided
				}
				next, left = stop+1, left&(left-1)
			}
			if n.param&leafOnly == 0 {
				if back != nil && back.isDead(t, n.param, next) {
					goto catch
				}
				if n.rest != 0 {
					if back == nil {
						return t.backtrack(index, i, ends, path)
					}
					back.push(index|paramTaken, i, n.param, next)
				}
				index, i, ends = n.param, next, left
				goto down
			}
			if next > len(path) {
				return n.param &^ leafOnly
			}
		}
	catch:
		if n.rest != 0 {
			if n.recheck && path[len(path)-1] != '/' || hasDots(path, i, ends) {
				return undecided
			}
			return n.rest
		}
	dead:
		if back == nil || back.n == 0 {
			return 0
		}
		index, i = back.pop(t)
		ends = back.ends &^ (1<<(i&63) - 1)
	down:
	}
}

// backtrack is descend with a list of branches.
func (t *table) backtrack(index uint32, i int, ends uint64, path string) uint32 {
	back := branches{ends: ends}
	return t.descend(index, i, ends, path, &back)
}

// hasMore reports whether path, of which the first segment of k's label has
// been compared, goes on with the rest of it up to next, and a segment or the
// path ends there.
func (t *table) hasMore(k *kid, path string, next int) bool {
	if next > len(path) || next < len(path) && path[next] != '/' {
		return false
	}
	more := t.text[k.text+k.len:]
	for i := range int(k.more) {
		if more[i] != path[next-int(k.more)+i] {
			return false
		}
	}
	return true
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

// hasDots reports whether a segment from byte i on is "." or "..".
func hasDots(path string, i int, ends uint64) bool {
	for ends != 0 {
		stop := bits.TrailingZeros64(ends)
		if isDots(path[i:stop]) {
			return true
		}
		i, ends = stop+1, ends&(ends-1)
	}
	return false
}

// isDots reports whether s is "." or "..".
func isDots(s string) bool { return s == "." || s == ".." }
