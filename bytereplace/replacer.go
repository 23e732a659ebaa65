package bytereplace

import "strings"

// A Replacer replaces each byte of a text by one byte or by none. It is made by
// [New] or [Build]. The zero Replacer changes nothing. A Replacer never changes,
// and is safe for concurrent use by multiple goroutines.
type Replacer struct {
	find    finder
	write   writer
	result  [256]uint16 // the byte that results, and kept unless the byte is deleted
	changes [256]byte   // 1 for a byte that is replaced or deleted, else 0
	few     string      // for findFew, the bytes that change
	near    run         // for findNear, writeRun, writeTableNear and writeKeptNear
}

// kept is the bit of a result that counts the byte, 1 when shifted by keptShift.
const (
	kept      = 1 << keptShift
	keptShift = 8
)

// A finder is a method to find the first byte that changes.
type finder uint8

const (
	findNone  finder = iota // no byte changes
	findFew                 // at most maxFew bytes change
	findNear                // those that change are near one another
	findTable               // any others
)

// A writer is a method to rewrite a text from there on.
type writer uint8

const (
	writeNone      writer = iota // no byte changes
	writeRun                     // a run is changed by the same bits
	writeTableNear               // changes bytes near one another, deletes none
	writeTable                   // deletes none
	writeKeptNear                // changes bytes near one another, deletes some
	writeKept                    // deletes some
)

// maxFew is the largest number of bytes that are searched one by one: with 8 it
// takes as long as the table, with 4 as long as bytes that are near.
const (
	maxFew     = 8
	maxFewNear = 4
)

// newReplacer returns the Replacer of a table.
func newReplacer(t *table) *Replacer {
	r := new(Replacer)
	var changed []byte
	deletes, sameBits := false, true
	for c, to := range t {
		if to == deleted {
			deletes = true
		} else {
			r.result[c] = uint16(to) | kept
		}
		if int(to) != c {
			r.changes[c] = 1
			changed = append(changed, byte(c))
			sameBits = sameBits && to^int16(c) == t[changed[0]]^int16(changed[0])
		}
	}
	if len(changed) == 0 {
		return r
	}
	// Near one another are bytes of the same half that are at least half of the
	// run from the first to the last.
	lo, hi := changed[0], changed[len(changed)-1]
	size := int(hi-lo) + 1
	near := lo>>7 == hi>>7 && size <= 2*len(changed)
	if near {
		r.near = newRun(lo, hi, byte(t[lo])^lo)
	}
	switch {
	case len(changed) <= maxFewNear, len(changed) <= maxFew && !near:
		r.find, r.few = findFew, string(changed)
	case near:
		r.find = findNear
	default:
		r.find = findTable
	}
	switch {
	case deletes && near:
		r.write = writeKeptNear
	case deletes:
		r.write = writeKept
	case near && sameBits && size == len(changed):
		r.write = writeRun
	case near:
		r.write = writeTableNear
	default:
		r.write = writeTable
	}
	return r
}

// Replace returns s with each byte replaced or deleted. If that changes nothing, it
// returns s itself and does not allocate. Otherwise it allocates once at most, or twice
// if more than half of a text over 64 bytes is deleted. The result occupies no more
// than twice its length, except for the rounding of the allocator.
func (r *Replacer) Replace(s string) string {
	i := first(r, s)
	switch {
	case i == len(s):
		return s
	case len(s) <= shortLen:
		return r.replaceShort(s, i)
	default:
		return r.replaceLong(s, i)
	}
}

// AppendReplace appends s, with each byte replaced or deleted, to dst and
// returns the extended slice. It does not allocate if dst has room for len(s)
// more bytes; the bytes between the result's length and len(dst)+len(s) are
// unspecified.
func (r *Replacer) AppendReplace(dst []byte, s string) []byte {
	n := len(dst)
	dst = append(dst, s...)
	return dst[:n+r.rewriteCopy(dst[n:])]
}

// AppendReplaceBytes is like AppendReplace for a slice of bytes. dst and src may
// overlap, both in their lengths and in the capacity of dst: the result is as if src
// had been copied first. src is unchanged, except where it overlaps with the len(src)
// bytes after dst.
func (r *Replacer) AppendReplaceBytes(dst, src []byte) []byte {
	n := len(dst)
	dst = append(dst, src...)
	return dst[:n+r.rewriteCopy(dst[n:])]
}

// ReplaceInPlace replaces or deletes the bytes of b within b. It returns the part of b,
// from its beginning, that has the result. It does not allocate. The bytes of b after
// the result are unspecified. If nothing changes, nothing is written and b is returned.
func (r *Replacer) ReplaceInPlace(b []byte) []byte {
	return b[:r.rewrite(b)]
}

// shortLen is the longest text that is rewritten in a small buffer on the stack.
const shortLen = 64

// replaceShort replaces in a text of up to shortLen bytes. Those before i do not
// change.
func (r *Replacer) replaceShort(s string, i int) string {
	var buf [shortLen]byte
	n := copy(buf[:], s)
	n = i + r.rewriteFrom(buf[i:n])
	return string(buf[:n])
}

// replaceLong replaces in a text. The bytes before i do not change. The text goes
// through a buffer on the stack, so that the only memory written twice is in the cache.
func (r *Replacer) replaceLong(s string, i int) string {
	var buf [1 << 10]byte
	var out strings.Builder
	if i > 0 {
		out.Grow(len(s))
		out.WriteString(s[:i])
	}
	for rest := s[i:]; rest != ""; {
		n := copy(buf[:], rest)
		m := r.rewriteFrom(buf[:n])
		if m > 0 && out.Cap() == 0 {
			out.Grow(len(rest))
		}
		out.Write(buf[:m])
		rest = rest[n:]
	}
	if 2*out.Len() < len(s) {
		return strings.Clone(out.String())
	}
	return out.String()
}

// rewrite rewrites b in place and returns the length of the result.
func (r *Replacer) rewrite(b []byte) int {
	i := first(r, b)
	return i + r.rewriteFrom(b[i:])
}

// rewriteCopy is rewrite for a copy, which may be written even if nothing changes. That
// is faster for short texts.
func (r *Replacer) rewriteCopy(b []byte) int {
	if len(b) <= shortLen {
		return r.rewriteFrom(b)
	}
	return r.rewrite(b)
}

// rewriteFrom is rewrite for a text that most likely begins with a change.
func (r *Replacer) rewriteFrom(b []byte) int {
	switch r.write {
	case writeRun:
		r.flip(b)
	case writeTableNear:
		r.translateNear(b)
	case writeTable:
		r.translate(b)
	case writeKeptNear:
		return r.compactNear(b)
	case writeKept:
		return r.compact(b, b)
	}
	return len(b)
}
