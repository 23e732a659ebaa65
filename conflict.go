package muxwell

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/language"
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
func relatePaths(p, q []segment) relation {
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
		case p[i].kind == rest && q[i].kind == rest:
			return r
		case p[i].kind == rest:
			return r.and(shared | onlyP)
		case q[i].kind == rest:
			return r.and(shared | onlyQ)
		}
		r = r.and(relateSegments(p[i], q[i]))
	}
	return r
}

// relateLengths relates two paths of which one has a catch-all in the middle:
// for each number of segments that a path may have by itself, and then all
// numbers together.
func relateLengths(p, q []segment) (all relation) {
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

func hasMiddle(segs []segment) bool { return middleAt(segs) >= 0 }

// ofLength returns the segments of a path of n segments that segs match, and
// false if there is no such path. A catch-all is as many parameters as it takes
// segments; the last one of a path stays, since it may be empty.
func ofLength(segs []segment, n int) ([]segment, bool) {
	at := catchAllAt(segs)
	switch more := n - len(segs); {
	case more == 0:
		segs = slices.Clone(segs)
	case more < 0 || at < 0:
		return nil, false
	default:
		segs = slices.Insert(slices.Clone(segs), at, slices.Repeat([]segment{{kind: param, text: segs[at].text}}, more)...)
		at += more
	}
	if at >= 0 && segs[at].kind == middle {
		segs[at].kind = param
	}
	return segs, true
}

// relateSegments relates two segments that are not catch-alls.
func relateSegments(p, q segment) relation {
	switch {
	case p.same(q):
		return shared
	case p.kind == end || q.kind == end:
		return disjoint
	case p.kind == literal && q.kind == literal:
		return disjoint
	case p.kind == literal && p.fold && q.form != nil:
		return relateFolded(p, q)
	case q.kind == literal && q.fold && p.form != nil:
		return relateFolded(q, p).flip()
	case p.kind == literal:
		if q.takes(p.text) {
			return shared | onlyQ
		}
		return disjoint
	case q.kind == literal:
		if p.takes(q.text) {
			return shared | onlyP
		}
		return disjoint
	case p.kind == param:
		return shared | onlyP
	case q.kind == param:
		return shared | onlyQ
	}
	return relateForms(p, q)
}

// relateForms relates two mixed or constrained segments that differ. They
// overlap unless it can be shown that no text fits both, or that the one which
// goes first takes part of what the other takes.
func relateForms(p, q segment) relation {
	if excludes(p.form, q.form) {
		return disjoint
	}
	if _, answer := findText([]segment{p, q}, nil); answer == language.None {
		return disjoint
	}
	first := compareForms(p, q)
	if first < 0 {
		if _, answer := findText([]segment{p}, []segment{q}); answer == language.None {
			return shared | onlyQ
		}
	}
	if first > 0 {
		if _, answer := findText([]segment{q}, []segment{p}); answer == language.None {
			return shared | onlyP
		}
	}
	return overlap
}

// relateFolded relates a literal that matches in either case to a mixed or
// constrained segment, before which it goes.
func relateFolded(p, q segment) relation {
	if _, answer := findText([]segment{p, q}, nil); answer == language.None {
		return disjoint
	}
	if _, answer := findText([]segment{p}, []segment{q}); answer == language.None {
		return shared | onlyQ
	}
	return overlap
}

// compareForms orders two mixed or constrained segments by what is written. What
// it finds equal is ordered by registration.
func compareForms(p, q segment) int {
	if p.kind == mixed && q.kind == mixed {
		return p.form.compare(q.form)
	}
	return cmp.Compare(p.kind, q.kind)
}

// excludes reports whether the texts at the ends of two forms tell already that
// they have none in common.
func excludes(f, g *form) bool {
	return !strings.HasPrefix(f.prefix, g.prefix) && !strings.HasPrefix(g.prefix, f.prefix) ||
		!strings.HasSuffix(f.suffix, g.suffix) && !strings.HasSuffix(g.suffix, f.suffix)
}

// commonMethod returns a method that both patterns name, or that neither does.
func commonMethod(p, q *pattern) (method string, ok bool) {
	if p.methods == nil || q.methods == nil {
		return "", p.methods == nil && q.methods == nil
	}
	for _, m := range p.methods {
		if slices.Contains(q.methods, m) {
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
	if path, ok := witness(p.pattern.segs, q.pattern.segs); ok {
		e.Path = path
		requests += fmt.Sprintf(" like %q", excerpt.Abridge(hostExample(&p.pattern)+path))
	}
	e.Reason = "both match the same " + requests + "."
	if p.pattern.str != q.pattern.str {
		e.Reason += " " + sameBecause(&p.pattern, &q.pattern)
	}
	e.Reason += " Remove one of the two"
	return e
}

// sameBecause says why two patterns that are spelt differently are duplicates.
func sameBecause(p, q *pattern) string {
	switch {
	case !slices.Equal(expressionsOf(p), expressionsOf(q)):
		return "Spellings of one regular expression do not tell patterns apart, nor do names of parameters."
	case rawHost(p) != rawHost(q) && p.rare != nil && p.rare.host != nil:
		return "Hosts are compared without case, final dot and the names of parameters."
	case rawHost(p) != rawHost(q):
		return "Hosts are compared without case, final dot and brackets."
	case p.str[p.path:] == q.str[q.path:] && slices.Equal(p.methods, q.methods):
		return "Blanks do not count."
	case p.str[p.path:] == q.str[q.path:]:
		return "A method list stands for one route a method."
	case p.last().kind == rest && p.last().text != q.last().text:
		return "A trailing slash is a catch-all, and names do not tell patterns apart."
	}
	return "Names of parameters and escapes do not tell patterns apart."
}

// expressionsOf returns the constraints of the pattern as they were written.
func expressionsOf(p *pattern) (texts []string) {
	segs := p.segs
	if f := p.hostForm(); f != nil {
		segs = slices.Concat(f.labels, segs)
	}
	for _, g := range segs {
		if g.form == nil {
			continue
		}
		for _, c := range g.form.constraints {
			texts = append(texts, c.text)
		}
	}
	return texts
}

// rawHost returns the host of p as it was written.
func rawHost(p *pattern) string {
	s := p.str[:p.path]
	if p.methods != nil || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") {
		_, s, _ = strings.Cut(strings.ReplaceAll(s, "\t", " "), " ")
	}
	return strings.TrimLeft(s, " ")
}

func newConflict(p, q *Route) *ConflictError {
	return &ConflictError{Pattern: p.pattern.str, Source: p.Source(), Other: q.pattern.str, OtherSource: q.Source()}
}

// ambiguous returns the error for p and q if they overlap in a way that
// http.ServeMux refuses, and nil otherwise. A method list is taken as one
// pattern a method.
func ambiguous(p, q *Route) *ConflictError {
	paths := relatePaths(p.pattern.segs, q.pattern.segs)
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
			if path, ok := witness(p.pattern.segs, q.pattern.segs); ok {
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
	both, pText, qText := "both match the same path", excerpt.Abridge(p.pattern.str), excerpt.Abridge(q.pattern.str)
	if path != "" {
		both = fmt.Sprintf("both match %q", excerpt.Abridge(path))
	}
	const wayOut = ", or leave out StrictConflicts to let precedence decide"
	switch {
	case paths == overlap:
		pAlone, knownP := alone(p, q)
		qAlone, knownQ := alone(q, p)
		if g, h, ok := rivals(p.pattern.segs, q.pattern.segs); ok && !(knownP && knownQ && path != "") {
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
func describeRivals(g, h segment) string {
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
func rivals(p, q []segment) (g, h segment, ok bool) {
	p, q = meet(p, q)
	for i := range min(len(p), len(q)) {
		if p[i].form != nil && q[i].form != nil && relateSegments(p[i], q[i]) == overlap {
			return p[i], q[i], true
		}
	}
	return segment{}, segment{}, false
}
