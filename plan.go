package muxwell

import (
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A plan is checked step by step, against the muxes as they will be after the previous
// steps. Only commit changes the muxes.

// A plan is a list of changes that are made together or not at all.
type plan struct {
	steps []step
	// The results of the steps for the muxes.
	removed map[*Route]bool
	shapes  map[plannedShape][]*Route // of the first indexed steps; see planned
	indexed int
	names   map[plannedName]*Route
}

// A step adds a route to a mux, or removes it.
type step struct {
	mux     *Mux
	route   *Route
	shape   uint64
	removed bool
	place   *Route // whose place in the registration order an added route gets; nil for the end; itself if it is put back
}

type plannedShape struct {
	mux   *Mux
	shape uint64
}

type plannedName struct {
	mux  *Mux
	name string
}

// add plans to add a route to a mux, and to the muxes in which that is mounted. If
// place is not nil, the route gets the place of that one, which the plan removes. If
// add fails, the plan is unchanged.
func (p *plan) add(m *Mux, rt, place *Route) error {
	n := len(p.steps)
	if err := p.tryAdd(m, rt, place); err != nil {
		p.undo(n)
		return err
	}
	return nil
}

func (p *plan) tryAdd(m *Mux, rt, place *Route) error {
	s := step{mux: m, route: rt, shape: rt.pattern.Hash(), place: place}
	if err := p.check(&s); err != nil {
		return err
	}
	p.note(s)
	for _, mt := range m.parents {
		derived, err := mt.derive(rt)
		if err != nil {
			return err
		}
		var places []*Route
		if place != nil {
			places = p.derivedOf(mt, place)
		}
		for i, d := range derived {
			var place *Route
			if n := len(places); n > 0 {
				place = places[min(i, n-1)] // one may be replaced by two, or two by one
			}
			if err := p.tryAdd(mt.group.mux, d, place); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove plans to remove a route from a mux, and from the muxes in which that is
// mounted.
func (p *plan) remove(m *Mux, rt *Route) {
	p.note(step{mux: m, route: rt, shape: rt.pattern.Hash(), removed: true})
	for _, mt := range m.parents {
		for _, d := range p.derivedOf(mt, rt) {
			p.remove(mt.group.mux, d)
		}
	}
}

// derivedOf returns the routes that are derived from a route of the child. They may
// only be planned so far.
func (p *plan) derivedOf(mt *mount, rt *Route) []*Route {
	derived := mt.derived[rt]
	if derived != nil {
		return derived
	}
	for _, s := range p.steps {
		if !s.removed && s.route.isMounted() && s.route.info.origin == rt && s.route.info.mount == mt {
			derived = append(derived, s.route)
		}
	}
	return derived
}

// inverse returns the plan that undoes p, except for what somebody else has changed
// since.
func (p *plan) inverse() *plan {
	back := new(plan)
	for _, s := range p.steps {
		if !s.removed && !p.isRemoved(s.route) && s.mux.has(s.route) {
			back.note(step{mux: s.mux, route: s.route, shape: s.shape, removed: true})
		}
	}
	for _, s := range p.steps {
		again := step{mux: s.mux, route: s.route, shape: s.shape, place: s.route}
		if s.removed && !slices.Contains(p.planned(s.mux, s.shape), s.route) && back.check(&again) == nil {
			back.note(again)
		}
	}
	return back
}

// note adds a step that was checked.
func (p *plan) note(s step) {
	p.steps = append(p.steps, s)
	if s.removed {
		if p.removed == nil {
			p.removed = make(map[*Route]bool)
		}
		p.removed[s.route] = true
		return
	}
	if name := s.route.ownName(); name != "" {
		if p.names == nil {
			p.names = make(map[plannedName]*Route)
		}
		p.names[plannedName{s.mux, name}] = s.route
	}
}

// undo removes the steps from n on.
func (p *plan) undo(n int) {
	for len(p.steps) > n {
		s := p.steps[len(p.steps)-1]
		p.steps = p.steps[:len(p.steps)-1]
		key, name := plannedShape{s.mux, s.shape}, plannedName{s.mux, s.route.ownName()}
		switch {
		case s.removed:
			delete(p.removed, s.route)
			if name.name != "" && p.names != nil {
				p.names[name] = s.route
			}
		default:
			if p.indexed > len(p.steps) {
				p.shapes[key] = p.shapes[key][:len(p.shapes[key])-1] // it was added last
			}
			delete(p.names, name)
		}
		p.indexed = min(p.indexed, len(p.steps))
	}
}

// planned returns the routes with a shape that the plan adds to a mux and does not
// remove again.
func (p *plan) planned(m *Mux, shape uint64) []*Route {
	for ; p.indexed < len(p.steps); p.indexed++ {
		if s := &p.steps[p.indexed]; !s.removed {
			if p.shapes == nil {
				p.shapes = make(map[plannedShape][]*Route)
			}
			key := plannedShape{s.mux, s.shape}
			p.shapes[key] = append(p.shapes[key], s.route)
		}
	}
	return p.shapes[plannedShape{m, shape}]
}

// isRemoved reports whether the plan removes a route.
func (p *plan) isRemoved(rt *Route) bool { return p.removed[rt] }

// check checks whether a route can be added.
func (p *plan) check(s *step) error {
	m, rt := s.mux, s.route
	if err := p.checkName(m, rt); err != nil {
		return err
	}
	if len(rt.matchers()) > 0 {
		return nil // it conflicts with nothing, and there may be many with its path
	}
	clash := func(q *Route) error {
		if len(q.matchers()) > 0 || p.isRemoved(q) || rt.bothAtRoot(q) || q.pattern.Host != rt.pattern.Host || !pattern.SamePath(q.pattern.Segments, rt.pattern.Segments) {
			return nil
		}
		if _, ok := overlap.CommonMethod(&q.pattern, &rt.pattern); ok {
			return duplicate(rt, q)
		}
		return nil
	}
	for q := m.duplicateIndex[s.shape]; q != nil; q = q.next {
		if err := clash(q); err != nil {
			return err
		}
		rt.pattern.ShareSegments(&q.pattern)
	}
	for _, q := range p.planned(m, s.shape) {
		if err := clash(q); err != nil {
			return err
		}
	}
	if strict := m.config.strict; strict != nil {
		return strict.check(p, m, rt)
	}
	return nil
}

// A strictness has the functions that registration calls under [StrictConflicts]. The
// option sets it, so that only programs with the option link these functions.
type strictness struct {
	check  func(*plan, *Mux, *Route) error // returns the conflict of a new route, if any
	note   func(*Mux, *Route)              // adds a registered route to the index
	forget func(*Mux, *Route)              // removes a route from the index
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
	for q := range m.overlaps.Candidates(&rt.pattern) {
		if err := check(q); err != nil {
			return err
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

// checkName checks the route's name, if it has one.
func (p *plan) checkName(m *Mux, rt *Route) error {
	if rt.info == nil || !rt.info.named || rt.isMounted() {
		return nil
	}
	name := rt.info.name
	if name == "" {
		return &NameError{Pattern: rt.pattern.Text, Reason: "the name is empty; omit the option Name"}
	}
	q := m.named[name]
	if q != nil && p.isRemoved(q) {
		q = nil
	}
	if planned := p.names[plannedName{m, name}]; q == nil && planned != nil && !p.isRemoved(planned) {
		q = planned
	}
	if q != nil {
		return &NameError{
			Name: name, Pattern: rt.pattern.Text, Other: q.pattern.Text, OtherSource: q.Source(),
			Reason: "pattern " + strconv.Quote(excerpt.Abridge(q.pattern.Text)) + ", registered at " + q.Source() + ", already has it; choose another",
		}
	}
	return nil
}

// muxes returns the muxes that the plan changes.
func (p *plan) muxes() []*Mux {
	var muxes []*Mux
	for i := range p.steps {
		if m := p.steps[i].mux; !slices.Contains(muxes, m) {
			muxes = append(muxes, m)
		}
	}
	return muxes
}

// commit makes the changes. Existing snapshots do not change.
func (p *plan) commit() {
	for _, m := range p.muxes() {
		m.mu.Lock()
		m.version++
		claims := m.claimsVersion
		for _, s := range p.steps {
			if s.mux == m && s.removed && !slices.Contains(p.planned(m, s.shape), s.route) {
				m.unlink(s.route, s.shape)
			}
		}
		for _, s := range p.steps {
			switch {
			case s.mux != m || s.removed:
			case p.isRemoved(s.route):
				m.number(s.route, s.place) // for the route that replaces it
			default:
				m.link(s.route, s.shape, s.place)
			}
		}
		if slices.ContainsFunc(p.steps, func(s step) bool { return s.removed || s.place != nil }) {
			m.routes = slices.DeleteFunc(slices.Clone(m.routes), p.isRemoved)
			slices.SortFunc(m.routes, byRegistration) // some may replace others, or be put back
		}
		changed := m.claimsVersion != claims
		m.mu.Unlock()
		if changed {
			m.ageParents()
		}
	}
}

// ageParents marks the snapshots of the muxes in which m is mounted as outdated.
func (m *Mux) ageParents() {
	for _, mt := range m.parents {
		outer := mt.group.mux
		outer.mu.Lock()
		outer.version++
		outer.mu.Unlock()
		outer.ageParents()
	}
}

// put commits the plan and marks the snapshots stale.
func (p *plan) put() {
	p.commit()
	for _, m := range p.muxes() {
		m.live.Store(nil)
	}
}

// release frees the numbers of the routes that the plan removed. After that these
// cannot be put back.
func (p *plan) release() {
	for _, s := range p.steps {
		if s.removed && !slices.Contains(p.planned(s.mux, s.shape), s.route) {
			s.mux.mu.Lock()
			s.mux.free = append(s.mux.free, s.route.entry.Number)
			s.mux.mu.Unlock()
		}
	}
}
