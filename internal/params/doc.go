// Package params takes the values of a route's parameters out of a request: from its
// path, its host and its query. It does not match: it is given a request that the
// route's pattern matches.
//
// A [Layout] is computed once for each route and does not change. [Values] never
// change either, and keep nothing alive but the text that they are parts of.
package params
