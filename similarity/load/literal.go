package load

import (
	"fmt"
	"math/rand/v2"
	"unicode/utf16"
	"unicode/utf8"
)

// Literals returns the texts of [Texts] as strings of JSON, with the quotes. Those of
// messy texts have escapes where they need not be: one character of twenty outside
// ASCII is one of the form \uXXXX, or two for a surrogate pair, and so is one of two
// hundred others.
func Literals(kind Kind, n, size int, seed uint64) [][]byte {
	rng := rand.New(rand.NewPCG(seed, 1<<32|uint64(kind)))
	literals := make([][]byte, n)
	for i, t := range Texts(kind, n, size, seed) {
		literals[i] = appendLiteral(nil, t, kind, rng)
	}
	return literals
}

// appendLiteral appends a text as a string of JSON.
func appendLiteral(dst []byte, text string, kind Kind, rng *rand.Rand) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case kind == Messy && needless(r, rng):
			dst = appendUnicodeEscape(dst, r, rng)
		case r == '"', r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = appendControl(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// needless decides whether a character is escaped that could do without. A slash is
// one time of two.
func needless(r rune, rng *rand.Rand) bool {
	switch {
	case r >= utf8.RuneSelf:
		return rng.IntN(20) == 0
	case r == '/':
		return rng.IntN(2) == 0
	}
	return rng.IntN(200) == 0
}

// appendUnicodeEscape appends \/ for a slash, and \uXXXX for other characters, with
// digits of either case, and two of them for a character of more than 16 bits.
func appendUnicodeEscape(dst []byte, r rune, rng *rand.Rand) []byte {
	if r == '/' {
		return append(dst, `\/`...)
	}
	format := `\u%04x`
	if rng.IntN(2) == 0 {
		format = `\u%04X`
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		dst = fmt.Appendf(dst, format, high)
		r = low
	}
	return fmt.Appendf(dst, format, r)
}

// appendControl appends a control character in its shortest form.
func appendControl(dst []byte, r rune) []byte {
	switch r {
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
