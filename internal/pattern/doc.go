// Package pattern parses registration strings into their methods, their host and their
// path, split into segments, and matches one text against a segment or a label. It
// knows how two segments are ordered on their own. It does not know routes, tables, and
// how two patterns overlap.
//
// A [Pattern] is normalized when it is parsed, so that later steps have fewer cases:
//
//   - A trailing slash is a catch-all without a name: "/a/" is a, {...}.
//   - "{$}" is the end of a path after a slash: "/a/{$}" is a, {$}.
//   - Literals are unescaped: "/a%20b" is the literal "a b". A literal may therefore contain
//     a slash (from %2F), which is text and separates nothing.
//
// For every pattern that [Parse] returns: it has a segment, a [CatchAll] and a [Dollar]
// are the last one, there is at most one catch-all, and the names of its parameters are
// distinct. A Pattern does not change once it is part of a route, and is safe for
// concurrent use.
package pattern
