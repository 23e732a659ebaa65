package muxwell

import (
	"context"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/compose"
	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// The mux's own answers (404, 405, 406, 415, redirects, answers to OPTIONS) go through
// middleware: that of the innermost group whose prefix the path is below, or that of
// the mux. Middleware is composed once, around a handler that does not know the answer
// yet, so the answer is passed in the request's context.
//
//	claim    a group and its prefix
//	claimed  the result of all claims to one prefix: a chain for each kind of answer
//	chain    middleware around the handler that writes the answer

// refusals has what a snapshot needs for the mux's own answers if the mux or a group
// with a prefix has middleware or handlers for them.
type refusals struct {
	chains   map[*groupState][]*chain // keyed by the state of the innermost group
	mux      *chain                   // of the mux itself
	tables   *routing.Tables          // of the prefixes that groups claim; nil if no group does
	prefixes []claimed                // by their numbers
}

// A claimed has the answers below a prefix, by status.
type claimed struct{ notFound, methodNotAllowed, other claimedAnswer }

// newRefusals returns the refusals for claims, or nil if the options decide everything.
// What old has composed is reused; old may be nil.
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
		return len(s.middleware) > 0 || s.answers() || s.errors != nil
	})
}

// hasParams reports whether the claim's prefix has parameters, which middleware can
// read.
func (c claim) hasParams() bool {
	return slices.ContainsFunc(c.patterns, func(p pattern.Pattern) bool { return len(p.Names()) > 0 })
}

// own returns the state of the group that has the prefix.
func (c claim) own() *groupState { return c.groups[len(c.groups)-1].state.Load() }

// A claimedPrefix is a prefix, or everything below it, with the claims to it and, for
// each of these, a route with its names for the parameters.
type claimedPrefix struct {
	claims []claim
	routes []*Route
}

// claim builds the tables of prefixes.
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
		answers[i] = f.answersOf(prefixes, func(s *groupState, shares bool) bool {
			return handler(s) != nil || s.errors != nil && !shares
		}, old)
	}
	for i, q := range prefixes {
		rt := q.routes[0]
		rt.entry.Number, rt.entry.Index = uint32(i+1), int64(i)
		entries[i+1] = &rt.entry
		f.prefixes[i+1] = claimed{answers[0][i], answers[1][i], answers[2][i]}
	}
	f.tables = routing.Build(c.policy(), routing.List(entries))
}

// claimedPrefixes returns the claimed prefixes, in the order of the first claim to
// each.
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

// A claimedAnswer describes how one kind of answer is given below a prefix.
type claimedAnswer struct {
	chain  *chain
	routes []*Route      // of the prefixes whose parameters can be read
	names  *params.Names // of all routes
}

// A decider reports whether a group has a handler of its own for one kind of answer.
// An ErrorHandler does not count if the group shares its prefix.
type decider = func(s *groupState, shares bool) bool

// answersOf returns the answers of one kind for prefixes.
func (f *refusals) answersOf(prefixes []*claimedPrefix, decides decider, old *refusals) []claimedAnswer {
	has := func(groups []*Group) bool {
		return slices.ContainsFunc(groups[1:], func(g *Group) bool { return decides(g.state.Load(), false) })
	}
	var outer []claimAt // of groups with such a handler
	for _, q := range prefixes {
		if i := slices.IndexFunc(q.claims, func(c claim) bool { return decides(c.own(), c.shares) }); i >= 0 {
			outer = append(outer, claimAt{q.claims[i].groups, q.routes[i]})
		}
	}
	answers := make([]claimedAnswer, len(prefixes))
	for i, q := range prefixes {
		at := q.owner(decides)
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

// A claimAt has the groups, the outermost first, of a claim to the prefix of a route.
type claimAt struct {
	groups []*Group
	route  *Route
}

// owner returns the claim of the group that has its own handler for an answer. If there
// is none, the groups are those that all claims have in common.
func (q *claimedPrefix) owner(decides decider) claimAt {
	at, found := claimAt{q.claims[0].groups[:1], q.routes[0]}, false
	for i, c := range q.claims {
		switch {
		case decides(c.own(), c.shares):
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

// commonLen returns the length of the longest common beginning of two lists of groups.
func commonLen(a, b []*Group) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// innermostAround returns the claim to the narrowest prefix that contains all of a
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

// setValues sets the values of the prefixes' parameters in the request.
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
	mux     *Mux
	states  []*groupState // of the groups, the outermost first
	handler http.Handler  // nil if there is no middleware
	// Of the innermost group inside of the mux that has one. The handlers are nil if
	// errors is that of a group inside of theirs.
	notFound, methodNotAllowed http.Handler
	errors                     errorHandler
}

// chainOf returns the chain of groups, the first of which is the mux's own.
func (f *refusals) chainOf(groups []*Group, old *refusals) *chain {
	c := &chain{mux: groups[0].mux}
	for i, g := range groups {
		s := g.state.Load()
		c.states = append(c.states, s)
		if s.errors != nil && i > 0 {
			c.errors, c.notFound, c.methodNotAllowed = s.errors, nil, nil
		}
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
		chain := compose.Chain{Proxies: c.mux.config.proxies}
		if h := errorsOf(groups); h != nil {
			chain.Refuse = h.rejected(nil)
		}
		c.handler = composeAround(http.HandlerFunc(c.serveCarried), middleware, &chain)
	}
	f.chains[innermost] = append(f.chains[innermost], c)
	return c
}

// serve writes an answer that the mux gives itself.
func (f *refusals) serve(w http.ResponseWriter, r *http.Request, a *routing.Answer, s *snapshot) {
	c := f.chain(r, a.Status)
	if c.handler == nil {
		c.write(w, r, a, s)
		return
	}
	ctx := &answerContext{r.Context(), c.mux, carried{*a, s}}
	serveCopy(c.handler, w, r, r.WithContext(ctx))
}

// An answerContext carries the mux's answer to a request.
type answerContext struct {
	context.Context
	mux     *Mux
	carried carried
}

// A carried is an answer and the snapshot that resolved it.
type carried struct {
	answer   routing.Answer
	snapshot *snapshot
}

// answerKey is the context key for the answer of a mux.
type answerKey struct{ mux *Mux }

func (c *answerContext) Value(key any) any {
	if key == (answerKey{c.mux}) {
		return &c.carried
	}
	return c.Context.Value(key)
}

// serveCopy serves a copy of a request. The server removes the temporary files of a
// multipart form only for its own request, so serveCopy passes the form on to that.
func serveCopy(h http.Handler, w http.ResponseWriter, r, copied *http.Request) {
	defer func() {
		if r.MultipartForm == nil {
			r.MultipartForm = copied.MultipartForm
		}
	}()
	h.ServeHTTP(w, copied)
}

// handler returns the handler that gives the answer to a request, in its middleware.
func (f *refusals) handler(a routing.Answer, s *snapshot) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, &a, s) })
}

// chain returns the chain for the request's path and the status of its answer. It sets
// the values of the prefix's parameters in the request.
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

// serveCarried answers a request that came through the middleware of c. If middleware
// made a new request without the context of the original one, the answer is resolved
// again.
func (c *chain) serveCarried(w http.ResponseWriter, r *http.Request) {
	a, ok := r.Context().Value(answerKey{c.mux}).(*carried)
	if !ok {
		s := c.mux.current()
		a = &carried{s.resolve(r), s}
		if a.answer.Number != 0 {
			a.answer = routing.NotFound
		}
	}
	c.write(w, r, &a.answer, a.snapshot)
}

// write writes an answer, with a group's handler if there is one for it.
func (c *chain) write(w http.ResponseWriter, r *http.Request, a *routing.Answer, s *snapshot) {
	switch {
	case a.Status == http.StatusNotFound && c.notFound != nil:
		c.notFound.ServeHTTP(w, r)
	case a.Status == http.StatusMethodNotAllowed && c.methodNotAllowed != nil:
		w.Header().Set("Allow", a.Allow)
		c.methodNotAllowed.ServeHTTP(w, r)
	case a.Status >= 400 && c.errors != nil:
		c.errors.refuse(w, r, *a, s)
	default:
		c.mux.config.serve(w, r, a, s)
	}
}
