package byteclass

import "math/bits"

// A set is a set of bytes.
type set [4]uint64

func (s *set) add(b byte) { s[b>>6] |= 1 << (b & 63) }

// addRange adds the bytes from lo to hi.
func (s *set) addRange(lo, hi byte) {
	for c := int(lo); c <= int(hi); c++ {
		s.add(byte(c))
	}
}

func (s set) union(t set) set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s set) overlaps(t set) bool {
	return s[0]&t[0]|s[1]&t[1]|s[2]&t[2]|s[3]&t[3] != 0
}

// bytes returns the members in order.
func (s set) bytes() []byte {
	var members []byte
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			members = append(members, byte(i<<6+bits.TrailingZeros64(word)))
		}
	}
	return members
}
