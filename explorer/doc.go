// Package explorer shows the routes of a mux in a browser: as a tree and as a
// table that can be searched and sorted, with methods, names, metadata, middleware
// and source lines; which route takes a request, and why the others do not; and
// while an [Observer] serves the mux, how many requests each route had and how
// long they took.
//
//	m := muxwell.New()
//	o := explorer.Observe(m)
//	m.With(auth).Handle("GET /_routes/", explorer.Handler(m, explorer.Counts(o)))
//	log.Fatal(http.ListenAndServe("localhost:8080", o))
//
// It tells strangers what there is to attack: names of functions, source lines,
// routes for the inside. So nothing is shown unless a program mounts [Handler],
// which is to be done behind whatever tells who may see it, as auth above, or on
// an address of its own that is not public. It is read-only.
package explorer
