package muxwell

import (
	"bytes"
	"strings"
)

// A walk searches a trie as descend does, for every path that descend does not
// handle: long ones, escaped ones, ones with a slash added in thought, and those
// of CONNECT requests. It finds the end of a segment when it gets there, and
// unescapes a segment when a literal is to be compared with it.
type walk struct {
	table *table
	path  string
	// size is len(path), or one more to walk as if a slash stood at the end.
	size int

	escaped bool // segments are unescaped before they are compared
	careful bool // the path may be unclean, and then does not match
	dots    bool // a parameter may be "." or ".."
	named   bool // only routes count that name their methods, which are those of snapshot.records
	records []record

	recheck bool // result: the catch-all that matched may not be the answer
	visited int  // result: the number of nodes visited, for tests of the bound on work
}

// from returns the record of the best route below a node for the path from byte
// i on, and whether it matches exactly: no catch-all took any text.
func (w *walk) from(index uint32, i int) (record uint32, exact bool) {
	for {
		w.visited++
		if index&leafOnly != 0 {
			if i <= w.size {
				return 0, false
			}
			return w.accept(index &^ leafOnly), true
		}
		n := &w.table.nodes[index]
		switch {
		case i > w.size:
			return w.accept(n.leaf), true
		case i == w.size:
			if rec := w.accept(n.end); rec != 0 {
				return rec, true
			}
			return w.accept(n.rest), true
		}
		stop := w.stop(i)
		if w.careful && (i == stop || isDots(w.path[i:stop])) {
			return 0, false
		}
		if n.slots != 0 {
			if k := w.table.kid(n, w.segment(i, stop)); k != nil {
				if next := w.more(k, stop) + 1; next > 0 {
					if n.param == 0 && n.rest == 0 {
						index, i = k.to, next
						continue
					}
					if rec, exact := w.from(k.to, next); rec != 0 {
						return rec, exact
					}
				}
			}
		}
		if n.param != 0 {
			if next := w.params(int(n.skip), i, stop) + 1; next > 0 {
				if n.rest == 0 {
					index, i = n.param, next
					continue
				}
				if rec, exact := w.from(n.param, next); rec != 0 {
					return rec, exact
				}
			}
		}
		if n.rest == 0 || w.careful && !isClean(w.path[i-1:]) {
			return 0, false
		}
		w.recheck = n.recheck.applies(w.path)
		return w.accept(n.rest), false
	}
}

// accept returns rec if its route counts in this walk.
func (w *walk) accept(rec uint32) uint32 {
	if w.named && rec != 0 && w.records[rec].route.methods == nil {
		return 0
	}
	return rec
}

// stop returns where the segment that begins at i ends.
func (w *walk) stop(i int) int {
	if j := strings.IndexByte(w.path[i:], '/'); j >= 0 {
		return i + j
	}
	return len(w.path)
}

// segment returns the segment from i to stop as literals are compared with it.
// One that is too long to equal any is not unescaped.
func (w *walk) segment(i, stop int) string {
	seg := w.path[i:stop]
	if w.escaped && len(seg) <= len("%XX")*w.table.widest && strings.IndexByte(seg, '%') >= 0 {
		var space [64]byte
		return string(appendUnescaped(space[:0], seg))
	}
	return seg
}

// more returns where the path's segments that match the whole label of k end,
// of which the first ends at stop. It returns -1 if they do not match.
func (w *walk) more(k *kid, stop int) int {
	for label := w.table.label(k)[k.len:]; label != ""; {
		if stop+1 >= w.size {
			return -1
		}
		i := stop + 1
		stop = w.stop(i)
		var want string
		label = label[1:]
		if j := strings.IndexByte(label, '/'); j >= 0 {
			want, label = label[:j], label[j:]
		} else {
			want, label = label, ""
		}
		if w.segment(i, stop) != want {
			return -1
		}
	}
	return stop
}

// params returns where a run of parameters ends that begins with the segment
// from i to stop, or -1.
func (w *walk) params(run, i, stop int) int {
	for {
		if i == stop || !w.dots && isDots(w.path[i:stop]) {
			return -1
		}
		if run--; run == 0 {
			return stop
		}
		if i = stop + 1; i >= w.size {
			return -1
		}
		stop = w.stop(i)
	}
}

// staticKey appends to b the walk's path as static routes are spelt, and
// reports whether it can be one of theirs: one of their segments never holds a
// slash.
func (w *walk) staticKey(b []byte) (key []byte, ok bool) {
	if !w.escaped {
		b = append(b, w.path...)
	} else {
		for i := 0; i < len(w.path); {
			stop, from := w.stop(i+1), len(b)+1
			b = appendUnescaped(append(b, '/'), w.path[i+1:stop])
			if bytes.IndexByte(b[from:], '/') >= 0 {
				return nil, false
			}
			i = stop
		}
	}
	if w.size > len(w.path) {
		b = append(b, '/')
	}
	return b, true
}

// appendUnescaped appends a part of an escaped path, in which every escape is
// valid, without its escapes.
func appendUnescaped(b []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+3 > len(s) {
			return append(b, s...)
		}
		b = append(append(b, s[:i]...), unhex(s[i+1])<<4|unhex(s[i+2]))
		s = s[i+3:]
	}
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
