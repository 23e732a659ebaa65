// Package overlap compares two patterns: it returns how their sets of requests relate,
// and texts, paths or hosts that both match, or only one of them. An [Index] finds
// which of many patterns are worth comparing. It does not know routes and precedence.
//
// The relation of two patterns is exact, except for constraints that are functions,
// which are assumed to share texts with everything. An example that it returns does
// match; if none is known, it says so.
package overlap
