package score

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// A counter counts the words of two texts in a hash table with open addressing. A
// word of up to sixteen bytes is its own key; the key of a longer one is a hash.
type counter struct {
	finder finder
	slots  []uint32 // the index of an entry, or 0; a power of two of them
	words  []entry  // from 1 on
	fold   uint64   // what makes letters of eight bytes small, or 0
	piece  []byte   // what there is of a word that is joined of pieces
	long   []byte   // long words
	text   []byte   // a text that had to be changed
	normal []byte   // a text that had to be normalized
}

// An entry is a word with its counts.
type entry struct {
	key    [2]uint64
	counts uint64 // in the first text, and 1<<32 times that in the second
	start  uint32 // of a long word, in counter.long
	size   uint32 // of a long word, in bytes
}

// firstByte has the bits of a key in which the first byte of a word is. They are 0 in
// the keys of long words, which have the bit longKey, and in that of the empty word.
const (
	firstByte = 0xff
	longKey   = 1 << 8
)

// isLong reports whether the word of an entry is longer than a key.
func (e *entry) isLong() bool { return e.key[0]&(firstByte|longKey) == longKey }

// each returns the counts in the two texts.
func (e *entry) each() (count1, count2 uint64) { return e.counts & (1<<32 - 1), e.counts >> 32 }

// maxKey is the length of a word up to which it is its own key.
const maxKey = 16

// keyMasks has, by the length of a word, the mask for its bytes among sixteen.
var keyMasks = func() (masks [maxKey + 1][2]uint64) {
	for n := range masks {
		for i := range n {
			masks[n][i/8] |= 0xff << (8 * (i % 8))
		}
	}
	return masks
}()

// seeds make the hash differ between processes, so that a client cannot send words that all
// collide.
var seeds = [3]uint64{rand.Uint64() | 1, rand.Uint64() | 1, rand.Uint64() | 1}

// reset empties the counter. size is the length of the two texts together, in bytes.
func (c *counter) reset(size int) {
	size = 1 << bits.Len(uint(max(1000, min(size/4, 100_000))))
	c.slots = slices.Grow(c.slots[:0], size)[:size]
	clear(c.slots)
	c.words, c.long = append(c.words[:0], entry{}), c.long[:0]
}

// countWords counts the words of a text, the first (0) or the second (1). A text without a
// word has an empty one. If made is set, the text has only lower-case words and spaces.
func (c *counter) countWords(text []byte, made bool, side int) {
	f := &c.finder
	f.reset(made)
	c.fold = ' ' * ones
	if made {
		c.fold = 0
	}
	none := true
	for at := 0; at < len(text); {
		at = f.find(text, at)
		n := f.final()
		if at == len(text) {
			n = f.n
		}
		if n > 0 {
			c.count(text, f.edges[:n], side)
			f.n = copy(f.edges[:], f.edges[n:f.n])
			none = false
		}
	}
	if none {
		c.add([2]uint64{}, nil, side)
	}
}

// count counts the words between edges.
func (c *counter) count(text []byte, edges []uint32, side int) {
	c.reserve(len(edges) / 2)
	if len(c.piece) > 0 {
		edges = edges[c.join(text, edges, side):]
	}
	for {
		edges = edges[c.countShort(text, edges, side):]
		if len(edges) == 0 {
			return
		}
		edges = edges[c.join(text, edges, side):]
	}
}

// countShort counts words up to the first that is long, in pieces or among the last
// bytes of the text, and returns how many edges it took.
// But for slots that are taken it is without a branch that depends on the words: one
// that is new costs what others do.
func (c *counter) countShort(text []byte, edges []uint32, side int) (done int) {
	slots, words := c.slots, c.words[:cap(c.words)]
	next, one := len(c.words), uint64(1)<<(32*side&63)
	i := 1
	for ; i < len(edges); i += 2 {
		start := edges[i-1]
		size := edges[i] - start // huge with the bit joined
		if size > maxKey || int(start) > len(text)-maxKey {
			break
		}
		p, keep := text[start:][:maxKey], &keyMasks[size]
		key0 := (binary.LittleEndian.Uint64(p) | c.fold) & keep[0]
		key1 := (binary.LittleEndian.Uint64(p[8:]) | c.fold) & keep[1]
		at := hash(key0, key1)
	probe:
		at &= uint64(len(slots) - 1)
		index := int(slots[at])
		isNew := int((int64(index) - 1) >> 63) // -1 if it is
		index |= next & isNew
		slots[at] = uint32(index)
		words[next].key[0], words[next].key[1], words[next].counts = key0, key1, 0
		next -= isNew
		e := &words[index]
		if e.key[0] != key0 || e.key[1] != key1 {
			at++
			goto probe
		}
		e.counts += one
	}
	c.words = words[:next]
	return i - 1
}

// reserve makes room for n more words. At most a quarter of the slots is used.
func (c *counter) reserve(n int) {
	most := len(c.words) + n + 1
	c.words = slices.Grow(c.words, n+1)
	if 4*most <= len(c.slots) {
		return
	}
	size := len(c.slots)
	for size < 4*most {
		size *= 2
	}
	if size <= cap(c.slots) {
		c.slots = c.slots[:size]
		clear(c.slots)
	} else {
		c.slots = make([]uint32, size)
	}
	mask := uint64(size - 1)
	for i := 1; i < len(c.words); i++ {
		key := &c.words[i].key
		at := hash(key[0], key[1])
		for c.slots[at&mask] != 0 {
			at++
		}
		c.slots[at&mask] = uint32(i)
	}
}

// hash returns the hash of a key.
func hash(key0, key1 uint64) uint64 {
	high, low := bits.Mul64(key0+key1*seeds[0], seeds[1])
	return high ^ low
}

// join counts the first word, which consists of the pieces in c.piece and of its own, and
// returns how many edges it used.
func (c *counter) join(text []byte, edges []uint32, side int) (done int) {
	for i := 0; i+1 < len(edges); i += 2 {
		c.piece = append(c.piece, text[edges[i]:edges[i+1]&^joined]...)
		if edges[i+1]&joined == 0 {
			c.countPiece(side)
			return i + 2
		}
	}
	return len(edges)
}

// countPiece counts the word in c.piece.
func (c *counter) countPiece(side int) {
	var p [maxKey]byte
	keep := &keyMasks[copy(p[:], c.piece)]
	key := [2]uint64{
		(binary.LittleEndian.Uint64(p[:]) | c.fold) & keep[0],
		(binary.LittleEndian.Uint64(p[8:]) | c.fold) & keep[1],
	}
	if len(c.piece) > maxKey {
		c.addLong(side)
	} else {
		c.add(key, nil, side)
	}
	c.piece = c.piece[:0]
}

// addLong counts the word in c.piece, which is longer than a key.
func (c *counter) addLong(side int) {
	start, size, known := len(c.long), len(c.piece), len(c.words)
	c.long = append(c.long, c.piece...)
	c.long = append(c.long, "                "[:-size&(maxKey-1)]...) // up to a whole key; fold leaves blanks as they are
	key := [2]uint64{seeds[1], seeds[2] ^ uint64(size)}
	for word := c.long[start:]; len(word) > 0; word = word[maxKey:] {
		a, b := (*[8]byte)(word), (*[8]byte)(word[8:])
		binary.LittleEndian.PutUint64(a[:], binary.LittleEndian.Uint64(a[:])|c.fold)
		binary.LittleEndian.PutUint64(b[:], binary.LittleEndian.Uint64(b[:])|c.fold)
		high, low := bits.Mul64(binary.LittleEndian.Uint64(a[:])^key[0], binary.LittleEndian.Uint64(b[:])^seeds[0])
		key[0], key[1] = high^low, key[1]+low*seeds[1]
	}
	// The word is behind those that c.long has, until it is known to be new.
	word := c.long[start:][:size]
	c.long = c.long[:start]
	key[0] = key[0]&^firstByte | longKey
	c.add(key, word, side)
	if len(c.words) > known {
		c.long = c.long[:start+size]
	}
}

// add counts a word with a key; one that is longer than a key goes
// to the end of c.long, where it is already.
func (c *counter) add(key [2]uint64, long []byte, side int) {
	mask := uint64(len(c.slots) - 1)
	for at := hash(key[0], key[1]); ; at++ {
		slot := &c.slots[at&mask]
		if *slot == 0 {
			*slot = uint32(len(c.words))
			e := entry{key: key, start: uint32(len(c.long)), size: uint32(len(long))}
			e.counts = 1 << (32 * side)
			c.words = append(c.words, e)
			return
		}
		e := &c.words[*slot]
		if e.key == key && (long == nil || string(c.long[e.start:][:e.size]) == string(long)) {
			e.counts += 1 << (32 * side)
			return
		}
	}
}

// sums returns the sums from which the similarity is computed.
func (c *counter) sums() (s sums) {
	for i := range c.words {
		n1, n2 := c.words[i].each()
		s.all1 += n1 * n1
		s.all2 += n2 * n2
		s.product += n1 * n2
		s.both1 += n1 * n1 & some(n2)
		s.both2 += n2 * n2 & some(n1)
	}
	return s
}

// some returns a mask of all bits if there is some of a word, that is, if n is not 0.
func some(n uint64) uint64 { return uint64(-int64(n) >> 63) }
