//go:build muxwell_safe

package muxwell

import (
	"hash/maphash"
	"net/http"
)

// This file delivers parameters through the exported API of net/http alone. What
// it cannot do: take away the values that an outer mux set.

type requestShape struct{}

func newShape([]string) requestShape { return requestShape{} }

func (rec *record) deliver(r *http.Request, path string, slashes uint64) {
	vals := make([]string, rec.params)
	rec.route.fill(vals, path, slashes)
	setValues(r, rec.shape, rec.route.params.names, vals)
}

func (rec *record) freshValues(*http.Request, place) []string { return make([]string, rec.params) }

func setValues(r *http.Request, _ requestShape, names, vals []string) {
	setPathValues(r, names, vals)
}

func clearValues(*http.Request) {}

var identitySeed = maphash.MakeSeed()

// identity returns a hash by which RouteOf finds a pattern's routes.
func identity(pattern string) uint64 { return maphash.String(identitySeed, pattern) }

// identical reports whether a request's pattern is a route's.
func identical(a, b string) bool { return a == b }
