package muxwell

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A group claims its prefix: what the mux answers itself below the prefix runs in the
// group's middleware and uses its handlers. Claims change with groups and mounts.
// refusal.go derives from them what a snapshot needs.

// NotFound sets the handler for requests below the group's prefix that no route
// matches. It is used instead of the handlers of the groups around it and of the mux.
// It runs in the group's middleware, and in that of a group with a narrower prefix if
// the path is below that. The handler must write the status itself. r.PathValue returns
// the parameters of the prefix. r.Pattern is "", so a [ParamsFunc] is given no
// parameters, and an [ErrorFunc] does not use the mux's [ErrorHandler].
//
// Only one of the groups with the same prefix can have such handlers. NotFound panics
// if another one has, if h is nil, or if h is the mux or a group of it. If the prefix
// has a catch-all, the handler is used for the prefix itself but for nothing below it,
// since the end of a catch-all would be ambiguous.
func (g *Group) NotFound(h http.Handler) {
	g.checkAnswer("NotFound", h)
	g.refuse("NotFound", func(s *groupState) { s.notFound = h })
}

// MethodNotAllowed sets the handler for requests below the group's prefix that match
// for other methods only. The Allow header of the response is already set. The rules of
// [Group.NotFound] apply, and MethodNotAllowed panics when that does.
func (g *Group) MethodNotAllowed(h http.Handler) {
	g.checkAnswer("MethodNotAllowed", h)
	g.refuse("MethodNotAllowed", func(s *groupState) { s.methodNotAllowed = h })
}

// checkAnswer panics if h cannot be a handler for the mux's own answers.
func (g *Group) checkAnswer(function string, h http.Handler) {
	if isNil(h) {
		panic("muxwell: Group." + function + ": nil handler")
	}
	if g.mux.serves(h) {
		panic("muxwell: Group." + function + ": " + servesItself + "; pass the handler that writes the answer")
	}
}

// refuse changes the group's handlers for the mux's own answers.
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

// answers reports whether the group has handlers of its own for the mux's own answers.
func (s *groupState) answers() bool { return s.notFound != nil || s.methodNotAllowed != nil }

// samePrefix reports whether two groups of a mux have the same prefix. The names of
// parameters are ignored.
func samePrefix(g, h *Group) bool {
	if g.parsed == nil || h.parsed == nil {
		return g.parsed == h.parsed
	}
	return g.parsed.Host == h.parsed.Host && pattern.SamePath(g.parsed.Segments, h.parsed.Segments)
}

// path returns the groups around g and g itself, the outermost first.
func (g *Group) path() []*Group {
	var path []*Group
	for ; g != nil; g = g.parent {
		path = append(path, g)
	}
	slices.Reverse(path)
	return path
}

// hold records that g, and with it the groups around it, has one more route, or
// handlers of its own. A group claims its prefix from its first route, handler or
// middleware on, until its last route is removed. registering and m.mu are held.
func (m *Mux) hold(g *Group) {
	for ; g != nil; g = g.parent {
		g.held++
		m.claim(g)
	}
}

// claim makes g claim its prefix if it has its own prefix or handlers and is not the
// mux itself. registering and m.mu are held.
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

// drop undoes hold.
func (m *Mux) drop(g *Group) {
	for ; g != nil; g = g.parent {
		if g.held--; g.held == 0 && g.claiming {
			g.claiming = false
			m.claiming = slices.DeleteFunc(slices.Clone(m.claiming), func(h *Group) bool { return h == g })
			m.claimsVersion++
		}
	}
}

// parseClaims returns the patterns of the group's prefix and of everything below it.
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
	patterns []pattern.Pattern // the prefix, and everything below it
	groups   []*Group          // the group, and those around it, the outermost first
	// shares is set if the group has the prefix of the group around it. Then only its
	// handlers matter.
	shares bool
}

// claims returns the claims of the groups of m and of the muxes mounted in it. If two
// have the same prefix, the inner one comes first.
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

// deriveClaim returns the claim in the outer mux for a claim of the child.
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

// claimsVersions returns a number that changes whenever the result of claims changes.
func (m *Mux) claimsVersions() uint64 {
	m.mu.Lock()
	v, mounts := m.claimsVersion, m.mounts
	m.mu.Unlock()
	for _, mt := range mounts {
		v += mt.child.claimsVersions()
	}
	return v
}
