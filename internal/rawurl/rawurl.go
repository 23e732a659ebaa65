// Package rawurl reads paths and queries as they were sent, without making strings
// of them, and escapes what a Location may not have.
package rawurl

// SlashBits returns a bit for each byte of a little-endian word, set where it is a
// slash. The search for zero bytes is the exact one; the product gathers their high
// bits.
func SlashBits(word uint64) uint64 {
	const (
		ones = 0x0101010101010101
		lows = 0x7f * ones
	)
	word ^= '/' * ones
	return ^(word&lows + lows | word | lows) * 0x0002040810204081 >> 56
}

// UnescapesTo reports whether [net/url.QueryUnescape] makes text of raw.
func UnescapesTo(raw, text string) bool {
	n := 0 // bytes of text that have been met
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch c {
		case '+':
			c = ' '
		case '%':
			if i+2 >= len(raw) || !isHex(raw[i+1]) || !isHex(raw[i+2]) {
				return false
			}
			c = Unhex(raw[i+1])<<4 | Unhex(raw[i+2])
			i += 2
		}
		if n == len(text) || text[n] != c {
			return false
		}
		n++
	}
	return n == len(text)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// Unhex returns the value of a hexadecimal digit.
func Unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
