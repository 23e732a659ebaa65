// Package muxwell is an HTTP router: a drop-in replacement for [http.ServeMux] that
// routes without allocating.
//
//	m := muxwell.New() // or: var m muxwell.Mux
//	m.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
//		fmt.Fprintln(w, r.PathValue("id"))
//	})
//	m.HandleParams("GET /fast/{id}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
//		io.WriteString(w, p.Get("id")) // no allocation, safe to keep
//	})
//	http.ListenAndServe("localhost:8080", m)
//
// Any [http.Handler] can be registered. A Mux treats a [ParamsFunc] and an [ErrorFunc]
// specially, but they are ordinary handlers and work with other muxes too.
//
// The handler is called with the server's own request, with r.Pattern and r.PathValue
// set as ServeMux sets them. The mux adds no context value, does not copy the request,
// and does not reuse anything after the handler returns.
//
// # Patterns
//
//	[METHODS ][HOST]/PATH
//
// METHODS is a method or a list of methods, such as "GET,POST". A pattern without it
// matches every method. GET matches HEAD requests too. A pattern without HOST matches
// every host. PATH consists of segments:
//
//	text              this text; %2F and %7B write '/' and '{'
//	{x}               one segment that is not empty
//	{name}.{ext}      text and parameters in any mix, with text between any two parameters
//	{x...}            a catch-all: one or more segments, if more follows: /{path...}/raw
//	{x...}            at the end: the rest of the path, which may be empty
//	{$}               the end of a path after a slash; last only
//	/                 at the end: a subtree, like {x...} without a name
//
// A name is any text without '{', '}', ':' and '/'. It must be unique in its pattern.
// Names that have a meaning in other routers, such as {id?} and {*path}, are rejected.
// A pattern has at most one catch-all, and a final slash counts as one. The segments
// after a catch-all in the middle are matched from the end of the path. In a segment with
// several parameters, each parameter matches the shortest text with which the rest
// matches, except that a regular expression matches what package regexp prefers.
//
// A path is matched segment by segment. Each segment is unescaped once, and the handler
// gets the text that was matched: a parameter never spans segments, but its value may
// contain a slash that was sent as %2F.
//
// # Constraints
//
// {x:constraint} matches only some values. A constraint is a name,
//
//	int     -?[0-9]+, of any length
//	uint    [0-9]+, of any length
//	alpha   [A-Za-z]+
//	alnum   [0-9A-Za-z]+
//	hex     [0-9A-Fa-f]+
//	uuid    8-4-4-4-12 hexadecimal digits, in either case
//	date    a day of the calendar, as 2006-01-02
//	ipv4    four numbers up to 255, without leading zeros
//	slug    [0-9a-z]+(-[0-9a-z]+)*
//
// or one that [Constraint] gives a mux, or a regular expression in the syntax of package
// regexp, which must match the whole value: {year:[0-9]{4}}. Its braces must be balanced.
// Most expressions run without package regexp, at the cost of a comparison.
//
// # Hosts
//
// The case of a host, its final dot and its brackets are ignored. Its port is ignored
// too, except for CONNECT requests: a pattern with a port matches only those. A label may
// have parameters and constraints, as a segment may:
//
//	{tenant}.example.com        one label; so does * in front, without a name
//	api-{region}.example.com    text and parameters
//	{sub...}.example.com        one or more labels, once in a host
//
// Values from the host are in lower case and come first in [Params].
//
// # Precedence
//
// The host decides first: a host without parameters wins over hosts with parameters, and
// these win over patterns for every host. Of two hosts with parameters, the one with more
// text wins, then the one without a catch-all, then the one with more constraints. Then
// the first segment in which two patterns differ decides, in this order:
//
//	text               users
//	text and parameters v{x}: more text first, then more in front, then more constraints
//	a constraint       {x:int}
//	a parameter        {x}
//	the end            {$}
//	a catch-all        {x...} with more after it
//	the rest           {x...} at the end, or a final slash
//
// The segments after a catch-all in the middle are compared from the end, and more of them
// win over fewer. Of patterns with the same path, the one that names the request's method
// wins, then GET for a HEAD request, then a pattern without a method.
//
// The order of registration decides only what this leaves undecided: two constraints at
// the same place, or two segments or two hosts with equally much text. Then the
// alternative wins that was registered first after the same beginning.
//
// If an alternative leads to no match, the next one is tried: if any route matches, one is
// found. Patterns that ServeMux rejects as conflicting, such as /a/{x} and /{y}/b, are
// decided by this order, or rejected under [StrictConflicts]. Two patterns that mean the
// same are always rejected. [Mux.Explain] returns the rule that decided for a request, and
// [Mux.Check] the pairs of routes that overlap.
//
// Routes with the same pattern may differ in their matchers: [Headers], [HeadersRegexp],
// [Queries], [Schemes], [Accept], [ContentType], [ClientIP], [MatchFunc]. The route to
// which the Accept header gives the highest q wins, where a route without [Accept] counts
// as q=1. Of equal ones the one registered first wins. A route without matchers comes
// last. If none of them matches the request, the next pattern is tried. If no pattern
// matches, the answer is 404, or the 406 or 415 of a matcher.
//
// A query and an Accept header are parsed once, however many routes require something of
// them. A matcher does not match input that is longer than the limit in its documentation.
//
// # Groups, middleware, mounts
//
//	m.Use(logging)                          // all routes, 404, 405, redirects
//	m.Route("/api", func(g *muxwell.Group) {
//		g.Use(auth)                     // runs inside logging
//		g.Defaults(muxwell.Meta("owner", "platform"))
//		g.Get("/users/{id}", getUser)   // GET /api/users/{id}
//		g.With(audit).Post("/pay", pay)
//	})
//	m.Mount("/admin", admin)                // a *Mux becomes a part of m
//
// Middleware runs after the request was matched. It is composed once, not for each
// request. See [Mux.Use], [Mux.Route], [Mux.Defaults] and [Mux.Mount].
//
// # Changes while serving
//
// [Mux.Update] adds, replaces and removes routes. All of its changes take effect or none
// does, and no request waits for it.
//
// # Inside
//
// A request passes through these packages, from the top down:
//
//	muxwell              ServeHTTP: one atomic load of a snapshot, which maps numbers to handlers
//	├─ internal/routing  host, method, path, matchers → number; or a redirect, 404, 405, 406, 415
//	│  ├─ internal/trie     path → number: a hash table of whole paths, and a trie of segments
//	│  └─ internal/matcher  what else a route requires: headers, queries, media types …
//	└─ internal/params   the values of the parameters
//	   └─ internal/pathvalue  r.PathValue; the only unsafe code
//
// The root package registers routes, since only it knows muxes and groups:
//
//	Handle, Add …        mux.go, group.go, mount.go, update.go: all of them end in plan.go and register.go
//	├─ internal/pattern  parses the pattern into matchers for its segments
//	├─ internal/overlap  compares it with the patterns registered before (plan.go)
//	└─ snapshot.go       the next request, or Update, builds the tables and publishes them
//
// Routes may be registered while requests are served. Registration itself is cheap. The
// next request builds the tables and waits for them; after [Mux.Update] none does, since
// Update builds them itself. CONTRIBUTING.md has the map of all packages.
//
// # Differences from http.ServeMux
//
// A Mux without options answers like the ServeMux of the Go release that it is built
// with: the same status, Location, Allow, body, r.Pattern and path values, and the same
// result of Handler. The following list of differences is complete. It applies to Go 1.26
// and 1.27, except where it names a release:
//
//  1. A CONNECT request with an empty segment where the pattern has a parameter (/c//d for
//     /c/{x}/d) does not match. ServeMux matches it, and reading the value panics.
//  2. Up to Go 1.26, a redirect keeps each segment's escapes. ServeMux escapes them
//     twice when it cleans a path, and loses them when it adds a slash. As of Go
//     1.27, ServeMux keeps them too.
//  3. The segment %2F is the text "/". In ServeMux it is a trailing slash.
//  4. The case of hosts, their final dot and their brackets are ignored.
//  5. A host whose first label is '*' matches any one label there. Other hosts that begin
//     with '*' are rejected. In ServeMux both are literal text.
//  6. An empty segment inside a pattern without method (/a//b) matches only an empty
//     segment, which a request has only with CONNECT or [PathServe]. In ServeMux it is a
//     wildcard.
//  7. GODEBUG=httpmuxgo121=1 has no effect.
//
// Registration differs where that helps: patterns can express more than those of ServeMux,
// error messages differ, and a host with a space or a comma, which no request has, is
// rejected.
//
// # Unsafe code and the tag muxwell_safe
//
// A Mux sets the values of r.PathValue through private fields of the request. It finds
// them by reflection, and checks them, when the program starts. If a Go release changes
// them, [http.Request.SetPathValue] is used instead. All of this is in
// internal/pathvalue/unsafe.go. The build tag muxwell_safe leaves that file out. Then
//
//   - a request with parameters costs the allocations of SetPathValue. If the
//     request has values already, the mux assigns to *r to give it values of its own.
//     Meanwhile nothing else may read r, but copies of it may be read;
//   - the values of an outer mux can still be read in an inner one, by names that the
//     inner pattern does not have, and a value handler sees them in r.PathValue;
//   - [Mux.RouteOf] identifies routes by the text of their pattern. If several routes with
//     different matchers share a pattern, it returns the first of them.
package muxwell
