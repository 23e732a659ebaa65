package pattern

import (
	"cmp"
	"errors"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/excerpt"
)

// A part is a part of a segment as written: text, or a parameter.
type part struct {
	text       string // literal text; "" for a parameter
	name       string // without "..."
	catchAll   bool   // {name...}
	constraint Constraint
	at         int // where in the pattern it begins
	colon      int // where its constraint's text begins
}

// A parser parses the segments of a path and the labels of a host in the text of a
// pattern.
type parser struct {
	Rules
	s     string
	stop  byte // what ends a segment: '.' in the host, '/' in the path, noStop in a query
	seen  nameSet
	space [3]part // for most segments
}

// noStop is the stop of a template, which is one segment: no text has it.
const noStop = 0

func (ps *parser) fail(offset int, format string, args ...any) *Error {
	return Errorf(ps.s, offset, format, args...)
}

// parts parses the parts from off on, up to limit or to a stop that is outside of
// braces, and returns that position. The parts are valid until the next call.
func (ps *parser) parts(off, limit int) (parts []part, next int, err *Error) {
	s := ps.s[:limit]
	parts = ps.space[:0]
	for i := off; ; {
		if i == limit || s[i] == ps.stop {
			return parts, i, nil
		}
		if s[i] != '{' {
			from := i
			for i < limit && s[i] != ps.stop && s[i] != '{' {
				i++
			}
			parts = append(parts, part{text: s[from:i], at: from})
			continue
		}
		p, closing, err := ps.parameter(i, limit)
		if err != nil {
			return nil, 0, err
		}
		if n := len(parts); n > 0 && parts[n-1].inSegment() && p.inSegment() {
			return nil, 0, ps.noTextBetween(s[parts[n-1].at:i], s[i:closing+1], i)
		}
		parts = append(parts, p)
		i = closing + 1
	}
}

// noTextBetween returns the error for two parameters next to each other. The second one
// begins at off.
func (ps *parser) noTextBetween(first, second string, off int) *Error {
	const reason = "two parameters need text between them, which marks the end of the first one; write %q"
	if ps.stop == noStop {
		return ps.fail(off, reason, first+"-"+second)
	}
	return ps.fail(off, reason+" or %q", first+"-"+second, first+string(ps.stop)+second)
}

// parameter parses the parameter whose brace opens at open, and returns the position of
// its closing brace.
func (ps *parser) parameter(open, limit int) (p part, closing int, err *Error) {
	s := ps.s[:limit]
	p.at = open
	if strings.IndexByte(s[open:], '}') < 0 {
		switch ps.stop {
		case '.':
			return p, 0, ps.fail(open, "'{' is never closed; a parameter in a host is written {name}")
		case noStop:
			return p, 0, ps.fail(open, `'{' is never closed; add the '}', or for the character itself write {x:\{}`)
		}
		return p, 0, ps.fail(open, "'{' is never closed; add the '}', or for the character itself write %%7B")
	}
	name := s[open+1:]
	name = name[:strings.IndexAny(name, "{}:/")]
	closing = open + 1 + len(name)
	if s[closing] == ':' {
		p.colon = closing + 1
		if closing = ClosingBrace(s, p.colon); closing < 0 {
			return p, 0, ps.fail(open, `'{' is never closed; in a regular expression write \{ and \} for braces that do not belong together`)
		}
	} else if s[closing] != '}' {
		name = s[open+1 : closing+1] // badName returns what is wrong with it
	}
	if name == "$" && p.colon == 0 {
		p.name = name
		return p, closing, nil
	}
	base, catchAll := strings.CutSuffix(name, "...")
	if base == "" && !catchAll && p.colon > 0 {
		return p, 0, ps.fail(open+1, "the parameter has no name; write %q", "{id"+s[p.colon-1:closing+1])
	}
	if reason, at := badName(base); reason != "" {
		return p, 0, ps.fail(open+1+at, "%s", reason)
	}
	if ps.seen.add(base); ps.seen.twice {
		return p, 0, ps.fail(open+1, "duplicate parameter name %q; names must be unique in a pattern", base)
	}
	p.name, p.catchAll = base, catchAll
	if p.colon == 0 {
		return p, closing, nil
	}
	if catchAll {
		return p, 0, ps.fail(p.colon-1, "a catch-all cannot have a constraint; omit it, and check the value in the handler")
	}
	c, reason, at := ps.FindConstraint(s[p.colon:closing])
	if reason != "" && constraint.Find(base) != nil && constraint.IsName(c.Text) {
		return p, 0, ps.fail(p.colon, "unknown constraint %s; the name of a parameter comes first, write %q", c.Text, "{"+c.Text+":"+base+"}")
	}
	if reason != "" {
		return p, 0, ps.fail(p.colon+at, "%s", reason)
	}
	if ps.stop == '.' && c.isUpper() {
		return p, 0, ps.fail(p.colon, "hosts are compared in lower case, so this matches nothing; write it in lower case")
	}
	p.constraint = c
	return p, closing, nil
}

// inSegment reports whether the part is a parameter that may be in a segment with
// others.
func (p *part) inSegment() bool { return p.text == "" && p.name != "$" && !p.catchAll }

// parameterStop returns the position of the closing brace of the parameter whose brace
// opens at open, or -1. Only after a colon do braces balance and backslashes escape:
// for ServeMux "{a\}" is the parameter with the name a\.
func parameterStop(s string, open int) int {
	i := strings.IndexAny(s[open+1:], "}:")
	if i < 0 {
		return -1
	}
	if i += open + 1; s[i] == ':' {
		return ClosingBrace(s, i+1)
	}
	return i
}

// ClosingBrace returns the position of the brace that closes one opened before i, or -1.
// Braces in between balance; a backslash escapes what follows it.
func ClosingBrace(s string, i int) int {
	for depth := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// badName returns why name is not a valid parameter name, and the offset in name, or
// "".
func badName(name string) (reason string, at int) {
	if name == "" {
		return "the parameter has no name; write {id}, or {path...} for a catch-all", 0
	}
	if name == "$" {
		return "{$} is the end of a path, not a parameter; it cannot have dots or a constraint", 0
	}
	if base, ok := strings.CutSuffix(name, "..."); ok {
		return `"..." cannot end a parameter's name`, len(base)
	}
	if i := strings.IndexAny(name, "{/"); i >= 0 {
		return strconv.Quote(name[i:i+1]) + " is not allowed in a parameter's name", i
	}
	return foreignName(name)
}

// foreignName returns why a name that has a meaning in other routers is rejected, and
// the offset in name, or "".
func foreignName(name string) (reason string, at int) {
	last := len(name) - 1
	before, _, _ := strings.Cut(name, "=")
	switch {
	case name[0] == '*' || name[last] == '*' || name[last] == '+':
		at = last
		if name[0] == '*' {
			at = 0
		}
		return "for the rest of a path write " + strconv.Quote("{"+excerpt.Abridge(cmp.Or(strings.Trim(name, "*+"), "path"))+"...}"), at
	case name[last] == '?':
		return "optional parameters are not supported; " + writeParameter(strings.TrimRight(name, "?")), last
	case constraint.IsName(before) && len(before) < len(name):
		return "default values are not supported; " + writeParameter(before), len(before)
	case name[0] == ' ' || name[0] == '\t':
		return "space before a parameter's name; remove it", 0
	case name[last] == ' ' || name[last] == '\t':
		return "space after a parameter's name; remove it", last
	}
	return "", 0
}

// writeParameter returns what to write for a parameter that may be missing.
func writeParameter(name string) string {
	return "write " + strconv.Quote("{"+excerpt.Abridge(cmp.Or(name, "id"))+"}") + ", and register the path without it too"
}

// segment makes a segment from its parts. Their literal text is as written; text
// returns what a request has instead.
func (ps *parser) segment(parts []part, text func(string) string) (Segment, *Error) {
	if len(parts) == 0 {
		return Segment{}, nil
	}
	p := &parts[0]
	if len(parts) > 1 {
		return ps.composite(parts, text)
	}
	switch {
	case p.text != "":
		return Segment{Kind: Literal, Text: text(p.text)}, nil
	case p.name == "$":
		return Segment{Kind: Dollar}, nil
	case p.catchAll:
		return Segment{Kind: CatchAll, Text: p.name}, nil
	case p.constraint.Text == "":
		return Segment{Kind: Param, Text: p.name}, nil
	}
	c := p.constraint
	return Segment{Kind: Constrained, Text: p.name, Matcher: &SegmentMatcher{
		Key: keyOfPart(p), Names: []string{p.name}, Constraints: []Constraint{c}, Check: c.Check,
	}}, nil
}

// composite makes a segment from text and parameters.
func (ps *parser) composite(parts []part, text func(string) string) (Segment, *Error) {
	f := &SegmentMatcher{}
	var program []byteclass.Part
	for i := range parts {
		p := &parts[i]
		switch {
		case p.text != "":
			p.text = text(p.text)
			f.addText(p.text, i == len(parts)-1)
			program = append(program, byteclass.Part{Text: p.text})
		case p.name == "$" || p.catchAll:
			return Segment{}, ps.notWhole(parts, i)
		default:
			f.Names = append(f.Names, p.name)
			f.Constraints = append(f.Constraints, p.constraint)
			program = append(program, byteclass.Part{Expr: p.constraint.within()})
		}
	}
	f.SetKey()
	if len(f.Names) == 1 {
		f.Check = f.Constraints[0].Check
	} else if f.ConstraintCount() > 0 {
		if err := ps.join(f, parts, program); err != nil {
			return Segment{}, err
		}
	}
	return Segment{Kind: Composite, Matcher: f}, nil
}

// notWhole returns the error for parts[i], a catch-all or {$} that is not alone in
// its segment.
func (ps *parser) notWhole(parts []part, i int) *Error {
	what, whole, after := "{$}", "segment", "a '/' or the end"
	if parts[i].catchAll {
		what = "a catch-all"
	}
	switch ps.stop {
	case noStop:
		return ps.fail(parts[i].at, "%s must be a whole template; omit the dots, or the text next to it", what)
	case '.':
		whole, after = "label", "a '.' or the end of the host"
	}
	if i > 0 {
		return ps.fail(parts[i].at, "%s must be a whole %s: put a '%c' before it", what, whole, ps.stop)
	}
	return ps.fail(parts[1].at, "%s must be a whole %s: %s must follow its '}'", what, whole, after)
}

// join combines several parameters, at least one of which is constrained, and their
// parts into one program.
func (ps *parser) join(f *SegmentMatcher, parts []part, of []byteclass.Part) *Error {
	for i := range parts {
		switch p := &parts[i]; {
		case p.constraint.Check != nil && p.constraint.Expr == "":
			return ps.fail(p.colon, "a constraint that is a function needs a segment with no other parameter; %s", ps.apart())
		case p.constraint.Around:
			return ps.fail(p.colon, "an expression with ^, $ or \\b needs a segment with no other parameter; omit these, since the whole value is matched anyway")
		case p.constraint.Expr != "" && p.constraint.Check(""):
			return ps.fail(p.colon, "an expression that matches the empty text needs a segment with no other parameter, since values are not empty; write + instead of *, and omit a ? after the whole")
		}
	}
	if ps.Lenient {
		return nil
	}
	program, err := byteclass.Join(of...)
	if _, ok := errors.AsType[*syntax.Error](err); ok {
		at := slices.IndexFunc(parts, func(p part) bool { return p.constraint.Text != "" })
		return ps.fail(parts[at].colon, "%s", RegexpReason(err))
	}
	if err != nil {
		at := slices.IndexFunc(parts, func(p part) bool { return strings.ContainsRune(p.text, utf8.RuneError) })
		return ps.fail(parts[max(at, 0)].at, "text that is not valid UTF-8, or has U+FFFD, cannot be next to an expression that needs package regexp; %s", ps.apart())
	}
	f.Program = program
	return nil
}

// apart returns how to fix parts that cannot be in one segment.
func (ps *parser) apart() string {
	const check = "check the value in the handler"
	if ps.stop == noStop {
		return check
	}
	return "put a '" + string(ps.stop) + "' between them, or " + check
}

// addText adds literal text to the matcher, which already has the parameters before it.
func (f *SegmentMatcher) addText(text string, last bool) {
	f.Literals += len(text)
	switch {
	case len(f.Names) == 0:
		f.Prefix = text
	case last:
		f.Suffix = text
	default:
		f.Between = append(f.Between, text)
	}
}

// within returns an expression for the constraint's parameter in a segment with others.
// It matches the shortest text, or what its author's expression prefers.
func (c *Constraint) within() string {
	switch {
	case c.Text == "":
		return `(?s:.+?)`
	case constraint.IsName(c.Text):
		return `(?U:` + c.Expr + `)`
	}
	return c.Expr
}

// keyOfPart returns a key for a part without its name. The keys of the parts of two
// segments are equal only if the parts are.
func keyOfPart(p *part) string {
	if p.text != "" {
		return strconv.Itoa(len(p.text)) + "=" + p.text
	}
	return strconv.Itoa(len(p.constraint.Key)) + ":" + p.constraint.Key
}

// ParseTemplate parses a template for a query's value:
//
//	template = 1*( text | parameter ) | "{" name "...}"    no two parameters next to each other
//
// Parameters are those of a pattern; see [Parse]. Their names must not be in taken.
// Errors are of type *Error.
func ParseTemplate(template string, r Rules, taken []string) (Segment, error) {
	ps := &parser{Rules: r, s: template, stop: noStop}
	for _, name := range taken {
		ps.seen.add(name)
	}
	parts, next, err := ps.parts(0, len(template))
	if err != nil {
		return Segment{}, err
	}
	if next < len(template) {
		return Segment{}, ps.fail(next, `a NUL byte in the text; write it as a parameter, {x:\x00}`)
	}
	if i := slices.IndexFunc(parts, func(p part) bool { return p.name == "$" }); i >= 0 {
		return Segment{}, ps.fail(parts[i].at, "{$} is the end of a path; a template always matches the whole value")
	}
	g, err := ps.segment(parts, func(text string) string { return text })
	if err != nil {
		return Segment{}, err
	}
	return g, nil
}
