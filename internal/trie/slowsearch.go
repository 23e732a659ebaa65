package trie

import (
	"bytes"
	"strings"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Query is a path to search in a table.
type Query struct {
	Path    string
	Slash   bool // as if it had a slash at the end
	Escaped bool // segments are unescaped before they are compared
	Fold    bool // and converted to lower case
	Dots    bool // a parameter may be "." or ".."
	// Accept returns the result for a number that Search finds: the same number,
	// another one instead, or 0 to continue. Without it, numbers are those of the
	// table, and may be marked.
	Accept func(number uint32) uint32
	// Selective is set if Accept may reject numbers that are not marked.
	Selective bool
}

// Search returns the number of the best path of the table for any path, and whether it
// matches exactly: no catch-all at its end matched any text. It is correct for every
// path; Find is the fast path for most.
func (t *Table) Search(q *Query) (number uint32, exact bool) {
	var w slowSearch // initialized in place: a literal would be copied
	w.table, w.path, w.escaped, w.fold, w.dots = t, q.Path, q.Escaped, q.Fold, q.Dots
	w.accept, w.forget = q.Accept, q.Selective
	w.size = len(w.path)
	if q.Slash {
		w.size++
	}
	if len(w.path) <= len("%XX")*t.Static.Most { // otherwise it is too long, even if escaped
		var space [256]byte
		if key, ok := w.staticKey(space[:0]); ok {
			if number := w.taken(t.Static.Find(string(key))); number != 0 {
				return number, true
			}
		}
	}
	if w.path == "" || w.path[0] != '/' {
		return 0, false
	}
	number, exact = w.search(w.table.root, 1)
	return number, exact && number != 0
}

// A slowSearch searches a trie like matchFast, for all paths that matchFast does not
// handle: long ones, escaped ones, ones with an imaginary final slash, those of CONNECT
// requests, and those of tables in which a path may visit many nodes. It finds the end
// of a segment when it gets there, and unescapes a segment when it compares it.
type slowSearch struct {
	table *Table
	path  string
	// count is len(path), or one more to walk as if a slash stood at the end.
	size int

	escaped bool // segments are unescaped before they are compared
	fold    bool // and converted to lower case
	dots    bool // a parameter may be "." or ".."
	// accept returns the result for a number of the table: the same number, another one
	// instead, or 0. Without it, numbers are those of the table.
	accept func(number uint32) uint32
	forget bool // accept may reject numbers that are not marked

	slashed string // the path with the slash that size adds; set when it is needed

	recheck bool // result: the catch-all that matched may not be the answer
	visited int  // result: the number of nodes visited, for tests of the bound on work
}

// Remembers reports whether searches in the table remember dead ends, since a path may
// visit many nodes.
func (t *Table) Remembers() bool { return t.classes != nil }

// A deadEnd is a class of nodes below which nothing matched, and the position in the
// path at which that was tried.
type deadEnd struct {
	class uint32
	at    uint32
}

// deadEnds stores some of them, by hash. It is passed as an argument, so that it stays
// on the stack.
type deadEnds [32]deadEnd

func (d deadEnd) slot() uint32 { return (d.class*31 + d.at) * 2654435769 >> 27 }

// search returns the number of the best path below a node for the path from byte i on,
// and whether it matches exactly: no catch-all at its end matched any text.
func (w *slowSearch) search(index uint32, i int) (record uint32, exact bool) {
	if w.table.classes == nil || w.forget { // classes do not take accept into account
		return w.from(index, i, nil)
	}
	var dead deadEnds
	return w.from(index, i, &dead)
}

// from is search with a memory of dead ends, or nil.
func (w *slowSearch) from(index uint32, i int, dead *deadEnds) (record uint32, exact bool) {
	for {
		w.visited++
		if index&leafOnly != 0 {
			if i <= w.size {
				return 0, false
			}
			return w.taken(index &^ leafOnly), true
		}
		n := &w.table.nodes[index]
		switch {
		case i > w.size:
			return w.taken(n.leaf), true
		case i == w.size:
			if rec := w.taken(n.dollar); rec != 0 {
				return rec, true
			}
			return w.taken(w.table.catchAllOf(n)), true
		}
		stop := w.stop(i)
		if n.slots != 0 {
			if k := w.table.literal(n, w.segment(i, stop)); k != nil {
				if next := w.more(k, stop) + 1; next > 0 {
					if n.param|n.catchAll == 0 {
						index, i = k.to, next
						continue
					}
					if rec, exact := w.try(k.to, next, dead); rec != 0 {
						return rec, exact
					}
				}
			}
		}
		if n.catchAll&hasEdges != 0 {
			if rec, exact := w.constrained(n, i, stop, dead); rec != 0 {
				return rec, exact
			}
		}
		if n.param != 0 {
			if next := w.params(int(n.skip), i, stop) + 1; next > 0 {
				if n.catchAll == 0 {
					index, i = n.param, next
					continue
				}
				if rec, exact := w.try(n.param, next, dead); rec != 0 {
					return rec, exact
				}
			}
		}
		return w.catchAlls(n, i)
	}
}

// try is from, unless a node of the same class is known to be a dead end at that
// position.
func (w *slowSearch) try(index uint32, i int, dead *deadEnds) (record uint32, exact bool) {
	if dead == nil || index&leafOnly != 0 {
		return w.from(index, i, dead)
	}
	here := deadEnd{w.table.classes[index], uint32(i)}
	if dead[here.slot()] == here {
		return 0, false
	}
	record, exact = w.from(index, i, dead)
	if record == 0 {
		dead[here.slot()] = here
	}
	return record, exact
}

// constrained is from for the composite and constrained segments of n.
func (w *slowSearch) constrained(n *node, i, stop int, dead *deadEnds) (record uint32, exact bool) {
	if !w.isValue(i, stop) {
		return 0, false
	}
	alts := w.table.constrainedOf(n)
	if len(alts) == 0 {
		return 0, false
	}
	seg := w.value(i, stop)
	for at := range alts {
		if alts[at].matches(seg) {
			if rec, exact := w.try(alts[at].to, stop+1, dead); rec != 0 {
				return rec, exact
			}
		}
	}
	return 0, false
}

// catchAlls is from for the catch-alls of n.
func (w *slowSearch) catchAlls(n *node, i int) (record uint32, exact bool) {
	if n.catchAll == 0 {
		return 0, false
	}
	if middle := w.table.innerCatchAllOf(n); middle != 0 {
		path := w.path
		if w.size > len(path) {
			if w.slashed == "" {
				w.slashed = path + "/" // behind reads it from the end
			}
			w.path = w.slashed
		}
		rec := w.behind(middle, i, w.size)
		w.path = path
		if rec != 0 {
			return rec, true
		}
	}
	w.recheck = n.recheck.Applies(w.path)
	return w.taken(w.table.catchAllOf(n)), false
}

// behind returns the number of the best path below a node after an inner catch-all, for
// the path up to byte stop. At least one byte from i on must be left for the catch-all.
func (w *slowSearch) behind(index uint32, i, stop int) (record uint32) {
	for {
		w.visited++
		if stop <= i {
			return 0
		}
		if index&leafOnly != 0 {
			return w.taken(index &^ leafOnly)
		}
		n := &w.table.nodes[index]
		slash := w.slashBefore(i, stop)
		if slash <= i {
			return w.taken(n.leaf) // the catch-all matches the rest
		}
		if n.slots != 0 {
			if k := w.table.literal(n, w.segment(slash+1, stop)); k != nil {
				if rec := w.behind(k.to, i, slash); rec != 0 {
					return rec
				}
			}
		}
		if alts := w.table.constrainedOf(n); len(alts) > 0 && w.isValue(slash+1, stop) {
			seg := w.value(slash+1, stop)
			for at := range alts {
				if alts[at].matches(seg) {
					if rec := w.behind(alts[at].to, i, slash); rec != 0 {
						return rec
					}
				}
			}
		}
		leaf := w.taken(n.leaf)
		if n.param == 0 {
			return leaf
		}
		next := stop
		for range n.skip {
			if slash = w.slashBefore(i, next); slash <= i || !w.isValue(slash+1, next) {
				return leaf
			}
			next = slash
		}
		if leaf != 0 {
			if rec := w.behind(n.param, i, next); rec != 0 {
				return rec
			}
			return leaf
		}
		index, stop = n.param, next
	}
}

// slashBefore returns the position of the last slash before stop, or -1 if there is
// none from i on.
func (w *slowSearch) slashBefore(i, stop int) int {
	if at := strings.LastIndexByte(w.path[i:stop], '/'); at >= 0 {
		return i + at
	}
	return -1
}

// isValue reports whether the segment from i to stop can be the value of a parameter.
func (w *slowSearch) isValue(i, stop int) bool {
	return i < stop && (w.dots || !urlpath.IsDots(w.path[i:stop]))
}

// value returns the segment from i to stop, unescaped.
func (w *slowSearch) value(i, stop int) string {
	if w.escaped {
		return urlpath.Unescape(w.path[i:stop])
	}
	return w.path[i:stop]
}

// taken returns the result for a number.
func (w *slowSearch) taken(number uint32) uint32 {
	if number == 0 || w.accept == nil {
		return number
	}
	return w.accept(number)
}

// stop returns where the segment that begins at i ends.
func (w *slowSearch) stop(i int) int {
	return urlpath.SegmentEnd(w.path, i)
}

// segment returns the segment from i to stop in the form in which literals are compared
// with it. A segment that is too long to equal any literal is not unescaped.
func (w *slowSearch) segment(i, stop int) string {
	seg := w.path[i:stop]
	switch unescape := w.escaped && strings.IndexByte(seg, '%') >= 0; {
	case !unescape && !w.fold || len(seg) > len("%XX")*w.table.widest:
		return seg
	case !unescape:
		return urlpath.Lower(seg)
	default:
		var space [64]byte
		b := urlpath.AppendUnescaped(space[:0], seg)
		if w.fold {
			urlpath.LowerBytes(b)
		}
		return string(b)
	}
}

// more returns the end of the path's segments that match the whole label of k, the
// first of which ends at stop. It returns -1 if they do not match.
func (w *slowSearch) more(k *literalChild, stop int) int {
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

// params returns the end of a run of parameters that begins with the segment from i to
// stop, or -1.
func (w *slowSearch) params(run, i, stop int) int {
	for {
		if !w.isValue(i, stop) {
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

// staticKey appends to b the search's path in the form of static paths, and reports
// whether it can be one: the segments of static paths never contain a slash.
func (w *slowSearch) staticKey(b []byte) (key []byte, ok bool) {
	if !w.escaped {
		b = append(b, w.path...)
	} else {
		for i := 0; i < len(w.path); {
			stop, from := w.stop(i+1), len(b)+1
			b = urlpath.AppendUnescaped(append(b, '/'), w.path[i+1:stop])
			if bytes.IndexByte(b[from:], '/') >= 0 {
				return nil, false
			}
			i = stop
		}
	}
	if w.size > len(w.path) {
		b = append(b, '/')
	}
	if w.fold {
		urlpath.LowerBytes(b)
	}
	return b, true
}
