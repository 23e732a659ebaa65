package score

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// A Count is a word with its number of occurrences in each of two texts.
type Count struct {
	Word           string
	Count1, Count2 int
}

// Counts returns the words of two texts, as [Compare] counts them. They are sorted by their
// frequency in both texts together, the most frequent word first, then by their bytes. The
// empty word of a text without words is omitted. The texts must be UTF-8 and at most 64 MiB
// long. It is safe for concurrent use.
func Counts(text1, text2 []byte, words Words) []Count {
	c := counters.Get().(*counter)
	defer c.release()
	c.reset(len(text1) + len(text2))
	c.take(text1, words, 0)
	c.take(text2, words, 1)
	counts := make([]Count, 0, len(c.words))
	for i := range c.words {
		e := &c.words[i]
		if word := c.word(e); word != "" {
			count1, count2 := e.each()
			counts = append(counts, Count{word, int(count1), int(count2)})
		}
	}
	slices.SortFunc(counts, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Count1+b.Count2, a.Count1+a.Count2), cmp.Compare(a.Word, b.Word))
	})
	return counts
}

// word returns the word of an entry.
func (c *counter) word(e *entry) string {
	var b [maxKey]byte
	word := b[:]
	if e.isLong() {
		word = slices.Clone(c.long[e.start:][:e.size])
	} else {
		binary.LittleEndian.PutUint64(b[:], e.key[0])
		binary.LittleEndian.PutUint64(b[8:], e.key[1])
		word = bytes.TrimRight(word, "\x00")
	}
	for i, c := range word {
		if c == underscore {
			word[i] = '_'
		}
	}
	return string(word)
}
