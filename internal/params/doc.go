// Package params extracts the values of a route's parameters from a request: from its
// path, its host and its query. It does not match: the route's pattern must match the
// request.
//
// A [Layout] is computed once for each route and does not change. [Values] do not
// change either, and keep nothing alive except the text that they are parts of.
package params
