package score

import (
	"bytes"
	"encoding/binary"
)

// Words are read in place from texts in which bytes must only be deleted and ASCII letters
// converted to lower case. Other texts are rewritten first.

// underscore replaces _ in words: setting the lower-case bit turns _ into it, and no other
// character of a word into either.
const underscore = '_' | ' '

// take counts the words of a text, the first (0) or the second (1), in place if possible.
func (c *counter) take(text []byte, words Words, side int) {
	ascii := isASCII(text)
	switch {
	case words != ASCII && (!ascii || bytes.IndexByte(text, '\v') >= 0):
		text = c.unicodeText(text)
		if words == Bigrams {
			c.text = appendBigrams(c.text, text)
			text = c.text[len(text):]
		}
		c.countWords(text, true, side)
		return
	case !ascii && containsLetter(text):
		c.text = appendLetters(c.text[:0], text)
		text = c.text
	}
	c.countWords(text, false, side)
}

// isASCII reports whether all bytes of a text are ASCII.
func isASCII(text []byte) bool {
	var seen uint64
	for ; len(text) >= 32; text = text[32:] {
		p := (*[32]byte)(text)
		seen |= binary.LittleEndian.Uint64(p[:]) | binary.LittleEndian.Uint64(p[8:]) |
			binary.LittleEndian.Uint64(p[16:]) | binary.LittleEndian.Uint64(p[24:])
	}
	for _, b := range text {
		seen |= uint64(b)
	}
	return seen&highs == 0
}

// Two characters outside ASCII have a small letter inside.
const (
	kelvin  = "\u212a" // K
	dottedI = "\u0130" // İ
)

// containsLetter reports whether a text contains one of the two characters.
func containsLetter(text []byte) bool {
	return bytes.Contains(text, []byte(kelvin)) || bytes.Contains(text, []byte(dottedI))
}

// appendLetters appends a text to dst, and replaces the two characters by their ASCII
// letters.
func appendLetters(dst, text []byte) []byte {
	for {
		i, size, letter := nextLetter(text)
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i]...), letter)
		text = text[i+size:]
	}
}

// nextLetter returns where the first of the two characters is, its size, and its
// small letter; or -1.
func nextLetter(text []byte) (i, size int, letter byte) {
	i, size, letter = bytes.Index(text, []byte(kelvin)), len(kelvin), 'k'
	if i >= 0 {
		text = text[:i]
	}
	if j := bytes.Index(text, []byte(dottedI)); j >= 0 {
		return j, len(dottedI), 'i'
	}
	return i, size, letter
}
