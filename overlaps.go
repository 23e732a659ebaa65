package muxwell

import (
	"slices"

	"github.com/muxwell/muxwell/internal/pattern"
)

// overlaps finds the routes of one host that may overlap with a new one, for
// [StrictConflicts]. A route is filed under each of its segments; two routes
// that overlap agree at every position or one has a parameter there, so it is
// enough to look at the position of the new route that has the fewest. Routes
// with a catch-all, at the end or in the middle, are always looked at: few of
// them are expected, and many make registration quadratic.
type overlaps struct {
	at        map[position][]*Route
	catchAlls []*Route
	all       []*Route
}

// A position is a segment's index with its literal. Whatever has parameters is
// of kind param there: plain, constrained and mixed segments are looked at
// together.
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

// noteOverlaps files a registered route.
func (m *Mux) noteOverlaps(rt *Route) {
	if m.overlaps == nil {
		m.overlaps = make(map[string]*overlaps)
	}
	o := m.overlaps[rt.pattern.Host]
	if o == nil {
		o = newOverlaps()
		m.overlaps[rt.pattern.Host] = o
	}
	o.add(rt)
}

func newOverlaps() *overlaps { return &overlaps{at: make(map[position][]*Route)} }

// Add files a route.
func (o *overlaps) add(rt *Route) {
	o.all = append(o.all, rt)
	if pattern.CatchAllAt(rt.pattern.Segments) >= 0 {
		o.catchAlls = append(o.catchAlls, rt)
		return
	}
	for i, g := range rt.pattern.Segments {
		p := positionOf(i, g)
		o.at[p] = append(o.at[p], rt)
	}
}

// checkOverlaps returns the conflict of rt with another route of m, if any.
func (p *plan) checkOverlaps(m *Mux, rt *Route) error {
	check := func(q *Route) error {
		if p.isRemoved(q) || len(q.matchers()) > 0 || rt.bothAtRoot(q) {
			return nil
		}
		if e := ambiguous(rt, q); e != nil {
			return e
		}
		return nil
	}
	if len(rt.matchers()) > 0 {
		return nil
	}
	if o := m.overlaps[rt.pattern.Host]; o != nil {
		for _, routes := range o.candidates(rt) {
			for _, q := range routes {
				if err := check(q); err != nil {
					return err
				}
			}
		}
	}
	for _, s := range p.steps {
		if s.mux == m && !s.removed && s.route.pattern.Host == rt.pattern.Host {
			if err := check(s.route); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove takes a route out, and reports whether it was the last.
func (o *overlaps) remove(rt *Route) (empty bool) {
	without := func(routes []*Route) []*Route {
		return slices.DeleteFunc(routes, func(q *Route) bool { return q == rt })
	}
	o.all, o.catchAlls = without(o.all), without(o.catchAlls)
	for i, g := range rt.pattern.Segments {
		p := positionOf(i, g)
		if o.at[p] = without(o.at[p]); len(o.at[p]) == 0 {
			delete(o.at, p)
		}
	}
	return len(o.all) == 0
}

// candidates returns lists that hold every route which may overlap with rt.
func (o *overlaps) candidates(rt *Route) [][]*Route {
	best, fewest := [][]*Route{o.all}, len(o.all)
	for i, g := range rt.pattern.Segments {
		if g.Kind == pattern.InnerCatchAll {
			break // what is behind it has no fixed position
		}
		if g.Kind != pattern.Literal && g.Kind != pattern.Dollar {
			continue
		}
		same, params := o.at[positionOf(i, g)], o.at[position{index: i, kind: pattern.Param}]
		if n := len(same) + len(params) + len(o.catchAlls); n < fewest {
			best, fewest = [][]*Route{same, params, o.catchAlls}, n
		}
	}
	return best
}
