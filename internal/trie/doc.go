// Package trie finds the path of a pattern that matches the path of a request, of many
// paths for one host and one method. It returns numbers, and knows nothing of requests,
// methods, hosts and handlers. What a path alone cannot decide it leaves to its caller:
// such numbers are marked [Conditional].
//
// A [Table] is built from paths in the order of precedence, once, and is never changed;
// one with few changes takes over what it can from the one before. [Table.Find] is fast
// and says when it cannot tell; [Table.Search] is right for every path, and its work is
// bounded by the length of the path times the number of paths.
package trie
