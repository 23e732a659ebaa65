package score

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// A sums has what the similarity of two texts is made of.
type sums struct {
	all1, all2   uint64 // Σ c² of all words of a text
	both1, both2 uint64 // the same of the words of both
	product      uint64 // Σ c1·c2
}

// A counter counts the words of two texts in a hash table with open addressing. A
// word of up to sixteen bytes is its own key; of a longer one the key is a hash, and
// where it stands.
type counter struct {
	slots []uint32 // the index of an entry, plus one; a power of two of them
	words []entry
	text  []byte // both texts
	sums  sums
}

// An entry is a word with its counts.
type entry struct {
	key    [2]uint64
	size   uint32 // in bytes
	start  uint32 // of a long word, in counter.text
	c1, c2 uint32
}

// seeds make the hash differ between processes, so that nobody can send words that
// all have the same.
var seeds = [3]uint64{rand.Uint64() | 1, rand.Uint64() | 1, rand.Uint64() | 1}

// maxKey is the length of a word up to which it is its own key.
const maxKey = 16

// reset empties the counter.
func (c *counter) reset() {
	if len(c.slots) == 0 {
		c.slots = make([]uint32, 1<<10)
	}
	clear(c.slots)
	c.words, c.text, c.sums = c.words[:0], c.text[:0], sums{}
}

// count counts the words of a text, the first or the second, which stand between
// blanks in c.text from start on. A text without a word has an empty one.
func (c *counter) count(start int, second bool) {
	text := c.text
	none := true
	for i := start; i < len(text); {
		if text[i] == ' ' {
			i++
			continue
		}
		stop := wordEnd(text, i)
		c.add(i, stop, second)
		none, i = false, stop+1
	}
	if none {
		c.add(start, start, second)
	}
}

// wordEnd returns where the word ends that begins at i: at a blank or with the text.
func wordEnd(text []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:]) ^ ' '*ones
		if zero := (w - ones) &^ w & highs; zero != 0 { // the lowest bit is right
			return i + bits.TrailingZeros64(zero)/8
		}
	}
	for i < len(text) && text[i] != ' ' {
		i++
	}
	return i
}

// add counts the word from start to stop.
func (c *counter) add(start, stop int, second bool) {
	size := stop - start
	key := c.key(start, stop)
	mask := uint32(len(c.slots) - 1)
	for at := hash(key, size); ; at++ {
		slot := &c.slots[at&mask]
		if *slot == 0 {
			c.words = append(c.words, entry{key: key, size: uint32(size), start: uint32(start)})
			*slot = uint32(len(c.words))
			c.note(&c.words[len(c.words)-1], second)
			if 2*len(c.words) > len(c.slots) {
				c.grow()
			}
			return
		}
		e := &c.words[*slot-1]
		if e.key == key && int(e.size) == size && (size <= maxKey || string(c.text[e.start:int(e.start)+size]) == string(c.text[start:stop])) {
			c.note(e, second)
			return
		}
	}
}

// hash returns the hash of a word with a key and a size.
func hash(key [2]uint64, size int) uint32 {
	high, low := bits.Mul64(key[0]^seeds[0], key[1]^seeds[1]^uint64(size)*seeds[2])
	return uint32(high ^ low)
}

// key returns the key of a word.
func (c *counter) key(start, stop int) (key [2]uint64) {
	switch size := stop - start; {
	case size > maxKey:
		return c.longKey(c.text[start:stop])
	case size > 8:
		key[0] = binary.LittleEndian.Uint64(c.text[start:])
		key[1] = binary.LittleEndian.Uint64(c.text[stop-8:]) >> (8 * (16 - size) & 63)
	case start+8 <= len(c.text):
		key[0] = binary.LittleEndian.Uint64(c.text[start:]) & (1<<(8*size) - 1)
	default:
		for i, b := range c.text[start:stop] {
			key[0] |= uint64(b) << (8 * i)
		}
	}
	return key
}

// longKey returns a hash of a word.
func (c *counter) longKey(word []byte) (key [2]uint64) {
	key = [2]uint64{seeds[1], seeds[2]}
	mix := func(a, b uint64) {
		high, low := bits.Mul64(a^key[0], b^seeds[0])
		key[0], key[1] = high^low, key[1]+low*seeds[1]
	}
	for ; len(word) > 16; word = word[16:] {
		mix(binary.LittleEndian.Uint64(word), binary.LittleEndian.Uint64(word[8:]))
	}
	var last [16]byte
	copy(last[:], word)
	mix(binary.LittleEndian.Uint64(last[:]), binary.LittleEndian.Uint64(last[8:]))
	return key
}

// note counts a word once more.
func (c *counter) note(e *entry, second bool) {
	s := &c.sums
	if !second {
		s.all1 += 2*uint64(e.c1) + 1
		e.c1++
		return
	}
	s.all2 += 2*uint64(e.c2) + 1
	if e.c1 > 0 {
		if e.c2 == 0 {
			s.both1 += uint64(e.c1) * uint64(e.c1)
		}
		s.both2 += 2*uint64(e.c2) + 1
		s.product += uint64(e.c1)
	}
	e.c2++
}

// grow doubles the slots.
func (c *counter) grow() {
	if n := 2 * len(c.slots); n <= cap(c.slots) {
		c.slots = c.slots[:n]
		clear(c.slots)
	} else {
		c.slots = make([]uint32, n)
	}
	mask := uint32(len(c.slots) - 1)
	for i := range c.words {
		e := &c.words[i]
		at := hash(e.key, int(e.size))
		for c.slots[at&mask] != 0 {
			at++
		}
		c.slots[at&mask] = uint32(i + 1)
	}
}
