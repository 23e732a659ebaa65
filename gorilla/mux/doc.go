// Package mux is a drop-in replacement for github.com/gorilla/mux. To move a program to
// it, change the import path:
//
//	r := mux.NewRouter()
//	r.HandleFunc("/articles/{category}/{id:[0-9]+}", getArticle).Methods("GET").Name("article")
//	api := r.Host("{tenant}.example.com").PathPrefix("/api").Subrouter()
//	api.Use(authenticate)
//	api.HandleFunc("/users", listUsers).Queries("page", "{page:[0-9]*}")
//	log.Fatal(http.ListenAndServe("localhost:8080", r))
//
// Its API and behavior are those of gorilla/mux's main branch, which is later than
// v1.8.1. Of the routes that match a request, the one that was registered first serves
// it. All matchers of a route must match, in the order in which they were added. A
// subrouter's routes are tried if the matchers of its route match.
//
// It is faster. A router has an index of its routes, by the segments of their paths and
// by host, which reduces hundreds of routes to the few that may match. Templates with
// plain variables and most regular expressions are matched without package regexp. A
// request's context is set once, and variables are extracted from the path when a
// handler asks for them. gorilla/conformance has the comparison, including the time.
//
// # Variables in the request
//
// With [Router.VarsInRequest] requests cost less again. Route and variables are in the
// request itself, where http.ServeMux has path values, and not in the context of a copy.
// Handlers may read them by r.PathValue as well. This changes the following:
//
//   - A request that is made with r.Context(), as by [http.NewRequestWithContext], has no route
//     and no variables. Copies of the request itself have them: those made by WithContext and
//     Clone, whatever the context, and those of [http.StripPrefix].
//   - In the handlers of an [http.ServeMux], or another router of that kind, that gets the
//     request from a handler there is no route and there are no variables, nor when it has returned.
//   - If a handler passes its request to the same router again, it then has the last route and
//     its variables. So has a handler of another router without the option that passes its
//     request to a router that has it.
//   - Handlers around the router see the route and the variables when it has returned.
//   - [Vars] returns a new map each time: what is written to it is lost.
//   - The router writes to the request that it is given. Serving one [http.Request] in two goroutines
//     at a time is a race, as with http.ServeMux. Copies made by WithContext may be served
//     in several goroutines.
//
// A request that has path values of another mux, and one to a tree of routers with a
// [MatcherFunc], is copied as without the option, and r.PathValue returns the variables in
// the copy. So are all requests with the build tag muxwell_safe.
//
// # Differences
//
// Bugs of gorilla/mux are not copied:
//
//   - Middleware of [Route.Use] runs on every match. In gorilla/mux it is skipped if an
//     earlier route matched except for the method or the query.
//   - A route whose subrouter matches, but which itself does not, because of its method or a
//     matcher that was added after [Route.Subrouter], has no effect. In gorilla/mux the
//     handler that was found in the subrouter may serve the request.
//   - A percent sign in a template is a percent sign in the URLs that are built.
//   - Redirects stay on the site: the Location is a path and a query, and begins with exactly
//     one slash. In gorilla/mux //evil.com/ under StrictSlash and SkipClean, and a request
//     line in absolute form, lead to another host.
//   - With [Router.UseEncodedPath] redirects keep the path's escapes. In gorilla/mux redirects
//     to the clean path escape them twice, and those of StrictSlash resolve them.
//   - Routes of a zero Router can have names.
//
// Other differences:
//
//   - If a route without variables matches, RouteMatch.Vars and the result of Vars are an
//     empty map, as in v1.8.1. In the main branch they are nil. Vars returns a new map then.
//   - Routes and options may be changed while requests are served. In gorilla/mux that is a
//     data race. Methods return copies of lists and maps, and do not keep those that they are
//     given.
//   - A [MiddlewareFunc] is called once for a route, not for each request, with the exceptions
//     in its documentation. The handler that it returns runs for each request as usual.
//   - Matchers without side effects may be skipped if they cannot change the result. A
//     [MatcherFunc] is called exactly when gorilla/mux calls it.
//
// Router and Route must not be copied after first use; go vet reports such copies.
//
// Packages that use gorilla/mux's own types do not work with these types: they see no
// route and no variables.
package mux
