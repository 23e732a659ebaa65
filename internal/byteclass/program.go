// Package byteclass matches whole strings against simple regular expressions at a
// fraction of the cost of package regexp. They are of the kind that constrain route
// parameters, such as [0-9]+ or [a-z0-9]+(-[a-z0-9]+)*.
//
// An expression becomes a program of steps over bytes: so many of a set, this
// text, one of these branches. That is possible where the next byte alone
// decides how to go on, so that there is never more than one way to match. All
// other expressions are left to package regexp, with the same results.
package byteclass

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A Part is literal text, or an expression whose match is captured.
type Part struct {
	Text string // literal text, if Expr is ""
	Expr string // an RE2 expression in regexp/syntax's Perl syntax; captured
}

// A Program matches strings. It is safe for concurrent use.
type Program struct {
	expr     string
	captures int
	whole    bool // the one captured part is all there is

	code     // if regexp is nil
	regexp   *regexp.Regexp
	captured []int // the groups of regexp that are the captured parts
}

// Compile returns a program of one captured part. The error is the one of
// package regexp, a [*syntax.Error].
func Compile(expr string) (*Program, error) {
	return join([]piece{{expr: expr, captured: true}})
}

// Join returns a program that matches the parts one after the other. Text means
// its very bytes, also where they are not valid UTF-8. An expression is that of
// its part alone: flags set in it end with it, and groups in it are not counted.
//
// The error is a [*syntax.Error], as of [regexp.Compile] for the parts or for
// all of them together, or tells that text cannot be matched: package regexp
// takes a byte that is not UTF-8 and U+FFFD for the same, so that text with
// either of them can only stand in a program that is compiled.
func Join(parts ...Part) (*Program, error) {
	pieces := make([]piece, 0, len(parts))
	for _, part := range parts {
		last := len(pieces) - 1
		switch {
		case part.Expr != "":
			pieces = append(pieces, piece{expr: part.Expr, captured: true})
		case part.Text == "":
		case last >= 0 && !pieces[last].captured:
			pieces[last].text += part.Text
		default:
			pieces = append(pieces, piece{text: part.Text})
		}
	}
	return join(pieces)
}

// A piece is a part, with text that stands together in one.
type piece struct {
	text     string
	expr     string
	captured bool
	tree     *syntax.Regexp // of expr
}

func join(pieces []piece) (*Program, error) {
	p := &Program{whole: len(pieces) == 1 && pieces[0].captured}
	for i := range pieces {
		if err := pieces[i].parse(); err != nil {
			return nil, err
		}
	}
	p.write(pieces)
	if _, err := syntax.Parse(p.expr, syntax.Perl); err != nil {
		return nil, err
	}
	var ok bool
	if p.code, ok = compile(pieces); ok {
		return p, nil
	}
	for _, piece := range pieces {
		if !piece.captured && strings.ContainsRune(piece.text, utf8.RuneError) {
			return nil, fmt.Errorf("text %q is not valid UTF-8 or contains U+FFFD, which package regexp, needed for %q, cannot distinguish", piece.text, p.expr)
		}
	}
	var err error
	p.regexp, err = regexp.Compile(p.expr)
	return p, err
}

// parse sets tree and closes a quotation that is still open in expr, as in \Qa.
func (piece *piece) parse() (err error) {
	if !piece.captured {
		return nil
	}
	if piece.tree, err = syntax.Parse(piece.expr, syntax.Perl); err != nil {
		return err
	}
	if closed := piece.expr + `\E`; strings.Contains(closed, `\Q`) {
		if _, err := syntax.Parse(closed, syntax.Perl); err == nil {
			piece.expr = closed
		}
	}
	return nil
}

// write sets expr, captures and captured. (The group also keeps package regexp
// from taking a surrogate that an expression starts with, which matches nothing,
// for U+FFFD.)
func (p *Program) write(pieces []piece) {
	var b strings.Builder
	b.WriteString(`^(?:`)
	group := 1
	for _, piece := range pieces {
		if !piece.captured {
			b.WriteString(regexp.QuoteMeta(string([]rune(piece.text))))
			continue
		}
		b.WriteString(`(` + piece.expr + `)`)
		p.captures++
		p.captured = append(p.captured, group)
		group += 1 + piece.tree.MaxCap()
	}
	b.WriteString(`)$`)
	p.expr = b.String()
}

// Captures returns the number of captured parts.
func (p *Program) Captures() int { return p.captures }

// Compiled reports whether the program does without package regexp.
func (p *Program) Compiled() bool { return p.regexp == nil }

// String returns the equivalent expression for package regexp. It is anchored
// at both ends, and each captured part is in a group of its own, as in
// ^(?:v([0-9]+)\.([0-9]+))$. A byte of text that is not UTF-8 is written as
// U+FFFD, which is what package regexp takes it for.
func (p *Program) String() string { return p.expr }
