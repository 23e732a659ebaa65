package overlap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// SameBecause says why two patterns that are spelt differently are duplicates.
func SameBecause(p, q *pattern.Pattern) string {
	switch {
	case !slices.Equal(expressions(p), expressions(q)):
		return "Spellings of one regular expression do not tell patterns apart, nor do names of parameters."
	case RawHost(p) != RawHost(q) && p.Extra != nil && p.Extra.Host != nil:
		return "Hosts are compared without case, final dot and the names of parameters."
	case RawHost(p) != RawHost(q):
		return "Hosts are compared without case, final dot and brackets."
	case p.Text[p.PathAt:] == q.Text[q.PathAt:] && slices.Equal(p.Methods, q.Methods):
		return "Blanks do not count."
	case p.Text[p.PathAt:] == q.Text[q.PathAt:]:
		return "A method list stands for one route a method."
	case p.Last().Kind == pattern.CatchAll && p.Last().Text != q.Last().Text:
		return "A trailing slash is a catch-all, and names do not tell patterns apart."
	}
	return "Names of parameters and escapes do not tell patterns apart."
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

// DescribeRivals says how two segments are ordered that overlap.
func DescribeRivals(g, h pattern.Segment) string {
	switch c := compareMatchers(g, h); {
	case c < 0:
		return fmt.Sprintf("%s goes before %s, though it may be more general", g, h)
	case c > 0:
		return fmt.Sprintf("%s goes before %s, though it may be more general", h, g)
	}
	return fmt.Sprintf("only the order of registration says which of %s and %s goes first", g, h)
}

// Rivals returns the first segments of p and q for the same place that overlap
// although no rule about what is written puts the more specific one first.
func Rivals(p, q []pattern.Segment) (g, h pattern.Segment, ok bool) {
	p, q = align(p, q)
	for i := range min(len(p), len(q)) {
		if p[i].Matcher != nil && q[i].Matcher != nil && Segments(p[i], q[i]) == Partial {
			return p[i], q[i], true
		}
	}
	return pattern.Segment{}, pattern.Segment{}, false
}
