package muxwell

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A relation says how the sets of requests that two patterns p and q match lie
// to each other: which of the three parts of their Venn diagram hold something.
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

// relateSegments relates two segments that are not catch-alls.
func relateSegments(p, q segment) relation {
	switch {
	case p.kind == end || q.kind == end:
		if p.kind == q.kind {
			return shared
		}
		return disjoint
	case p.kind == param && q.kind == param:
		return shared
	case p.kind == param && q.text != "":
		return shared | onlyP
	case q.kind == param && p.text != "":
		return shared | onlyQ
	case p == q:
		return shared
	}
	return disjoint
}

// samePath reports whether two paths match the same requests and would take
// the same place in the order: they differ in the names of parameters at most.
func samePath(p, q []segment) bool {
	return slices.EqualFunc(p, q, func(a, b segment) bool {
		return a.kind == b.kind && (a.kind != literal || a.text == b.text)
	})
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
	e.Path = witness(p.segs, q.segs)
	method, _ := commonMethod(&p.pattern, &q.pattern)
	requests := "requests like"
	if method != "" {
		requests = method + " requests like"
	}
	e.Reason = fmt.Sprintf("both match the same %s %q.", requests, abridge(p.host+e.Path))
	if p.str != q.str {
		e.Reason += " " + sameBecause(&p.pattern, &q.pattern)
	}
	e.Reason += " Remove one of the two"
	return e
}

// sameBecause says why two patterns that are spelt differently are duplicates.
func sameBecause(p, q *pattern) string {
	switch {
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

// rawHost returns the host of p as it was written.
func rawHost(p *pattern) string {
	s := p.str[:p.path]
	return s[strings.LastIndexAny(s, " \t")+1:]
}

func newConflict(p, q *Route) *ConflictError {
	return &ConflictError{Pattern: p.str, Source: p.Source(), Other: q.str, OtherSource: q.Source()}
}

// ambiguous returns the error for p and q if they overlap in a way that
// http.ServeMux refuses, and nil otherwise. A method list is taken as one
// pattern a method.
func ambiguous(p, q *Route) *ConflictError {
	paths := relatePaths(p.segs, q.segs)
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
			e.Path = witness(p.segs, q.segs)
			e.Reason = describe(p, q, methods, paths, e.Path)
			return e
		}
	}
	return nil
}

// describe says how p and q, which both match path, overlap.
func describe(p, q *Route, methods, paths relation, path string) string {
	path = abridge(path)
	pText, qText := abridge(p.str), abridge(q.str)
	const wayOut = "Make one more specific, or leave out StrictConflicts to let precedence decide"
	switch {
	case paths == overlap:
		return fmt.Sprintf("both match %q, but neither is more specific:\n%s also matches %q, which the other does not;\n%s also matches %q, which the other does not. %s",
			path, pText, abridge(difference(p.segs, q.segs)), qText, abridge(difference(q.segs, p.segs)), wayOut)
	case paths&onlyP != 0:
		return fmt.Sprintf("both match %q, but %s has the more general path and fewer methods. %s", path, pText, wayOut)
	case paths&onlyQ != 0:
		return fmt.Sprintf("both match %q, but %s has the more general path and fewer methods. %s", path, qText, wayOut)
	}
	return fmt.Sprintf("both match the same requests like %q. Remove one of the two", path)
}

// witness returns a path that both p and q match; they must not be disjoint.
func witness(p, q []segment) string {
	var b strings.Builder
	for i := range max(len(p), len(q)) {
		switch {
		case i >= len(p) || p[i].kind == rest && i < len(q):
			writeRest(&b, q[i:])
			return b.String()
		case i >= len(q) || q[i].kind == rest:
			writeRest(&b, p[i:])
			return b.String()
		case p[i].kind == param:
			writeSegment(&b, q[i])
		default:
			writeSegment(&b, p[i])
		}
	}
	return b.String()
}

// difference returns a path that p matches and q does not; p and q overlap or
// p is more general.
func difference(p, q []segment) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch {
		case i >= len(q):
			writeRest(&b, p[i:])
			return b.String()
		case p[i].kind == rest && q[i].kind == rest:
			b.WriteByte('/')
			return b.String()
		case p[i].kind == rest && q[i].kind == end:
			b.WriteString("/x")
			return b.String()
		case p[i].kind == rest:
			b.WriteByte('/') // q's next segment is not empty
			return b.String()
		case q[i].kind == rest:
			writeRest(&b, p[i:])
			return b.String()
		case p[i].kind == param && q[i].kind == literal:
			text := valueOf(p[i])
			if text == q[i].text {
				text += "x"
			}
			writeSegment(&b, segment{literal, text})
		default:
			writeSegment(&b, p[i])
		}
	}
	return b.String()
}

// writeRest writes a path that segs match.
func writeRest(b *strings.Builder, segs []segment) {
	for _, g := range segs {
		writeSegment(b, g)
	}
}

// writeSegment writes a slash and text that g matches.
func writeSegment(b *strings.Builder, g segment) {
	b.WriteByte('/')
	switch g.kind {
	case literal:
		b.WriteString(url.PathEscape(g.text))
	case param:
		b.WriteString(url.PathEscape(valueOf(g)))
	}
}

// valueOf returns a value for a parameter: its name, which a reader recognises.
func valueOf(g segment) string {
	if isDots(g.text) {
		return "x"
	}
	return g.text
}
