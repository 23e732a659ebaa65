package muxwell

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A group claims its prefix: what the mux answers itself below it runs in the group's
// middleware, and by its handlers. Claims change with groups and mounts; refusal.go
// makes of them what a snapshot needs.

// NotFound sets the handler of requests below the group's prefix that nothing
// matches, instead of that of the groups around it and of the mux. It runs in the
// group's middleware, and in that of a group with a narrower prefix that the path is
// below. The handler sets the status itself. r.PathValue has the parameters of the
// prefix. r.Pattern is "", so that a [ParamsFunc] is given no parameters, and an
// [ErrorFunc] does not reach the mux's [ErrorHandler].
//
// One of the groups with the same prefix can have such handlers: NotFound panics if
// another has, and if h is nil, the mux, or a group of it. Below a prefix with a
// catch-all the handler is for the prefix itself only, since where a catch-all ends could
// not be told.
func (g *Group) NotFound(h http.Handler) {
	g.checkAnswer("NotFound", h)
	g.refuse("NotFound", func(s *groupState) { s.notFound = h })
}

// MethodNotAllowed sets the handler of requests below the group's prefix that
// match for other methods only; see [Group.NotFound], also for when it panics. The
// response's Allow header has been set.
func (g *Group) MethodNotAllowed(h http.Handler) {
	g.checkAnswer("MethodNotAllowed", h)
	g.refuse("MethodNotAllowed", func(s *groupState) { s.methodNotAllowed = h })
}

// checkAnswer panics if h cannot be a handler for what is no route's.
func (g *Group) checkAnswer(function string, h http.Handler) {
	if isNil(h) {
		panic("muxwell: Group." + function + ": nil handler")
	}
	if g.mux.serves(h) {
		panic("muxwell: Group." + function + ": " + servesItself + "; pass the handler that is to answer")
	}
}

// refuse changes the group's handlers for what is no route's.
func (g *Group) refuse(function string, change func(*groupState)) {
	registering.Lock()
	defer registering.Unlock()
	if !g.state.Load().answers() {
		for _, other := range g.mux.claiming {
			if other.state.Load().answers() && samePrefix(g, other) {
				panic("muxwell: Group." + function + ": another group with the prefix " + strconv.Quote(g.prefix) + " has such handlers already; set them on that group")
			}
		}
	}
	first := !g.state.Load().answers()
	g.change(change)
	if first {
		g.mux.mu.Lock()
		g.mux.hold(g)
		g.mux.mu.Unlock()
	}
	g.mux.stale()
}

// answers reports whether the group has handlers of its own for what is no
// route's.
func (s *groupState) answers() bool { return s.notFound != nil || s.methodNotAllowed != nil }

// samePrefix reports whether two groups of a mux have the same prefix, whatever
// its parameters are called.
func samePrefix(g, h *Group) bool {
	if g.parsed == nil || h.parsed == nil {
		return g.parsed == h.parsed
	}
	return g.parsed.Host == h.parsed.Host && pattern.SamePath(g.parsed.Segments, h.parsed.Segments)
}

// PathAt returns the groups around g and g itself, from the outside.
func (g *Group) path() []*Group {
	var path []*Group
	for ; g != nil; g = g.parent {
		path = append(path, g)
	}
	slices.Reverse(path)
	return path
}

// hold notes that g, and with it the groups around it, has one more route, or
// handlers of its own. A group claims its prefix from its first route, handler or
// middleware on, until its last route is removed. registering and m.mu are held.
func (m *Mux) hold(g *Group) {
	for ; g != nil; g = g.parent {
		g.held++
		m.claim(g)
	}
}

// claim makes g claim its prefix, if it has one of its own or handlers, and is not
// the mux itself. registering and m.mu are held.
func (m *Mux) claim(g *Group) {
	if g.claiming || g.parent == nil || !g.prefixed && !g.state.Load().answers() {
		return
	}
	if g.claims == nil {
		g.claims = g.parseClaims()
	}
	g.claiming = true
	m.claiming = append(m.claiming, g)
	m.claimsVersion++
}

// drop takes back what hold noted.
func (m *Mux) drop(g *Group) {
	for ; g != nil; g = g.parent {
		if g.held--; g.held == 0 && g.claiming {
			g.claiming = false
			m.claiming = slices.DeleteFunc(slices.Clone(m.claiming), func(h *Group) bool { return h == g })
			m.claimsVersion++
		}
	}
}

// parseClaims returns the patterns of the group's prefix and of all below it.
func (g *Group) parseClaims() []pattern.Pattern {
	var patterns []pattern.Pattern
	for _, text := range g.covers() {
		if p, err := g.mux.config.parse(text); err == nil { // it fails below a prefix with a catch-all
			patterns = append(patterns, *p)
		}
	}
	return patterns
}

// A claim is a prefix with a group that has it.
type claim struct {
	patterns []pattern.Pattern // the prefix, and all below it
	groups   []*Group          // the group, and those around it, from the outside
	// shares says that the group has the prefix of the group around it. It counts
	// for nothing but what it has handlers for.
	shares bool
}

// claims returns the claims of the groups of m and of the muxes mounted in it. Of
// two with the same prefix the inner one comes first.
func (m *Mux) claims() []claim {
	m.mu.Lock()
	mounts, claiming := m.mounts, m.claiming
	m.mu.Unlock()
	var all []claim
	for _, mt := range mounts {
		for _, c := range mt.child.claims() {
			all = append(all, mt.claim(c))
		}
		root, _ := pattern.Parse("/", pattern.Rules{})
		all = append(all, mt.claim(claim{[]pattern.Pattern{*root}, []*Group{&mt.child.root}, !mt.prefixed}))
	}
	for _, g := range claiming {
		all = append(all, claim{g.claims, g.path(), !g.prefixed})
	}
	return all
}

// deriveClaim returns the claim that one of the child's is in the mux around it.
func (mt *mount) deriveClaim(c claim) claim {
	all := claim{groups: slices.Concat(mt.group.path(), c.groups), shares: c.shares}
	for i := range c.patterns {
		for _, bare := range []bool{false, true} {
			q := &c.patterns[i]
			if bare && (len(q.Segments) > 1 || q.Last().Kind != pattern.CatchAll || !mt.hasBare()) {
				continue
			}
			var p pattern.Pattern
			if mt.concat(&p, q, bare) == nil { // it fails below a prefix with a catch-all
				all.patterns = append(all.patterns, p)
			}
		}
	}
	return all
}

// claimsVersions returns a number that changes whenever the result of claims
// does.
func (m *Mux) claimsVersions() uint64 {
	m.mu.Lock()
	v, mounts := m.claimsVersion, m.mounts
	m.mu.Unlock()
	for _, mt := range mounts {
		v += mt.child.claimsVersions()
	}
	return v
}
