// Package routing decides what becomes of a request: which of the entries it goes to, by
// host, method, path and matchers, or with what it is answered, a redirect, 404, 405,
// 406, 415, or the methods that are allowed. It gives no answer itself, and does not
// know of handlers, middleware and groups.
//
// [Tables] are built from entries and never changed. [Tables.Find] is the fast path of
// [Tables.Resolve], which is right for every request.
package routing
