package muxwell

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Errors and reports show paths that patterns match. The texts for their
// segments are found by what constraints say as sets of strings; a constraint
// that is a function is asked about a few likely texts.

// candidates are texts that constraints are likely to take.
var candidates = []string{
	"x", "1", "a", "0", "abc", "42", "123", "a1", "A", "en", "test", "x-y", "2006-01-02", "10.0.0.1",
	"123e4567-e89b-42d3-a456-426614174000", "v1", "1.2", "true", "us-east-1", "golang",
}

// findText returns a text that all segments of in take, and none of out, with
// what is known of it. None of them is a catch-all. The text is not empty.
func findText(in, out []segment) (text string, answer language.Answer) {
	fits := func(text string) bool {
		return text != "" && !urlpath.IsDots(text) &&
			!slices.ContainsFunc(in, func(g segment) bool { return !g.takes(text) }) &&
			!slices.ContainsFunc(out, func(g segment) bool { return g.takes(text) })
	}
	for _, g := range in {
		for _, hint := range hintsOf(g) {
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

// sets returns the segments as sets of texts; if exact is set, without those of
// which no more is known than a larger set.
func sets(segs []segment, exact bool) (sets []*language.Set) {
	for _, g := range segs {
		if set, known := segmentSet(g); known || !exact {
			sets = append(sets, set)
		}
	}
	return sets
}

// set returns the texts that a segment takes, and whether it takes all of them.
func segmentSet(g segment) (set *language.Set, exact bool) {
	switch g.kind {
	case literal:
		return textSet(g.text, g.fold), true
	case end:
		return language.Text(""), true
	case mixed, constrained:
		return formSet(g.form)
	}
	return language.Any(), true
}

// set returns the texts that the form takes, and whether it takes all of them:
// what a function takes is not known, and an expression may match the empty
// text, which no value is.
func formSet(f *form) (set *language.Set, exact bool) {
	parts := []*language.Set{textSet(f.prefix, f.fold)}
	exact = true
	for i, c := range f.constraints {
		if i > 0 {
			parts = append(parts, textSet(f.between[i-1], f.fold))
		}
		part, known := constraintSet(&c)
		exact = exact && known && (f.literals == 0 || !part.Has(""))
		parts = append(parts, part)
	}
	return language.Concat(append(parts, textSet(f.suffix, f.fold))...), exact
}

// upperFolded returns the text of a literal in upper case, if it matches so.
func upperFolded(g segment) string {
	if !g.fold {
		return g.text
	}
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, g.text)
}

// textSet returns the set of a text, or if fold is set, when it is in lower case,
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
		return language.Text(text) // of bytes that no expression has
	}
	return set
}

// set returns the texts that the constraint takes, or all if they are not known.
func constraintSet(c *constraint) (set *language.Set, known bool) {
	if c.expr != "" {
		if set, err := language.New(c.expr); err == nil {
			return set, true
		}
	}
	return language.Any(), c.text == ""
}

// hintsOf returns texts that a reader recognises as the segment's: the names of
// parameters in their places, and the same with a letter more.
func hintsOf(g segment) []string {
	if g.kind == literal {
		return []string{g.text, upperFolded(g)}
	}
	names := []string{g.text}
	if g.form != nil {
		names = g.form.names
	}
	return []string{filled(g, names, ""), filled(g, names, "x")}
}

// filled returns the segment with names, and more behind each, in place of its
// parameters.
func filled(g segment, names []string, more string) string {
	vals := make([]string, len(names))
	for i, name := range names {
		if urlpath.IsDots(name) || name == "" {
			name = "x"
		}
		vals[i] = name + more
	}
	if g.form == nil {
		return vals[0]
	}
	return g.form.join(vals)
}

// exampleOf returns a text that a segment takes, and whether it is known to.
func exampleOf(g segment) (text string, ok bool) {
	text, answer := findText([]segment{g}, nil)
	if answer == language.Found {
		return text, true
	}
	return hintsOf(g)[0], false
}

// both returns a text that two segments take, which are no catch-alls and not
// the end, and whether it is known to be one.
func both(g, h segment) (text string, ok bool) {
	text, answer := findText([]segment{h, g}, nil)
	if answer == language.Found {
		return text, true
	}
	text, _ = exampleOf(g)
	return text, false
}

// witness returns a path that both p and q match, which must not be disjoint,
// and whether it is known to be one.
func witness(p, q []segment) (path string, ok bool) {
	p, q = meet(p, q)
	var b strings.Builder
	ok = true
	for i := range max(len(p), len(q)) {
		g, h := segment{kind: rest}, segment{kind: rest}
		if i < len(p) {
			g = p[i]
		}
		if i < len(q) {
			h = q[i]
		}
		if g.kind == rest {
			g = h // takes whatever the other one does
		}
		if h.kind == rest {
			h = g
		}
		ok = writeCommon(&b, g, h) && ok
	}
	return b.String(), ok
}

// meet returns the segments of the shortest paths that both p and q match.
func meet(p, q []segment) (ps, qs []segment) {
	if !hasMiddle(p) && !hasMiddle(q) {
		return p, q
	}
	for n := len(p); n <= len(p)+len(q)+1; n++ {
		ps, okP := ofLength(p, n)
		qs, okQ := ofLength(q, n)
		if okP && okQ && relatePaths(ps, qs) != disjoint {
			return ps, qs
		}
	}
	return p, q
}

// writeCommon writes a slash and a text that both g and h take, and reports
// whether it is known to be one.
func writeCommon(b *strings.Builder, g, h segment) bool {
	b.WriteByte('/')
	text, ok := "", true
	switch {
	case g.kind == end || g.kind == rest:
	case g.kind == literal:
		text = g.text
	case h.kind == literal:
		text = h.text
	default:
		text, ok = both(g, h)
	}
	b.WriteString(escapeSegment(text))
	return ok
}

// difference returns a path that p matches and q does not, and whether one is
// known.
func difference(p, q []segment) (path string, ok bool) {
	if !hasMiddle(p) && !hasMiddle(q) {
		return differAt(p, q)
	}
	for n := len(p); n <= len(p)+len(q)+1; n++ {
		ps, okP := ofLength(p, n)
		if !okP {
			continue
		}
		qs, okQ := ofLength(q, n)
		if !okQ || relatePaths(ps, qs) == disjoint {
			return examplePath(ps, -1, "")
		}
		if path, ok := differAt(ps, qs); ok {
			return path, true
		}
	}
	return "", false
}

// differAt is difference for paths without a catch-all in the middle that are
// not disjoint.
func differAt(p, q []segment) (path string, ok bool) {
	for i, g := range p {
		if i >= len(q) || q[i].kind == rest {
			return "", false // q takes what is left
		}
		switch h := q[i]; {
		case g.kind == rest && h.kind == end:
			return examplePath(p, i, "x")
		case g.kind == rest:
			return examplePath(p, i, "")
		default:
			if text, answer := findText([]segment{g}, []segment{h}); answer == language.Found {
				return examplePath(p, i, text)
			}
		}
	}
	return "", false
}

// examplePath returns a path that segs match, in which segment at is text.
func examplePath(segs []segment, at int, text string) (path string, ok bool) {
	var b strings.Builder
	ok = true
	for i, g := range segs {
		if i == at {
			b.WriteString("/" + escapeSegment(text))
		} else {
			ok = writeCommon(&b, g, g) && ok
		}
	}
	return b.String(), ok
}

// alone returns what p matches and q does not, as a text for a message, and
// whether that is known.
func alone(p, q *Route) (text string, ok bool) {
	if path, ok := difference(p.pattern.segs, q.pattern.segs); ok {
		return strconv.Quote(excerpt.Abridge(path)) + ", which the other does not", true
	}
	return "what the other does not", false
}

// hostExample returns a host that the pattern matches, unless a constraint takes
// none of the texts that are tried, or "" for all.
func hostExample(p *pattern) string {
	f := p.hostForm()
	if f == nil {
		return p.host
	}
	labels := make([]string, len(f.labels))
	for i, g := range f.labels {
		labels[i], _ = exampleOf(g)
		isLabel := len(labels[i]) <= 63 && strings.Trim(labels[i], "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
		switch {
		case isLabel || g.kind == literal || g.kind == constrained:
		case g.kind != mixed:
			labels[i] = "x" // the name is no label
		default:
			if short := filled(g, slices.Repeat([]string{"x"}, len(g.form.names)), ""); g.takes(short) {
				labels[i] = short
			}
		}
	}
	return strings.Join(labels, ".") + f.port
}

// escapeSegment returns a segment in escaped form; one of dots alone is no dot
// segment then.
func escapeSegment(text string) string {
	if urlpath.IsDots(text) {
		return strings.ReplaceAll(text, ".", "%2E")
	}
	return url.PathEscape(text)
}
