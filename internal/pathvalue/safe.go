//go:build muxwell_safe

package pathvalue

import (
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

// Values reports false: values are read by name.
func Values(*http.Request, Shape) ([]string, bool) { return nil, false }

// SetByName gives r values, one for each of names, in place of those that it has under
// them.
func SetByName(r *http.Request, names, vals []string) { setPathValues(r, names, vals) }

// Clear would take away the values that another mux gave to r.
func Clear(*http.Request) {}

// An Identity is the text of a pattern in this build, which does not tell patterns apart
// that are the same text.
type Identity = string

// IdentityOf returns the identity of a pattern.
func IdentityOf(pattern string) Identity { return pattern }
