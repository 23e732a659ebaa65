// Package foreign recognizes parameters and methods in the syntax of other routers, in
// patterns that are valid here but mean something else.
//
//	get /x                         GET /x
//	/users/:id                     /users/{id}
//	/users/:id?                    /users/{id}
//	/users/:id([0-9]+)             /users/{id:[0-9]+}
//	/files/*   /files/*path        /files/{path...}
//	/users/<id>   /users/<int:id>  /users/{id}   /users/{id:int}
//	/users/:id(.:format)           /users/{id}
//
// To http.ServeMux what is on the left is literal text, or a method of its own, so it is
// not refused. A segment counts if it begins with such a parameter, or ends with
// (.:format), and all of it can be read. So there is no hint for /jobs/{id}:cancel,
// /v1/users:batchGet, /a*b and /:smile:. There is none either if the first byte is
// escaped, as in /users/%3Aid.
//
// The package knows patterns, not routes. A pattern that it proposes is valid, and there
// is no hint for it.
package foreign

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A Hint says what a pattern may be meant to be.
type Hint struct {
	Offset  int    // the byte in the pattern's text at which the syntax of another router begins
	Instead string // the pattern to write; "" if the other syntax says what no valid pattern does
	Reason  string // what the text is here, and what to write instead
}

// Find returns the hint for a pattern that was parsed by some rules, and whether there
// is one. If there is more than one reason, the hint has the first one, and Instead
// has none of them.
func Find(p *pattern.Pattern, r pattern.Rules) (h Hint, ok bool) {
	t := translation{rules: r, names: p.Names()}
	var b strings.Builder
	b.WriteString(t.methods(p))
	for off := p.PathAt; off < len(p.Text); {
		off++
		end := pattern.SegmentEnd(p.Text, off)
		b.WriteString("/" + t.segment(p.Text[off:end], off, end == len(p.Text)))
		off = end
	}
	if t.text == "" {
		return Hint{}, false
	}
	h = Hint{Offset: t.offset, Instead: b.String()}
	write := h.Instead
	if _, err := pattern.Parse(h.Instead, r); err != nil {
		h.Instead, write = "", t.first
	}
	h.Reason = pattern.Errorf("", 0, t.reason+" %q", t.text, write).Reason + strings.Join(t.notes, "")
	return h, true
}

// A translation is a pattern that is being read.
type translation struct {
	rules pattern.Rules
	names []string // that the pattern's parameters have, those of other routers too

	// The first thing that is found:
	offset int    // where it begins
	text   string // what it is; "" while there is none
	first  string // what to write instead of it
	reason string // a format for text and what to write

	notes []string // what is lost, for the end of the reason
}

// found notes what was found.
func (t *translation) found(offset int, text, first, reason string) {
	if t.text == "" {
		t.offset, t.text, t.first, t.reason = offset, text, first, reason
	}
}

func (t *translation) note(text string) {
	if !slices.Contains(t.notes, text) {
		t.notes = append(t.notes, text)
	}
}

// knownMethods are the methods that no other one should be read as in lower case.
var knownMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE", "QUERY"}

// methods returns what is in front of the path, with the methods in upper case.
func (t *translation) methods(p *pattern.Pattern) string {
	before := p.Text[:p.PathAt]
	list := strings.Join(p.Methods, ",")
	if p.Methods == nil || !strings.HasPrefix(before, list) {
		return before
	}
	var methods []string
	off := 0
	for _, m := range p.Methods {
		upper := strings.ToUpper(m)
		if upper == m || !slices.Contains(knownMethods, upper) {
			upper = m
		} else {
			t.found(off, m, upper, "%q is a method of its own, since methods are case-sensitive; write")
		}
		if !slices.Contains(methods, upper) {
			methods = append(methods, upper)
		}
		off += len(m) + len(",")
	}
	return strings.Join(methods, ",") + before[len(list):]
}

const (
	forParameter = "%q is literal text; for a parameter write"
	forRest      = "%q is literal text; for the rest of the path write"
	forSegments  = "%q is literal text; for one or more segments write"
	forSegment   = "%q is literal text; for any one segment write"
	forNothing   = "%q is literal text, since nothing in a path is optional; write"
)

// segment returns what to write for the segment that begins at an offset, which is the
// segment itself if there is no hint for it.
func (t *translation) segment(seg string, offset int, last bool) string {
	text, format := cutFormat(seg)
	reason := forParameter
	if format != "" {
		reason = forNothing
	}
	before, notes := len(t.names), len(t.notes)
	translated, ok := t.read(text, last)
	switch {
	case ok && strings.HasSuffix(translated, "...}") && last:
		reason = forRest
	case ok && strings.HasSuffix(translated, "...}"):
		reason = forSegments
	case ok && text == "*":
		reason = forSegment
	case !ok && format == "":
		t.names, t.notes = t.names[:before], t.notes[:notes]
		return seg
	case !ok:
		t.names, t.notes = t.names[:before], t.notes[:notes]
		translated = text
	}
	if format != "" {
		t.note(", and register the path with " + excerpt.Abridge(format) + " at its end too")
	}
	t.found(offset, seg, translated, reason)
	return translated
}

// cutFormat cuts what is optional in Ruby on Rails off the end of a segment, and returns
// it as it is written here: "users(.:format)" is "users" and ".{format}".
func cutFormat(seg string) (text, format string) {
	for {
		before, group, ok := strings.Cut(seg, "(.:")
		name := identifier(group)
		if !ok || before == "" || name == "" || group != name+")" {
			return seg, format
		}
		seg, format = before, ".{"+name+"}"
	}
}

// read returns what to write for a segment without what is optional, and whether there
// is something else to write.
func (t *translation) read(seg string, last bool) (string, bool) {
	switch {
	case seg == "*" && !last:
		return "{" + t.unused("name", "segment") + "}", true
	case seg == "*" || seg == "**":
		return "{" + t.unused("path", "rest") + "...}", true
	case strings.HasPrefix(seg, "*"):
		name := identifier(seg[1:])
		t.names = append(t.names, name)
		return "{" + name + "...}", name != "" && len(seg) == 1+len(name)
	}
	return t.parameters(seg)
}

// unused returns the first name that no parameter has, or the last one.
func (t *translation) unused(names ...string) string {
	name := names[len(names)-1]
	if i := slices.IndexFunc(names, func(s string) bool { return !slices.Contains(t.names, s) }); i >= 0 {
		name = names[i]
	}
	t.names = append(t.names, name)
	return name
}

// parameters is read for a segment that begins with a parameter and may have text and
// more parameters after it, as :from-:to.
func (t *translation) parameters(seg string) (string, bool) {
	if seg == "" || seg[0] != ':' && seg[0] != '<' {
		return "", false
	}
	var b strings.Builder
	text := true // in front of i
	for i := 0; i < len(seg); {
		if !strings.ContainsRune(":<", rune(seg[i])) {
			if strings.IndexByte(">()[]{}*?+%", seg[i]) >= 0 {
				return "", false
			}
			b.WriteByte(seg[i])
			text = true
			i++
			continue
		}
		param, size := t.named(seg[i:])
		if seg[i] == '<' {
			param, size = t.bracketed(seg[i:])
		}
		whole := i == 0 && size == len(seg)
		if size == 0 || !text || !whole && strings.HasSuffix(param, "...}") {
			return "", false
		}
		b.WriteString(param)
		text = false
		i += size
	}
	return b.String(), true
}

// named returns what to write for the parameter that a text begins with, :id, and its
// size, or 0.
func (t *translation) named(s string) (param string, size int) {
	name := identifier(s[1:])
	if name == "" {
		return "", 0
	}
	t.names = append(t.names, name)
	size = 1 + len(name)
	rule := ""
	switch rest := s[size:]; {
	case strings.HasPrefix(rest, "("):
		end := closing(rest)
		if end < 0 {
			return "", 0
		}
		rule = ":" + rest[1:end]
		size += end + 1
	case strings.HasPrefix(rest, "<"):
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			return "", 0
		}
		rule = t.constraint(rest[1:end])
		size += end + 1
	}
	switch s[size:] {
	case "?":
		t.note(", and register the path without {" + excerpt.Abridge(name) + "} too")
		return "{" + name + rule + "}", size + 1
	case "*", "+":
		return "{" + name + "...}", size + 1
	}
	return "{" + name + rule + "}", size
}

// bracketed returns what to write for the parameter that a text begins with, <id>,
// <int:id> or <path..>, and its size, or 0.
func (t *translation) bracketed(s string) (param string, size int) {
	end := strings.IndexByte(s, '>')
	if end < 0 {
		return "", 0
	}
	converter, name := "", s[1:end]
	if i := strings.LastIndexByte(name, ':'); i > 0 {
		converter, name = name[:i], name[i+1:]
	}
	name, rest := strings.CutSuffix(name, "..")
	if name == "" || identifier(name) != name {
		return "", 0
	}
	t.names = append(t.names, name)
	rule := t.constraint(converter)
	if rest || rule == "..." {
		return "{" + name + "...}", end + 1
	}
	return "{" + name + rule + "}", end + 1
}

// constraint returns the constraint, with its colon, that is meant by a name in another
// router; "" if there is none, and "..." if a catch-all is meant.
func (t *translation) constraint(name string) string {
	if name == "" || t.isConstraint(name) {
		return strings.TrimSuffix(":"+name, ":")
	}
	alias, ok := pattern.Alias(name)
	switch {
	case !ok:
		t.note("; unknown constraint " + excerpt.Abridge(name))
	case t.isConstraint(alias):
		return ":" + alias
	}
	return alias
}

// isConstraint reports whether a constraint has the name.
func (t *translation) isConstraint(name string) bool {
	if !constraint.IsName(name) {
		return false
	}
	_, reason, _ := t.rules.FindConstraint(name)
	return reason == ""
}

// identifier returns the letters, digits and underscores that a text begins with, without
// a digit in front, and the hyphens between them.
func identifier(s string) string {
	n := 0
	for i, r := range s {
		switch {
		case r == '_' || unicode.IsLetter(r) || n > 0 && unicode.IsDigit(r):
			n = i + utf8.RuneLen(r)
		case r != '-' || n == 0:
			return s[:n]
		}
	}
	return s[:n]
}

// closing returns where the parenthesis closes that a text begins with, or -1.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
