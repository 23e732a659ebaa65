// Package staticpath has tables that find the number of a path by its text. It does not
// know patterns.
package staticpath

import (
	"math/bits"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Table finds a path among those that patterns without parameters match. A bitmap by
// length and last byte excludes most others. The hash is made from eight bytes each
// from the path's beginning, middle and end, so its cost does not depend on the length.
// A slot has the first and the last of them, which are enough to compare up to sixteen
// bytes.
//
//	/user/subscriptions ─► 19 bytes, "s"? ─► hash of "/user/su", "subscrip", "riptions" ─► slot ─► compare
//
// Longer paths, and those that these bytes do not distinguish, are in a map.
type Table struct {
	present [16]uint64 // of the paths in slots: a bit each, by length and last byte
	shift   uint8      // 64 less the binary logarithm of len(slots)
	slots   []slot     // open addressing, a power of two
	text    string     // the paths in slots
	others  map[string]uint32
	filter  uint64 // of others: bit n%64 is set if there are any of n bytes
	longest int    // of others: the maximum length
	Most    int    // of all paths: the maximum length
}

const (
	maxSlotPath = 63 // longer paths are in the map
	maxProbes   = 8  // so are those that need more
)

type slot struct {
	head, tail uint64 // the first and last eight bytes; of shorter paths all, and 0
	text       uint32 // where the path is in Table.text
	size       uint32
	record     uint32 // 0 if empty
}

// pathKey holds the words of a path that its hash is made of. A path of fewer
// than eight bytes is one word, filled up with zeros.
type pathKey struct{ head, middle, tail uint64 }

func keyOf(path string) pathKey {
	n := len(path)
	if n < 8 {
		return pathKey{head: urlpath.ShortWord(path)}
	}
	return pathKey{urlpath.Word(path, 0), urlpath.Word(path, (n-8)/2), urlpath.Word(path, n-8)}
}

// hash returns a hash of the path with the key k and n bytes. Use its high bits.
func (k pathKey) hash(n int) uint64 {
	return (k.head ^ bits.RotateLeft64(k.middle, 41) ^ bits.RotateLeft64(k.tail, 23) ^ uint64(n)<<57) * hashFactor
}

// hashFactor spreads the bits of a word to the product's top (Fibonacci hashing).
const hashFactor = 0x9e3779b97f4a7c15

// presentBit returns the number of the bit of present for a path that is not
// empty.
func presentBit(path string) uint {
	return (113*uint(len(path)) + 5*uint(path[len(path)-1])) % 1024
}

// May reports whether path may be in the table. It excludes most that are not.
func (t *Table) May(path string) bool {
	if path == "" {
		return false
	}
	bit := presentBit(path)
	return t.present[bit/64]>>(bit%64)&1 != 0 || len(path) <= t.longest
}

// Find returns the number of path, or 0. If May returns false, do not call it.
func (t *Table) Find(path string) uint32 {
	n := len(path)
	if n > maxSlotPath || len(t.slots) == 0 {
		return t.findOther(path)
	}
	k := keyOf(path)
	for i := k.hash(n) >> (t.shift & 63); ; i++ {
		s := &t.slots[i&uint64(len(t.slots)-1)]
		if s.head == k.head && s.tail == k.tail && s.size == uint32(n) && (n <= 16 || sameMiddle(path, t.text[s.text:])) {
			return s.record
		}
		if s.record == 0 {
			return t.findOther(path)
		}
	}
}

// findOther is Find for the paths that are in no slot.
func (t *Table) findOther(path string) uint32 {
	if n := len(path); n <= t.longest && t.filter>>(n%64)&1 != 0 {
		return t.others[path]
	}
	return 0
}

// sameMiddle reports whether two texts are equal between the first and last eight bytes
// of path, which have been compared already.
func sameMiddle(path, text string) bool {
	for i := 8; i < len(path)-8; i += 8 {
		if urlpath.Word(path, i) != urlpath.Word(text, i) {
			return false
		}
	}
	return true
}

// A Path is one entry for Build.
type Path struct {
	Path   string
	Number uint32
}

// Build returns the table of the given paths, which are distinct and not
// empty.
func Build(paths []Path) Table {
	var t Table
	if len(paths) == 0 {
		return t
	}
	size := uint64(1) << bits.Len(uint(2*len(paths)-1)) // 2 at least
	t.shift = uint8(64 - bits.Len64(size-1))
	t.slots = make([]slot, size)
	var text []byte
	for _, p := range paths {
		n := len(p.Path)
		t.Most = max(t.Most, n)
		i, ok := t.freeSlot(p.Path)
		if !ok {
			t.addOther(p)
			continue
		}
		k := keyOf(p.Path)
		t.slots[i] = slot{k.head, k.tail, uint32(len(text)), uint32(n), p.Number}
		bit := presentBit(p.Path)
		t.present[bit/64] |= 1 << (bit % 64)
		text = append(text, p.Path...)
	}
	t.text = string(text)
	return t
}

// freeSlot returns the place of a path that is not in t, and false if there is
// none near enough to its hash.
func (t *Table) freeSlot(path string) (slot uint64, ok bool) {
	if len(path) > maxSlotPath {
		return 0, false
	}
	i := keyOf(path).hash(len(path)) >> (t.shift & 63)
	for range maxProbes {
		if slot = i & uint64(len(t.slots)-1); t.slots[slot].record == 0 {
			return slot, true
		}
		i++
	}
	return 0, false
}

func (t *Table) addOther(p Path) {
	if t.others == nil {
		t.others = make(map[string]uint32)
	}
	t.others[p.Path] = p.Number
	t.filter |= 1 << (len(p.Path) % 64)
	t.longest = max(t.longest, len(p.Path))
}

// All iterates over the paths and their numbers.
func (t *Table) All(yield func(path string, number uint32) bool) {
	for i := range t.slots {
		if s := &t.slots[i]; s.record != 0 && !yield(t.text[s.text:s.text+s.size], s.record) {
			return
		}
	}
	for path, number := range t.others {
		if !yield(path, number) {
			return
		}
	}
}
