package normalise

import "strings"

// inverted returns the replacement of a character, or 0 if it is deleted. It tests the
// ranges between the kept ones first.
func inverted(c byte) byte {
	switch {
	case c < '\t', c > '\r' && c < ' ', c == '\v',
		c > ' ' && c < '0', c > '9' && c < 'A', c > 'Z' && c < '_', c == '`', c > 'z':
		return 0
	case c < ' ':
		return ' '
	case c >= 'A' && c <= 'Z':
		return c + 'a' - 'A'
	}
	return c
}

func invertedStrings(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := range len(text) {
		if c := inverted(text[i]); c != 0 {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func invertedBytes(dst, text []byte) []byte {
	for _, c := range text {
		if c = inverted(c); c != 0 {
			dst = append(dst, c)
		}
	}
	return dst
}
