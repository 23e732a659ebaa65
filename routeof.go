package muxwell

import (
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/pathvalue"
)

// RouteOf returns the route of m that matched a request, or to which the request was
// redirected (except for CONNECT). It returns nil if there is none: on 404 and 405, if
// the request went to another mux, and if the route was removed since. For a route of a
// mounted mux, the mounted mux returns its own route, and the outer mux the route with
// the prefix.
//
// Middleware of a mux also runs on 404 and 405. It need not check for nil, since the
// methods of a nil *Route return zero values: m.RouteOf(r).Path() is "" there.
//
// RouteOf uses r.Pattern, so it also works in middleware and for copies of the request.
// It does not allocate, except that the first call after a registration indexes the
// routes. Built with the tag muxwell_safe, it identifies routes by the text of their
// patterns, and cannot distinguish a route of another mux with the same pattern from
// its own.
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
	for _, rt := range slices.Backward(s.routes) { // so that the first one with a text wins
		s.byPattern[pathvalue.IdentityOf(rt.pattern.Text)] = rt
	}
}
