package pattern

import (
	"strings"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Segment is one element of a pattern's path, or one label of its host.
type Segment struct {
	Kind    Kind
	Fold    bool            // of a literal: the text is in lower case, and case is ignored
	Text    string          // the unescaped literal, or the parameter's name; "" for a composite, a final slash and {$}
	Matcher *SegmentMatcher // of composite and constrained segments, otherwise nil
}

// A Kind orders segments by precedence: a smaller one wins.
type Kind uint8

const (
	Literal       Kind = iota // matches a segment that equals its text
	Composite                 // v{x}.{y:int}: matches a segment made of text and parameters
	Constrained               // {x:int}: matches a non-empty segment that the constraint matches
	Param                     // {x}: matches any non-empty segment
	Dollar                    // {$}: matches the empty text after a path's last slash
	InnerCatchAll             // {x...} followed by more: matches one or more segments
	CatchAll                  // {x...} or a trailing slash: matches the rest, which may be empty
)

// Same reports whether two segments have the same precedence, and so match the same
// texts. The names of parameters are ignored.
func (g Segment) Same(h Segment) bool {
	return g.Kind == h.Kind && (g.Kind != Literal || g.Text == h.Text) && (g.Matcher == nil || g.Matcher.Key == h.Matcher.Key)
}

// Params returns the number of parameters that the segment has names for.
func (g *Segment) Params() int {
	switch {
	case g.Kind == Composite:
		return len(g.Matcher.Names)
	case g.Kind == Literal || g.Kind == Dollar || g.Text == "":
		return 0
	}
	return 1
}

// Matches reports whether the segment matches a text; a catch-all matches like a
// parameter.
func (g *Segment) Matches(text string) bool {
	switch g.Kind {
	case Literal:
		return text == g.Text || g.Fold && urlpath.Lower(text) == g.Text
	case Param, InnerCatchAll, CatchAll:
		return text != ""
	case Dollar:
		return text == ""
	}
	return g.Matcher.Matches(text)
}

// Assign sets the first of vals to the values of the segment's parameters in a text
// that matches, and returns the others.
func (g *Segment) Assign(vals []string, text string) []string {
	n := g.Params()
	switch {
	case g.Kind == Composite:
		g.Matcher.Split(vals[:n], text)
	case n > 0:
		vals[0] = text
	}
	return vals[n:]
}

// String returns the segment in the form of a pattern, with the literals unescaped.
func (g Segment) String() string {
	switch g.Kind {
	case Literal:
		return g.Text
	case Param:
		if g.Text == "" {
			return "*"
		}
		return "{" + g.Text + "}"
	case Dollar:
		return "{$}"
	case InnerCatchAll, CatchAll:
		if g.Text == "" {
			return ""
		}
		return "{" + g.Text + "...}"
	}
	return g.Matcher.String()
}

// A SegmentMatcher matches a segment that is more than a literal or a plain
// parameter:
//
//	v{major:int}.{minor:int}    prefix "v", two constraints, "." between them
//	{name}.{ext}                two parameters, "." between them
//	{id:int}                    one constraint
//	{id}:apply                  suffix ":apply"
//
// Plain parameters match the shortest text, from left to right, that is not empty and lets
// the rest match. One search for each text between two parameters finds it, since its
// first occurrence leaves the most for what follows. Several parameters, at least one of
// them constrained, are combined into one program.
type SegmentMatcher struct {
	Key         string   // the segment without names; equal keys match the same text in the same way
	Names       []string // of the parameters
	Prefix      string   // text before the first parameter
	Between     []string // text between each two parameters, never empty
	Suffix      string   // text after the last
	Literals    int      // bytes of all this text
	Constraints []Constraint
	Check       func(string) bool  // of the one parameter; nil if it is plain or there are several
	Program     *byteclass.Program // of all; nil if Check and the texts suffice
	Fold        bool               // the texts are in lower case, and case is ignored
	captures    []int              // if Fold, for each parameter the number of its capture in Program
}

// Matches reports whether seg, a whole segment, matches.
func (f *SegmentMatcher) Matches(seg string) bool {
	text := seg // in the form in which literals are compared with it
	if f.Fold {
		text = urlpath.Lower(seg)
	}
	if len(seg) <= len(f.Prefix)+len(f.Suffix) || !strings.HasPrefix(text, f.Prefix) || !strings.HasSuffix(text, f.Suffix) {
		return false
	}
	switch {
	case f.Program != nil:
		return f.Program.Match(seg)
	case f.Check != nil:
		return f.Check(seg[len(f.Prefix) : len(seg)-len(f.Suffix)])
	}
	seg = text[len(f.Prefix) : len(seg)-len(f.Suffix)]
	for _, text := range f.Between {
		i := strings.Index(seg[1:], text)
		if i < 0 || 1+i+len(text) == len(seg) {
			return false
		}
		seg = seg[1+i+len(text):]
	}
	return true
}

// Split sets vals to the values of the parameters in seg, which matches.
func (f *SegmentMatcher) Split(vals []string, seg string) {
	if f.Program != nil {
		var space [16]int
		at := space[:]
		if n := 2 * f.Program.Captures(); n > len(at) {
			at = make([]int, n)
		}
		at = at[:2*f.Program.Captures()]
		f.Program.Find(seg, at)
		for i := range f.Names {
			c := i
			if f.Fold {
				c = f.captures[i]
			}
			vals[i] = seg[at[2*c]:at[2*c+1]]
		}
		return
	}
	seg = seg[len(f.Prefix) : len(seg)-len(f.Suffix)]
	for i, text := range f.Between {
		from := seg[1:]
		if f.Fold {
			from = urlpath.Lower(from)
		}
		n := 1 + strings.Index(from, text)
		vals[i], seg = seg[:n], seg[n+len(text):]
	}
	vals[len(f.Between)] = seg
}

// SetKey sets the key from the texts and constraints. Call it after changing these.
func (f *SegmentMatcher) SetKey() {
	var key strings.Builder
	text := func(s string) {
		if s != "" {
			key.WriteString(keyOfPart(&part{text: s}))
		}
	}
	text(f.Prefix)
	for i, c := range f.Constraints {
		if i > 0 {
			text(f.Between[i-1])
		}
		key.WriteString(keyOfPart(&part{constraint: c}))
	}
	text(f.Suffix)
	f.Key = key.String()
}

// ConstraintCount returns how many of the parameters have a constraint.
func (f *SegmentMatcher) ConstraintCount() (n int) {
	for _, c := range f.Constraints {
		if c.Text != "" {
			n++
		}
	}
	return n
}

// Join returns the text with vals instead of the parameters.
func (f *SegmentMatcher) Join(vals []string) string {
	var b strings.Builder
	b.WriteString(f.Prefix)
	for i, v := range vals {
		if i > 0 {
			b.WriteString(f.Between[i-1])
		}
		b.WriteString(v)
	}
	b.WriteString(f.Suffix)
	return b.String()
}

// String returns the segment in the form of a pattern, with the texts unescaped.
func (f *SegmentMatcher) String() string {
	params := make([]string, len(f.Names))
	for i, name := range f.Names {
		params[i] = "{" + name
		if c := f.Constraints[i].Text; c != "" {
			params[i] += ":" + c
		}
		params[i] += "}"
	}
	return f.Join(params)
}

// Compare orders composite segments by their text, and returns a negative number if f
// wins: more text wins, then more text before the first parameter, then more
// constraints. Equal segments are ordered by registration.
func (f *SegmentMatcher) Compare(g *SegmentMatcher) int {
	switch {
	case f.Literals != g.Literals:
		return g.Literals - f.Literals
	case len(f.Prefix) != len(g.Prefix):
		return len(g.Prefix) - len(f.Prefix)
	}
	return g.ConstraintCount() - f.ConstraintCount()
}

// String returns the name of the kind in messages.
func (k Kind) String() string {
	return [...]string{
		Literal: "literal", Composite: "literal with parameters", Constrained: "constrained parameter", Param: "parameter",
		Dollar: "{$}", InnerCatchAll: "catch-all in the middle", CatchAll: "catch-all",
	}[k]
}
