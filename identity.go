package muxwell

import (
	"math/bits"
	"net/http"

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
	s.idsOnce.Do(func() { s.ids = newIdentities(s.records) })
	if rt := s.ids.find(s.records, r.Pattern); rt != nil {
		return rt
	}
	for _, mt := range s.parents {
		if rt := mt.group.mux.RouteOf(r); rt != nil && rt.isMounted() && rt.info.mount == mt {
			return rt.info.origin
		}
	}
	return nil
}

// identities is an open hash table from the identity of a route's pattern to
// its record.
type identities []uint32

func newIdentities(records []record) identities {
	ids := make(identities, 1<<bits.Len(uint(2*len(records))))
	for i := 1; i < len(records); i++ {
		if records[i].route == nil {
			continue
		}
		at := ids.slot(records[i].pattern)
		for ids[at] != 0 {
			at = (at + 1) & uint64(len(ids)-1)
		}
		ids[at] = uint32(i)
	}
	return ids
}

func (ids identities) slot(pattern string) uint64 {
	return pathvalue.Identity(pattern) >> 32 & uint64(len(ids)-1)
}

func (ids identities) find(records []record, pattern string) *Route {
	for at := ids.slot(pattern); ids[at] != 0; at = (at + 1) & uint64(len(ids)-1) {
		if pathvalue.Identical(records[ids[at]].pattern, pattern) {
			return records[ids[at]].route
		}
	}
	return nil
}
