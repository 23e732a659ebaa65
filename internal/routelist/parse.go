// Package routelist reads lists of routes, text files with one route a line:
//
//	# Everything of the shop.
//	GET      /users/{id}
//	GET,POST example.com/form   # two methods, one host
//	/files/{path...}            # any method
//	GET      /v/{id}   name=v header=X-Beta:1 query=q={q} scheme=https
//
// A list is UTF-8 text:
//
//	list    = [ BOM ] line *( newline line )
//	newline = LF | CR LF
//	line    = blanks [ pattern *( blank blanks option ) blanks ] [ comment ]
//	pattern = what [muxwell.Mux.Add] takes: [ methods blanks ] [ host ] path
//	option  = key "=" ( bare | quoted )
//	bare    = 1*( any character but blanks and '"' )
//	quoted  = a string as in Go, in '"', which is not empty
//	comment = "#" and the rest of the line
//	blanks  = *blank
//	blank   = SP | TAB
//
// A "#" begins a comment at the beginning of a line and after a blank, but not
// within the braces of a pattern, nor within quotes: "/a#b" is a path, "/a #b" is
// the path /a and a comment, and in "/{x:[ #]+} # b" the first "#" is part of an
// expression. So that nothing is cut off unseen, a blank cannot stand in a path
// outside of braces; it is written %20. Behind a brace that is never closed nothing
// is within braces.
//
// [Usage] lists the options of a route, which may be in any order. Of those that a line
// may have several times, such as header, all count. What has a comma in the list of
// options is a list of one or more. Braces mean nothing to a list of routes: a value
// with a blank is quoted as a whole, header="X-Note: a b" or query="q={x:[a b]}", and in
// quotes a backslash is written twice. Blanks around the elements of a list and around
// the value of a header are left out. An address without "/" is a PREFIX of one.
package routelist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// An Entry is a route of a list.
type Entry struct {
	Line    int      // the number of its line, from 1
	Column  int      // the byte of Text, from 1, at which Pattern begins
	Pattern string   // "[METHODS ][HOST]/PATH", for [muxwell.Mux.Add]
	Options []Option // behind the pattern, in their order
	Text    string   // the whole line, without its ending
}

// The limits of a list. What is longer is something else that was named by
// mistake: a device, an archive, a pipe that never ends.
const (
	maxLine = 64 << 10 // bytes of a line
	maxSize = 64 << 20 // bytes of a list
)

// ErrEmpty is the cause of the error for a list without a route.
var ErrEmpty = errors.New("the list has no routes; a route is a line METHOD PATTERN, such as GET /users/{id}")

// Parse reads a list to its end and returns its routes in their order. name
// stands for the list in errors, which are of type [Errors] and ordered by
// line. A list without a route is an error. With an error come the routes of
// the lines that are right, so that more faults can be found in them.
//
// Parse checks the lines and which options they have. Whether a pattern is right,
// and what an option asks for, [Register] checks.
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
		p.fail(text, i, fmt.Sprintf("byte 0x%02x is not UTF-8, which a route list must be", text[i]))
		return "", false
	}
	return text, true
}

// parseLine notes the route of a line, or what is wrong with it.
func (p *parser) parseLine(text string) {
	l := layOut(text)
	if i, reason := strayRune(text, l); reason != "" {
		p.fail(text, i, reason)
		return
	}
	pattern := text[l.pattern.from:l.pattern.to]
	if pattern == "" {
		return
	}
	if len(l.words) > 0 && !isOption(text[l.words[0].from:l.words[0].to]) {
		p.fail(text, l.pattern.to, "a space in a path; write it as %20, begin a comment with '#', put each route on its own line, "+
			"or write options after the path, as in name=user; options are "+keyNames())
		return
	}
	options, at, reason := parseOptions(text, l.words)
	if reason != "" {
		p.fail(text, at, reason)
		return
	}
	p.entries = append(p.entries, Entry{Line: p.line, Column: l.pattern.from + 1, Pattern: pattern, Options: options, Text: text})
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
