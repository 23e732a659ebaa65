//go:build muxwell_safe

package pathvalue

import (
	"net/http"
)

// This file sets parameters only through the exported API of net/http. With that it
// cannot remove values that an outer mux has set.

// A Shape is empty in this build.
type Shape struct{}

// NewShape returns the shape of the given names.
func NewShape([]string) Shape { return Shape{} }

// NewOwned returns a shape without an owner in this build.
func NewOwned([]string, any) Shape { return Shape{} }

// Owner returns nil in this build.
func Owner(*http.Request) any { return nil }

// Carries returns false in this build.
func Carries(*http.Request) bool { return false }

// New returns a fresh slice of n values for Set.
func New(_ *http.Request, _ Shape, n, _ int) []string { return make([]string, n) }

// Set returns false: use SetByName.
func Set(*http.Request, Shape, []string) bool { return false }

// Values returns false: values are read by name.
func Values(*http.Request, Shape) ([]string, bool) { return nil, false }

// SetByName sets a value of r for each of names, replacing existing ones.
func SetByName(r *http.Request, names, vals []string) { Add(r, names, vals) }

// Clear does nothing in this build. It would remove the values that another mux has
// set.
func Clear(*http.Request) {}

// An Identity is the text of a pattern in this build. It does not distinguish patterns
// with the same text.
type Identity = string

// IdentityOf returns the identity of a pattern.
func IdentityOf(pattern string) Identity { return pattern }
