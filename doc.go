// Package muxwell is an HTTP router: a drop-in for [http.ServeMux] that routes
// without allocating.
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
// A handler is any [http.Handler]. A [ParamsFunc] and an [ErrorFunc] are handlers that
// a Mux knows, and that work under other muxes too.
//
// The handler is given the server's own request, with r.Pattern and r.PathValue
// set as ServeMux sets them. No context value, no copy of the request, nothing
// that is reused when the handler returns.
//
// # Patterns
//
//	[METHODS ][HOST]/PATH
//
// METHODS is a method or a list, "GET,POST"; without it the pattern matches
// every method. GET serves HEAD too. Without HOST it matches every host. PATH is
// made of segments:
//
//	text              a segment that is this text; %2F and %7B write '/' and '{'
//	{x}               any one segment that is not empty
//	{name}.{ext}      text and parameters in any mix, with text between each two
//	{x...}            one or more segments, if more follows: /{path...}/raw
//	{x...}            the rest of the path, or nothing, at its end
//	{$}               the end of a path after a slash; last only
//	/                 at the end: a subtree, as {x...} without a name
//
// A name is any text without '{', '}', ':' and '/', and stands once in a pattern;
// what other routers mean something by, as {id?} and {*path}, is refused.
// There is one catch-all at most, a final slash included; what follows one in the
// middle is matched from the end of the path. In a segment with several
// parameters each takes the shortest text that lets the rest match, but for
// regular expressions, which take what they prefer.
//
// A path is matched segment by segment, each unescaped once, and what is matched
// is what the handler gets: a parameter never spans segments, but its value may
// hold a slash that was sent as %2F.
//
// # Constraints
//
// {x:constraint} takes only some values. A constraint is a name,
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
// or one that [Constraint] gives a mux, or a regular expression as package regexp
// reads it, for the whole value: {year:[0-9]{4}}. Braces in it balance. Most
// expressions run without package regexp, at the cost of a comparison.
//
// # Hosts
//
// Hosts are compared without case, final dot and brackets, and but for CONNECT
// requests without port; a pattern with a port matches CONNECT requests only. A
// label may hold parameters and constraints as a segment may:
//
//	{tenant}.example.com        one label; so does * in front, without a name
//	api-{region}.example.com    text and parameters
//	{sub...}.example.com        one or more labels, once in a host
//
// Values from the host are in lower case and come first in [Params].
//
// # Precedence
//
// First the host decides: a host without parameters, then hosts with them, then
// patterns for every host. Of hosts with parameters more text goes first, then
// those without a catch-all, then more constraints. Then the first segment in
// which two patterns differ:
//
//	text               users
//	text and parameters v{x}: more text first, then more in front, then more constraints
//	a constraint       {x:int}
//	a parameter        {x}
//	the end            {$}
//	a catch-all        {x...} with more behind it
//	the rest           {x...} at the end, or a final slash
//
// Behind a catch-all in the middle segments are compared from the end, and more
// of them go before fewer. Between patterns with the same path the method decides:
// the request's own, then GET for HEAD, then a pattern without method.
//
// Registration decides only where this leaves a tie: between two constraints at
// the same place, two segments or two hosts with as much text. The one goes first
// that a route was first registered with, behind the same beginning.
//
// Where a choice leads to no match the next one is tried: a route that matches is
// always found. Patterns that ServeMux rejects as conflicting, such as /a/{x}
// beside /{y}/b, are decided by this order, or refused under [StrictConflicts].
// Two patterns that say the same are always refused. [Mux.Explain] says which
// rule decided for a request, [Mux.Check] which pairs of routes overlap.
//
// Routes with the same pattern may differ in what else they ask for: [Headers],
// [HeadersRegexp], [Queries], [Schemes], [Accept], [ContentType], [ClientIP],
// [MatchFunc]. The one wins to which the Accept header gives the highest q, where
// a route without [Accept] counts as q=1; of equal ones the one registered first;
// and at last the one without any of these. A request that matches none of them is
// tried with the next pattern. In the end the answer is 404, or the 406 or 415 of
// an option.
// A query and an Accept header are parsed once, however many routes require something
// of them. A matcher does not match what is longer than its option says that it reads.
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
// Middleware runs when the request has been matched. It is composed once. See
// [Mux.Use], [Mux.Route], [Mux.Defaults], [Mux.Mount].
//
// # Changes while serving
//
// [Mux.Update] adds, replaces and removes routes, all of it or nothing, and no
// request waits for it.
//
// # Inside
//
// A request goes down through these packages and never up:
//
//	muxwell              ServeHTTP: one atomic load of a snapshot, which has the handlers by number
//	├─ internal/routing  which number: by host, method, path and matchers; or redirect, 404, 405, 406, 415
//	│  ├─ internal/trie     path → number: a hash table of whole paths, and a trie of segments
//	│  └─ internal/matcher  what a route requires besides: headers, queries, media types …
//	└─ internal/params   the values of the parameters
//	   └─ internal/pathvalue  r.PathValue; the only unsafe code
//
// A route is registered in the root package, which knows muxes and groups:
//
//	Handle, Add …        mux.go, group.go, mount.go, update.go: all of them end in plan.go and register.go
//	├─ internal/pattern  what the pattern says, and what matches each of its segments
//	├─ internal/overlap  plan.go: what it has in common with those that are there
//	└─ snapshot.go       the next request, or Update, builds the tables and publishes them
//
// Registration is cheap, and so is serving after it; the request in between waits
// for the tables, but for those of an Update. Routes may be registered while
// requests are served. CONTRIBUTING.md has the map of all packages.
//
// # Differences from http.ServeMux
//
// Without options a Mux answers as the ServeMux of the Go release that it is built
// with does: status, Location, Allow, body, r.Pattern, every PathValue, and what
// Handler returns. This list is complete. It applies to Go 1.26 and 1.27, except
// where it names a release:
//
//  1. A CONNECT request whose empty segment meets a parameter (/c//d on /c/{x}/d)
//     does not match; with ServeMux reading the value panics.
//  2. Up to Go 1.26: a redirect keeps each segment's escapes. ServeMux escapes them
//     twice when it cleans a path, and loses them when it adds a slash. From Go
//     1.27 on ServeMux keeps them too.
//  3. The segment %2F is the text "/". In ServeMux it is a trailing slash.
//  4. Hosts are compared without case, final dot and brackets.
//  5. A host whose first label is '*' matches any one label there, and other
//     hosts that begin with '*' are refused. In ServeMux both are literal text.
//  6. An empty segment inside a pattern without method (/a//b) matches the empty
//     segment that only CONNECT and [PathServe] let through. In ServeMux it is a
//     wildcard.
//  7. GODEBUG=httpmuxgo121=1 is not honoured.
//
// Registration differs where that helps: a pattern may say more than ServeMux's,
// errors read differently, and a host with a blank or a comma in it, which no
// request has, is refused.
//
// # Unsafe code and the tag muxwell_safe
//
// r.PathValue is given its values through the request's private fields, found and
// checked by reflection when the program starts; should a Go release change them,
// [http.Request.SetPathValue] takes over. It is all in internal/pathvalue/unsafe.go. The
// build tag muxwell_safe leaves that file out. Then
//
//   - a request with parameters costs the allocations of SetPathValue, and one that
//     has values already is assigned to, so that its values can be made its own:
//     nothing else may read it meanwhile, which copies of it may;
//   - the values of an outer mux stay readable in an inner one, by names that the
//     inner pattern does not have, and a value handler sees them in r.PathValue;
//   - [Mux.RouteOf] knows routes by the text of their pattern, and of several that
//     share one, with other matchers, returns the first.
package muxwell
