package overlap

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Errors and reports show paths that patterns match. The texts for their segments are
// found by treating constraints as sets of strings. A constraint that is a function is
// tried with a few likely texts.

// candidates are texts that constraints are likely to match.
var candidates = []string{
	"x", "1", "a", "0", "abc", "42", "123", "a1", "A", "en", "test", "x-y", "2006-01-02", "10.0.0.1",
	"123e4567-e89b-42d3-a456-426614174000", "v1", "1.2", "true", "us-east-1", "golang",
}

// Find returns a text that all segments of in match, and none of out, with what is
// known about it. None of them is a catch-all. The text is not empty.
func Find(in, out []pattern.Segment) (text string, answer language.Answer) {
	fits := func(text string) bool {
		return text != "" && !urlpath.IsDots(text) &&
			!slices.ContainsFunc(in, func(g pattern.Segment) bool { return !g.Matches(text) }) &&
			!slices.ContainsFunc(out, func(g pattern.Segment) bool { return g.Matches(text) })
	}
	for _, g := range in {
		for _, hint := range Hints(g) {
			if fits(hint) {
				return hint, language.Found
			}
		}
	}
	// A set may be larger than what its segment takes, but those of out are not:
	// that none is left holds for what the segments take then.
	text, answer = language.Find(sets(in, false), sets(out, true))
	if answer == language.None {
		return "", language.None
	}
	for _, text := range append([]string{text}, candidates...) {
		if fits(text) {
			return text, language.Found
		}
	}
	return "", language.Unknown
}

// sets returns the segments as sets of texts. If exact is set, segments are left out
// for which only a larger set is known.
func sets(segs []pattern.Segment, exact bool) (sets []*language.Set) {
	for _, g := range segs {
		if set, known := segmentSet(g); known || !exact {
			sets = append(sets, set)
		}
	}
	return sets
}

// segmentSet returns the texts that a segment matches, and whether it matches all of
// them.
func segmentSet(g pattern.Segment) (set *language.Set, exact bool) {
	switch g.Kind {
	case pattern.Literal:
		return textSet(g.Text, g.Fold), true
	case pattern.Dollar:
		return language.Text(""), true
	case pattern.Composite, pattern.Constrained:
		return matcherSet(g.Matcher)
	}
	return language.Any(), true
}

// matcherSet returns the texts that the matcher matches, and whether it matches all of
// them: the texts of a function are unknown, and an expression may match the empty
// text, which is never a value.
func matcherSet(f *pattern.SegmentMatcher) (set *language.Set, exact bool) {
	parts := []*language.Set{textSet(f.Prefix, f.Fold)}
	exact = true
	for i, c := range f.Constraints {
		if i > 0 {
			parts = append(parts, textSet(f.Between[i-1], f.Fold))
		}
		part, known := constraintSet(&c)
		exact = exact && known && (f.Literals == 0 || !part.Has(""))
		parts = append(parts, part)
	}
	return language.Concat(append(parts, textSet(f.Suffix, f.Fold))...), exact
}

// upperFolded returns the text of a literal in upper case, if its case is ignored.
func upperFolded(g pattern.Segment) string {
	if !g.Fold {
		return g.Text
	}
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, g.Text)
}

// textSet returns the set of a text or, if fold is set and the text is in lower case,
// of its spellings.
func textSet(text string, fold bool) *language.Set {
	if !fold {
		return language.Text(text)
	}
	var expr strings.Builder
	for _, r := range text {
		if 'a' <= r && r <= 'z' {
			expr.WriteString("[" + string(r) + string(r-'a'+'A') + "]")
		} else {
			expr.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	set, err := language.New(expr.String())
	if err != nil || !utf8.ValidString(text) {
		return language.Text(text) // bytes that no expression matches
	}
	return set
}

// constraintSet returns the texts that the constraint matches, or all texts if they are
// unknown.
func constraintSet(c *pattern.Constraint) (set *language.Set, known bool) {
	if c.Expr != "" {
		if set, err := language.New(c.Expr); err == nil {
			return set, true
		}
	}
	return language.Any(), c.Text == ""
}

// Hints returns texts that a reader recognizes as the segment's: the names of
// parameters in their places, and the same with one more letter.
func Hints(g pattern.Segment) []string {
	if g.Kind == pattern.Literal {
		return []string{g.Text, upperFolded(g)}
	}
	names := []string{g.Text}
	if g.Matcher != nil {
		names = g.Matcher.Names
	}
	return []string{filled(g, names, ""), filled(g, names, "x")}
}

// filled returns the segment with names, and more after each, instead of its
// parameters.
func filled(g pattern.Segment, names []string, more string) string {
	vals := make([]string, len(names))
	for i, name := range names {
		if urlpath.IsDots(name) || name == "" {
			name = "x"
		}
		vals[i] = name + more
	}
	if g.Matcher == nil {
		return vals[0]
	}
	return g.Matcher.Join(vals)
}

// Text returns a text that a segment matches, and whether it is known to.
func Text(g pattern.Segment) (text string, ok bool) {
	text, answer := Find([]pattern.Segment{g}, nil)
	if answer == language.Found {
		return text, true
	}
	return Hints(g)[0], false
}

// both returns a text that two segments match, which are not catch-alls and not the
// end, and whether it is known to match.
func both(g, h pattern.Segment) (text string, ok bool) {
	text, answer := Find([]pattern.Segment{h, g}, nil)
	if answer == language.Found {
		return text, true
	}
	text, _ = Text(g)
	return text, false
}

// Common returns a path that both p and q match, which must not be disjoint, and
// whether it is known to match.
func Common(p, q []pattern.Segment) (path string, ok bool) {
	p, q = align(p, q)
	var b strings.Builder
	ok = true
	for i := range max(len(p), len(q)) {
		g, h := pattern.Segment{Kind: pattern.CatchAll}, pattern.Segment{Kind: pattern.CatchAll}
		if i < len(p) {
			g = p[i]
		}
		if i < len(q) {
			h = q[i]
		}
		if g.Kind == pattern.CatchAll {
			g = h // matches whatever the other one does
		}
		if h.Kind == pattern.CatchAll {
			h = g
		}
		ok = writeCommon(&b, g, h) && ok
	}
	return b.String(), ok
}

// align returns the segments of the shortest paths that both p and q match.
func align(p, q []pattern.Segment) (ps, qs []pattern.Segment) {
	if !hasMiddle(p) && !hasMiddle(q) {
		return p, q
	}
	for n := len(p); n <= len(p)+len(q)+1; n++ {
		ps, okP := OfLength(p, n)
		qs, okQ := OfLength(q, n)
		if okP && okQ && Paths(ps, qs) != Disjoint {
			return ps, qs
		}
	}
	return p, q
}

// writeCommon writes a slash and a text that both g and h match, and reports whether it
// is known to match.
func writeCommon(b *strings.Builder, g, h pattern.Segment) bool {
	b.WriteByte('/')
	text, ok := "", true
	switch {
	case g.Kind == pattern.Dollar || g.Kind == pattern.CatchAll:
	case g.Kind == pattern.Literal:
		text = g.Text
	case h.Kind == pattern.Literal:
		text = h.Text
	default:
		text, ok = both(g, h)
	}
	b.WriteString(EscapeSegment(text))
	return ok
}

// Difference returns a path that p matches and q does not, and whether one is
// known.
func Difference(p, q []pattern.Segment) (path string, ok bool) {
	if !hasMiddle(p) && !hasMiddle(q) {
		return differAt(p, q)
	}
	for n := len(p); n <= len(p)+len(q)+1; n++ {
		ps, okP := OfLength(p, n)
		if !okP {
			continue
		}
		qs, okQ := OfLength(q, n)
		if !okQ || Paths(ps, qs) == Disjoint {
			return Example(ps, -1, "")
		}
		if path, ok := differAt(ps, qs); ok {
			return path, true
		}
	}
	return "", false
}

// differAt is Difference for paths that are not disjoint and have no catch-all in the
// middle.
func differAt(p, q []pattern.Segment) (path string, ok bool) {
	for i, g := range p {
		if i >= len(q) || q[i].Kind == pattern.CatchAll {
			return "", false // q matches the rest
		}
		switch h := q[i]; {
		case g.Kind == pattern.CatchAll && h.Kind == pattern.Dollar:
			return Example(p, i, "x")
		case g.Kind == pattern.CatchAll:
			return Example(p, i, "")
		default:
			if text, answer := Find([]pattern.Segment{g}, []pattern.Segment{h}); answer == language.Found {
				return Example(p, i, text)
			}
		}
	}
	return "", false
}

// Example returns a path that segs match, in which segment at is text.
func Example(segs []pattern.Segment, at int, text string) (path string, ok bool) {
	var b strings.Builder
	ok = true
	for i, g := range segs {
		if i == at {
			b.WriteString("/" + EscapeSegment(text))
		} else {
			ok = writeCommon(&b, g, g) && ok
		}
	}
	return b.String(), ok
}

// Host returns a host that the pattern matches, unless a constraint matches none of the
// texts that are tried, or "" for all hosts.
func Host(p *pattern.Pattern) string {
	f := p.HostPattern()
	if f == nil {
		return p.Host
	}
	labels := make([]string, len(f.Labels))
	for i, g := range f.Labels {
		labels[i], _ = Text(g)
		isLabel := len(labels[i]) <= 63 && strings.Trim(labels[i], "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
		switch {
		case isLabel || g.Kind == pattern.Literal || g.Kind == pattern.Constrained:
		case g.Kind != pattern.Composite:
			labels[i] = "x" // the name is not a valid label
		default:
			if short := filled(g, slices.Repeat([]string{"x"}, len(g.Matcher.Names)), ""); g.Matches(short) {
				labels[i] = short
			}
		}
	}
	return strings.Join(labels, ".") + f.Port
}

// EscapeSegment returns a segment in escaped form. It escapes a segment of dots alone,
// so that it is not a dot segment.
func EscapeSegment(text string) string {
	if urlpath.IsDots(text) {
		return strings.ReplaceAll(text, ".", "%2E")
	}
	return url.PathEscape(text)
}
