package muxwell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A relation says how the sets of requests relate that two patterns p and q
// match: which of the three parts of their Venn diagram hold something.
//
//	           shared  onlyP  onlyQ
//	disjoint                            no request in common
//	equivalent   x                      the same requests
//	p more general x      x             p takes all of q's, and more
//	q more general x             x
//	overlap        x      x      x      neither wins
//
// A pattern is a product of independent parts (method, each segment), and for
// products the parts combine by a plain union, unless one shares nothing.
type relation uint8

const (
	shared relation = 1 << iota
	onlyP
	onlyQ

	disjoint relation = 0
	overlap           = shared | onlyP | onlyQ
)

// flip returns the relation of q and p.
func (r relation) flip() relation {
	return r&shared | r&onlyP<<1 | r&onlyQ>>1
}

// and combines the relations of two independent parts of p and q.
func (r relation) and(s relation) relation {
	if r&s&shared == 0 {
		return disjoint
	}
	return r | s
}

// relateMethods relates two methods; "" is every method, and GET includes HEAD.
func relateMethods(p, q string) relation {
	switch {
	case p == q:
		return shared
	case p == "", p == "GET" && q == "HEAD":
		return shared | onlyP
	case q == "", q == "GET" && p == "HEAD":
		return shared | onlyQ
	}
	return disjoint
}

// relatePaths relates two paths.
func relatePaths(p, q []pattern.Segment) relation {
	if hasMiddle(p) || hasMiddle(q) {
		return relateLengths(p, q)
	}
	r := shared
	for i := 0; r != disjoint; i++ {
		switch {
		case i == len(p) && i == len(q):
			return r
		case i == len(p):
			return disjoint // q asks for a segment more
		case i == len(q):
			return disjoint
		case p[i].Kind == pattern.CatchAll && q[i].Kind == pattern.CatchAll:
			return r
		case p[i].Kind == pattern.CatchAll:
			return r.and(shared | onlyP)
		case q[i].Kind == pattern.CatchAll:
			return r.and(shared | onlyQ)
		}
		r = r.and(relateSegments(p[i], q[i]))
	}
	return r
}

// relateLengths relates two paths of which one has a catch-all in the middle:
// for each number of segments that a path may have by itself, and then all
// numbers together.
func relateLengths(p, q []pattern.Segment) (all relation) {
	for n := 1; n <= len(p)+len(q)+1; n++ {
		ps, okP := ofLength(p, n)
		qs, okQ := ofLength(q, n)
		switch {
		case okP && okQ:
			r := relatePaths(ps, qs)
			if r == disjoint {
				r = onlyP | onlyQ
			}
			all |= r
		case okP:
			all |= onlyP
		case okQ:
			all |= onlyQ
		}
	}
	if all&shared == 0 {
		return disjoint
	}
	return all
}

func hasMiddle(segs []pattern.Segment) bool { return pattern.InnerCatchAllAt(segs) >= 0 }

// ofLength returns the segments of a path of n segments that segs match, and
// false if there is no such path. A catch-all is as many parameters as it takes
// segments; the last one of a path stays, since it may be empty.
func ofLength(segs []pattern.Segment, n int) ([]pattern.Segment, bool) {
	at := pattern.CatchAllAt(segs)
	switch more := n - len(segs); {
	case more == 0:
		segs = slices.Clone(segs)
	case more < 0 || at < 0:
		return nil, false
	default:
		segs = slices.Insert(slices.Clone(segs), at, slices.Repeat([]pattern.Segment{{Kind: pattern.Param, Text: segs[at].Text}}, more)...)
		at += more
	}
	if at >= 0 && segs[at].Kind == pattern.InnerCatchAll {
		segs[at].Kind = pattern.Param
	}
	return segs, true
}

// relateSegments relates two segments that are not catch-alls.
func relateSegments(p, q pattern.Segment) relation {
	switch {
	case p.Same(q):
		return shared
	case p.Kind == pattern.Dollar || q.Kind == pattern.Dollar:
		return disjoint
	case p.Kind == pattern.Literal && q.Kind == pattern.Literal:
		return disjoint
	case p.Kind == pattern.Literal && p.Fold && q.Matcher != nil:
		return relateFolded(p, q)
	case q.Kind == pattern.Literal && q.Fold && p.Matcher != nil:
		return relateFolded(q, p).flip()
	case p.Kind == pattern.Literal:
		if q.Matches(p.Text) {
			return shared | onlyQ
		}
		return disjoint
	case q.Kind == pattern.Literal:
		if p.Matches(q.Text) {
			return shared | onlyP
		}
		return disjoint
	case p.Kind == pattern.Param:
		return shared | onlyP
	case q.Kind == pattern.Param:
		return shared | onlyQ
	}
	return relateForms(p, q)
}

// relateForms relates two mixed or constrained segments that differ. They
// overlap unless it can be shown that no text fits both, or that the one which
// goes first takes part of what the other takes.
func relateForms(p, q pattern.Segment) relation {
	if excludes(p.Matcher, q.Matcher) {
		return disjoint
	}
	if _, answer := findText([]pattern.Segment{p, q}, nil); answer == language.None {
		return disjoint
	}
	first := compareForms(p, q)
	if first < 0 {
		if _, answer := findText([]pattern.Segment{p}, []pattern.Segment{q}); answer == language.None {
			return shared | onlyQ
		}
	}
	if first > 0 {
		if _, answer := findText([]pattern.Segment{q}, []pattern.Segment{p}); answer == language.None {
			return shared | onlyP
		}
	}
	return overlap
}

// relateFolded relates a literal that matches in either case to a mixed or
// constrained segment, before which it goes.
func relateFolded(p, q pattern.Segment) relation {
	if _, answer := findText([]pattern.Segment{p, q}, nil); answer == language.None {
		return disjoint
	}
	if _, answer := findText([]pattern.Segment{p}, []pattern.Segment{q}); answer == language.None {
		return shared | onlyQ
	}
	return overlap
}

// compareForms orders two mixed or constrained segments by what is written. What
// it finds equal is ordered by registration.
func compareForms(p, q pattern.Segment) int {
	if p.Kind == pattern.Composite && q.Kind == pattern.Composite {
		return p.Matcher.Compare(q.Matcher)
	}
	return cmp.Compare(p.Kind, q.Kind)
}

// excludes reports whether the texts at the ends of two forms tell already that
// they have none in common.
func excludes(f, g *pattern.SegmentMatcher) bool {
	return !strings.HasPrefix(f.Prefix, g.Prefix) && !strings.HasPrefix(g.Prefix, f.Prefix) ||
		!strings.HasSuffix(f.Suffix, g.Suffix) && !strings.HasSuffix(g.Suffix, f.Suffix)
}

// commonMethod returns a method that both patterns name, or that neither does.
func commonMethod(p, q *pattern.Pattern) (method string, ok bool) {
	if p.Methods == nil || q.Methods == nil {
		return "", p.Methods == nil && q.Methods == nil
	}
	for _, m := range p.Methods {
		if slices.Contains(q.Methods, m) {
			return m, true
		}
	}
	return "", false
}

// duplicate returns the error for p, which says the same as q.
func duplicate(p, q *Route) *ConflictError {
	e := newConflict(p, q)
	requests := "requests"
	if method, _ := commonMethod(&p.pattern, &q.pattern); method != "" {
		requests = method + " requests"
	}
	if path, ok := witness(p.pattern.Segments, q.pattern.Segments); ok {
		e.Path = path
		requests += fmt.Sprintf(" like %q", excerpt.Abridge(hostExample(&p.pattern)+path))
	}
	e.Reason = "both match the same " + requests + "."
	if p.pattern.Text != q.pattern.Text {
		e.Reason += " " + sameBecause(&p.pattern, &q.pattern)
	}
	e.Reason += " Remove one of the two"
	return e
}

// sameBecause says why two patterns that are spelt differently are duplicates.
func sameBecause(p, q *pattern.Pattern) string {
	switch {
	case !slices.Equal(expressionsOf(p), expressionsOf(q)):
		return "Spellings of one regular expression do not tell patterns apart, nor do names of parameters."
	case rawHost(p) != rawHost(q) && p.Extra != nil && p.Extra.Host != nil:
		return "Hosts are compared without case, final dot and the names of parameters."
	case rawHost(p) != rawHost(q):
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

// expressionsOf returns the constraints of the pattern as they were written.
func expressionsOf(p *pattern.Pattern) (texts []string) {
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

// rawHost returns the host of p as it was written.
func rawHost(p *pattern.Pattern) string {
	s := p.Text[:p.PathAt]
	if p.Methods != nil || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") {
		_, s, _ = strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	}
	return strings.TrimLeft(s, " ")
}

func newConflict(p, q *Route) *ConflictError {
	return &ConflictError{Pattern: p.pattern.Text, Source: p.Source(), Other: q.pattern.Text, OtherSource: q.Source()}
}

// ambiguous returns the error for p and q if they overlap in a way that
// http.ServeMux refuses, and nil otherwise. A method list is taken as one
// pattern a method.
func ambiguous(p, q *Route) *ConflictError {
	paths := relatePaths(p.pattern.Segments, q.pattern.Segments)
	if paths == disjoint {
		return nil
	}
	for _, pm := range p.methodsOrAny() {
		for _, qm := range q.methodsOrAny() {
			methods := relateMethods(pm, qm)
			if r := methods.and(paths); r != overlap && r != shared {
				continue
			}
			e := newConflict(p, q)
			if path, ok := witness(p.pattern.Segments, q.pattern.Segments); ok {
				e.Path = path
			}
			e.Reason = describe(p, q, methods, paths, e.Path)
			return e
		}
	}
	return nil
}

// describe says how p and q, which both match path, overlap.
func describe(p, q *Route, methods, paths relation, path string) string {
	both, pText, qText := "both match the same path", excerpt.Abridge(p.pattern.Text), excerpt.Abridge(q.pattern.Text)
	if path != "" {
		both = fmt.Sprintf("both match %q", excerpt.Abridge(path))
	}
	const wayOut = ", or leave out StrictConflicts to let precedence decide"
	switch {
	case paths == overlap:
		pAlone, knownP := alone(p, q)
		qAlone, knownQ := alone(q, p)
		if g, h, ok := rivals(p.pattern.Segments, q.pattern.Segments); ok && !(knownP && knownQ && path != "") {
			if path == "" {
				both = "both may match the same path"
			}
			return fmt.Sprintf("%s, and %s. Write constraints that no text fits both of%s", both, describeRivals(g, h), wayOut)
		}
		return fmt.Sprintf("%s, but neither is more specific:\n%s also matches %s;\n%s also matches %s. Make one more specific%s",
			both, pText, pAlone, qText, qAlone, wayOut)
	case paths&onlyP != 0:
		return fmt.Sprintf("%s, but %s has the more general path and fewer methods. Make one more specific%s", both, pText, wayOut)
	case paths&onlyQ != 0:
		return fmt.Sprintf("%s, but %s has the more general path and fewer methods. Make one more specific%s", both, qText, wayOut)
	}
	return both + ", and each matches all that the other does. Remove one of the two"
}

// describeRivals says how two segments are ordered that overlap.
func describeRivals(g, h pattern.Segment) string {
	switch c := compareForms(g, h); {
	case c < 0:
		return fmt.Sprintf("%s goes before %s, though it may be more general", g, h)
	case c > 0:
		return fmt.Sprintf("%s goes before %s, though it may be more general", h, g)
	}
	return fmt.Sprintf("only the order of registration says which of %s and %s goes first", g, h)
}

// rivals returns the first segments of p and q for the same place that overlap
// although no rule about what is written puts the more specific one first.
func rivals(p, q []pattern.Segment) (g, h pattern.Segment, ok bool) {
	p, q = meet(p, q)
	for i := range min(len(p), len(q)) {
		if p[i].Matcher != nil && q[i].Matcher != nil && relateSegments(p[i], q[i]) == overlap {
			return p[i], q[i], true
		}
	}
	return pattern.Segment{}, pattern.Segment{}, false
}
