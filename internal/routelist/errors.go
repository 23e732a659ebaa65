package routelist

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An Error is an error in a list.
type Error struct {
	File   string // the list, as passed to [Parse]
	Line   int    // the number of the line, from 1; 0 for an error of the whole list
	Column int    // the byte of Text, from 1, at which the error begins; 0 if Line is
	Text   string // the line without its ending; empty if the error has no position in it
	Reason string // what is wrong and, if possible, how to fix it
	Other  *Entry // the earlier line with which this one conflicts, or that has its name; may be nil
	Err    error  // the cause, such as a *muxwell.PatternError; may be nil
}

// Error returns file:line and the reason, and below them the lines in question
// with a caret under the error:
//
//	routes.txt:7: duplicate parameter name "id"; names must be unique in a pattern
//		7 | GET /users/{id}/posts/{id}
//		  |                        ^
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s%s", e.File, e.Line, strings.ReplaceAll(e.Reason, "\n", "\n\t"), e.excerpt())
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// excerpt returns the other line, if any, the line itself and its caret.
func (e *Error) excerpt() string {
	if e.Text == "" {
		return ""
	}
	width := len(strconv.Itoa(e.Line))
	var b strings.Builder
	if e.Other != nil {
		before, after := window(e.Other.Text, e.Other.Column-1)
		fmt.Fprintf(&b, "\n\t%*d | %s%s", width, e.Other.Line, before, after)
	}
	before, after := window(e.Text, e.Column-1)
	fmt.Fprintf(&b, "\n\t%*d | %s%s", width, e.Line, before, after)
	fmt.Fprintf(&b, "\n\t%*s | %*s^", width, "", utf8.RuneCountInString(before), "")
	return b.String()
}

// window returns the parts of a line to show before and after a byte. A long line is
// cut on both sides, and unprintable characters are escaped.
func window(text string, offset int) (before, after string) {
	const reach = 60 // bytes shown on either side
	from, to := max(0, offset-reach), min(len(text), offset+reach)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	before, after = printable(text[from:offset]), printable(text[offset:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return before, after
}

// printable returns s with tabs as single spaces and other unprintable characters
// escaped as in a Go string.
func printable(s string) string {
	q := strconv.Quote(strings.ReplaceAll(s, "\t", " "))
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(q[1 : len(q)-1])
}

// quote returns s as a Go string, shortened if it is too long for a message.
func quote(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	for i := most; ; i-- {
		if utf8.RuneStart(s[i]) {
			return strconv.Quote(s[:i] + "…")
		}
	}
}

// Errors are the errors of a list, ordered by line.
type Errors []*Error

// maxShown is the number of errors that one message lists.
const maxShown = 10

// Error returns the messages of the first errors, each on lines of its own, and the
// number of those left out.
func (e Errors) Error() string {
	var b strings.Builder
	for i, err := range e {
		if i == maxShown {
			fmt.Fprintf(&b, "\n%s: and %d more errors", err.File, len(e)-maxShown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(err.Error())
	}
	return b.String()
}

// Unwrap returns the errors for errors.Is and errors.As.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// orNil returns e as an error that is nil if e is empty.
func (e Errors) orNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
