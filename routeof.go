package muxwell

import (
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/pathvalue"
)

// RouteOf returns the route of m that took a request, or to which it was
// redirected (but for CONNECT), and nil if there is none: on 404 and 405, and if
// the request went to another mux, or to a route that was removed since. If m is
// mounted it returns m's own route, the mux around it the one with the prefix. It
// goes by r.Pattern, works in middleware and in copies of the request too, and
// costs no allocation but for a table of the routes that the first call after a
// registration makes. Built with the tag muxwell_safe it
// knows routes by their text and so takes another mux's route of the same
// pattern for its own.
func (m *Mux) RouteOf(r *http.Request) *Route {
	if r.Pattern == "" {
		return nil
	}
	s := m.current()
	s.byPatternOnce.Do(s.indexPatterns)
	if rt := s.byPattern[pathvalue.IdentityOf(r.Pattern)]; rt != nil && len(rt.pattern.Text) == len(r.Pattern) {
		return rt
	}
	for _, mt := range s.parents {
		if rt := mt.group.mux.RouteOf(r); rt != nil && rt.isMounted() && rt.info.mount == mt {
			return rt.info.origin
		}
	}
	return nil
}

// indexPatterns sets byPattern.
func (s *snapshot) indexPatterns() {
	s.byPattern = make(map[pathvalue.Identity]*Route, len(s.routes))
	for _, rt := range slices.Backward(s.routes) { // of the same text the first one
		s.byPattern[pathvalue.IdentityOf(rt.pattern.Text)] = rt
	}
}
