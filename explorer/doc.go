// Package explorer shows the routes of a mux in a browser. They are in a tree and in a
// table that can be searched and sorted, with methods, names, metadata, middleware and
// source lines. It also shows which route matches a request and why the others do
// not. With an [Observer] it shows how many requests each route had and how long they
// took.
//
//	m := muxwell.New()
//	o := explorer.Observe(m)
//	m.With(auth).Handle("GET /_routes/", explorer.Handler(m, explorer.Counts(o)))
//	log.Fatal(http.ListenAndServe("localhost:8080", o))
//
// With an OpenAPI document, of which [Spec] names the kinds, routes link to pages of
// parameters, bodies, examples and responses, with a form to try them:
//
//	explorer.Handler(m, explorer.Spec(api.OpenAPI()))
//
// Without one, openapi.json has what the routes say, and nothing of bodies.
//
// The pages tell an attacker a lot: names of functions, source lines, internal
// routes. A program must therefore mount [Handler] itself, behind a check of who may
// see it, like auth above, or on an address that is not public. The pages change
// nothing, except for what their reader sends with "Try it". These are requests to the
// server of the page with the reader's cookies, and only after the button was pressed;
// [ReadOnly] leaves them out.
package explorer
