package main

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/text"
)

// Patterns, URLs and the names of files may hold what a terminal obeys rather
// than shows: control characters, and those that turn the direction of text. What
// commands print of them goes through printable, and JSON through plainJSON.

// printable returns text with whatever does not print, but for tabs and the ends
// of lines, escaped as in a Go string.
func printable(s string) string { return text.Printable(s, "\n\t") }

// plainJSON returns JSON with whatever does not print in its strings escaped.
func plainJSON(text []byte) []byte {
	var b []byte
	for _, r := range string(text) {
		switch {
		case r == '\n' || strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return b
}

// printJSON prints v as indented JSON.
func printJSON(w io.Writer, v any) {
	w.Write(plainJSON(encodeJSON(v)))
}
