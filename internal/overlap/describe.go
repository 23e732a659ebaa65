package overlap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// SameBecause returns why two patterns that are spelled differently are duplicates.
func SameBecause(p, q *pattern.Pattern) string {
	switch {
	case !slices.Equal(expressions(p), expressions(q)):
		return "Different spellings of a regular expression and the names of parameters are ignored."
	case RawHost(p) != RawHost(q) && p.Extra != nil && p.Extra.Host != nil:
		return "The case of hosts, their final dot and the names of parameters are ignored."
	case RawHost(p) != RawHost(q):
		return "The case of hosts, their final dot and their brackets are ignored."
	case p.Text[p.PathAt:] == q.Text[q.PathAt:] && slices.Equal(p.Methods, q.Methods):
		return "Spaces are ignored."
	case p.Text[p.PathAt:] == q.Text[q.PathAt:]:
		return "A method list means one route for each method."
	case p.Last().Kind == pattern.CatchAll && p.Last().Text != q.Last().Text:
		return "A trailing slash is a catch-all, and names are ignored."
	}
	return "Names of parameters and escapes are ignored."
}

// expressions returns the constraints of the pattern as they were written.
func expressions(p *pattern.Pattern) (texts []string) {
	segs := p.Segments
	if f := p.HostPattern(); f != nil {
		segs = slices.Concat(f.Labels, segs)
	}
	for _, g := range segs {
		if g.Matcher == nil {
			continue
		}
		for _, c := range g.Matcher.Constraints {
			texts = append(texts, c.Text)
		}
	}
	return texts
}

// RawHost returns the host of p as it was written.
func RawHost(p *pattern.Pattern) string {
	s := p.Text[:p.PathAt]
	if p.Methods != nil || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") {
		_, s, _ = strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	}
	return strings.TrimLeft(s, " ")
}

// DescribeRivals describes how two segments that overlap are ordered.
func DescribeRivals(g, h pattern.Segment) string {
	switch c := compareMatchers(g, h); {
	case c < 0:
		return fmt.Sprintf("%s takes precedence over %s, though it may be more general", g, h)
	case c > 0:
		return fmt.Sprintf("%s takes precedence over %s, though it may be more general", h, g)
	}
	return fmt.Sprintf("only the order of registration decides between %s and %s", g, h)
}

// Rivals returns the first overlapping segments of p and q for the same place that are
// not ordered so that the more specific one wins.
func Rivals(p, q []pattern.Segment) (g, h pattern.Segment, ok bool) {
	p, q = align(p, q)
	for i := range min(len(p), len(q)) {
		if p[i].Matcher != nil && q[i].Matcher != nil && Segments(p[i], q[i]) == Partial {
			return p[i], q[i], true
		}
	}
	return pattern.Segment{}, pattern.Segment{}, false
}
