// Package overlap says what two patterns share: how the sets of requests relate
// that they match, and which text, path or host both match, or only one. An [Index]
// finds which of many patterns are worth such a look. It knows nothing of routes and of
// precedence.
//
// The relation of two patterns is exact, but for constraints that are functions,
// which are taken to share texts with everything. An example that it returns does
// match; where it knows of none it says so.
package overlap
