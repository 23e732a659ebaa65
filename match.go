package muxwell

import (
	"cmp"
	"net/http"
	"slices"
)

// A matcher is a condition on a request besides its method, host and path. A
// route has any number of them, and takes the requests that meet all.
type matcher struct {
	text  string // the option as it is written: Headers("X-Beta", "1")
	takes func(*http.Request, *config) bool
	// status is the answer to a request that misses nothing but this: 406, 415, or
	// 0 for what it would be without the route.
	status int
	// quality returns how much the client wants what the route has, from 1 to
	// 1000, or 0 if the matcher does not take the request; nil if nobody is asked.
	quality func(*http.Request) int
	// miss says why the matcher does not take a request.
	miss func(*http.Request, *config) string
	// meet changes a sample of a request so that the matcher takes it, if it can be:
	// in the way of that number, of which there may be several. It is nil for a
	// function, of which nobody knows: two of those may have the same text.
	meet func(r *http.Request, way int)
}

// addMatcher adds a matcher to the route.
func (rt *Route) addMatcher(m matcher) {
	info := rt.addInfo()
	info.matchers = append(info.matchers, m)
}

// matchers returns the route's matchers.
func (rt *Route) matchers() []matcher {
	if rt.info == nil {
		return nil
	}
	return rt.info.matchers
}

// A sharedPath lists the routes that share a host and a path, one of which has
// matchers at least. The tables lead to any of them; choose says which it is.
// Those with matchers come first, in the order of registration.
type sharedPath struct {
	routes  []*Route
	records []uint32
	ends    []*Route // those that others may yield to
}

// newSharedPath returns the sharedPath of routes, or nil if none has matchers.
func newSharedPath(routes []*Route) *sharedPath {
	if !slices.ContainsFunc(routes, func(rt *Route) bool { return len(rt.matchers()) > 0 }) {
		return nil
	}
	p := &sharedPath{routes: slices.SortedFunc(slices.Values(routes), compareShared), ends: mountEnds(routes)}
	for _, rt := range p.routes {
		p.records = append(p.records, rt.record())
	}
	return p
}

// splitYielding splits routes with the same path into those that yield to none of
// them and the others.
func splitYielding(routes []*Route) (own, yielding []*Route) {
	ends := mountEnds(routes)
	for _, rt := range routes {
		if slices.ContainsFunc(ends, rt.yieldsTo) {
			yielding = append(yielding, rt)
		} else {
			own = append(own, rt)
		}
	}
	return own, yielding
}

// mountEnds returns those of routes that others may yield to, which are few.
func mountEnds(routes []*Route) (ends []*Route) {
	for _, rt := range routes {
		if rt.endsMount() {
			ends = append(ends, rt)
		}
	}
	return ends
}

// compareShared orders routes that share a path: those with matchers first.
func compareShared(a, b *Route) int {
	if n, m := len(a.matchers()), len(b.matchers()); min(n, m) == 0 && n != m {
		return cmp.Compare(m, n)
	}
	return cmp.Compare(a.index, b.index)
}

// A miss is the status of the answer to a request that matches a route's method
// and path but not its matchers: 404, 406 or 415; 0 if there is no such route.
type miss int

// add notes another route that was missed. The client can mend what a status of
// the matcher's own says, so that goes before 404.
func (m *miss) add(status int) {
	if *m == 0 || *m == http.StatusNotFound {
		*m = miss(status)
	}
}

// choose returns the record of that route of p which takes a request whose method
// is taken to be method; of those that name their methods only, if named is set.
// The request's own method goes before GET for HEAD, and that before no method;
// then the first one wins, unless the client says in its Accept header that it
// would rather have what a later one has. One that yields to another is left out
// where that takes the request. It returns 0 if there is none, and notes why in
// missed.
func (p *sharedPath) choose(r *http.Request, c *config, method string, named bool, missed *miss) (record uint32) {
	for fit := 3; fit > 0; fit-- {
		if named && fit == 1 {
			break
		}
		bestQuality := 0
		for i, rt := range p.routes {
			if rt.fit(method) != fit || p.ends != nil && p.givesWay(rt, r, c, method, named) {
				continue
			}
			quality, status := rt.wanted(r, c)
			switch {
			case status != 0:
				missed.add(status)
			case quality == 0 && record == 0:
				return p.records[i]
			case quality > bestQuality:
				record, bestQuality = p.records[i], quality
			}
		}
		if record != 0 {
			return record
		}
	}
	return 0
}

// givesWay reports whether rt yields to a route that takes the request.
func (p *sharedPath) givesWay(rt *Route, r *http.Request, c *config, method string, named bool) bool {
	return slices.ContainsFunc(p.ends, func(q *Route) bool {
		if fit := q.fit(method); fit == 0 || named && fit == 1 || !rt.yieldsTo(q) {
			return false
		}
		_, status := q.wanted(r, c)
		return status == 0
	})
}

// wanted asks the matchers of rt. It returns a status if they do not take the
// request, else the quality of what the route has, or 0 if none of them asks.
func (rt *Route) wanted(r *http.Request, c *config) (quality, status int) {
	matchers := rt.matchers()
	for i := range matchers {
		m := &matchers[i]
		asked, takes := 0, false
		if m.quality != nil {
			asked = m.quality(r)
			takes = asked > 0
		} else {
			takes = m.takes(r, c)
		}
		switch {
		case !takes && m.status == 0:
			return 0, http.StatusNotFound
		case !takes:
			status = cmp.Or(status, m.status)
		case asked > 0 && (quality == 0 || asked < quality):
			quality = asked
		}
	}
	return quality, status
}
