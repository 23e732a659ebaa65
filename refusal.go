package muxwell

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// What the mux answers itself (404, 405, 406, 415, redirects, answers to OPTIONS)
// goes through its middleware, which is composed once: around a handler that
// does not know the answer. So the answer travels with the request, as a path
// value of a name that no pattern can have. A 404 or 405 below the prefix of a
// group that has a handler of its own for it goes to that, in the group's
// middleware.

// NotFound sets the handler of requests below the group's prefix that nothing
// matches, in place of that of the groups around it and of the mux. It runs in
// the group's middleware, sets the status itself, and can read the parameters of
// the prefix. In it r.Pattern is "". Of groups with the same prefix one can have
// such handlers: NotFound panics if another has, and if h is nil. Below a prefix
// with a catch-all, of which it could not be told where it ends, it is for the
// prefix itself only.
func (g *Group) NotFound(h http.Handler) {
	if isNil(h) {
		panic("muxwell: Group.NotFound: nil handler")
	}
	g.refuse("NotFound", func(s *groupState) { s.notFound = h })
}

// MethodNotAllowed sets the handler of requests below the group's prefix that
// match for other methods only; see [Group.NotFound], also for when it panics. The
// response's Allow header has been set.
func (g *Group) MethodNotAllowed(h http.Handler) {
	if isNil(h) {
		panic("muxwell: Group.MethodNotAllowed: nil handler")
	}
	g.refuse("MethodNotAllowed", func(s *groupState) { s.methodNotAllowed = h })
}

// refuse changes the group's handlers for what is no route's.
func (g *Group) refuse(function string, change func(*groupState)) {
	registering.Lock()
	defer registering.Unlock()
	if !slices.Contains(g.mux.refusing, g) {
		for _, other := range g.mux.refusing {
			if samePrefix(g, other) {
				panic("muxwell: Group." + function + ": another group with the prefix " + strconv.Quote(g.prefix) + " has such handlers already; set them on that group")
			}
		}
		g.mux.refusing = append(g.mux.refusing, g)
	}
	g.change(change)
	g.mux.refreshRefusals()
}

// samePrefix reports whether two groups of a mux have the same prefix, whatever
// its parameters are called.
func samePrefix(g, h *Group) bool {
	if g.parsed == nil || h.parsed == nil {
		return g.parsed == h.parsed
	}
	return g.parsed.host == h.parsed.host && samePath(g.parsed.segs, h.parsed.segs)
}

// A refusal says which groups cover a prefix, one of which has handlers of its
// own.
type refusal struct {
	patterns []pattern // the prefix, and all below it
	groups   []*Group  // from the outside
}

// refreshRefusals sets the refusals of m, and of the muxes that it is mounted in.
func (m *Mux) refreshRefusals() {
	var all []refusal // of two with the same prefix the inner one comes first
	for _, mt := range m.mounts {
		for _, inner := range mt.child.ownRefusals() {
			r := refusal{groups: slices.Concat(mt.group.path(), inner.groups)}
			for i := range inner.patterns {
				for _, bare := range []bool{false, true} {
					q := &inner.patterns[i]
					if bare && (len(q.segs) > 1 || q.last().kind != rest || mt.group.prefixSegments() == 0) {
						continue
					}
					var p pattern
					if p.concat(mt, q, bare) == nil { // it fails below a prefix with a catch-all
						r.patterns = append(r.patterns, p)
					}
				}
			}
			all = append(all, r)
		}
	}
	for _, g := range m.refusing {
		r := refusal{groups: g.path()}
		for _, text := range g.covers() {
			if p, err := m.config.parse(text); err == nil { // so it is: the prefix was parsed before
				r.patterns = append(r.patterns, *p)
			}
		}
		all = append(all, r)
	}
	m.mu.Lock()
	m.refusals = all
	m.mu.Unlock()
	m.stale()
	for _, mt := range m.parents {
		mt.group.mux.refreshRefusals()
	}
}

// ownRefusals returns the refusals of m, and one for the mux itself if its
// options say how it refuses.
func (m *Mux) ownRefusals() []refusal {
	if m.config.notFound == nil && m.config.methodNotAllowed == nil {
		return m.refusals
	}
	all, _ := parsePattern("/", rules{})
	return append(m.refusals[:len(m.refusals):len(m.refusals)], refusal{[]pattern{*all}, []*Group{m.ownLocked()}})
}

// path returns the groups around g and g itself, from the outside.
func (g *Group) path() []*Group {
	var path []*Group
	for ; g != nil; g = g.parent {
		path = append(path, g)
	}
	slices.Reverse(path)
	return path
}

// refusals has the handlers for what is no route's. A snapshot has none if the
// mux has no middleware, and none of its groups such handlers.
type refusals struct {
	mux              *Mux
	carrier          string       // the name of the path value in which an answer travels
	around           http.Handler // the mux's middleware around what it answers itself; nil if it has none
	notFound         *prefixHandlers
	methodNotAllowed *prefixHandlers
}

// prefixHandlers has handlers of groups by the prefix that they are for.
type prefixHandlers struct {
	tables   *snapshot      // of the prefixes
	handlers []http.Handler // by the records of tables
}

// newRefusals returns the handlers, or nil.
func (m *Mux) newRefusals(all []refusal) *refusals {
	middleware := m.root.state.Load().middleware
	if len(middleware) == 0 && len(all) == 0 {
		return nil
	}
	// No parameter can be called so, and no other mux, which may be asked
	// meanwhile what it makes of the same request, has the same.
	f := &refusals{mux: m, carrier: fmt.Sprintf("{muxwell %p}", m)}
	if len(middleware) > 0 {
		f.around = compose(middleware, http.HandlerFunc(f.answerCarried))
	}
	f.notFound = m.newPrefixHandlers(all, func(g *groupState) http.Handler { return g.notFound })
	f.methodNotAllowed = m.newPrefixHandlers(all, func(g *groupState) http.Handler { return f.withAllow(g.methodNotAllowed) })
	return f
}

// newPrefixHandlers returns the handlers of one kind, or nil if there is none.
func (m *Mux) newPrefixHandlers(all []refusal, handler func(*groupState) http.Handler) *prefixHandlers {
	f := &prefixHandlers{handlers: []http.Handler{nil}}
	var routes []*Route
	for _, r := range all {
		h := innermost(r.groups, handler)
		if h == nil {
			continue
		}
		for _, p := range r.patterns {
			rt := &Route{pattern: p, group: &m.root, slot: int32(len(routes)), index: int64(len(routes))}
			if rt.measure() != nil {
				continue
			}
			names := rt.allNames()
			rt.params = newParamNames(names)
			routes = append(routes, rt)
			f.handlers = append(f.handlers, h)
		}
	}
	if len(routes) == 0 {
		return nil
	}
	c := m.config
	c.slash, c.unclean = SlashStrict, PathServe
	f.tables = &snapshot{config: c, records: make([]record, len(routes)+1)}
	for _, rt := range routes {
		f.tables.records[rt.record()] = record{route: rt}
	}
	f.tables.buildTables(routes)
	return f
}

// innermost returns the handler of the innermost of groups that has one, in the
// middleware of that group; nil if none has but the first, which is the mux.
func innermost(groups []*Group, handler func(*groupState) http.Handler) http.Handler {
	for i := len(groups) - 1; i > 0; i-- {
		if h := handler(groups[i].state.Load()); h != nil {
			return compose(middlewareOf(groups[:i+1]), h)
		}
	}
	return nil
}

// withAllow returns h with the Allow header of the request's answer set before
// it, or nil for nil.
func (f *refusals) withAllow(h http.Handler) http.Handler {
	if h == nil {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := f.carriedAnswer(r); len(a.allowed) > 0 {
			w.Header().Set("Allow", a.allow)
		}
		h.ServeHTTP(w, r)
	})
}

// serve answers a request that is no route's.
func (f *refusals) serve(w http.ResponseWriter, r *http.Request, c *config, a *answer) {
	if h := f.ofGroup(r, a.status); h != nil {
		f.carry(r, a)
		h.ServeHTTP(w, r)
		return
	}
	if f.around == nil {
		c.serve(w, r, a)
		return
	}
	f.carry(r, a)
	f.around.ServeHTTP(w, r)
}

// handler returns the handler that gives the answer to a request, in its
// middleware.
func (f *refusals) handler(c *config, a answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, c, &a) })
}

// ofGroup returns the handler that a group has for a status and the request's
// path, or nil, and gives the request the values of the prefix's parameters.
func (f *refusals) ofGroup(r *http.Request, status int) http.Handler {
	switch status {
	case http.StatusNotFound:
		return f.notFound.find(r)
	case http.StatusMethodNotAllowed:
		return f.methodNotAllowed.find(r)
	}
	return nil
}

// find returns the handler for the request's path, or nil, and gives the request
// the values of the prefix's parameters. f may be nil.
func (f *prefixHandlers) find(r *http.Request) http.Handler {
	if f == nil {
		return nil
	}
	q := f.tables.query(r, requestHost(r))
	q.dots = r.Method == http.MethodConnect
	rec, _ := q.match(sameSlash)
	if rec == 0 {
		return nil
	}
	if rt := f.tables.records[rec].route; len(rt.params.names) > 0 {
		vals := make([]string, len(rt.params.names))
		a := answer{path: q.path, escaped: q.escaped}
		rt.values(vals, rt.hostOf(r), a.place())
		setPathValues(r, rt.params.names, vals)
	}
	return f.handlers[rec]
}

// carry gives the request the answer, which is not a route's: the status, a
// blank, and the location or the methods allowed.
func (f *refusals) carry(r *http.Request, a *answer) {
	r.SetPathValue(f.carrier, strconv.Itoa(a.status)+" "+a.location+a.allow)
}

// carriedAnswer returns the answer that the request carries. If middleware
// replaced the request by one without it, it is looked for again.
func (f *refusals) carriedAnswer(r *http.Request) answer {
	code, detail, ok := strings.Cut(r.PathValue(f.carrier), " ")
	status, err := strconv.Atoi(code)
	switch {
	case !ok || err != nil:
		if a := f.mux.current().resolve(r); a.record == 0 {
			return a
		}
		return notFound
	case status == http.StatusTemporaryRedirect:
		return answer{status: status, location: detail}
	case detail != "":
		return answer{status: status, allowed: strings.Split(detail, ", "), allow: detail}
	}
	return answer{status: status}
}

// answerCarried answers a request that came through the mux's middleware.
func (f *refusals) answerCarried(w http.ResponseWriter, r *http.Request) {
	a := f.carriedAnswer(r)
	f.mux.config.serve(w, r, &a)
}
