package pattern

import (
	"slices"

	"github.com/muxwell/muxwell/internal/byteclass"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// If case is ignored, a pattern has its literals in lower case, and paths are compared
// with them in lower case. Only ASCII letters fold, so every text keeps its length and
// values keep their positions. Constraints see the original text.

// Fold brings the literals of the path into lower case.
func (p *Pattern) Fold() {
	folded := make([]Segment, len(p.Segments))
	for i, g := range p.Segments {
		switch g.Kind {
		case Literal:
			g.Text, g.Fold = urlpath.Lower(g.Text), urlpath.HasLetter(g.Text)
		case Composite:
			g.Matcher = g.Matcher.folded()
		}
		folded[i] = g
	}
	if p.Extra == nil {
		p.Extra = new(Extra)
	}
	p.Extra.Written = p.Segments
	p.Segments = folded
	p.SetOrder()
}

// Written returns the segments with their literals in the original case.
func (p *Pattern) Written() []Segment {
	if p.Extra != nil && p.Extra.Written != nil {
		return p.Extra.Written
	}
	return p.Segments
}

// folded returns the matcher with its texts in lower case, whose case is ignored.
func (f *SegmentMatcher) folded() *SegmentMatcher {
	g := *f
	g.Fold = true
	g.Prefix, g.Suffix, g.Between = urlpath.Lower(f.Prefix), urlpath.Lower(f.Suffix), slices.Clone(f.Between)
	for i, text := range g.Between {
		g.Between[i] = urlpath.Lower(text)
	}
	g.SetKey()
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
	text(g.Prefix)
	for i, c := range g.Constraints {
		if i > 0 {
			text(g.Between[i-1])
		}
		parts = append(parts, byteclass.Part{Expr: c.within()})
		g.captures = append(g.captures, captures)
		captures++
	}
	text(g.Suffix)
	if f.Program != nil {
		if program, err := byteclass.Join(parts...); err == nil { // the same without fold was joined before
			g.Program = program
		}
	}
	return &g
}
