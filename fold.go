package muxwell

import (
	"slices"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Under CaseInsensitive the tables hold the literals of patterns in lower case,
// and a path is compared with them as if it were. Only ASCII letters fold, so that
// every text keeps its length and values stand where they stood. What a parameter
// takes is seen as it was sent.

// fold brings the literals of the path into lower case.
func (p *pattern) fold() {
	folded := make([]segment, len(p.segs))
	for i, g := range p.segs {
		switch g.kind {
		case literal:
			g.text, g.fold = urlpath.Lower(g.text), urlpath.HasLetter(g.text)
		case mixed:
			g.form = g.form.folded()
		}
		folded[i] = g
	}
	if p.rare == nil {
		p.rare = new(rare)
	}
	p.rare.written = p.segs
	p.segs = folded
	p.setOrder()
}

// written returns the segments with their literals in the case they were written
// in.
func (p *pattern) written() []segment {
	if p.rare != nil && p.rare.written != nil {
		return p.rare.written
	}
	return p.segs
}

// folded returns the form with its texts in lower case, which takes them in either
// case.
func (f *form) folded() *form {
	g := *f
	g.fold = true
	g.prefix, g.suffix, g.between = urlpath.Lower(f.prefix), urlpath.Lower(f.suffix), slices.Clone(f.between)
	for i, text := range g.between {
		g.between[i] = urlpath.Lower(text)
	}
	g.setKey()
	var parts []byteclass.Part
	captures := 0
	text := func(s string) {
		for i := range len(s) {
			if c := s[i]; c-'a' < 26 {
				parts = append(parts, byteclass.Part{Expr: "[" + string(c) + string(c-'a'+'A') + "]"})
				captures++
			} else {
				parts = append(parts, byteclass.Part{Text: s[i : i+1]})
			}
		}
	}
	g.captures = nil
	text(g.prefix)
	for i, c := range g.constraints {
		if i > 0 {
			text(g.between[i-1])
		}
		parts = append(parts, byteclass.Part{Expr: c.within()})
		g.captures = append(g.captures, captures)
		captures++
	}
	text(g.suffix)
	if f.program != nil {
		if program, err := byteclass.Join(parts...); err == nil { // the same without fold was joined before
			g.program = program
		}
	}
	return &g
}
