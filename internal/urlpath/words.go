package urlpath

// TailWord returns the last, fewer than eight, bytes of a path from i on as a
// little-endian word.
func TailWord(path string, i int) uint64 {
	if len(path) >= 8 {
		return Word(path, len(path)-8) >> (8 * uint(i+8-len(path)) & 63)
	}
	return ShortWord(path[i:])
}

// LowBytes holds words whose n low bytes are set.
var LowBytes = [9]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1, 1<<64 - 1}

// HalfWord returns the four bytes from i on as a little-endian number.
func HalfWord(s string, i int) uint32 {
	s = s[i : i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// ShortWord returns up to eight bytes as a little-endian word.
func ShortWord(s string) uint64 {
	switch n := len(s); {
	case n >= 8:
		return Word(s, 0)
	case n >= 4:
		return uint64(HalfWord(s, 0)) | uint64(HalfWord(s, n-4))<<(8*(n-4))
	case n >= 2:
		return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[n-1])<<(8*(n-1))
	case n == 1:
		return uint64(s[0])
	}
	return 0
}

// Word returns the eight bytes from i on as a little-endian word.
func Word(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
