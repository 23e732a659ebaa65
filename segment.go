package muxwell

import (
	"strings"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A segment is one element of a pattern's path, or one label of its host.
type segment struct {
	kind segmentKind
	fold bool   // of a literal: the text is in lower case, and matches in either
	text string // the unescaped literal, or the parameter's name; "" for mixed, a final slash and the end
	form *form  // of mixed and constrained segments, else nil
}

// A segmentKind orders segments by precedence: what is smaller is tried first.
type segmentKind uint8

const (
	literal     segmentKind = iota // matches a segment that equals its text
	mixed                          // v{x}.{y:int}: matches a segment made of text and parameters
	constrained                    // {x:int}: matches a non-empty segment that the constraint takes
	param                          // {x}: matches any non-empty segment
	end                            // {$}: matches the empty text after a path's last slash
	middle                         // {x...} with more behind it: matches one or more segments
	rest                           // {x...} or a trailing slash: matches all that is left, even nothing
)

// same reports whether two segments take the same place in the order, and so
// match the same text: the names of parameters do not count.
func (g segment) same(h segment) bool {
	return g.kind == h.kind && (g.kind != literal || g.text == h.text) && (g.form == nil || g.form.key == h.form.key)
}

// params returns the number of parameters that the segment has names for.
func (g *segment) params() int {
	switch {
	case g.kind == mixed:
		return len(g.form.names)
	case g.kind == literal || g.kind == end || g.text == "":
		return 0
	}
	return 1
}

// takes reports whether the segment matches a text; a catch-all as a parameter
// does.
func (g *segment) takes(text string) bool {
	switch g.kind {
	case literal:
		return text == g.text || g.fold && urlpath.Lower(text) == g.text
	case param, middle, rest:
		return text != ""
	case end:
		return text == ""
	}
	return g.form.matches(text)
}

// put sets the first of vals to the values that a text which matches gives the
// segment's parameters, and returns the others.
func (g *segment) put(vals []string, text string) []string {
	n := g.params()
	switch {
	case g.kind == mixed:
		g.form.split(vals[:n], text)
	case n > 0:
		vals[0] = text
	}
	return vals[n:]
}

// String returns the segment as a pattern has it, with the literals unescaped.
func (g segment) String() string {
	switch g.kind {
	case literal:
		return g.text
	case param:
		if g.text == "" {
			return "*"
		}
		return "{" + g.text + "}"
	case end:
		return "{$}"
	case middle, rest:
		if g.text == "" {
			return ""
		}
		return "{" + g.text + "...}"
	}
	return g.form.String()
}

// A form says how a segment is matched that is more than a literal or a plain
// parameter:
//
//	v{major:int}.{minor:int}    prefix "v", two constraints, "." between them
//	{name}.{ext}                two parameters, "." between them
//	{id:int}                    one constraint
//	{id}:apply                  suffix ":apply"
//
// Plain parameters take the shortest text, from left to right, that is not empty
// and lets the rest match. It is found by looking for each text between two of
// them once, since the first place where it stands leaves the most to what
// follows. Several parameters of which one is constrained are one program.
type form struct {
	key         string   // the segment without names; equal keys match the same text in the same way
	names       []string // of the parameters
	prefix      string   // text before the first parameter
	between     []string // text between each two parameters, never empty
	suffix      string   // text behind the last
	literals    int      // bytes of all this text
	constraints []constraint
	check       func(string) bool  // of the one parameter; nil if it is plain or there are several
	program     *byteclass.Program // of all; nil if check and the texts say it all
	fold        bool               // the texts are in lower case, and match in either
	captures    []int              // if fold, for each parameter the number of its capture in program
}

// matches reports whether the form takes all of a segment.
func (f *form) matches(seg string) bool {
	text := seg // as literals are compared with it
	if f.fold {
		text = urlpath.Lower(seg)
	}
	if len(seg) <= len(f.prefix)+len(f.suffix) || !strings.HasPrefix(text, f.prefix) || !strings.HasSuffix(text, f.suffix) {
		return false
	}
	switch {
	case f.program != nil:
		return f.program.Match(seg)
	case f.check != nil:
		return f.check(seg[len(f.prefix) : len(seg)-len(f.suffix)])
	}
	seg = text[len(f.prefix) : len(seg)-len(f.suffix)]
	for _, text := range f.between {
		i := strings.Index(seg[1:], text)
		if i < 0 || 1+i+len(text) == len(seg) {
			return false
		}
		seg = seg[1+i+len(text):]
	}
	return true
}

// split sets vals to the values that a segment which matches gives the form's
// parameters.
func (f *form) split(vals []string, seg string) {
	if f.program != nil {
		var space [16]int
		at := space[:]
		if n := 2 * f.program.Captures(); n > len(at) {
			at = make([]int, n)
		}
		at = at[:2*f.program.Captures()]
		f.program.Find(seg, at)
		for i := range f.names {
			c := i
			if f.fold {
				c = f.captures[i]
			}
			vals[i] = seg[at[2*c]:at[2*c+1]]
		}
		return
	}
	seg = seg[len(f.prefix) : len(seg)-len(f.suffix)]
	for i, text := range f.between {
		from := seg[1:]
		if f.fold {
			from = urlpath.Lower(from)
		}
		n := 1 + strings.Index(from, text)
		vals[i], seg = seg[:n], seg[n+len(text):]
	}
	vals[len(f.between)] = seg
}

// setKey sets the form's key from its texts and constraints.
func (f *form) setKey() {
	var key strings.Builder
	text := func(s string) {
		if s != "" {
			key.WriteString(keyOfPiece(&piece{text: s}))
		}
	}
	text(f.prefix)
	for i, c := range f.constraints {
		if i > 0 {
			text(f.between[i-1])
		}
		key.WriteString(keyOfPiece(&piece{constraint: c}))
	}
	text(f.suffix)
	f.key = key.String()
}

// constraintCount returns how many of the parameters have a constraint.
func (f *form) constraintCount() (n int) {
	for _, c := range f.constraints {
		if c.text != "" {
			n++
		}
	}
	return n
}

// join returns the form's text with vals in place of its parameters.
func (f *form) join(vals []string) string {
	var b strings.Builder
	b.WriteString(f.prefix)
	for i, v := range vals {
		if i > 0 {
			b.WriteString(f.between[i-1])
		}
		b.WriteString(v)
	}
	b.WriteString(f.suffix)
	return b.String()
}

// String returns the form as a pattern has it, with the texts unescaped.
func (f *form) String() string {
	params := make([]string, len(f.names))
	for i, name := range f.names {
		params[i] = "{" + name
		if c := f.constraints[i].text; c != "" {
			params[i] += ":" + c
		}
		params[i] += "}"
	}
	return f.join(params)
}

// compare orders mixed segments by what is written: more text goes first, then
// more of it in front, then more constraints. What it finds equal is
// ordered by registration.
func (f *form) compare(g *form) int {
	switch {
	case f.literals != g.literals:
		return g.literals - f.literals
	case len(f.prefix) != len(g.prefix):
		return len(g.prefix) - len(f.prefix)
	}
	return g.constraintCount() - f.constraintCount()
}
