// Package matcher has the conditions that a route may put on a request in addition to
// its method, host and path. They are about headers, queries, media types, schemes and
// client addresses, or are functions.
//
// It does not know routes, muxes and paths. A [Set] is filled when a route is
// registered, and does not change afterwards. A [State] keeps the parsed query and
// headers of a request while routes are tried for it, so that none is parsed more than
// once. No matcher reads more of a request than the limit in its documentation.
package matcher
