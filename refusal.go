package muxwell

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// What the mux answers itself (404, 405, 406, 415, redirects, answers to OPTIONS)
// goes through middleware: that of the innermost group whose prefix the path is
// below, or that of the mux. Middleware is composed once, around a handler that
// does not know the answer yet, so the answer travels in the request's context.
//
//	claim    a group and its prefix
//	claimed  what the claims to one prefix come to: a chain for each kind of answer
//	chain    middleware around the handler that writes the answer

// NotFound sets the handler of requests below the group's prefix that nothing
// matches, in place of that of the groups around it and of the mux. It runs in
// the group's middleware, and in that of a group with a narrower prefix that the
// path is below. It sets the status itself, and can read the parameters of the
// prefix. In it r.Pattern is "". Of groups with the same prefix one can have
// such handlers: NotFound panics if another has, and if h is nil, the mux or a group
// of it. Below a prefix
// with a catch-all, of which it could not be told where it ends, it is for the
// prefix itself only.
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

// refusals has what a snapshot needs for what is no route's, if the mux or a
// group with a prefix has middleware or handlers for that.
type refusals struct {
	chains   map[*groupState][]*chain // by the state of the innermost group
	mux      *chain                   // of the mux itself
	tables   *routing.Tables          // of the prefixes that groups claim; nil if there are none
	prefixes []claimed                // by their numbers
}

// A claimed says what answers below a prefix: the mux's own answers by status.
type claimed struct{ notFound, methodNotAllowed, other claimedAnswer }

// newRefusals returns the refusals for claims, or nil if there is nothing but what
// the options say. What old has composed is taken from there; old may be nil.
func (m *Mux) newRefusals(claims []claim, old *refusals) *refusals {
	f := &refusals{chains: make(map[*groupState][]*chain)}
	f.mux = f.chainOf([]*Group{&m.root}, old)
	wrapped := f.mux.handler != nil
	if slices.ContainsFunc(claims, func(c claim) bool { return c.matters() || wrapped && c.hasParams() }) {
		f.claim(m, claims, old)
	}
	if !wrapped && f.tables == nil {
		return nil
	}
	return f
}

// matters reports whether a group of the claim has middleware or handlers.
func (c claim) matters() bool {
	return slices.ContainsFunc(c.groups[1:], func(g *Group) bool {
		s := g.state.Load()
		return len(s.middleware) > 0 || s.answers()
	})
}

// hasParams reports whether the claim's prefix has parameters, which middleware can
// read.
func (c claim) hasParams() bool {
	return slices.ContainsFunc(c.patterns, func(p pattern.Pattern) bool { return len(p.Names()) > 0 })
}

// own returns the group that has the prefix.
func (c claim) own() *groupState { return c.groups[len(c.groups)-1].state.Load() }

// A claimedPrefix is a prefix, or all below it, with the claims to it and for each
// of these a route with the names that it has for the parameters.
type claimedPrefix struct {
	claims []claim
	routes []*Route
}

// claim sets the tables of prefixes.
func (f *refusals) claim(m *Mux, claims []claim, old *refusals) {
	prefixes := m.claimedPrefixes(claims)
	if len(prefixes) == 0 {
		return
	}
	c := m.config
	c.slash, c.unclean = SlashStrict, PathServe
	entries := make([]*routing.Entry, len(prefixes)+1)
	f.prefixes = make([]claimed, len(prefixes)+1)
	byStatus := [...]func(*groupState) http.Handler{
		func(s *groupState) http.Handler { return s.notFound },
		func(s *groupState) http.Handler { return s.methodNotAllowed },
		func(*groupState) http.Handler { return nil },
	}
	var answers [len(byStatus)][]claimedAnswer
	for i, handler := range byStatus {
		answers[i] = f.answersOf(prefixes, handler, old)
	}
	for i, q := range prefixes {
		rt := q.routes[0]
		rt.entry.Number, rt.entry.Index = uint32(i+1), int64(i)
		entries[i+1] = &rt.entry
		f.prefixes[i+1] = claimed{answers[0][i], answers[1][i], answers[2][i]}
	}
	f.tables = routing.Build(c.policy(), entries)
}

// claimedPrefixes returns the prefixes that are claimed, in the order of the first
// claim to each.
func (m *Mux) claimedPrefixes(claims []claim) []*claimedPrefix {
	var prefixes []*claimedPrefix
	byHash := make(map[uint64][]*claimedPrefix)
	for _, c := range claims {
		for _, p := range c.patterns {
			rt := &Route{pattern: p, group: &m.root}
			if rt.complete() != nil {
				continue
			}
			rt.layout.Names = params.NewNames(rt.allNames())
			hash := p.Hash()
			at := slices.IndexFunc(byHash[hash], func(q *claimedPrefix) bool {
				return q.routes[0].pattern.Host == p.Host && pattern.SamePath(q.routes[0].pattern.Segments, p.Segments)
			})
			if at < 0 {
				at = len(byHash[hash])
				byHash[hash] = append(byHash[hash], new(claimedPrefix))
				prefixes = append(prefixes, byHash[hash][at])
			}
			q := byHash[hash][at]
			q.claims, q.routes = append(q.claims, c), append(q.routes, rt)
		}
	}
	return prefixes
}

// A claimedAnswer is how one kind of answer is given below a prefix.
type claimedAnswer struct {
	chain  *chain
	routes []*Route      // of the prefixes whose parameters can be read
	names  *params.Names // of all routes
}

// answersOf returns the answers of one kind for prefixes. handler returns what a
// group has for it, or nil.
func (f *refusals) answersOf(prefixes []*claimedPrefix, handler func(*groupState) http.Handler, old *refusals) []claimedAnswer {
	has := func(groups []*Group) bool {
		return slices.ContainsFunc(groups[1:], func(g *Group) bool { return handler(g.state.Load()) != nil })
	}
	var outer []claimAt // of groups with such a handler
	for _, q := range prefixes {
		if i := slices.IndexFunc(q.claims, func(c claim) bool { return handler(c.own()) != nil }); i >= 0 {
			outer = append(outer, claimAt{q.claims[i].groups, q.routes[i]})
		}
	}
	answers := make([]claimedAnswer, len(prefixes))
	for i, q := range prefixes {
		at := q.owner(handler)
		routes := []*Route{at.route}
		if !has(at.groups) {
			if o, ok := innermostAround(outer, at.route); ok {
				at.groups = append(slices.Clip(at.groups), o.groups[commonLen(at.groups, o.groups):]...)
				routes = append(routes, o.route)
			}
		}
		answers[i] = claimedAnswer{f.chainOf(at.groups, old), routes, namesOf(routes)}
	}
	return answers
}

// A claimAt is the groups, from the outside, of a claim to the prefix of a route.
type claimAt struct {
	groups []*Group
	route  *Route
}

// owner returns the claim of the group that has a handler of its own for an
// answer. If none has, the groups are those that all claims have in common.
func (q *claimedPrefix) owner(handler func(*groupState) http.Handler) claimAt {
	at, found := claimAt{q.claims[0].groups[:1], q.routes[0]}, false
	for i, c := range q.claims {
		switch {
		case handler(c.own()) != nil:
			return claimAt{c.groups, q.routes[i]}
		case c.shares:
		case !found:
			at, found = claimAt{c.groups, q.routes[i]}, true
		default:
			at.groups = at.groups[:commonLen(at.groups, c.groups)]
		}
	}
	return at
}

// commonLen returns how many groups two lists begin with in common.
func commonLen(a, b []*Group) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// innermostAround returns the claim to the narrowest prefix that holds all of a
// route's requests.
func innermostAround(claims []claimAt, rt *Route) (best claimAt, ok bool) {
	holds := func(outer, inner *Route) bool {
		r := overlap.Paths(outer.pattern.Segments, inner.pattern.Segments)
		return (outer.pattern.Host == "" || outer.pattern.Host == inner.pattern.Host) && r&overlap.Shared != 0 && r&overlap.OnlyQ == 0
	}
	for _, c := range claims {
		if holds(c.route, rt) && (!ok || holds(best.route, c.route)) {
			best, ok = c, true
		}
	}
	return best, ok
}

// namesOf returns the names of the parameters of all routes.
func namesOf(routes []*Route) *params.Names {
	if len(routes) == 1 {
		return routes[0].layout.Names
	}
	var names []string
	for _, rt := range routes {
		for _, name := range rt.layout.Names.List {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return params.NewNames(names)
}

// setValues gives the request the values of the prefixes' parameters.
func (c *claimedAnswer) setValues(r *http.Request, path string, escaped bool) {
	if len(c.names.List) == 0 {
		return
	}
	vals := make([]string, 0, len(c.names.List))
	at := params.SourceOf(path, escaped)
	for _, rt := range c.routes {
		own := make([]string, len(rt.layout.Names.List))
		rt.layout.Values(own, rt.layout.Host(r), at)
		for i, name := range rt.layout.Names.List {
			if len(vals) < len(c.names.List) && c.names.List[len(vals)] == name {
				vals = append(vals, own[i])
			}
		}
	}
	if !pathvalue.Set(r, c.names.Shape, vals) {
		pathvalue.SetByName(r, c.names.List, vals)
	}
}

// A chain is the middleware of groups around the handler that writes the answer.
type chain struct {
	mux                        *Mux
	states                     []*groupState // of the groups, from the outside
	handler                    http.Handler  // nil if there is no middleware
	notFound, methodNotAllowed http.Handler  // of the innermost group that has one; nil if none has
}

// chainOf returns the chain of groups, the first of which is the mux's own.
func (f *refusals) chainOf(groups []*Group, old *refusals) *chain {
	c := &chain{mux: groups[0].mux}
	for i, g := range groups {
		s := g.state.Load()
		c.states = append(c.states, s)
		if s.notFound != nil && i > 0 {
			c.notFound = s.notFound
		}
		if s.methodNotAllowed != nil && i > 0 {
			c.methodNotAllowed = s.methodNotAllowed
		}
	}
	innermost := c.states[len(c.states)-1]
	for _, from := range []*refusals{f, old} {
		if from == nil {
			continue
		}
		for _, known := range from.chains[innermost] {
			if slices.Equal(known.states, c.states) {
				if from == old {
					f.chains[innermost] = append(f.chains[innermost], known)
				}
				return known
			}
		}
	}
	var middleware []Middleware
	for _, s := range c.states {
		middleware = append(middleware, s.middleware...)
	}
	if len(middleware) > 0 {
		c.handler = compose(middleware, http.HandlerFunc(c.serveCarried))
	}
	f.chains[innermost] = append(f.chains[innermost], c)
	return c
}

// serve answers a request that is no route's.
func (f *refusals) serve(w http.ResponseWriter, r *http.Request, a *routing.Answer) {
	c := f.chain(r, a.Status)
	if c.handler == nil {
		c.write(w, r, a)
		return
	}
	ctx := &answerContext{r.Context(), c.mux, *a}
	serveCopy(c.handler, w, r, r.WithContext(ctx))
}

// An answerContext carries the answer that a mux gives to a request.
type answerContext struct {
	context.Context
	mux    *Mux
	answer routing.Answer
}

// answerKey is the key of the answer of a mux.
type answerKey struct{ mux *Mux }

func (c *answerContext) Value(key any) any {
	if key == (answerKey{c.mux}) {
		return &c.answer
	}
	return c.Context.Value(key)
}

// serveCopy serves a copy of a request, so that the server removes the temporary
// files of a form that is read from it: it does that for its own request.
func serveCopy(h http.Handler, w http.ResponseWriter, r, copied *http.Request) {
	defer func() {
		if r.MultipartForm == nil {
			r.MultipartForm = copied.MultipartForm
		}
	}()
	h.ServeHTTP(w, copied)
}

// handler returns the handler that gives the answer to a request, in its
// middleware.
func (f *refusals) handler(a routing.Answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, &a) })
}

// chain returns the chain for the request's path and the status of its answer, and
// gives the request the values of the prefix's parameters.
func (f *refusals) chain(r *http.Request, status int) *chain {
	if f.tables == nil {
		return f.mux
	}
	path, escaped := routing.SentPath(r)
	if !urlpath.IsClean(path) {
		path = urlpath.Clean(path)
	}
	rec := f.tables.Match(r, hostname.Of(r), path, escaped)
	if rec == 0 {
		return f.mux
	}
	c := &f.prefixes[rec].other
	switch status {
	case http.StatusNotFound:
		c = &f.prefixes[rec].notFound
	case http.StatusMethodNotAllowed:
		c = &f.prefixes[rec].methodNotAllowed
	}
	c.setValues(r, path, escaped)
	return c.chain
}

// serveCarried answers a request that came through the middleware of c. If
// middleware made a new request without the context of the one it was given, the
// mux is asked again.
func (c *chain) serveCarried(w http.ResponseWriter, r *http.Request) {
	a, ok := r.Context().Value(answerKey{c.mux}).(*routing.Answer)
	if !ok {
		again := c.mux.current().resolve(r)
		if a = &again; a.Number != 0 {
			a = &routing.NotFound
		}
	}
	c.write(w, r, a)
}

// write writes an answer, by a group's handler if there is one for it.
func (c *chain) write(w http.ResponseWriter, r *http.Request, a *routing.Answer) {
	switch {
	case a.Status == http.StatusNotFound && c.notFound != nil:
		c.notFound.ServeHTTP(w, r)
	case a.Status == http.StatusMethodNotAllowed && c.methodNotAllowed != nil:
		w.Header().Set("Allow", a.Allow)
		c.methodNotAllowed.ServeHTTP(w, r)
	default:
		c.mux.config.serve(w, r, a)
	}
}
