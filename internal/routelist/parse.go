// Package routelist parses lists of routes, text files with one route per line.
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
//	line    = spaces [ pattern *( space spaces option ) spaces ] [ comment ]
//	pattern = what [muxwell.Mux.Add] accepts: [ methods spaces ] [ host ] path
//	option  = key "=" ( bare | quoted )
//	bare    = 1*( any character but spaces and '"' )
//	quoted  = a Go string in '"', which is not empty
//	comment = "#" and the rest of the line
//	spaces  = *space
//	space   = SP | TAB
//
// A "#" begins a comment at the beginning of a line and after a space, but not within
// the braces of a pattern or within quotes: "/a#b" is a path, "/a #b" is the path /a
// and a comment, and in "/{x:[ #]+} # b" the first "#" is part of an expression. So
// that nothing is cut off unnoticed, a path cannot have a space outside of braces;
// write %20 instead. After a brace that is never closed, nothing is within braces.
//
// [Usage] lists the options of a route, which may be in any order. Options that may be
// repeated on a line, such as header, add up. Options with a comma in that list take a
// list of one or more elements. Braces have no meaning in an option: a value with a
// space is quoted as a whole, header="X-Note: a b" or query="q={x:[a b]}", and in
// quotes a backslash is written twice. Spaces around the elements of a list and around
// the value of a header are ignored. An address without "/" is a PREFIX of one address.
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
	Options []Option // after the pattern, in their order
	Text    string   // the whole line, without its ending
}

// The limits of a list. A longer file is probably not a list: a device, an archive, a
// pipe that never ends.
const (
	maxLine = 64 << 10 // bytes of a line
	maxSize = 64 << 20 // bytes of a list
)

// ErrEmpty is the cause of the error for a list without a route.
var ErrEmpty = errors.New("the list has no routes; a route is a line METHOD PATTERN, such as GET /users/{id}")

// Parse reads a list to its end and returns its routes in their order. name is the name
// of the list in errors, which are of type [Errors] and ordered by line. A list without
// a route is an error. With an error, Parse also returns the routes of the valid lines,
// so that more errors can be found in them.
//
// Parse checks the lines and the keys and syntax of their options. [Register] checks
// patterns and the values of options.
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

// next returns the next line without its ending. ok is false at the end of the list,
// and if the rest of the list cannot be read, which is then recorded as an error.
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

// parseLine records the route of a line, or what is wrong with it.
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

// fail records an error at a byte of the current line, whose text may be unknown.
func (p *parser) fail(text string, offset int, reason string) {
	p.errs = append(p.errs, &Error{File: p.name, Line: p.line, Column: offset + 1, Text: text, Reason: reason})
}

// failList records an error of the whole list.
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
