package overlap

import (
	"cmp"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A Relation describes how the sets of requests that two patterns p and q match relate:
// which of the three parts of their Venn diagram are not empty.
//
//	           shared  OnlyP  OnlyQ
//	disjoint                            no request in common
//	equivalent   x                      the same requests
//	p more general x      x             p matches all that q does, and more
//	q more general x             x
//	partial        x      x      x      neither is more specific
//
// A pattern is a product of independent parts (method, each segment). For products, the
// results for the parts combine by a union, unless one part shares nothing.
type Relation uint8

const (
	Shared Relation = 1 << iota
	OnlyP
	OnlyQ

	Disjoint Relation = 0
	Partial           = Shared | OnlyP | OnlyQ
)

// Flip returns the relation of q and p.
func (r Relation) Flip() Relation {
	return r&Shared | r&OnlyP<<1 | r&OnlyQ>>1
}

// And combines the relations of two independent parts of p and q.
func (r Relation) And(s Relation) Relation {
	if r&s&Shared == 0 {
		return Disjoint
	}
	return r | s
}

// Methods relates two methods; "" is every method, and GET includes HEAD.
func Methods(p, q string) Relation {
	switch {
	case p == q:
		return Shared
	case p == "", p == "GET" && q == "HEAD":
		return Shared | OnlyP
	case q == "", q == "GET" && p == "HEAD":
		return Shared | OnlyQ
	}
	return Disjoint
}

// Paths relates two paths.
func Paths(p, q []pattern.Segment) Relation {
	if hasMiddle(p) || hasMiddle(q) {
		return relateLengths(p, q)
	}
	r := Shared
	for i := 0; r != Disjoint; i++ {
		switch {
		case i == len(p) && i == len(q):
			return r
		case i == len(p):
			return Disjoint // q requires one more segment
		case i == len(q):
			return Disjoint
		case p[i].Kind == pattern.CatchAll && q[i].Kind == pattern.CatchAll:
			return r
		case p[i].Kind == pattern.CatchAll:
			return r.And(Shared | OnlyP)
		case q[i].Kind == pattern.CatchAll:
			return r.And(Shared | OnlyQ)
		}
		r = r.And(Segments(p[i], q[i]))
	}
	return r
}

// relateLengths relates two paths of which one has a catch-all in the middle:
// for each number of segments that a path may have by itself, and then all
// numbers together.
func relateLengths(p, q []pattern.Segment) (all Relation) {
	for n := 1; n <= len(p)+len(q)+1; n++ {
		ps, okP := OfLength(p, n)
		qs, okQ := OfLength(q, n)
		switch {
		case okP && okQ:
			r := Paths(ps, qs)
			if r == Disjoint {
				r = OnlyP | OnlyQ
			}
			all |= r
		case okP:
			all |= OnlyP
		case okQ:
			all |= OnlyQ
		}
	}
	if all&Shared == 0 {
		return Disjoint
	}
	return all
}

func hasMiddle(segs []pattern.Segment) bool { return pattern.InnerCatchAllAt(segs) >= 0 }

// OfLength returns the segments of a path of n segments that segs match, and false if
// there is no such path. A catch-all becomes as many parameters as it matches segments;
// the last one of a path is kept, since it may be empty.
func OfLength(segs []pattern.Segment, n int) ([]pattern.Segment, bool) {
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

// Segments relates two segments that are not catch-alls.
func Segments(p, q pattern.Segment) Relation {
	switch {
	case p.Same(q):
		return Shared
	case p.Kind == pattern.Dollar || q.Kind == pattern.Dollar:
		return Disjoint
	case p.Kind == pattern.Literal && q.Kind == pattern.Literal:
		return Disjoint
	case p.Kind == pattern.Literal && p.Fold && q.Matcher != nil:
		return relateFolded(p, q)
	case q.Kind == pattern.Literal && q.Fold && p.Matcher != nil:
		return relateFolded(q, p).Flip()
	case p.Kind == pattern.Literal:
		if q.Matches(p.Text) {
			return Shared | OnlyQ
		}
		return Disjoint
	case q.Kind == pattern.Literal:
		if p.Matches(q.Text) {
			return Shared | OnlyP
		}
		return Disjoint
	case p.Kind == pattern.Param:
		return Shared | OnlyP
	case q.Kind == pattern.Param:
		return Shared | OnlyQ
	}
	return relateMatchers(p, q)
}

// relateMatchers relates two composite or constrained segments that differ. They
// overlap unless it can be shown that no text matches both, or that the one which wins
// matches part of what the other matches.
func relateMatchers(p, q pattern.Segment) Relation {
	if excludes(p.Matcher, q.Matcher) {
		return Disjoint
	}
	if _, answer := Find([]pattern.Segment{p, q}, nil); answer == language.None {
		return Disjoint
	}
	first := compareMatchers(p, q)
	if first < 0 {
		if _, answer := Find([]pattern.Segment{p}, []pattern.Segment{q}); answer == language.None {
			return Shared | OnlyQ
		}
	}
	if first > 0 {
		if _, answer := Find([]pattern.Segment{q}, []pattern.Segment{p}); answer == language.None {
			return Shared | OnlyP
		}
	}
	return Partial
}

// relateFolded relates a literal whose case is ignored to a composite or constrained
// segment, over which it wins.
func relateFolded(p, q pattern.Segment) Relation {
	if _, answer := Find([]pattern.Segment{p, q}, nil); answer == language.None {
		return Disjoint
	}
	if _, answer := Find([]pattern.Segment{p}, []pattern.Segment{q}); answer == language.None {
		return Shared | OnlyQ
	}
	return Partial
}

// compareMatchers orders two composite or constrained segments by their text. If they
// are equal, they are ordered by registration.
func compareMatchers(p, q pattern.Segment) int {
	if p.Kind == pattern.Composite && q.Kind == pattern.Composite {
		return p.Matcher.Compare(q.Matcher)
	}
	return cmp.Compare(p.Kind, q.Kind)
}

// excludes reports whether the texts at the ends of two matchers show that no text
// matches both.
func excludes(f, g *pattern.SegmentMatcher) bool {
	return !strings.HasPrefix(f.Prefix, g.Prefix) && !strings.HasPrefix(g.Prefix, f.Prefix) ||
		!strings.HasSuffix(f.Suffix, g.Suffix) && !strings.HasSuffix(g.Suffix, f.Suffix)
}

// CommonMethod returns a method that both patterns name, or "" if neither names one.
func CommonMethod(p, q *pattern.Pattern) (method string, ok bool) {
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

func (r Relation) String() string {
	var b strings.Builder
	for i, name := range []string{"shared", "onlyP", "onlyQ"} {
		if r>>i&1 != 0 {
			b.WriteString(" " + name)
		}
	}
	return cmp.Or(strings.TrimSpace(b.String()), "disjoint")
}
