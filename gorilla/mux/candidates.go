package mux

// Candidates are the routes of a plan that may match.
type candidates struct {
	few    few     // if there is place for all of the plan
	unions []union // or those of sets that they are in
	many   bool
	size   int
}

// candidates returns the routes of p that may match; unions has place.
func (s *search) candidates(p *plan, unions []union) (c candidates) {
	if p.index.hasFew() {
		p.index.few(&c.few, s.query(p))
		return c
	}
	return candidates{many: true, size: p.index.size, unions: p.index.unions(unions[:0], s.query(p))}
}

// next returns the first of the routes from i on, or -1.
func (c *candidates) next(i int) int {
	if c.many {
		return nextOf(c.unions, c.size, i)
	}
	return c.few.next(i)
}

// query returns what a plan's index is asked.
func (s *search) query(p *plan) query {
	q := query{path: &s.path, host: s.host}
	if s.quick {
		q.method = s.req.Method
	}
	if p.index.encoded != s.encoded {
		q.path = &unknownPath
	}
	return q
}

// unknownPath is the path if an index wants it in another form than the search.
var unknownPath segments
