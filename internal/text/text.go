// Package text holds what several commands do with texts that people write and
// read.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Printable returns text with whatever does not print escaped as in a Go string,
// but for the runes in kept. What a terminal obeys rather than shows does not print:
// control characters, and those that turn the direction of text.
func Printable(text, kept string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case strconv.IsPrint(r) || strings.ContainsRune(kept, r):
			b.WriteString(text[:size])
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

// Distance returns how many bytes must be inserted, removed or changed to make b
// of a (Levenshtein's distance).
func Distance(a, b string) int {
	row := make([]int, len(b)+1) // for what has been seen of a
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
