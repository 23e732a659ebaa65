package muxwell

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A mounted mux is not a step of its own when a request is served: its routes are also
// registered in the mux around it, with the prefix before their paths. For each of them
// the outer mux has a route that is derived from it. Routes that are added to or
// removed from the inner mux later are derived or removed at the same moment.

// A mount is a mux that is mounted in another one.
type mount struct {
	group   *Group // of the outer mux; it has the prefix
	child   *Mux
	derived map[*Route][]*Route // by the child's route
	// prefixed is set if the prefix is longer than that of the group around it.
	prefixed bool
	// derive is deriveRoutes, and claim is deriveClaim. Every mux can call them, but
	// they are linked only into programs that mount a mux.
	derive func(*Route) ([]*Route, error)
	claim  func(claim) claim
}

// Mount registers a handler for a prefix and everything below it, for every method. A
// prefix is [HOST][/PATH], as in [Mux.Route]; "/" and "" are the whole mux.
//
// Another [Mux] becomes a part of this one:
//
//   - Its routes, including those that are added later, take part in precedence with the
//     prefix before their paths.
//   - Its "/{$}", or if it has none its "/", also matches the prefix without a slash. For
//     that path a route of the outer mux wins over the inner "/{$}", which wins over the
//     inner "/" or another catch-all. The method decides only after that. Routes for that
//     path with the same method, or both without one, conflict.
//   - Its middleware covers its routes, inside the middleware of this mux. So do its own
//     [NotFound] and [MethodNotAllowed] handlers below the prefix, unless the prefix has a
//     catch-all, and its [ErrorHandler], but for a 404 or 405 only if the prefix is not "/".
//     All other options are those of this mux.
//   - Below the prefix its middleware also covers a 404 or 405, but not if the prefix is "/"
//     or a group with the same prefix is next to it; see [Group.Use]. A route of this mux that
//     matches there, such as "/", is outside of that middleware. To guard all paths, give the
//     inner mux a route "/", which may answer with [http.NotFound].
//   - Its handlers can read the parameters of the prefix.
//   - A route in it that conflicts with one around it is rejected, whichever comes later.
//
// The inner mux can still serve requests itself, and can be mounted more than once.
//
// Every other handler gets a copy of the request without the prefix in r.URL.Path and
// r.URL.RawPath. This is like [http.StripPrefix], but removes whole segments: the
// remaining path begins with a slash, and is "/" for the prefix itself. The parameters
// of the prefix, and r.Pattern, are set. A [Group] of another mux is such a handler
// too, and serves that whole mux. A Mux or a Group cannot be mounted in its own mux;
// the [*MountError] wraps [ErrServesItself].
//
// Mount panics with a [*PatternError], a [*ConflictError], a [*MountError], or, for
// options of [Mux.Defaults], an [*OptionError]. Then it has changed nothing.
func (m *Mux) Mount(prefix string, handler http.Handler) {
	if err := m.mount(m.own(), prefix, handler); err != nil {
		panic(err)
	}
}

// Mount registers a handler for a prefix and everything below it, for every method. The
// prefix is appended to that of the group; see [Mux.Mount].
func (g *Group) Mount(prefix string, handler http.Handler) {
	if err := g.mux.mount(g, prefix, handler); err != nil {
		panic(err)
	}
}

// A MountError reports a handler that cannot be mounted.
type MountError struct {
	Prefix string // as it was passed
	Reason string // what is wrong, and how to fix it
	Err    error  // the cause, if it is one of this package's errors; may be nil
}

// Error returns the prefix and the reason.
func (e *MountError) Error() string {
	return fmt.Sprintf("muxwell: mount at %q: %s", excerpt.Abridge(e.Prefix), e.Reason)
}

// Unwrap returns e.Err.
func (e *MountError) Unwrap() error { return e.Err }

// mount mounts a handler in a group. Every exported function that mounts calls it
// directly; see [Mux.register].
func (m *Mux) mount(g *Group, prefix string, handler http.Handler) error {
	caller := callerOf(1)
	if isNil(handler) {
		return &MountError{Prefix: prefix, Reason: "the handler is nil; pass a handler", Err: ErrNilHandler}
	}
	child, isMux := handler.(*Mux)
	if !isMux && m.serves(handler) {
		return &MountError{Prefix: prefix, Reason: "the handler is a group of the mux, which would call itself forever; its routes are already in the mux", Err: ErrServesItself}
	}
	full, parsed, err := g.subPrefix(prefix)
	if err != nil {
		return err
	}
	inner := g.inner(full, parsed)
	registering.Lock()
	defer registering.Unlock()
	if isMux {
		return m.mountMux(inner, prefix, child)
	}
	if parsed != nil && pattern.InnerCatchAllAt(parsed.Segments) >= 0 {
		return &MountError{Prefix: prefix, Reason: "the prefix has a catch-all, whose end would be ambiguous; write out its segments"}
	}
	var p plan
	handler = stripped{inner.prefixSegments(), handler}
	for _, text := range inner.covers() {
		rt := &Route{handler: handler, group: inner, caller: caller}
		q, err := m.config.parse(text)
		if err != nil {
			return err
		}
		rt.pattern = *q
		if err := rt.applyAll(inner.defaults(), m.config.rules()); err != nil {
			return err
		}
		if err := rt.complete(); err != nil {
			return err
		}
		if err := p.add(m, rt, nil); err != nil {
			return err
		}
	}
	p.put()
	return nil
}

// covers returns the patterns for the group's prefix and for everything below it.
func (g *Group) covers() []string {
	below := g.prefix + "/"
	if strings.IndexByte(below, '/') == len(below)-1 {
		return []string{below} // every path has a slash
	}
	return []string{g.prefix, below}
}

// prefixSegments returns the number of segments of the group's prefix.
func (g *Group) prefixSegments() int {
	if g.parsed == nil {
		return 0
	}
	return len(g.parsed.Segments) - 1
}

// mountMux is mount for a mux. The group has the prefix. registering is held.
func (m *Mux) mountMux(g *Group, prefix string, child *Mux) error {
	mt := &mount{group: g, child: child, derived: make(map[*Route][]*Route), prefixed: g.prefix != g.parent.prefix}
	mt.derive, mt.claim = mt.deriveRoutes, mt.deriveClaim
	switch {
	case child.contains(m):
		return &MountError{Prefix: prefix, Reason: "the mux to mount is, or contains, the mux around it, which would call itself forever", Err: ErrServesItself}
	case slices.ContainsFunc(m.mounts, func(q *mount) bool { return q.child == child && q.group.prefix == g.prefix }):
		return &MountError{Prefix: prefix, Reason: "the mux is already mounted there"}
	}
	var p plan
	for _, rt := range child.routes {
		derived, err := mt.derive(rt)
		if err != nil {
			return err
		}
		for _, d := range derived {
			if err := p.add(m, d, nil); err != nil {
				return err
			}
		}
	}
	child.ownLocked()
	p.commit()
	m.mu.Lock()
	m.mounts = append(m.mounts, mt)
	m.claimsVersion++
	m.mu.Unlock()
	child.mu.Lock()
	child.parents = append(child.parents, mt)
	child.version++
	child.mu.Unlock()
	child.live.Store(nil)
	m.stale()
	return nil
}

// contains reports whether other is m or is mounted in it, at any depth.
func (m *Mux) contains(other *Mux) bool {
	return m == other || slices.ContainsFunc(m.mounts, func(mt *mount) bool { return mt.child.contains(other) })
}

// deriveRoutes returns the routes in the outer mux for a route of the child: the route
// with the prefix before its path, and, if that path is "/", also one for the prefix
// itself.
func (mt *mount) deriveRoutes(rt *Route) ([]*Route, error) {
	d, err := mt.deriveOne(rt, false)
	if err != nil {
		return nil, err
	}
	_, files := rt.handler.(*files) // they need the slash
	if len(rt.pattern.Segments) > 1 || rt.pattern.Last().Kind != pattern.CatchAll && rt.pattern.Last().Kind != pattern.Dollar || !mt.hasBare() || files {
		return []*Route{d}, nil
	}
	bare, err := mt.deriveOne(rt, true)
	return []*Route{d, bare}, err
}

// hasBare reports whether the mounted mux may match the prefix itself. It may not if
// the prefix is empty, or ends with a catch-all, which needs something after it to end
// at.
func (mt *mount) hasBare() bool {
	n := mt.group.prefixSegments()
	return n > 0 && mt.group.parsed.Segments[n-1].Kind != pattern.InnerCatchAll
}

// deriveOne returns one of the routes of deriveRoutes; if bare is set, that for the
// prefix itself.
func (mt *mount) deriveOne(rt *Route, bare bool) (*Route, error) {
	d := &Route{handler: rt.handler, group: mt.group, caller: rt.caller}
	d.entry.Rank = rt.entry.Rank
	if err := mt.concat(&d.pattern, &rt.pattern, bare); err != nil {
		return nil, err
	}
	if mt.group.mux.serves(rt.handler) {
		return nil, &PatternError{Pattern: d.pattern.Text, Offset: d.pattern.PathAt, Err: ErrServesItself, Reason: fmt.Sprintf(
			"pattern %q is mounted at %q, and its handler is the mux around it, or a group of that, which would call itself forever; omit the route", excerpt.Abridge(rt.pattern.Text), excerpt.Abridge(mt.group.prefix))}
	}
	names := append(d.pattern.Names(), rt.set().QueryNames()...)
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, &PatternError{Pattern: d.pattern.Text, Offset: d.pattern.PathAt, Reason: fmt.Sprintf(
				"pattern %q is mounted at %q, and both have a parameter %q; rename one of them", excerpt.Abridge(rt.pattern.Text), excerpt.Abridge(mt.group.prefix), excerpt.Abridge(name))}
		}
	}
	if err := d.inherit(rt, mt); err != nil {
		return nil, err
	}
	if bare {
		d.entry.Rank = rootRankOf(rt)
	}
	if h, ok := d.handler.(stripped); ok {
		h.segments += mt.group.prefixSegments()
		d.handler = h
	}
	return d, d.complete()
}

// inherit gives the derived route the defaults of the groups around the mount, and then
// the options of the child's route.
func (rt *Route) inherit(from *Route, mt *mount) error {
	rules := mt.group.mux.config.rules()
	options := bound(mt.group.defaults(), rules)
	if from.info != nil {
		own := from.info.options
		if !from.isMounted() {
			own = bound(own, from.group.mux.config.rules())
		}
		options = append(options, own...)
	}
	rt.info = &routeInfo{origin: from, mount: mt}
	err := rt.applyAll(options, rules)
	if rt.caller = from.caller; from.info != nil {
		rt.info.file, rt.info.line = from.info.file, from.info.line
	}
	return err
}

// bound returns options that are applied under the given rules, whatever they are
// called with.
func bound(options []RouteOption, rules pattern.Rules) []RouteOption {
	var all []RouteOption
	for _, o := range options {
		if o.apply != nil {
			all = append(all, RouteOption{func(rt *Route, _ pattern.Rules) error { return o.apply(rt, rules) }})
		}
	}
	return all
}

// isMounted reports whether the route comes from a mounted mux.
func (rt *Route) isMounted() bool { return rt.info != nil && rt.info.mount != nil }

// rootRankOf returns the rank that a route of a mounted mux has at the prefix.
func rootRankOf(rt *Route) routing.Rank {
	if rt.pattern.Last().Kind == pattern.Dollar {
		return routing.End
	}
	return routing.CatchAll
}

// bothAtRoot reports whether rt and q are at the prefix of one mount for different
// routes of the mounted mux. They are not duplicates, although their patterns are the
// same: the mounted mux has both.
func (rt *Route) bothAtRoot(q *Route) bool {
	if min(rt.entry.Rank, q.entry.Rank) == routing.Itself || rt.entry.Rank == q.entry.Rank || rt.info.mount != q.info.mount {
		return false
	}
	a, b := rt.info.origin, q.info.origin
	return max(a.entry.Rank, b.entry.Rank) == routing.Itself || a.bothAtRoot(b)
}

// concat sets p to the pattern q of the child after the prefix or, if bare is set, to
// the prefix itself with the methods of q.
func (mt *mount) concat(p, q *pattern.Pattern, bare bool) error {
	g, text := mt.group, q.Text
	if bare {
		text = text[:q.PathAt]
	}
	var err error
	if p.Text, err = joinPattern(g.prefix, text); err != nil {
		return err
	}
	p.Text = strings.Clone(p.Text) // RouteOf identifies a route by the address of its pattern
	form := q.HostPattern()
	inner := slices.Clone(q.Written())
	for i, seg := range inner {
		if seg.Matcher != nil {
			inner[i].Matcher = mt.distinct(seg.Matcher)
		}
	}
	p.Methods, p.Host, p.Segments, p.PathAt = q.Methods, q.Host, inner, q.PathAt
	if outer := g.parsed; outer != nil {
		if outer.Host != "" && q.Host != "" && outer.Host != q.Host {
			return patternError(p.Text, 0, "the prefix %q already has a host, and pattern %q has another; omit one", g.prefix, q.Text)
		}
		if outer.Host != "" {
			p.Host, form = outer.Host, outer.HostPattern()
		}
		p.PathAt = len(p.Text) - (len(g.prefix) - pattern.SegmentEnd(g.prefix, 0)) - (len(text) - q.PathAt)
		if bare {
			p.PathAt = len(p.Text) - (len(g.prefix) - pattern.SegmentEnd(g.prefix, 0))
			p.Segments = slices.Clone(outer.Segments[:len(outer.Segments)-1])
		} else {
			p.Segments = slices.Concat(outer.Segments[:len(outer.Segments)-1], inner)
		}
		if pattern.CatchAllAt(q.Segments) >= 0 && pattern.InnerCatchAllAt(outer.Segments) >= 0 && !bare {
			return patternError(p.Text, p.PathAt, "the prefix %q has a catch-all, and pattern %q has another: the end of the first one would be ambiguous", g.prefix, q.Text)
		}
	}
	if form != nil {
		p.Extra = &pattern.Extra{Host: form}
	}
	if mt.child.config.unclean == PathServe && g.mux.config.unclean != PathServe {
		if err := p.CheckClean(g.mux.config.rules()); err != nil {
			return publicError(err) // no request gets here
		}
	}
	p.SetOrder()
	if g.mux.config.fold {
		p.Fold()
	}
	return nil
}

// distinct returns a segment matcher with changed keys for those constraints for which
// the child has a function and the outer mux has another one, or none. The name alone
// does not distinguish them there.
func (mt *mount) distinct(f *pattern.SegmentMatcher) *pattern.SegmentMatcher {
	outer, inner := mt.group.mux.config.constraintIDs, mt.child.config.constraintIDs
	own := func(c pattern.Constraint) bool {
		return c.Check != nil && c.Expr == "" && c.Key == c.Text && outer[c.Text] != inner[c.Text]
	}
	if !slices.ContainsFunc(f.Constraints, own) {
		return f
	}
	g := *f
	g.Constraints = slices.Clone(f.Constraints)
	for i, c := range g.Constraints {
		if own(c) {
			g.Constraints[i].Key = fmt.Sprintf("%s#%d", c.Text, inner[c.Text])
		}
	}
	g.SetKey()
	return &g
}

// A stripped is a mounted handler that is called with the path without its first
// segments.
type stripped struct {
	segments int
	handler  http.Handler
}

func (h stripped) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.segments == 0 {
		h.handler.ServeHTTP(w, r)
		return
	}
	r2, u := new(http.Request), new(url.URL)
	*r2, *u = *r, *r.URL
	r2.URL = u
	if escaped := r.URL.EscapedPath(); r.URL.RawPath == "" {
		u.Path = withoutSegments(u.Path, h.segments)
	} else {
		u.RawPath = withoutSegments(escaped, h.segments)
		u.Path = urlpath.Unescape(u.RawPath)
	}
	serveCopy(h.handler, w, r, r2)
}

// withoutSegments returns a path without its first n segments, or "/" if it has no
// more.
func withoutSegments(path string, n int) string {
	for range n {
		if path == "" {
			return "/" // not the path that was matched
		}
		i := strings.IndexByte(path[1:], '/')
		if i < 0 {
			return "/"
		}
		path = path[1+i:]
	}
	return path
}
