package muxwell

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A Group is a set of routes of a mux that share a prefix, middleware, or both. Groups
// can be nested; the mux itself is the outermost group.
//
//	m.Use(log)
//	m.Route("/api", func(g *muxwell.Group) {
//		g.Use(auth)
//		g.Get("/users/{id}", user)       // GET /api/users/{id}, in log and auth
//		g.With(audit).Post("/pay", pay)  // POST /api/pay, in log, auth and audit
//	})
//
// The prefix is put before the path of a pattern. The host, of the prefix or of the
// pattern, is put before both: under /api, "GET example.com/x" is "GET
// example.com/api/x", "" is /api and "/" is /api/. A prefix may have a host and
// parameters.
//
// Methods of [Mux] and Group return groups. The zero Group belongs to no mux and cannot be
// used. A Group is safe for concurrent use, as its mux is. Routes and middleware can be added
// to it at any time.
type Group struct {
	mux    *Mux
	parent *Group           // nil for the mux's own
	prefix string           // [HOST][/PATH], including those of the groups around it; "" for none
	parsed *pattern.Pattern // prefix + "/x"; nil if there is no prefix
	state  atomic.Pointer[groupState]

	// See hold; guarded like the fields of Mux.
	prefixed bool // the prefix is longer than that of parent
	claiming bool
	held     int               // routes in it and in its groups, and groups with handlers
	claims   []pattern.Pattern // once it held something
}

// A groupState is the mutable part of a group. It is replaced, not changed.
type groupState struct {
	middleware       []Middleware
	defaults         []RouteOption
	notFound         http.Handler // if nil, that of the groups around it is used
	methodNotAllowed http.Handler
	errors           errorHandler
}

// Middleware wraps a handler: the returned handler may do something before and after it
// calls next, or not call it at all.
//
// A middleware function is called when the mux builds its tables, not for each request.
// It is called once for each route that it covers and for the mux's own answers, and
// again for the latter when middleware is added around them. So state that must outlive
// a request, or be shared by routes, has to be created outside of the function. The
// returned handler must be safe for concurrent use and not nil.
type Middleware = func(next http.Handler) http.Handler

// Use adds middleware to the mux. It covers all routes, whether they are registered
// before or after, those of its groups and of mounted muxes, and the mux's own answers:
// 404, 405, 406, 415, redirects and answers to OPTIONS. Middleware that is added first
// runs first. Use panics if one is nil.
//
// The mux's own answers below the prefix of a group run in that group's middleware too;
// see [Group.Use]. For these, middleware is called with a copy of the request, made by
// [http.Request.WithContext].
//
// Middleware runs after the request was matched: r.Pattern and r.PathValue are set, and
// [Mux.RouteOf] finds the route. Anything that must run before, such as a rewrite of
// the path, has to wrap the mux.
//
// Middleware functions are called when the tables are built, by the first request after
// a registration or by [Mux.Update]. They may register and list routes. They must not
// serve from the mux, update it, or call its methods about requests and precedence
// (Handler, RouteOf, Explain, Check, Sample, ByPrecedence), which would wait forever.
func (m *Mux) Use(middleware ...Middleware) { m.own().Use(middleware...) }

// Defaults sets options for all routes that are registered with the mux afterwards,
// including those of its groups. They may be [Meta], for middleware and tools,
// matchers, and a [Source]. A [Name] is not allowed, since only one route can have it.
//
//	api := m.Route("/api", nil)
//	api.Defaults(muxwell.Meta("owner", "platform"), muxwell.Schemes("https"))
//	api.Get("/users", users)
//	api.Get("/pay", pay, muxwell.Meta("owner", "billing"))
//
// A route gets the defaults of the mux, then those of each group around it, the
// outermost first, then its own options. So of several values for a Meta key the
// route's own wins, then that of the innermost group. Matchers add up.
//
// The defaults at the time of the registration apply: routes that were registered
// before do not change, but groups that were made before use the new defaults for later
// routes. Further calls add to the defaults. They apply to routes of [Mux.Files],
// [Tx.Add] and [Tx.Replace] too, and to those of [Mux.Mount]: in the outer mux, the
// routes of a mounted Mux get the defaults that the groups around the mount have when
// the route appears there, before those of their own mux.
//
// Defaults panics with an [*OptionError], and changes nothing, if an option is invalid,
// cannot be combined with the existing defaults, or is a Name.
func (m *Mux) Defaults(options ...RouteOption) { m.own().Defaults(options...) }

// With returns a new group inside the mux whose routes are covered by the given
// middleware too. The group has no prefix. With panics if middleware is nil.
func (m *Mux) With(middleware ...Middleware) *Group { return m.own().With(middleware...) }

// Group calls f with a new group inside the mux, for routes that share middleware or
// defaults, and returns it. The group has no prefix. f may be nil.
func (m *Mux) Group(f func(*Group)) *Group { return m.own().Group(f) }

// Route calls f with a new group inside the mux whose patterns begin with prefix, and
// returns it. A prefix is [HOST][/PATH]. A final slash is ignored. f may be nil. Route
// panics with a [*PatternError] if the prefix cannot be a part of a pattern.
func (m *Mux) Route(prefix string, f func(*Group)) *Group { return m.own().Route(prefix, f) }

// own returns the group that is the mux itself.
func (m *Mux) own() *Group {
	registering.Lock()
	defer registering.Unlock()
	return m.ownLocked()
}

// ownLocked is own with registering held.
func (m *Mux) ownLocked() *Group {
	if m.root.mux == nil {
		m.root.state.Store(&groupState{notFound: m.config.notFound, methodNotAllowed: m.config.methodNotAllowed, errors: m.config.errors})
		m.mu.Lock()
		m.root.mux = m
		m.mu.Unlock()
	}
	return &m.root
}

// Use adds middleware to the group. It covers all routes of the group, those of its
// groups, and the mux's own answers below the group's prefix, whether the group's
// NotFound and MethodNotAllowed handlers write them or others. It runs inside the
// middleware of the groups around it. Use panics if one is nil. See [Mux.Use].
//
// The cleaned path decides to which group an answer of the mux belongs: the one whose
// prefix wins, by the rules for patterns, among all prefixes that the path is equal to
// or below. A mounted mux counts as a group. A group has its own prefix if Route or
// Mount made it. One that With or Group made has none, and its middleware covers only
// the answers of its own handlers. If several groups have the same prefix, the
// middleware of the innermost group around all of them runs. A prefix with a catch-all
// applies to the prefix itself and to nothing below it, since the end of the catch-all
// would be ambiguous. A group counts from its first route, handler or middleware on,
// until its last route is removed.
func (g *Group) Use(middleware ...Middleware) {
	checkMiddleware("Use", middleware)
	registering.Lock()
	defer registering.Unlock()
	g.change(func(s *groupState) { s.middleware = slices.Concat(s.middleware, middleware) })
	g.mux.mu.Lock()
	g.mux.claim(g)
	g.mux.mu.Unlock()
	g.mux.stale()
}

// Defaults sets options for all routes that are registered with the group afterwards,
// including those of its groups. See [Mux.Defaults].
func (g *Group) Defaults(options ...RouteOption) {
	registering.Lock()
	defer registering.Unlock()
	if err := g.checkDefaults(options); err != nil {
		panic(err)
	}
	g.change(func(s *groupState) { s.defaults = slices.Concat(s.defaults, options) })
}

// checkDefaults checks new default options by applying all defaults to a scratch route.
func (g *Group) checkDefaults(options []RouteOption) error {
	rt := &Route{group: g}
	if g.parsed != nil {
		rt.pattern = *g.parsed
	}
	rt.pattern.Text = cmp.Or(g.prefix, "/")
	rules := g.mux.config.rules()
	if err := rt.apply(g.defaults(), rules); err != nil {
		return err
	}
	if err := rt.apply(options, rules); err != nil {
		return err
	}
	if rt.info != nil && rt.info.named {
		return &OptionError{
			Pattern: rt.pattern.Text, Option: matcher.OptionText("Name", []string{rt.info.name}),
			Reason: "only one route can have a name, but defaults apply to all routes of a group; give the name to the route",
		}
	}
	return nil
}

// defaults returns the options that are applied to a route of the group before its own.
func (g *Group) defaults() []RouteOption {
	if g == nil {
		return nil
	}
	return append(g.parent.defaults(), g.state.Load().defaults...)
}

// change replaces the state of the group.
func (g *Group) change(f func(*groupState)) {
	s := *g.state.Load()
	f(&s)
	g.state.Store(&s)
}

// With returns a new group inside the group whose routes are covered by the given
// middleware too. It has the same prefix. With panics if middleware is nil.
func (g *Group) With(middleware ...Middleware) *Group {
	checkMiddleware("With", middleware)
	inner := g.inner(g.prefix, g.parsed)
	inner.state.Load().middleware = slices.Clone(middleware)
	return inner
}

// Group calls f with a new group inside the group, for routes that share middleware or
// defaults, and returns it. It has the same prefix. f may be nil.
func (g *Group) Group(f func(*Group)) *Group {
	inner := g.inner(g.prefix, g.parsed)
	if f != nil {
		f(inner)
	}
	return inner
}

// Route calls f with a new group inside the group whose patterns begin with prefix, and
// returns it. The prefix is appended to that of the group; see [Mux.Route].
func (g *Group) Route(prefix string, f func(*Group)) *Group {
	full, parsed, err := g.subPrefix(prefix)
	if err != nil {
		panic(err)
	}
	inner := g.inner(full, parsed)
	inner.prefixed = full != g.prefix
	if f != nil {
		f(inner)
	}
	return inner
}

// ServeHTTP dispatches the request to the handler of the route that matches it best. It
// does the same as [Mux.ServeHTTP]: it serves the whole mux, not only the routes of the
// group, and needs the whole path. So a group can be passed to a package that registers
// handlers with something like an [http.ServeMux].
func (g *Group) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

// inner returns a new group inside this one.
func (g *Group) inner(prefix string, parsed *pattern.Pattern) *Group {
	inner := &Group{mux: g.mux, parent: g, prefix: prefix, parsed: parsed}
	inner.state.Store(new(groupState))
	return inner
}

// Prefix returns what the patterns of the group begin with, including the prefixes of
// the groups around it, or "".
func (g *Group) Prefix() string { return g.prefix }

// Handle registers a handler for a pattern, as [http.ServeMux.Handle] does. The pattern
// is appended to the group's prefix; see [Mux.Handle].
func (g *Group) Handle(pattern string, handler http.Handler) {
	must(g.mux.register(g, "", pattern, handler, nil))
}

// HandleFunc registers a handler function for a pattern, as [http.ServeMux.HandleFunc]
// does. The pattern is appended to the group's prefix; see [Mux.HandleFunc].
func (g *Group) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	must(g.mux.register(g, "", pattern, http.HandlerFunc(handler), nil))
}

// HandleParams registers a value handler for a pattern, and returns its route. The
// pattern is appended to the group's prefix; see [Mux.HandleParams].
func (g *Group) HandleParams(pattern string, handler func(http.ResponseWriter, *http.Request, Params), options ...RouteOption) *Route {
	return must(g.mux.register(g, "", pattern, ParamsFunc(handler), options))
}

// Add registers a handler for a pattern with options, and returns its route. The
// pattern is appended to the group's prefix; see [Mux.Add].
func (g *Group) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return g.mux.register(g, "", pattern, handler, options)
}

// Get registers a handler for GET and HEAD requests, and returns its route. The pattern
// is appended to the group's prefix. It may be empty, which means the prefix itself.
// See [Mux.Get].
func (g *Group) Get(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodGet, pattern, http.HandlerFunc(handler), options))
}

// Head registers a handler for HEAD requests, and returns its route. See [Mux.Head].
func (g *Group) Head(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodHead, pattern, http.HandlerFunc(handler), options))
}

// Post registers a handler for POST requests, and returns its route. See [Mux.Get].
func (g *Group) Post(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodPost, pattern, http.HandlerFunc(handler), options))
}

// Put registers a handler for PUT requests, and returns its route. See [Mux.Get].
func (g *Group) Put(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodPut, pattern, http.HandlerFunc(handler), options))
}

// Patch registers a handler for PATCH requests, and returns its route. See [Mux.Get].
func (g *Group) Patch(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodPatch, pattern, http.HandlerFunc(handler), options))
}

// Delete registers a handler for DELETE requests, and returns its route. See [Mux.Get].
func (g *Group) Delete(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodDelete, pattern, http.HandlerFunc(handler), options))
}

// Connect registers a handler for CONNECT requests, and returns its route. See
// [Mux.Connect].
func (g *Group) Connect(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodConnect, pattern, http.HandlerFunc(handler), options))
}

// Options registers a handler for OPTIONS requests, and returns its route. See
// [Mux.Options].
func (g *Group) Options(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodOptions, pattern, http.HandlerFunc(handler), options))
}

// Trace registers a handler for TRACE requests, and returns its route. See [Mux.Get].
func (g *Group) Trace(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, http.MethodTrace, pattern, http.HandlerFunc(handler), options))
}

// Query registers a handler for QUERY requests, and returns its route. See [Mux.Query].
func (g *Group) Query(pattern string, handler func(http.ResponseWriter, *http.Request), options ...RouteOption) *Route {
	return must(g.mux.register(g, "QUERY", pattern, http.HandlerFunc(handler), options))
}

// HandleError registers a handler that may return an error instead of answering, and
// returns its route. The pattern is appended to the group's prefix; see
// [Mux.HandleError].
func (g *Group) HandleError(pattern string, handler func(http.ResponseWriter, *http.Request) error, options ...RouteOption) *Route {
	return must(g.mux.register(g, "", pattern, ErrorFunc(handler), options))
}

// Files serves the files of fsys for GET and HEAD requests. The pattern is appended to
// the group's prefix; see [Mux.Files].
func (g *Group) Files(pattern string, fsys fs.FS, options ...FilesOption) {
	text, f := newFiles(pattern, fsys, options)
	must(g.mux.register(g, "", text, f, []RouteOption{f.mounted()}))
}

// checkMiddleware panics if one is nil.
func checkMiddleware(function string, middleware []Middleware) {
	for i, mw := range middleware {
		if mw == nil {
			panic(fmt.Sprintf("muxwell: %s: middleware %d is nil", function, i+1))
		}
	}
}

// subPrefix returns the group's prefix with another one appended, as text and as a
// pattern, which has one more segment.
func (g *Group) subPrefix(prefix string) (string, *pattern.Pattern, error) {
	trimmed := strings.TrimRight(prefix, "/")
	host := pattern.SegmentEnd(prefix, 0)
	switch {
	case strings.ContainsAny(prefix[:host], " \t"):
		return "", nil, patternError(prefix, 0, "a prefix has no method; give the method to the patterns")
	case lacksSlash(prefix):
		return "", nil, patternError(prefix, 0, "a prefix must begin with a slash, write %q; or, if it is a host, end with one, write %q", "/"+prefix, prefix+"/")
	}
	full, err := joinPattern(g.prefix, trimmed)
	if err != nil || full == "" {
		return "", nil, err
	}
	p, err := parse(full+"/x", g.mux.config.rules())
	if e, ok := err.(*PatternError); ok {
		e.Pattern = full
		e.Offset = min(e.Offset, len(full))
	}
	return full, p, err
}

// lacksSlash reports whether [HOST][/PATH] is more likely a path without its first
// slash than a host.
func lacksSlash(text string) bool {
	return text != "" && pattern.SegmentEnd(text, 0) == len(text) && !strings.ContainsAny(text, ".:{*")
}

// methodsStop returns where the methods of a pattern and the spaces after them end. If
// the pattern has nothing else, that is its length.
func methodsStop(text string) int {
	blank := strings.IndexAny(text, " \t/{")
	switch {
	case blank >= 0 && (text[blank] == ' ' || text[blank] == '\t'):
		return blank + len(text[blank:]) - len(strings.TrimLeft(text[blank:], " \t"))
	case blank < 0 && text != "" && pattern.LooksLikeMethods(text):
		return len(text)
	}
	return 0
}

// joinPattern returns a pattern with a prefix before its path: the methods, the host of
// either, the prefix's path, the pattern's path.
func joinPattern(prefix, text string) (string, error) {
	if prefix == "" {
		return text, nil
	}
	off := methodsStop(text)
	if off == len(text) && off > 0 && !strings.HasSuffix(text, " ") && !strings.HasSuffix(text, "\t") {
		text += " "
		off++
	}
	at := off + pattern.SegmentEnd(text[off:], 0)
	host, path := text[off:at], text[at:]
	stop := pattern.SegmentEnd(prefix, 0)
	if outer := prefix[:stop]; outer != "" && host != "" && hostname.Fold(outer) != hostname.Fold(host) {
		return "", patternError(text, off, "the prefix %q already has a host; omit this one", prefix)
	} else if outer != "" {
		host = outer
	}
	return text[:off] + host + prefix[stop:] + path, nil
}
