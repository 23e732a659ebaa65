package score

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"
	"slices"
)

// A Vector is a text prepared for many comparisons: its words with their counts. It does not
// keep the text. A different word takes 24 bytes, and one of more than 16 bytes about 50. A
// Vector does not change and is safe for concurrent use. The zero Vector is not valid.
type Vector struct {
	elements []element // sorted by compare
	rest     []string  // of words longer than a key, from 1 on
	squares  uint64    // Σ c²
	words    Words
	hint     byte // the index of a hint, if there are no words
}

// An element is a word with its count. The key is the first sixteen bytes of the word.
type element struct {
	key   [2]uint64
	count uint32
	rest  uint32 // the index of what follows the key, or 0
}

// Prepare returns the vector of a text, which must be UTF-8 and at most 64 MiB long. It is
// safe for concurrent use.
func Prepare(text []byte, words Words) Vector {
	c := counters.Get().(*counter)
	defer c.release()
	c.reset(len(text))
	c.take(text, words, 0)
	v := Vector{elements: make([]element, len(c.words)-1), words: words}
	for i := range v.elements {
		v.elements[i] = v.element(c, &c.words[i+1])
	}
	if v.rest == nil {
		slices.SortFunc(v.elements, compareKeys)
	} else {
		slices.SortFunc(v.elements, func(a, b element) int { return v.compare(&a, &v, &b) })
	}
	v.complete()
	if v.IsWordless() {
		v.hint = hintOf(words, text)
	}
	return v
}

// element returns the element of an entry.
func (v *Vector) element(c *counter, e *entry) element {
	count, _ := e.each()
	if !e.isLong() {
		return element{key: e.key, count: uint32(count)}
	}
	return v.newElement(c.long[e.start:][:e.size], uint32(count))
}

// newElement returns the element of a word.
func (v *Vector) newElement(word []byte, count uint32) element {
	var key [maxKey]byte
	n := copy(key[:], word)
	e := element{
		key:   [2]uint64{binary.LittleEndian.Uint64(key[:]), binary.LittleEndian.Uint64(key[8:])},
		count: count,
	}
	if n < len(word) {
		if v.rest == nil {
			v.rest = []string{""}
		}
		v.rest = append(v.rest, string(word[n:]))
		e.rest = uint32(len(v.rest) - 1)
	}
	return e
}

// after returns the bytes of a word after its key.
func (v *Vector) after(e *element) string {
	if e.rest == 0 {
		return ""
	}
	return v.rest[e.rest]
}

// compare compares a word of v with one of w.
func (v *Vector) compare(a *element, w *Vector, b *element) int {
	if order := compareKeys(*a, *b); order != 0 || a.rest|b.rest == 0 {
		return order
	}
	return cmp.Compare(v.after(a), w.after(b))
}

func compareKeys(a, b element) int {
	if a.key[0] != b.key[0] {
		return cmp.Compare(a.key[0], b.key[0])
	}
	return cmp.Compare(a.key[1], b.key[1])
}

// complete computes what follows from the elements.
func (v *Vector) complete() {
	for i := range v.elements {
		n := uint64(v.elements[i].count)
		v.squares += n * n
	}
}

// Cosine returns the similarity of two texts: what [Compare] returns for them.
// Both vectors must have the same kind of words, or it panics. It does not allocate.
func Cosine(v, w Vector) Result {
	if v.words != w.words {
		panic("score: Cosine of vectors of " + v.words.String() + " and of " + w.words.String() + " words")
	}
	s := sums{all1: v.squares, all2: w.squares}
	a, b := v.elements, w.elements
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := &a[i], &b[j]
		before, after := b2i(x.key[0] <= y.key[0]), b2i(x.key[0] >= y.key[0]) // without a branch
		if x.key[0] == y.key[0] {
			if x.key[1]^y.key[1]|uint64(x.rest|y.rest) != 0 {
				order := v.compare(x, &w, y)
				before, after = b2i(order <= 0), b2i(order >= 0)
			}
			n1, n2 := uint64(x.count), uint64(y.count)
			same := uint64(-int64(before & after))
			s.product += n1 * n2 & same
			s.both1 += n1 * n1 & same
			s.both2 += n2 * n2 & same
		}
		i += before
		j += after
	}
	r := Result{Thousandths: s.thousandths()}
	if v.hint > 0 && w.hint > 0 {
		r.Hint = hints[max(v.hint, w.hint)]
	}
	return r
}

// Hashes returns a hash of each word, and the word's count. The hash is the same in every
// process. Different words may have the same hash. A text without words has one empty word.
func (v Vector) Hashes() iter.Seq2[uint64, int] {
	return func(yield func(uint64, int) bool) {
		for i := range v.elements {
			e := &v.elements[i]
			h := mix(e.key[0]^0xa0761d6478bd642f, e.key[1]^0xe7037ed1a0b428db)
			for rest := v.after(e); rest != ""; {
				var b [8]byte
				rest = rest[copy(b[:], rest):]
				h = mix(h^0x8ebc6af09c88c6e3, binary.LittleEndian.Uint64(b[:])^0x589965cc75374cc3)
			}
			if !yield(h, int(e.count)) {
				return
			}
		}
	}
}

// mix returns a hash of two numbers.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// Size returns about how many bytes of memory v takes.
func (v Vector) Size() int {
	n := 24 * len(v.elements)
	for _, rest := range v.rest {
		n += 24 + len(rest) // with its header, and what the allocator rounds up
	}
	return n
}

// IsWordless reports whether the text has no words. Such texts count as equal.
func (v Vector) IsWordless() bool { return v.elements[0].key == [2]uint64{} }

// maxText is the length of a text up to which no sum overflows.
const maxText = 64 << 20

// MarshalBinary returns the encoding of v, as [Vector.AppendBinary] appends it.
func (v Vector) MarshalBinary() ([]byte, error) { return v.AppendBinary(nil) }

// AppendBinary appends the encoding of v to dst. [Vector.UnmarshalBinary] reads it in any
// process. The error is always nil.
func (v Vector) AppendBinary(dst []byte) ([]byte, error) {
	dst = append(dst, byte(v.words), v.hint)
	dst = binary.AppendUvarint(dst, uint64(len(v.elements)))
	for i := range v.elements {
		e := &v.elements[i]
		var key [maxKey]byte
		binary.LittleEndian.PutUint64(key[:], e.key[0])
		binary.LittleEndian.PutUint64(key[8:], e.key[1])
		word, rest := bytes.TrimRight(key[:], "\x00"), v.after(e)
		dst = binary.AppendUvarint(dst, uint64(e.count))
		dst = binary.AppendUvarint(dst, uint64(len(word)+len(rest)))
		dst = append(append(dst, word...), rest...)
	}
	return dst, nil
}

var errVector = errors.New("score: not a vector, or one of another version")

// UnmarshalBinary sets v to the vector that [Vector.AppendBinary] appended. It does not keep data.
func (v *Vector) UnmarshalBinary(data []byte) error {
	if len(data) < 2 || int(data[0]) >= len(wordNames) || int(data[1]) >= len(hints) {
		return errVector
	}
	u := Vector{words: Words(data[0]), hint: data[1]}
	data = data[2:]
	n, ok := cutUvarint(&data, uint64(len(data)/2))
	if !ok || n == 0 {
		return errVector
	}
	u.elements = make([]element, n)
	total := uint64(0)
	for i := range u.elements {
		count, ok1 := cutUvarint(&data, maxText)
		size, ok2 := cutUvarint(&data, uint64(len(data)))
		if !ok1 || !ok2 || count == 0 || size > uint64(len(data)) {
			return errVector
		}
		total += count
		word := data[:size]
		data = data[size:]
		if bytes.IndexByte(word, 0) >= 0 {
			return errVector
		}
		u.elements[i] = u.newElement(word, uint32(count))
		if i > 0 && u.compare(&u.elements[i-1], &u, &u.elements[i]) >= 0 {
			return errVector
		}
	}
	if len(data) > 0 || total > maxText || (u.hint > 0) != u.IsWordless() || u.IsWordless() && total > 1 {
		return errVector
	}
	u.complete()
	*v = u
	return nil
}

// cutUvarint takes a number up to most from the beginning of data.
func cutUvarint(data *[]byte, most uint64) (x uint64, ok bool) {
	x, n := binary.Uvarint(*data)
	if n <= 0 || x > most {
		return 0, false
	}
	*data = (*data)[n:]
	return x, true
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
