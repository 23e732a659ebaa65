package urlpath

import "testing"

// TestShortWord: up to eight bytes are read as a word, filled up with zeros.
func TestShortWord(t *testing.T) {
	for size := range 9 {
		var want uint64
		for j := range size {
			want |= uint64(j+1) << (8 * j)
		}
		if got := ShortWord("\x01\x02\x03\x04\x05\x06\x07\x08"[:size]); got != want {
			t.Errorf("shortWord of %d bytes: got %x, want %x", size, got, want)
		}
	}
}
