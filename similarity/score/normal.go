package score

import (
	"encoding/binary"
	"sync"
)

// AppendWords appends the ASCII words of a text to dst, as [Compare] counts them: in lower
// case, separated by spaces. The text must be UTF-8, at most 64 MB long, and must not overlap
// with dst. AppendWords is safe for concurrent use.
//
// Compare does not use it, because it counts words in place. AppendWords shows what Compare
// counts, and allows to measure the cost of finding the words.
func AppendWords(dst, text []byte) []byte {
	if !isASCII(text) && containsLetter(text) {
		text = appendLetters(nil, text)
	}
	f := finders.Get().(*finder)
	defer finders.Put(f)
	f.reset(false)
	start := len(dst)
	for at := 0; at < len(text); {
		at = f.find(text, at)
		n := f.final()
		if at == len(text) {
			n = f.n
		}
		for i := 1; i < n; i += 2 {
			from, to := f.edges[i-1], f.edges[i]
			dst = append(dst, text[from:to&^joined]...)
			if to&joined == 0 {
				dst = append(dst, ' ')
			}
		}
		f.n = copy(f.edges[:], f.edges[n:f.n])
	}
	if len(dst) > start {
		dst = dst[:len(dst)-1]
	}
	lower(dst[start:])
	return dst
}

var finders = sync.Pool{New: func() any { return new(finder) }}

// lower converts the letters of words to lower case, eight at a time. All bytes must be
// those of words and spaces.
func lower(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		capital := (x + (0x80-'A')*ones) & ((0x80+'Z')*ones - x) & highs
		binary.LittleEndian.PutUint64(b, x|capital>>2) // 0x80>>2 is ' '
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | ' '
		}
	}
}
