// Package mux is a drop-in for github.com/gorilla/mux: a program moves to it by
// changing the import path, and nothing else.
//
//	r := mux.NewRouter()
//	r.HandleFunc("/articles/{category}/{id:[0-9]+}", getArticle).Methods("GET").Name("article")
//	api := r.Host("{tenant}.example.com").PathPrefix("/api").Subrouter()
//	api.Use(authenticate)
//	api.HandleFunc("/users", listUsers).Queries("page", "{page:[0-9]*}")
//	log.Fatal(http.ListenAndServe("localhost:8080", r))
//
// Its API is the one of gorilla/mux's main branch, later than v1.8.1, and so is what
// it does: of the routes that match a request the one that was registered first
// serves it; all matchers of a route must match, in the order in which they were
// added; a subrouter's routes are tried where the matchers of its route match.
//
// It is faster. A router has an index of its routes, by the segments of their paths
// and by host, which leaves of hundreds of routes the few that may match. Templates
// with plain variables and most regular expressions are matched without package
// regexp. A request's context is set once, and variables are taken from the path
// when a handler asks for them. gorilla/conformance has the comparison, also of the
// time.
//
// # Differences
//
// Faults that gorilla/mux has are not copied:
//
//   - Middleware of [Route.Use] runs on every match. There it is left out if an
//     earlier route matched but for the method or the query.
//   - A route whose subrouter matches, and which itself does not, by its method or by
//     a matcher that was added after [Route.Subrouter], leaves nothing behind. There
//     the handler that was found in the subrouter may serve the request.
//   - A percent sign in a template is a percent sign in the URLs that are built.
//   - Redirects stay on the site: the Location is a path and a query, and begins
//     with exactly one slash. There //evil.com/ under StrictSlash and SkipClean, and a
//     request line in absolute form, lead to another host.
//   - With [Router.UseEncodedPath] redirects keep the path's escapes. There those to
//     the clean path escape them twice, and those of StrictSlash resolve them.
//   - Names can be given to the routes of a zero Router.
//
// These differ without being faults:
//
//   - Routes and options may be changed while requests are served. There that is a
//     race. Lists and maps that methods return are copies, and those that they are
//     given are not kept.
//   - A [MiddlewareFunc] is called once for a route and not for each request, with the
//     exceptions that its comment names. The handler that it returns runs for each
//     request as ever.
//   - Matchers without side effects may be left out where they cannot change the
//     result. A [MatcherFunc] is called exactly when it is called there.
//
// Router and Route must not be copied by value once they are used, which go vet
// tells.
//
// Packages that are written against gorilla/mux's own types do not know these: they
// see no route and no variables.
package mux
