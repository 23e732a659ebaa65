package language

import (
	"cmp"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A runes is a set of runes: pairs of a first and a last one, in order and
// apart.
//
// A byte that is not UTF-8 is a rune of its own beyond unicode.MaxRune, so that
// texts of such bytes are told apart. An expression takes it for U+FFFD: one
// that has this rune has all of those.
type runes []rune

const (
	firstByte = unicode.MaxRune + 1                // represents 0x80
	lastByte  = firstByte + (0xFF - utf8.RuneSelf) // represents 0xFF
	firstHalf = rune(0xD800)                       // the halves of UTF-16,
	lastHalf  = rune(0xDFFF)                       // which no string has
)

// decode returns the runes of a text.
func decode(text string) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for text != "" {
			r, size := utf8.DecodeRuneInString(text)
			if r == utf8.RuneError && size == 1 {
				r = firstByte + rune(text[0]) - utf8.RuneSelf
			}
			if !yield(r) {
				return
			}
			text = text[size:]
		}
	}
}

// encode appends a rune to a text.
func encode(text []byte, r rune) []byte {
	if r >= firstByte {
		return append(text, byte(r-firstByte+utf8.RuneSelf))
	}
	return utf8.AppendRune(text, r)
}

// has reports whether the set has r.
func (s runes) has(r rune) bool {
	i, found := slices.BinarySearch(s, r)
	return found || i%2 == 1
}

// within returns the runes of s from first to last.
func (s runes) within(first, last rune) runes {
	var kept runes
	for i := 0; i < len(s); i += 2 {
		lo, hi := max(s[i], first), min(s[i+1], last)
		if lo <= hi {
			kept = append(kept, lo, hi)
		}
	}
	return kept
}

// orderly returns the set of pairs in any order.
func orderly(pairs ...[2]rune) runes {
	sorted := make([]*[2]rune, len(pairs)) // sorting the pairs themselves would be linked as another function
	for i := range pairs {
		sorted[i] = &pairs[i]
	}
	slices.SortFunc(sorted, func(a, b *[2]rune) int { return cmp.Compare(a[0], b[0]) })
	var s runes
	for _, p := range sorted {
		if last := len(s) - 1; last > 0 && p[0] <= s[last]+1 {
			s[last] = max(s[last], p[1])
			continue
		}
		s = append(s, p[0], p[1])
	}
	return s
}
