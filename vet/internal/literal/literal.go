// Package literal maps the bytes of a constant string to the source that wrote them.
//
//	mux.Handle("GET /caf\u00e9/{id", h)
//	             byte 11 of the value is at the {
//
// A [Text] consists of parts, one for each literal or constant that was concatenated. A byte of
// a literal is at its character or at the backslash of its escape. A byte of a constant that was
// declared elsewhere is at the use of the constant.
package literal

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/analysis"
)

// A Text is the value of a string expression, with the source of each byte. The zero Text is the
// empty string without a source.
type Text struct {
	Value string
	parts []part // in the order of Value; together they are all of it
}

// A part is the bytes of Value from an offset up to the next part.
type part struct {
	from int
	expr ast.Expr      // the expression whose value it is
	lit  *ast.BasicLit // nil unless expr is a literal
}

// Of returns the text of a literal.
func Of(lit *ast.BasicLit) (Text, bool) {
	value, err := strconv.Unquote(lit.Value)
	if lit.Kind != token.STRING || err != nil {
		return Text{}, false
	}
	return Text{value, []part{{expr: lit, lit: lit}}}, true
}

// At returns a text all of whose bytes are at an expression.
func At(value string, expr ast.Expr) Text { return Text{value, []part{{expr: expr}}} }

// Plus returns the concatenation of two texts.
func (t Text) Plus(u Text) Text {
	sum := Text{Value: t.Value + u.Value, parts: append([]part(nil), t.parts...)}
	for _, p := range u.parts {
		p.from += len(t.Value)
		sum.parts = append(sum.parts, p)
	}
	return sum
}

// Pos returns the position of a byte, 0 ≤ offset ≤ len(t.Value), where the last one is the end
// of the text.
func (t Text) Pos(offset int) token.Pos {
	p := t.part(offset)
	switch {
	case p.expr == nil:
		return token.NoPos
	case p.lit == nil:
		return p.expr.Pos()
	}
	return p.lit.Pos() + token.Pos(sourceOffset(p.lit.Value, offset-p.from))
}

// part returns the last part that begins at or before an offset and is not empty, if possible.
func (t Text) part(offset int) part {
	var found part
	for i, p := range t.parts {
		if p.from <= offset && (i == 0 || p.from < len(t.Value)) {
			found = p
		}
	}
	return found
}

// Replace returns the edit that replaces the bytes from one offset up to another, and false
// unless all of them are in one literal.
func (t Text) Replace(from, to int, with string) (analysis.TextEdit, bool) {
	p := t.part(from)
	if p.lit == nil || from < to && t.part(to-1) != p {
		return analysis.TextEdit{}, false
	}
	quoted := strings.TrimSuffix(strings.TrimPrefix(strconv.Quote(with), `"`), `"`)
	if p.lit.Value[0] == '`' {
		if !strconv.CanBackquote(with) {
			return analysis.TextEdit{}, false
		}
		quoted = with
	}
	return analysis.TextEdit{
		Pos:     p.lit.Pos() + token.Pos(sourceOffset(p.lit.Value, from-p.from)),
		End:     p.lit.Pos() + token.Pos(sourceOffset(p.lit.Value, to-p.from)),
		NewText: []byte(quoted),
	}, true
}

// sourceOffset returns where a byte of a literal's value is in its source: at the character or
// escape that it is a part of. The byte after the last one is at the closing quote.
func sourceOffset(source string, offset int) int {
	quote := source[0]
	at := 1 // after the opening quote
	for rest := source[1 : len(source)-1]; rest != ""; {
		size, length := 0, 0 // of the character, in the source and in the value
		if quote == '`' {
			_, size = utf8.DecodeRuneInString(rest)
			if length = size; rest[0] == '\r' {
				length = 0 // not a part of the value
			}
		} else {
			r, multibyte, tail, err := strconv.UnquoteChar(rest, quote)
			if err != nil {
				return at
			}
			size, length = len(rest)-len(tail), 1
			if multibyte {
				length = utf8.RuneLen(r)
			}
		}
		if offset < length {
			return at
		}
		at, offset, rest = at+size, offset-length, rest[size:]
	}
	return at
}
