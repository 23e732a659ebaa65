package muxwell

import (
	"math/bits"
	"slices"
)

// A staticTable finds a path among those that patterns without parameters
// match. Lengths sort out most other paths: at says whether there are paths of
// a length at all, and in which bucket. Of the paths of one length the build
// looks for the eight bytes that tell them apart best; their hash finds the
// slot, and one comparison decides.
//
//	/user/keys  ─ length 10 ─►  bucket {off 2, …}  ─ hash of "ser/keys" ─►  slot {"/user/keys", record}
//
// What is too long for at, or has no eight bytes that tell it apart, is in a
// map.
type staticTable struct {
	at      [wordTables]uint8 // by length: the bucket's number plus 1, 0 for none
	buckets []staticBucket
	slots   []staticSlot
	others  map[string]uint32 // path → record
	lengths uint64            // of others: bit n%64 is set for a path of n bytes
	longest int               // of others
}

const (
	wordTables = 64 // paths shorter than this may be in a bucket
	maxProbes  = 8  // paths of a bucket that need more go to the map
)

type staticBucket struct {
	base  uint32 // the first slot
	mask  uint32 // the number of slots less 1
	off   uint8  // where the eight bytes stand
	shift uint8
}

type staticSlot struct {
	path   string // "" if empty
	record uint32
}

// find returns the record of path, or 0.
func (t *staticTable) find(path string) uint32 {
	if len(path) < wordTables {
		if n := t.at[len(path)]; n != 0 {
			b := &t.buckets[n-1]
			for i := b.slot(pathWord(path, int(b.off))); ; i++ {
				s := &t.slots[b.base+i&b.mask]
				if s.path == path {
					return s.record
				}
				if s.path == "" {
					break
				}
			}
		}
	}
	if len(path) <= t.longest && t.lengths>>(len(path)%64)&1 != 0 {
		return t.others[path]
	}
	return 0
}

// findBytes is find for a path in a buffer.
func (t *staticTable) findBytes(path []byte) uint32 {
	if len(path) < wordTables {
		// The compiler keeps the copy on the stack only up to 32 bytes, so
		// compare without one.
		if n := t.at[len(path)]; n != 0 {
			b := &t.buckets[n-1]
			var word [8]byte
			copy(word[:], path[b.off:])
			for i := b.slot(pathWord(string(word[:]), 0) & lowBytes(len(path)-int(b.off))); ; i++ {
				s := &t.slots[b.base+i&b.mask]
				if s.path == string(path) {
					return s.record
				}
				if s.path == "" {
					break
				}
			}
		}
	}
	if len(path) <= t.longest && t.lengths>>(len(path)%64)&1 != 0 {
		return t.others[string(path)]
	}
	return 0
}

func (b *staticBucket) slot(word uint64) uint32 {
	return uint32(word * hashFactor >> b.shift)
}

// hashFactor spreads the bits of a word to the product's top (Fibonacci hashing).
const hashFactor = 0x9e3779b97f4a7c15

// pathWord returns the eight bytes of path from off as a little-endian word. A
// path of fewer than eight bytes is one word, filled up with zeros.
func pathWord(path string, off int) uint64 {
	if len(path) >= 8 {
		return le64(path, off)
	}
	return shortWord(path)
}

// shortWord returns up to eight bytes as a little-endian word.
func shortWord(s string) uint64 {
	switch n := len(s); {
	case n >= 8:
		return le64(s, 0)
	case n >= 4:
		return uint64(le32(s, 0)) | uint64(le32(s, n-4))<<(8*(n-4))
	case n >= 2:
		return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[n-1])<<(8*(n-1))
	case n == 1:
		return uint64(s[0])
	}
	return 0
}

// lowBytes returns a word whose n low bytes are set.
func lowBytes(n int) uint64 {
	if n >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*n) - 1
}

func le64(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// A staticPath is one entry for buildStatic; paths are distinct and not empty.
type staticPath struct {
	path   string
	record uint32
}

// buildStatic returns the table of the given paths, which it sorts.
func buildStatic(paths []staticPath) staticTable {
	var t staticTable
	slices.SortFunc(paths, func(a, b staticPath) int { return len(a.path) - len(b.path) })
	for len(paths) > 0 {
		n := len(paths[0].path)
		same := 1
		for same < len(paths) && len(paths[same].path) == n {
			same++
		}
		if n >= wordTables || !t.addBucket(paths[:same]) {
			t.addOthers(paths[:same])
		}
		paths = paths[same:]
	}
	return t
}

// addBucket makes a bucket of paths of one length. It reports false, and adds
// nothing, if no eight bytes tell them apart well enough.
func (t *staticTable) addBucket(paths []staticPath) bool {
	n := len(paths[0].path)
	size := uint32(1) << bits.Len(uint(2*len(paths)-1))
	b := staticBucket{
		base:  uint32(len(t.slots)),
		mask:  size - 1,
		off:   uint8(bestWord(paths)),
		shift: uint8(64 - bits.Len32(size-1)),
	}
	slots := make([]staticSlot, size)
	for _, p := range paths {
		i := b.slot(pathWord(p.path, int(b.off))) & b.mask
		for probes := 1; slots[i].path != ""; probes++ {
			if probes == maxProbes {
				return false
			}
			i = (i + 1) & b.mask
		}
		slots[i] = staticSlot{p.path, p.record}
	}
	t.slots = append(t.slots, slots...)
	t.buckets = append(t.buckets, b)
	t.at[n] = uint8(len(t.buckets))
	return true
}

// bestWord returns the offset of the eight bytes that take the most different
// values in a sample of paths.
func bestWord(paths []staticPath) int {
	const sample = 256
	step := max(1, len(paths)/sample)
	best, most := 0, 0
	seen := make(map[uint64]struct{})
	for off := 0; off <= len(paths[0].path)-8; off++ {
		clear(seen)
		for i := 0; i < len(paths); i += step {
			seen[le64(paths[i].path, off)] = struct{}{}
		}
		if len(seen) > most {
			best, most = off, len(seen)
		}
		if most >= min(len(paths), sample) {
			break
		}
	}
	return best
}

func (t *staticTable) addOthers(paths []staticPath) {
	if t.others == nil {
		t.others = make(map[string]uint32)
	}
	for _, p := range paths {
		t.others[p.path] = p.record
		t.lengths |= 1 << (len(p.path) % 64)
		t.longest = max(t.longest, len(p.path))
	}
}
