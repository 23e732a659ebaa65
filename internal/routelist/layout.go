package routelist

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// A layout has the positions of the parts of a line:
//
//	GET /{a b}   name=user header="X-Note: # b"   # why
//	└─pattern┘   └─word──┘ └─────word─────────┘   └─comment
//
// The pattern ends at the first space or tab of its path that is not within braces.
type layout struct {
	pattern span   // empty if there is none
	words   []span // after it
	comment int    // where it begins, or the line's length
}

// A span is the bytes from one offset up to another.
type span struct{ from, to int }

// layOut returns the layout of any line. A quote that is never closed extends to the
// end.
func layOut(s string) layout {
	at := skipBlanks(s, 0)
	end := patternEnd(s, at)
	l := layout{pattern: span{at, at + len(strings.TrimRight(s[at:end], " \t"))}}
	for at = skipBlanks(s, end); at < len(s) && s[at] != '#'; at = skipBlanks(s, end) {
		end = wordEnd(s, at)
		l.words = append(l.words, span{at, end})
	}
	l.comment = at
	return l
}

// patternEnd returns the end of the pattern that begins at from: a space or tab in its
// path, a comment, or the end of the line.
func patternEnd(s string, from int) int {
	closed, inPath := true, false // closed: all braces so far
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case c == '#' && (i == 0 || isBlank(s[i-1])):
			return i
		case isBlank(c) && inPath && closed:
			return i
		case c == '/':
			inPath = true
		case c == '{' && closed:
			if closing := ClosingBrace(s, i); closing >= 0 {
				i = closing
			} else {
				closed = false
			}
		}
	}
	return len(s)
}

// wordEnd returns the end of the word that begins at from: the first space or tab that
// is not within the quotes of an option.
func wordEnd(s string, from int) int {
	i := from + keyLen(s[from:])
	if strings.HasPrefix(s[i:], `="`) {
		if i = quotedEnd(s, i+1); i < 0 {
			return len(s)
		}
	}
	for i < len(s) && !isBlank(s[i]) {
		i++
	}
	return i
}

// quotedEnd returns the offset after the quote that closes the one at open, or -1 if
// none does. A backslash escapes the byte after it.
func quotedEnd(s string, open int) int {
	for i := open + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func skipBlanks(s string, from int) int {
	for from < len(s) && isBlank(s[from]) {
		from++
	}
	return from
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// ClosingBrace returns the position of the brace that closes the parameter that opens
// at open, or -1 if there is none: it is the first "}", unless a constraint comes
// before it. In a constraint, braces balance, and a backslash escapes the byte after
// it.
func ClosingBrace(s string, open int) int {
	inName, depth := true, 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if !inName {
				i++
			}
		case ':', '/': // a slash is an error, but ends the name
			inName = false
		case '{':
			inName = inName && i == open
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// strayRune finds characters that cannot be intended: control characters and, before
// the comment, characters that look like a space but are not, or that change the
// direction of text.
func strayRune(s string, l layout) (offset int, reason string) {
	instead := func(i int, r rune) string {
		if i < l.pattern.to || i >= l.comment {
			return "in a path write " + url.PathEscape(string(r))
		}
		quoted := strconv.QuoteRuneToASCII(r)
		return "in quotes write " + quoted[1:len(quoted)-1]
	}
	for i, r := range s {
		switch {
		case r == '\r':
			return i, "a carriage return inside a line; lines end with LF or CRLF"
		case r != '\t' && unicode.IsControl(r):
			return i, fmt.Sprintf("control character %U; %s", r, instead(i, r))
		case i < l.comment && r > unicode.MaxASCII && (unicode.IsSpace(r) || r == '\ufeff'):
			return i, fmt.Sprintf("%U looks like a space but is not; write a plain space, or %s", r, instead(i, r))
		case i < l.comment && unicode.Is(unicode.Bidi_Control, r):
			return i, fmt.Sprintf("%U is invisible and changes the direction of text; %s", r, instead(i, r))
		}
	}
	return 0, ""
}
