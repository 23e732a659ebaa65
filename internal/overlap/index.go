package overlap

import (
	"iter"
	"slices"

	"github.com/muxwell/muxwell/internal/pattern"
)

// An Index finds which of many patterns may overlap with another one. Each pattern is
// stored with a value, such as its route. The zero Index is empty.
//
// Two patterns that overlap have the same host, and agree at every segment or have a
// parameter in one of them. A pattern is indexed by each of its segments, so it is enough
// to look up the segment of the other pattern with the fewest entries. Patterns with a
// catch-all, inner or last, are always candidates. Few of them are expected; with many,
// the comparison of all patterns takes quadratic time.
type Index[T comparable] struct {
	hosts map[string]hostIndex[T]
}

// A hostIndex has the patterns of one host.
type hostIndex[T comparable] struct {
	at        map[position][]T
	catchAlls []T
	all       []T
}

// A position is the index of a segment with its literal. Segments with parameters,
// whether plain, constrained or composite, are all of kind [pattern.Param] here.
type position struct {
	index int
	kind  pattern.Kind
	text  string
}

func positionOf(i int, g pattern.Segment) position {
	switch g.Kind {
	case pattern.Literal:
		return position{i, pattern.Literal, g.Text}
	case pattern.Dollar:
		return position{i, pattern.Dollar, ""}
	}
	return position{i, pattern.Param, ""}
}

// Add adds a pattern with a value.
func (x *Index[T]) Add(p *pattern.Pattern, value T) {
	if x.hosts == nil {
		x.hosts = make(map[string]hostIndex[T])
	}
	h, ok := x.hosts[p.Host]
	if !ok {
		h.at = make(map[position][]T)
	}
	h.all = append(h.all, value)
	if pattern.CatchAllAt(p.Segments) >= 0 {
		h.catchAlls = append(h.catchAlls, value)
	} else {
		for i, g := range p.Segments {
			at := positionOf(i, g)
			h.at[at] = append(h.at[at], value)
		}
	}
	x.hosts[p.Host] = h
}

// Remove removes a value that was added with the pattern.
func (x *Index[T]) Remove(p *pattern.Pattern, value T) {
	without := func(values []T) []T {
		return slices.DeleteFunc(values, func(v T) bool { return v == value })
	}
	h := x.hosts[p.Host]
	if h.all = without(h.all); len(h.all) == 0 {
		delete(x.hosts, p.Host)
		return
	}
	h.catchAlls = without(h.catchAlls)
	for i, g := range p.Segments {
		at := positionOf(i, g)
		if h.at[at] = without(h.at[at]); len(h.at[at]) == 0 {
			delete(h.at, at)
		}
	}
	x.hosts[p.Host] = h
}

// Candidates iterates over values that include those of every pattern which may overlap
// with p. The Index must not change meanwhile.
func (x *Index[T]) Candidates(p *pattern.Pattern) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, values := range x.hosts[p.Host].candidates(p.Segments) {
			for _, v := range values {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// candidates returns the lists of values that Candidates iterates over.
func (h hostIndex[T]) candidates(segs []pattern.Segment) [][]T {
	best, fewest := [][]T{h.all}, len(h.all)
	for i, g := range segs {
		if g.Kind == pattern.InnerCatchAll {
			break // no segment after it has a fixed position
		}
		if g.Kind != pattern.Literal && g.Kind != pattern.Dollar {
			continue
		}
		same, params := h.at[positionOf(i, g)], h.at[position{index: i, kind: pattern.Param}]
		if n := len(same) + len(params) + len(h.catchAlls); n < fewest {
			best, fewest = [][]T{same, params, h.catchAlls}, n
		}
	}
	return best
}
