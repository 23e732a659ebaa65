package main

import (
	"net/http"
	"slices"

	"github.com/muxwell/muxwell"
)

// example returns a path, escaped and perhaps with a query, that a plain GET request
// on any host reaches rt with; "" if there is none or none was found.
func (s *site) example(rt *muxwell.Route) string {
	methods := rt.Methods()
	if rt.Host() != "" || len(methods) > 0 && !slices.Contains(methods, http.MethodGet) {
		return ""
	}
	r, ok := s.mux.Sample(rt)
	if !ok || s.takes(r.RequestURI) != rt {
		return ""
	}
	return r.RequestURI
}
