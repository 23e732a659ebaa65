package score

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/muxwell/muxwell/bytereplace"
)

// ascii lowers letters, deletes what is in no word and no white space, and makes all
// white space blanks.
var ascii = bytereplace.Must(bytereplace.Build(
	bytereplace.LowerASCII(),
	bytereplace.Keep(`\w\s`),
	bytereplace.Map(`\t\n\f\r`, ` `),
))

// Two characters outside ASCII have a small letter inside.
const (
	kelvin  = "\u212a" // K
	dottedI = "\u0130" // İ
)

// appendASCII appends a text to dst, in which words are in small letters and stand
// between blanks.
func appendASCII(dst, text []byte) []byte {
	for {
		i, size, letter := nextLetter(text)
		if i < 0 {
			return ascii.AppendReplaceBytes(dst, text)
		}
		dst = append(ascii.AppendReplaceBytes(dst, text[:i]), letter)
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

// appendUnicode is appendASCII for letters, digits and white space as Unicode has
// them.
func appendUnicode(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			i++
			if to := asciiTable[c]; to != 0 {
				dst = append(dst, to)
			}
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		i += size
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		case unicode.IsSpace(r):
			dst = append(dst, ' ')
		}
	}
	return dst
}

// asciiTable has what appendASCII makes of each byte, 0 for nothing. White space that
// ASCII has and regular expressions do not count as such is a blank in it.
var asciiTable = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		if b := ascii.Replace(string(rune(c))); b != "" {
			t[c] = b[0]
		}
	}
	t['\v'] = ' '
	return t
}()
