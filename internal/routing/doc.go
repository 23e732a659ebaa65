// Package routing decides how a request is answered: by which entry, according to host,
// method, path and matchers, or by a redirect, 404, 405, 406, 415, or the allowed
// methods. It does not write answers, and does not know handlers, middleware and
// groups.
//
// [Tables] are built from entries and never changed. [Tables.Find] is the fast path of
// [Tables.Resolve], which is correct for every request.
package routing
