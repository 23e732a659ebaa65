// Package excerpt shows texts in error messages: shortened, and with a mark where
// they are wrong. A text may be of any length and hold any bytes.
package excerpt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Abridge cuts a text that is too long for a message.
func Abridge(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return s[:runeStart(s, most)] + "…"
}

// runeStart returns where the character begins that byte i of s is part of; i
// itself at the end of s, and among bytes that are no characters.
func runeStart(s string, i int) int {
	for at := i; at >= 0 && at > i-utf8.UTFMax; at-- {
		if at == len(s) || utf8.RuneStart(s[at]) {
			return at
		}
	}
	return i
}

// Caret returns the line of text around offset and a line with a caret below
// that offset, both indented. Bytes that would not print are escaped, and the
// window is cut to a line's length so that a huge pattern stays readable.
func Caret(text string, offset int) string {
	const reach = 50 // bytes shown on either side
	from, to := runeStart(text, max(0, offset-reach)), runeStart(text, min(len(text), offset+reach))
	before, after := Printable(text[from:offset]), Printable(text[offset:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return "\t" + before + after + "\n\t" + strings.Repeat(" ", utf8.RuneCountInString(before)) + "^"
}

// Printable returns s with what does not print escaped as in a Go string.
func Printable(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
