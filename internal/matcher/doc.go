// Package matcher has what a route may require of a request besides its method, host
// and path: headers, queries, media types, schemes, the addresses of clients, and
// functions.
//
// It does not know of routes, muxes and paths. A [Set] is filled when a route is
// registered, and does not change afterwards; what a request's query and headers are
// found to be is kept in a [State] while routes are tried for it, so that none is
// parsed more than once. No matcher reads more of a request than its documentation
// says.
package matcher
