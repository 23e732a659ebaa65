//go:build muxwell_safe

package pathvalue

import (
	"hash/maphash"
	"net/http"
)

// This file delivers parameters through the exported API of net/http alone. What
// it cannot do: take away the values that an outer mux set.

// A Shape is nothing in this build.
type Shape struct{}

// NewShape returns the shape of the given names.
func NewShape([]string) Shape { return Shape{} }

// New returns a fresh slice of n values for Set.
func New(_ *http.Request, _ Shape, n, _ int) []string { return make([]string, n) }

// Set reports false: values are for SetByName.
func Set(*http.Request, Shape, []string) bool { return false }

// SetByName gives r values, one for each of names, in place of those that it has under
// them.
func SetByName(r *http.Request, names, vals []string) { setPathValues(r, names, vals) }

// Clear would take away the values that another mux gave to r.
func Clear(*http.Request) {}

var identitySeed = maphash.MakeSeed()

// Identity returns a hash of a pattern. Its high bits count.
func Identity(pattern string) uint64 { return maphash.String(identitySeed, pattern) }

// Identical reports whether two patterns are the same text.
func Identical(a, b string) bool { return a == b }
