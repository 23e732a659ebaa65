package score

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A class is what becomes of a character in words of Unicode: the character in lower case,
// ' ' for white space or 0 if it is deleted, and flags.
type class uint32

const (
	// composes is set for characters that Normalization Form C may change or combine with
	// others. A text without them is in that form.
	composes class = 1 << (21 + iota)
	// unspaced is set for the letters of scripts that have no spaces between words.
	unspaced
	// mark is set for marks, which belong to the character before them.
	mark

	character = composes - 1
)

// wordTables are the characters of words, those of \w in UTS #18, annex C: alphabetic
// characters, marks, decimal digits, connector punctuation and join controls.
var wordTables = []*unicode.RangeTable{
	unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control,
}

// unspacedTables are scripts without spaces between words.
var unspacedTables = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, soundMarks,
}

// soundMarks prolong a sound in both of the Japanese scripts, so they are of neither.
var soundMarks = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 'ー', Hi: 'ー', Stride: 1}, {Lo: 'ｰ', Hi: 'ｰ', Stride: 1}}}

// classOf returns the class of a character.
func classOf(r rune) (c class) {
	switch {
	case unicode.IsSpace(r):
		c = ' '
	case r == '_':
		c = underscore
	case unicode.In(r, wordTables...):
		c = class(unicode.ToLower(r))
		if unicode.Is(unicode.M, r) {
			c |= mark
		} else if unicode.IsLetter(r) && unicode.In(r, unspacedTables...) {
			c |= unspaced
		}
	}
	var b [utf8.UTFMax]byte
	text := utf8.AppendRune(b[:0], r)
	// Only a character with a decomposition can change alone; IsNormalString allocates.
	if p := norm.NFC.Properties(text); !p.BoundaryBefore() || p.CCC() != 0 || p.Decomposition() != nil && !norm.NFC.IsNormalString(string(r)) {
		c |= composes
	}
	return c
}

// A classTable has the classes of the characters up to U+FFFF.
type classTable [1 << 16]class

// classes is made when the first text needs it.
var classes = sync.OnceValue(func() *classTable {
	t := new(classTable)
	for r := range rune(len(t)) {
		t[r] = classOf(r)
	}
	return t
})

// of returns the class of a character.
func (t *classTable) of(r rune) class {
	if r < rune(len(t)) {
		return t[r]
	}
	return classOf(r)
}

// unicodeText returns the words of a text in lower case, with spaces for white space. The
// text is first brought into Normalization Form C. The result is valid until the next call.
func (c *counter) unicodeText(text []byte) []byte {
	table, dst, normal := classes(), slices.Grow(c.text[:0], len(text)+8), false
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		switch {
		case r < utf8.RuneSelf:
			if dst, n = appendPlain(dst, text[i:]); n > 0 {
				i += n
				continue
			}
			n = 1
		case r < 0xe0 && i+1 < len(text):
			r, n = r&0x1f<<6|rune(text[i+1]&0x3f), 2
		case r < 0xf0 && i+2 < len(text):
			r, n = r&0x0f<<12|rune(text[i+1]&0x3f)<<6|rune(text[i+2]&0x3f), 3
		default:
			r, n = utf8.DecodeRune(text[i:])
		}
		class := table.of(r)
		if class&composes != 0 && !normal {
			normal = true
			if n := norm.NFC.QuickSpan(text); n < len(text) {
				// Append allocates its buffer. A reused norm.Iter would not, but takes up to 1.8
				// times as long.
				c.normal = norm.NFC.Append(append(c.normal[:0], text[:n]...), text[n:]...)
				done := text[:i]
				if text = c.normal; !bytes.HasPrefix(text, done) {
					i, dst = 0, dst[:0]
				}
				continue
			}
		}
		switch to := rune(class & character); {
		case to == 0:
		case to == r && n == 2:
			dst = append(dst, text[i], text[i+1])
		case to == r && n == 3:
			dst = append(dst, text[i], text[i+1], text[i+2])
		case to < utf8.RuneSelf:
			dst = append(dst, byte(to))
		default:
			dst = utf8.AppendRune(dst, to)
		}
		i += n
	}
	c.text = dst
	return dst
}

// appendPlain appends the next eight bytes of a text in lower case if they are ASCII letters,
// digits and spaces, and returns how many it appended.
func appendPlain(dst, text []byte) ([]byte, int) {
	const (
		fromA, toZ = (0x80 - 'a') * ones, (0x80 + 'z') * ones
		from0, to9 = (0x80 - '0') * ones, (0x80 + '9') * ones
	)
	if len(text) < 8 {
		return dst, 0
	}
	x := binary.LittleEndian.Uint64(text)
	if x&highs != 0 {
		return dst, 0
	}
	small := x | ' '*ones
	letters := (small + fromA) & (toZ - small) & highs
	if (letters|(x+from0)&(to9-x)|(highs-(x^' '*ones)))&highs != highs {
		return dst, 0
	}
	return binary.LittleEndian.AppendUint64(dst, x|letters>>2), 8
}

// appendBigrams appends a text of appendUnicode to dst in which every two successive
// characters of a script without spaces are a word, each with its marks. A single one is a
// word too.
func appendBigrams(dst, text []byte) []byte {
	const lead = 0xe0 // the first byte of these characters is at least that of U+0800
	table := classes()
	for i := 0; i < len(text); {
		from := i
		for i < len(text) && text[i] < lead {
			i++
		}
		dst = append(dst, text[from:i]...)
		if i == len(text) {
			break
		}
		first, end := i, table.unspaced(text, i)
		if end == i {
			_, n := utf8.DecodeRune(text[i:])
			dst = append(dst, text[i:i+n]...)
			i += n
			continue
		}
		dst = append(dst, ' ')
		next := table.unspaced(text, end)
		if next == end {
			dst = append(dst, text[first:end]...)
		}
		for ; next > end; first, end, next = end, next, table.unspaced(text, next) {
			dst = append(append(dst, text[first:next]...), ' ')
		}
		dst = append(dst, ' ')
		i = end
	}
	return dst
}

// unspaced returns where a character of a script without spaces that begins at i ends, with
// its marks; or i if there is none.
func (t *classTable) unspaced(text []byte, i int) int {
	for wanted := unspaced; ; wanted = mark {
		r, n := utf8.DecodeRune(text[i:])
		if t.of(r)&wanted == 0 {
			return i
		}
		i += n
	}
}
