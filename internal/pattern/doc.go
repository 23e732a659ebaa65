// Package pattern says what a registration string means: its methods, its host and
// its path, split into segments, and whether one text fits a segment or a label. It
// knows how two segments are ordered by themselves, and nothing of routes, of
// tables, and of how two patterns share requests.
//
// A [Pattern] is normalized when it is parsed, so that no later step knows the
// spellings:
//
//   - A trailing slash is a catch-all without a name: "/a/" is a, {...}.
//   - "{$}" is the end of a path after a slash: "/a/{$}" is a, {$}.
//   - Literals are unescaped: "/a%20b" is the literal "a b". A literal may
//     therefore hold a slash (from %2F), which is text and separates nothing.
//
// These hold for every pattern that [Parse] returns: it has a segment, a [CatchAll]
// and a [Dollar] are the last one, there is one catch-all at most, and the names of
// its parameters are distinct. A Pattern does not change once it is part of a route,
// and may be read from several goroutines.
package pattern
