package muxwell

import (
	"fmt"
	"strconv"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/overlap"
)

// duplicate returns the error for p, which matches the same requests as q.
func duplicate(p, q *Route) *ConflictError {
	e := newConflict(p, q)
	requests := "requests"
	if method, _ := overlap.CommonMethod(&p.pattern, &q.pattern); method != "" {
		requests = method + " requests"
	}
	if path, ok := overlap.Common(p.pattern.Segments, q.pattern.Segments); ok {
		e.Path = path
		requests += fmt.Sprintf(" like %q", excerpt.Abridge(overlap.Host(&p.pattern)+path))
	}
	e.Reason = "both match the same " + requests + "."
	if p.pattern.Text != q.pattern.Text {
		e.Reason += " " + overlap.SameBecause(&p.pattern, &q.pattern)
	}
	e.Reason += " Remove one of them"
	return e
}

func newConflict(p, q *Route) *ConflictError {
	return &ConflictError{Pattern: p.pattern.Text, Source: p.Source(), Other: q.pattern.Text, OtherSource: q.Source()}
}

// ambiguous returns the error for p and q if they overlap in a way that http.ServeMux
// rejects, and nil otherwise. A list of methods counts as one pattern for each method.
func ambiguous(p, q *Route) *ConflictError {
	paths := overlap.Paths(p.pattern.Segments, q.pattern.Segments)
	if paths == overlap.Disjoint {
		return nil
	}
	for _, pm := range p.pattern.MethodsOrAny() {
		for _, qm := range q.pattern.MethodsOrAny() {
			methods := overlap.Methods(pm, qm)
			if r := methods.And(paths); r != overlap.Partial && r != overlap.Shared {
				continue
			}
			e := newConflict(p, q)
			if path, ok := overlap.Common(p.pattern.Segments, q.pattern.Segments); ok {
				e.Path = path
			}
			e.Reason = describe(p, q, methods, paths, e.Path)
			return e
		}
	}
	return nil
}

// describe explains how p and q, which both match path, overlap.
func describe(p, q *Route, methods, paths overlap.Relation, path string) string {
	both, pText, qText := "both match the same path", excerpt.Abridge(p.pattern.Text), excerpt.Abridge(q.pattern.Text)
	if path != "" {
		both = fmt.Sprintf("both match %q", excerpt.Abridge(path))
	}
	const wayOut = ", or omit StrictConflicts to let precedence decide"
	switch {
	case paths == overlap.Partial:
		pAlone, knownP := alone(p, q)
		qAlone, knownQ := alone(q, p)
		if g, h, ok := overlap.Rivals(p.pattern.Segments, q.pattern.Segments); ok && !(knownP && knownQ && path != "") {
			if path == "" {
				both = "both may match the same path"
			}
			return fmt.Sprintf("%s, and %s. Write constraints that never match the same text%s", both, overlap.DescribeRivals(g, h), wayOut)
		}
		return fmt.Sprintf("%s, but neither is more specific:\n%s also matches %s;\n%s also matches %s. Make one more specific%s",
			both, pText, pAlone, qText, qAlone, wayOut)
	case paths&overlap.OnlyP != 0:
		return fmt.Sprintf("%s, but %s has the more general path and fewer methods. Make one more specific%s", both, pText, wayOut)
	case paths&overlap.OnlyQ != 0:
		return fmt.Sprintf("%s, but %s has the more general path and fewer methods. Make one more specific%s", both, qText, wayOut)
	}
	return both + ", and each matches everything that the other does. Remove one of them"
}

// alone returns an example for a message of what p matches and q does not, and whether
// one is known.
func alone(p, q *Route) (text string, ok bool) {
	if path, ok := overlap.Difference(p.pattern.Segments, q.pattern.Segments); ok {
		return strconv.Quote(excerpt.Abridge(path)) + ", which the other does not", true
	}
	return "other paths", false
}
