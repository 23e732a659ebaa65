package urlpath

import "strings"

// HasUpper reports whether s has an upper-case ASCII letter.
func HasUpper(s string) bool {
	for i := range len(s) {
		if s[i]-'A' < 26 {
			return true
		}
	}
	return false
}

// Lower returns s with its ASCII letters in lower case; s itself if they are
// so already.
func Lower(s string) string {
	if !HasUpper(s) {
		return s
	}
	b := []byte(s)
	LowerBytes(b)
	return string(b)
}

// HasLetter reports whether s has an ASCII letter.
func HasLetter(s string) bool { return HasUpper(s) || strings.ToUpper(s) != s }

// LowerBytes brings the ASCII letters of b into lower case.
func LowerBytes(b []byte) {
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c + 'a' - 'A'
		}
	}
}
