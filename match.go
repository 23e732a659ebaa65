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
	// align changes a sample of a request so that the matcher takes it, if it can be:
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
// They are ordered by rootRank; in each, those with matchers come first, in the
// order of registration.
type sharedPath struct {
	routes  []*Route
	records []uint32
	tiers   []int // where the routes of each rootRank stop
}

// newSharedPath returns the sharedPath of routes, or nil if none has matchers.
func newSharedPath(routes []*Route) *sharedPath {
	if !slices.ContainsFunc(routes, func(rt *Route) bool { return len(rt.matchers()) > 0 }) {
		return nil
	}
	p := &sharedPath{routes: slices.SortedFunc(slices.Values(routes), func(a, b *Route) int {
		return cmp.Or(cmp.Compare(a.root(), b.root()), compareShared(a, b))
	})}
	for i, rt := range p.routes {
		p.records = append(p.records, rt.record())
		if i == len(p.routes)-1 || p.routes[i+1].root() != rt.root() {
			p.tiers = append(p.tiers, i+1)
		}
	}
	return p
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
// The rootRank decides first. Then the request's own method goes before GET for
// HEAD, and that before no method; then matchers beat none; then what the client
// wants most according to its Accept header wins, then the first one. It returns 0
// if there is none, and notes why in missed.
func (p *sharedPath) choose(r *http.Request, c *config, method string, named bool, missed *miss) (record uint32) {
	from := 0
	for _, to := range p.tiers {
		for fit := 3; fit > 0; fit-- {
			if named && fit == 1 {
				break
			}
			if record = p.best(from, to, fit, r, c, method, missed); record != 0 {
				return record
			}
		}
		from = to
	}
	return 0
}

// best is choose among those of the routes from one index to another that fit the
// method in one way.
func (p *sharedPath) best(from, to, fit int, r *http.Request, c *config, method string, missed *miss) (record uint32) {
	bestQuality := 0
	for i := from; i < to; i++ {
		rt := p.routes[i]
		if rt.fit(method) != fit {
			continue
		}
		if record != 0 && len(rt.matchers()) == 0 {
			break // a matcher beats none, whatever its quality
		}
		quality, status := rt.wanted(r, c)
		if status != 0 {
			missed.add(status)
		} else if quality > bestQuality {
			record, bestQuality = p.records[i], quality
		}
		if bestQuality == mostWanted {
			break
		}
	}
	return record
}

// mostWanted is the highest quality. A route without Accept has it: only so is the
// order of such a route and others a total one.
const mostWanted = 1000

// wanted asks the matchers of rt. It returns a status if they do not take the
// request, else the quality of what the route has.
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
	return cmp.Or(quality, mostWanted), status
}
