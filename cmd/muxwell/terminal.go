package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Patterns, URLs and the names of files may hold what a terminal obeys rather
// than shows: control characters, and those that turn the direction of text. What
// commands print of them goes through printable, and JSON through plainJSON.

// printable returns text with whatever does not print, but for tabs and the ends
// of lines, escaped as in a Go string.
func printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == '\n' || r == '\t' || strconv.IsPrint(r):
			b.WriteString(text[:size])
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return b.String()
}

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
