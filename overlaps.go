package muxwell

// overlaps finds the routes of one host that may overlap with a new one, for
// [StrictConflicts]. A route is filed under each of its segments; two routes
// that overlap agree at every position or one has a parameter there, so it is
// enough to look at the position of the new route that has the fewest. Routes
// with a catch-all are always looked at: few of them are expected, and many make
// registration quadratic.
type overlaps struct {
	at        map[position][]*Route
	catchAlls []*Route
	all       []*Route
}

// A position is a segment's index with its literal; parameters have "" and the
// end of a path has end set.
type position struct {
	index int
	seg   segment
}

func positionOf(i int, g segment) position {
	if g.kind == param {
		g.text = ""
	}
	return position{i, g}
}

// noteOverlaps files a registered route.
func (m *Mux) noteOverlaps(rt *Route) {
	if m.overlaps == nil {
		m.overlaps = make(map[string]*overlaps)
	}
	o := m.overlaps[rt.host]
	if o == nil {
		o = &overlaps{at: make(map[position][]*Route)}
		m.overlaps[rt.host] = o
	}
	o.all = append(o.all, rt)
	if rt.last().kind == rest {
		o.catchAlls = append(o.catchAlls, rt)
		return
	}
	for i, g := range rt.segs {
		p := positionOf(i, g)
		o.at[p] = append(o.at[p], rt)
	}
}

// checkOverlaps returns the conflict of rt with a registered route, if any.
func (m *Mux) checkOverlaps(rt *Route) error {
	o := m.overlaps[rt.host]
	if o == nil {
		return nil
	}
	for _, routes := range o.candidates(rt) {
		for _, q := range routes {
			if e := ambiguous(rt, q); e != nil {
				return e
			}
		}
	}
	return nil
}

// candidates returns lists that hold every route which may overlap with rt.
func (o *overlaps) candidates(rt *Route) [][]*Route {
	best, fewest := [][]*Route{o.all}, len(o.all)
	for i, g := range rt.segs {
		if g.kind != literal && g.kind != end {
			continue
		}
		same, params := o.at[positionOf(i, g)], o.at[position{i, segment{kind: param}}]
		if n := len(same) + len(params) + len(o.catchAlls); n < fewest {
			best, fewest = [][]*Route{same, params, o.catchAlls}, n
		}
	}
	return best
}
