// Package routelist reads lists of routes, text files with one route a line:
//
//	# Everything of the shop.
//	GET      /users/{id}
//	GET,POST example.com/form   # two methods, one host
//	/files/{path...}            # any method
//
// A list is UTF-8 text:
//
//	list    = [ BOM ] line *( newline line )
//	newline = LF | CR LF
//	line    = blanks [ pattern blanks ] [ comment ]
//	pattern = what [muxwell.Mux.Add] takes: [ methods blanks ] [ host ] path
//	comment = "#" and the rest of the line
//	blanks  = *( SP | TAB )
//
// A "#" begins a comment at the beginning of a line and after a blank, but not
// within the braces of a pattern: "/a#b" is a path, "/a #b" is the path /a and a
// comment, and in "/{x:[ #]+} # b" the first "#" is part of an expression. So that
// nothing is cut off unseen, a blank cannot stand in a path outside of braces; it
// is written %20. Behind a brace that is never closed nothing is within braces.
package routelist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Entry is a route of a list.
type Entry struct {
	Line    int    // the number of its line, from 1
	Column  int    // the byte of Text, from 1, at which Pattern begins
	Pattern string // "[METHODS ][HOST]/PATH", for [muxwell.Mux.Add]
	Text    string // the whole line, without its ending
}

// The limits of a list. What is longer is something else that was named by
// mistake: a device, an archive, a pipe that never ends.
const (
	maxLine = 64 << 10 // bytes of a line
	maxSize = 64 << 20 // bytes of a list
)

// ErrEmpty is the cause of the error for a list without a route.
var ErrEmpty = errors.New("the list has no routes; a route is a line METHOD PATTERN, as in GET /users/{id}")

// Parse reads a list to its end and returns its routes in their order. name
// stands for the list in errors, which are of type [Errors] and ordered by
// line. A list without a route is an error. With an error come the routes of
// the lines that are right, so that more faults can be found in them.
//
// Parse checks the lines, not the patterns in them: [Register] does.
func Parse(name string, r io.Reader) ([]Entry, error) {
	p := &parser{name: name, in: bufio.NewReaderSize(r, maxLine)}
	for text, ok := p.next(); ok; text, ok = p.next() {
		p.parseLine(text)
	}
	if len(p.entries) == 0 && len(p.errs) == 0 {
		p.failList(ErrEmpty)
	}
	return p.entries, p.errs.orNil()
}

type parser struct {
	name    string
	in      *bufio.Reader
	line    int   // the number of lines read
	size    int64 // their bytes
	entries []Entry
	errs    Errors
}

// next returns the next line without its ending. ok is false at the end of the
// list and where the list cannot be read on, which has been noted as an error.
func (p *parser) next() (text string, ok bool) {
	b, err := p.in.ReadSlice('\n')
	switch {
	case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
		p.failList(err)
		return "", false
	case len(b) == 0:
		return "", false
	}
	p.line++
	if p.line == 1 {
		if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
			p.fail("", 0, "the list is UTF-16; save it as UTF-8")
			return "", false
		}
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	if err == bufio.ErrBufferFull {
		p.fail("", 0, fmt.Sprintf("the line is longer than %d bytes; is this a route list?", maxLine))
		return "", false
	}
	if p.size += int64(len(b)); p.size > maxSize {
		p.failList(fmt.Errorf("the list is longer than %d bytes", maxSize))
		return "", false
	}
	text = strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
	if strings.IndexByte(text, 0) >= 0 {
		p.fail("", 0, "the list has a byte 0x00; is it a binary file?")
		return "", false
	}
	if i := invalidUTF8(text); i >= 0 {
		p.fail(text, i, fmt.Sprintf("byte 0x%02x is not UTF-8, as a route list is", text[i]))
		return "", false
	}
	return text, true
}

// parseLine notes the route of a line, or what is wrong with it.
func (p *parser) parseLine(text string) {
	body := text[:commentStart(text)]
	if i, reason := strayRune(text, len(body)); reason != "" {
		p.fail(text, i, reason)
		return
	}
	pattern := strings.TrimLeft(body, " \t")
	start := len(body) - len(pattern)
	pattern = strings.TrimRight(pattern, " \t")
	if pattern == "" {
		return
	}
	if i := blankInPath(pattern); i >= 0 {
		p.fail(text, start+i, "a blank in a path; write it %20, begin a comment with '#', and put one route on a line")
		return
	}
	p.entries = append(p.entries, Entry{Line: p.line, Column: start + 1, Pattern: pattern, Text: text})
}

// fail notes a fault at a byte of the current line, whose text may be unknown.
func (p *parser) fail(text string, offset int, reason string) {
	p.errs = append(p.errs, &Error{File: p.name, Line: p.line, Column: offset + 1, Text: text, Reason: reason})
}

// failList notes a fault of the list as a whole.
func (p *parser) failList(err error) {
	reason := err.Error()
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pe.Err.Error() // the path is the list's name
	}
	p.errs = append(p.errs, &Error{File: p.name, Reason: reason, Err: err})
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// commentStart returns the offset of a line's comment, or len(s).
func commentStart(s string) int {
	closed := true // all braces so far
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '#' && (i == 0 || isBlank(s[i-1])):
			return i
		case s[i] == '{' && closed:
			if closing := ClosingBrace(s, i); closing >= 0 {
				i = closing
			} else {
				closed = false
			}
		}
	}
	return len(s)
}

// ClosingBrace returns where the parameter of a pattern closes whose brace opens
// at open, or -1 if it does not: at the first "}", unless a constraint comes
// before it. In that, braces balance, and a backslash takes the meaning from the
// byte behind it.
func ClosingBrace(s string, open int) int {
	inName, depth := true, 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if !inName {
				i++
			}
		case ':', '/': // a slash is a fault; it ends the name all the same
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

// strayRune finds what cannot be meant where it stands: a control character, and
// before the comment what looks like a space and is none, or turns the text
// around that it stands in.
func strayRune(s string, comment int) (offset int, reason string) {
	for i, r := range s {
		switch {
		case r == '\r':
			return i, "a carriage return inside a line; lines end with LF or CRLF"
		case r != '\t' && unicode.IsControl(r):
			return i, fmt.Sprintf("control character %U; in a path write %s", r, url.PathEscape(string(r)))
		case i < comment && r > unicode.MaxASCII && (unicode.IsSpace(r) || r == '\ufeff'):
			return i, fmt.Sprintf("%U looks like a space and is none; write a plain space, or in a path %s", r, url.PathEscape(string(r)))
		case i < comment && unicode.Is(unicode.Bidi_Control, r):
			return i, fmt.Sprintf("%U changes the direction of text and does not show; in a path write %s", r, url.PathEscape(string(r)))
		}
	}
	return 0, ""
}

// blankInPath returns the offset of the first blank of a pattern's path that
// is outside of braces, or -1.
func blankInPath(pattern string) int {
	inPath := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '{':
			if i = ClosingBrace(pattern, i); i < 0 {
				return -1 // the pattern's fault is another one
			}
		case c == '/':
			inPath = true
		case isBlank(c) && inPath:
			return i
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }
