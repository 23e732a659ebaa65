package mux

import (
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// A plan is what a router uses to serve. It is made from its routes and those of its
// subrouters when the first request comes after a change. It does not change.
type plan struct {
	version     uint64
	router      *Router
	config      config // its options
	parent      *entry // the entry whose subrouter it is for, or nil
	top         *plan  // the outermost one
	entries     []*entry
	index       *index
	middlewares []MiddlewareFunc
	// general is set if requests must be matched step by step, exactly as the routes
	// describe, since functions may observe it or since a shortcut would give another
	// result.
	general bool
	methods bool // a route, possibly of a subrouter, names methods
}

// An entry is a route in a plan.
type entry struct {
	route       *Route
	plan        *plan
	steps       []step
	handler     http.Handler
	middlewares []MiddlewareFunc
	path        *template
	templates   []*template // those with variables, in order of priority
	encoded     bool        // variables are from the path as it was sent
	plain       bool        // without a matcher of the query, a function and a subrouter
	around      bool        // with a subrouter
	// A direct entry requires a path and methods, and nothing else. It has a handler
	// and is not strict.
	direct       bool
	directMethod []string // nil for all
	// The templates with variables, from the route itself to the outermost around it.
	// Of several variables with a name the last one is used. Templates that would only
	// repeat others are left out.
	sources   []*template
	names     int       // number of their variables
	elsewhere bool      // some are in the host or the query
	delivery  *delivery // nil if the context has the values
	composed  atomic.Pointer[http.Handler]
}

// A step is a matcher, with the plan of a subrouter.
type step struct {
	matcher
	sub *plan
}

// An aloneEntry is the entry of a route that is matched by itself, or nil if the route
// never matches.
type aloneEntry struct {
	version uint64
	route   *Route
	entry   *entry
	prefix  string // of the unescaped path of every request that matches
}

// current returns the router's plan.
func (r *Router) current() *plan {
	t := r.shared.tree()
	if p := r.plan.Load(); p != nil && p.version == t.version.Load() && p.router == r {
		return p
	}
	t.planning.Lock()
	defer t.planning.Unlock()
	t.mu.RLock()
	defer t.mu.RUnlock()
	if p := r.plan.Load(); p != nil && p.version == t.version.Load() && p.router == r {
		return p // another goroutine was faster
	}
	pl := planner{version: t.version.Load(), general: r.isGeneral(r.config.encodedPath), inRequest: r.config.inRequest}
	p := pl.plan(r, nil)
	r.plan.Store(p)
	return p
}

// matchedAlone returns the route's entry for [Route.Match].
func (r *Route) matchedAlone() *aloneEntry {
	t := r.shared.tree()
	if a := r.alone.Load(); a != nil && a.version == t.version.Load() && a.route == r {
		return a
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	a := &aloneEntry{version: t.version.Load(), route: r}
	if !r.never() {
		pl := planner{version: a.version, general: true}
		a.entry = pl.entry(r, &plan{general: true})
		if path, _ := a.entry.told(); path != nil {
			a.prefix = path.literalPrefix()
		}
	}
	r.alone.Store(a)
	return a
}

// literalPrefix returns a prefix of the unescaped paths that a template of a path
// matches.
func (t *template) literalPrefix() string {
	if t.foreign || strings.ContainsRune(t.text, utf8.RuneError) { // see shapeOf
		return ""
	}
	prefix := t.tail
	if len(t.vars) > 0 {
		prefix = t.vars[0].before
	}
	if t.encoded {
		prefix, _, _ = strings.Cut(prefix, "%") // up to there, unescaping a path changes nothing
	}
	return prefix
}

// A planner makes plans. The tree is locked for reading.
type planner struct {
	version   uint64
	general   bool
	inRequest bool
	made      map[*Router]*plan // in general
}

// plan returns the plan of a router, which is a subrouter of parent if that is not
// nil.
func (pl *planner) plan(r *Router, parent *entry) *plan {
	if p := pl.made[r]; p != nil {
		return p // a route with several subrouters has it several times
	}
	p := &plan{
		version: pl.version, router: r, config: r.config, parent: parent,
		middlewares: slices.Clone(r.middlewares), general: pl.general,
	}
	p.top = p
	if parent != nil {
		p.top = parent.plan.top
	}
	if pl.general {
		if pl.made == nil {
			pl.made = make(map[*Router]*plan)
		}
		pl.made[r] = p
	}
	for _, rt := range r.routes {
		if !rt.never() {
			p.entries = append(p.entries, pl.entry(rt, p))
		}
	}
	p.index = newIndex(p.entries, p.config.encodedPath)
	return p
}

// never reports whether the route matches no request.
func (r *Route) never() bool { return r.buildOnly || r.err != nil }

// entry returns the entry of a route that may match.
func (pl *planner) entry(rt *Route, p *plan) *entry {
	c := &rt.config
	e := &entry{
		route: rt, plan: p, handler: rt.handler, middlewares: slices.Clone(rt.middlewares),
		path: c.path, encoded: c.encodedPath,
	}
	for _, t := range append([]*template{c.host, c.path}, c.queries...) {
		if t != nil && len(t.vars) > 0 {
			e.templates = append(e.templates, t)
		}
	}
	e.plain = !slices.ContainsFunc(c.matchers, func(m matcher) bool {
		return m.kind == byFunc || m.kind == byRouter || m.kind == byTemplate && m.template.kind == queryTemplate
	})
	inherited := 0
	if p.parent != nil && !p.general {
		inherited = len(p.config.matchers) // these have matched, except methods
	}
	for i, m := range c.matchers {
		if i < inherited && m.kind != byMethods {
			continue
		}
		s := step{matcher: m}
		switch m.kind {
		case byMethods:
			p.methods = true
		case byRouter:
			e.around = true
			s.sub = pl.plan(m.router, e)
			p.methods = p.methods || s.sub.methods
		}
		e.steps = append(e.steps, s)
	}
	e.setDirect()
	unique := e.unique()
	for at := e; at != nil; at = at.plan.parent {
		e.addSources(at, unique)
	}
	for _, t := range e.sources {
		e.names += len(t.vars)
		e.elsewhere = e.elsewhere || t.kind == hostTemplate || t.kind == queryTemplate
	}
	if pl.inRequest && !pl.general {
		e.delivery = newDelivery(e)
	}
	return e
}

// setDirect sets direct, and directMethod.
func (e *entry) setDirect() {
	paths := 0
	for i := range e.steps {
		switch s := &e.steps[i]; {
		case s.kind == byTemplate && s.template == e.path:
			paths++
		case s.kind == byMethods && e.directMethod == nil && s.list != nil:
			e.directMethod = s.list
		default:
			return
		}
	}
	e.direct = paths == 1 && !e.path.strict && e.handler != nil
}

// addSources adds the templates of an entry around e, or of e itself. unique is set if
// no name occurs twice in those of e.
func (e *entry) addSources(at *entry, unique bool) {
	for _, t := range at.templates {
		if !unique || !slices.Contains(e.sources, t) && !e.path.repeats(t) {
			e.sources = append(e.sources, t)
		}
	}
}

// unique reports whether no variable name occurs twice.
func (e *entry) unique() bool {
	var names []string
	for _, t := range e.templates {
		names = append(names, t.names()...)
	}
	slices.Sort(names)
	return len(slices.Compact(names)) == len(names)
}

// repeats reports whether all variables of a template of a path around t, which may be
// nil, are in t with the same values.
func (t *template) repeats(around *template) bool {
	return t != nil && t != around && t.how == simple && around.how == simple &&
		t.kind <= prefixTemplate && around.kind <= prefixTemplate &&
		strings.HasPrefix(t.text, strings.TrimRight(around.text, "/"))
}

// isGeneral reports whether requests to a router must be matched step by step: a
// function is among the matchers, a route has several subrouters, or not all paths are
// matched in the same form. The tree is locked for reading.
func (r *Router) isGeneral(encoded bool) bool {
	for _, rt := range r.routes {
		if rt.never() {
			continue
		}
		routers := 0
		for _, m := range rt.config.matchers {
			switch {
			case m.kind == byFunc:
				return true
			case m.kind == byRouter:
				if routers++; routers > 1 || m.router.isGeneral(encoded) {
					return true
				}
			}
		}
		if t := rt.config.path; rt.config.encodedPath != encoded || t != nil && t.encoded != encoded {
			return true
		}
	}
	return false
}

// told returns the templates of the path and the host that a request must match before
// anything else is done that a program could notice. They are nil if there are none.
func (e *entry) told() (path, host *template) {
	for i := range e.steps {
		s := &e.steps[i]
		switch {
		case s.kind == byFunc, s.kind == byRouter, s.kind == byTemplate && s.template.kind == queryTemplate:
			return path, host
		case s.kind == byTemplate && s.template.kind == hostTemplate:
			host = s.template
		case s.kind == byTemplate:
			path = s.template
		}
	}
	return path, host
}

// methods returns the methods of which a request must have one, and whether there are
// any.
func (e *entry) methods() (methods []string, ok bool) {
	for i := range e.steps {
		if s := &e.steps[i]; s.kind == byMethods {
			return s.list, true
		}
	}
	return nil, false
}

// compose returns the entry's handler in the middleware of the route and of the routers
// around it. No lock is held meanwhile: if several goroutines compose it, one result is
// kept.
func (e *entry) compose() http.Handler {
	if h := e.composed.Load(); h != nil {
		return *h
	}
	h := wrap(e.handler, e.middlewares)
	for p := e.plan; ; p = p.parent.plan {
		if h = wrap(h, p.middlewares); p.parent == nil {
			break
		}
	}
	e.composed.CompareAndSwap(nil, &h)
	return *e.composed.Load()
}
