// Package trie finds the path of a pattern that matches the path of a request, among
// many paths for one host and one method. It returns numbers, and does not know
// requests, methods, hosts and handlers. If a path alone cannot decide, its caller
// must: such numbers are marked [Conditional].
//
// A [Table] is built from paths in the order of precedence, once, and is never changed.
// A table with few changes reuses what it can from the one before. [Table.Find] is fast
// and reports if it cannot decide. [Table.Search] is correct for every path, and its
// work is bounded by the length of the path times the number of paths.
package trie
