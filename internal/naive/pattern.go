// Package naive is the reference that tests compare the router with. It is made
// from the rules in the documentation of package muxwell and knows nothing of its
// code, except the expressions of the built-in constraints: every route is looked
// at, and the best of those that match wins.
//
// It knows paths and methods. Hosts, matchers, mounts and options are the business
// of the tests that use it.
package naive

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/constraint"
)

// A Pattern is a pattern without host.
type Pattern struct {
	Text     string
	Methods  []string // nil for every method
	Segments []Segment
}

// A Segment is one segment of a pattern.
type Segment struct {
	Kind  Kind
	Text  string // of a Literal, unescaped
	Name  string // of a Param or a catch-all; "" for a final slash
	Parts []Part // of Mixed and Constrained
}

// A Kind orders segments: of two, the smaller one wins.
type Kind uint8

const (
	Literal       Kind = iota
	Mixed              // text and parameters
	Constrained        // {x:int}
	Param              // {x}
	Dollar             // {$}
	InnerCatchAll      // {x...} with more after it
	CatchAll           // {x...} at the end, or a final slash
)

// A Part is a part of a segment: a text, or a parameter.
type Part struct {
	Text       string // of a text, unescaped
	Name       string
	Param      bool
	Constraint string            // as written, "" for none
	Key        string            // identifies it
	Expr       string            // its regular expression, "" if it is a function
	Check      func(string) bool // the function
}

// Parse returns the pattern that a text is. It checks nothing but braces.
func Parse(text string) (*Pattern, error) {
	p := &Pattern{Text: text}
	path := text
	if methods, rest, ok := strings.Cut(text, " "); ok {
		p.Methods, path = strings.Split(methods, ","), rest
	}
	path, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil, fmt.Errorf("naive: pattern %q: no path, or a host", text)
	}
	var err error
	for more := true; more; {
		var segment string
		segment, path, more = cutSegment(path)
		var g Segment
		if g, err = parseSegment(segment, !more); err != nil {
			return nil, fmt.Errorf("naive: pattern %q: %w", text, err)
		}
		p.Segments = append(p.Segments, g)
	}
	return p, nil
}

// cutSegment cuts a path at its first slash that is not in braces.
func cutSegment(path string) (segment, rest string, more bool) {
	depth := 0
	for i, c := range path {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		case '/':
			if depth == 0 {
				return path[:i], path[i+1:], true
			}
		}
	}
	return path, "", false
}

func parseSegment(text string, last bool) (Segment, error) {
	switch {
	case text == "" && last:
		return Segment{Kind: CatchAll}, nil
	case text == "{$}":
		return Segment{Kind: Dollar}, nil
	}
	var parts []Part
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open != 0 {
			if open < 0 {
				open = len(text)
			}
			parts = append(parts, Part{Text: Unescape(text[:open])})
			text = text[open:]
			continue
		}
		end, depth := 0, 0
		for i, c := range text {
			if c == '{' {
				depth++
			} else if c == '}' {
				depth--
			}
			if depth == 0 {
				end = i
				break
			}
		}
		if end == 0 {
			return Segment{}, fmt.Errorf("segment %q: a brace is not closed", text)
		}
		name, written, _ := strings.Cut(text[1:end], ":")
		expr := written
		if b := constraint.Find(written); b != nil {
			expr = b.Expr
		}
		parts = append(parts, Part{Name: name, Param: true, Constraint: written, Key: written, Expr: expr})
		text = text[end+1:]
	}
	name, catchAll := "", false
	if len(parts) == 1 && parts[0].Param {
		name, catchAll = strings.CutSuffix(parts[0].Name, "...")
	}
	switch {
	case len(parts) == 0:
		return Segment{Kind: Literal}, nil
	case catchAll && last:
		return Segment{Kind: CatchAll, Name: name}, nil
	case catchAll:
		return Segment{Kind: InnerCatchAll, Name: name}, nil
	case len(parts) > 1:
		return Segment{Kind: Mixed, Parts: parts}, nil
	case !parts[0].Param:
		return Segment{Kind: Literal, Text: parts[0].Text}, nil
	case parts[0].Constraint != "":
		return Segment{Kind: Constrained, Parts: parts}, nil
	}
	return Segment{Kind: Param, Name: name}, nil
}

// Names returns the names of the parameters from left to right.
func (p *Pattern) Names() (names []string) {
	for _, g := range p.Segments {
		if g.Name != "" {
			names = append(names, g.Name)
		}
		for _, part := range g.Parts {
			if part.Param {
				names = append(names, part.Name)
			}
		}
	}
	return names
}

// Same reports whether two segments match the same texts and so have the same
// place in the order: they differ in names at most.
func (g Segment) Same(h Segment) bool {
	return g.Kind == h.Kind && g.Text == h.Text && slices.EqualFunc(g.Parts, h.Parts, func(p, q Part) bool {
		return p.Text == q.Text && p.Param == q.Param && p.Key == q.Key
	})
}

// Duplicates reports whether two patterns are the same except for names.
func (p *Pattern) Duplicates(q *Pattern) bool {
	common := len(p.Methods) == 0 && len(q.Methods) == 0
	for _, m := range p.Methods {
		common = common || slices.Contains(q.Methods, m)
	}
	return common && slices.EqualFunc(p.Segments, q.Segments, Segment.Same)
}

// Unescape returns a text with its escapes replaced, or as it is if one of them is
// invalid.
func Unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
