package muxwell

import (
	"cmp"
	"net/http"
	"slices"
)

// A matcher is a condition on a request besides its method, host and path. A
// route has any number of them, and takes the requests that meet all.
type matcher struct {
	text string // the option as it is written: Headers("X-Beta", "1")
	// One of these decides. Queries and Accept have no function, which would move the
	// matchState to the heap.
	queries []queryPart
	accept  []mediaType
	check   func(*http.Request, *config) bool
	// status is the answer to a request that misses nothing but this: 406, 415, or
	// 0 for what it would be without the route.
	status int
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

// A matchState is what the search for a route knows of a request from the matchers
// that it asked. Many routes may have matchers for the same query or header, and a
// client chooses how long that is: it is parsed once, whatever the number of routes.
//
// It is parsed when reading it as it is has taken about as long. So the common request,
// which is short and for which few such routes are tried, costs what it costs to read
// it, and allocates nothing. The state stays on the stack of the search, which passes
// it along by value, and ends with it.
type matchState struct {
	missed miss
	read   uint32         // bytes of the query that were read, or what costs as much
	parsed *parsedRequest // nil if nothing is parsed yet
}

// A parsedRequest has those parts of a request that were parsed, and nil in place of
// the others.
type parsedRequest struct {
	query  queryValues
	accept acceptRanges
}

// maxRead is how many bytes are read before a request is parsed: those of the longest
// query once, of shorter ones more often.
const maxRead = maxQuery

// reads reports whether n bytes are to be read of the request as it is, and counts
// them. Else they are to be parsed.
func (st *matchState) reads(n int) bool {
	if st.parsed != nil || int(st.read)+n > maxRead {
		return false
	}
	st.read += uint32(n)
	return true
}

// keep returns where to keep what is parsed.
func (st *matchState) keep() *parsedRequest {
	if st.parsed == nil {
		st.parsed = new(parsedRequest)
	}
	return st.parsed
}

// takes reports whether the matcher takes a request of which nothing was read yet.
func (m *matcher) takes(r *http.Request, c *config) bool {
	if m.check != nil {
		return m.check(r, c)
	}
	_, takes := m.ask(r, new(matchState))
	return takes
}

// ask reports whether a matcher without a check takes a request, and if it is of
// Accept with which quality: how much the client wants what the route has, from 1
// to 1000.
func (m *matcher) ask(r *http.Request, st *matchState) (quality int, takes bool) {
	if m.queries != nil {
		return 0, st.takesQuery(m.queries, r.URL.RawQuery)
	}
	quality = st.acceptQuality(r.Header["Accept"], m.accept)
	return quality, quality > 0
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
type miss uint32

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
// if there is none, and notes why in st.missed.
func (p *sharedPath) choose(r *http.Request, c *config, st *matchState, method string, named bool) (record uint32) {
	from := 0
	for _, to := range p.tiers {
		for fit := 3; fit > 0; fit-- {
			if named && fit == 1 {
				break
			}
			if record = p.best(from, to, fit, r, c, st, method); record != 0 {
				return record
			}
		}
		from = to
	}
	return 0
}

// best is choose among those of the routes from one index to another that fit the
// method in one way.
func (p *sharedPath) best(from, to, fit int, r *http.Request, c *config, st *matchState, method string) (record uint32) {
	bestQuality := 0
	for i := from; i < to; i++ {
		rt := p.routes[i]
		if rt.fit(method) != fit {
			continue
		}
		if record != 0 && len(rt.matchers()) == 0 {
			break // a matcher beats none, whatever its quality
		}
		quality, status := rt.ask(r, c, st)
		if status != 0 {
			st.missed.add(status)
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

// wanted is ask for a request of which nothing was read yet.
func (rt *Route) wanted(r *http.Request, c *config) (quality, status int) {
	return rt.ask(r, c, new(matchState))
}

// ask asks the matchers of rt. It returns a status if they do not take the
// request, else the quality of what the route has, or 0 if none of them asks.
func (rt *Route) ask(r *http.Request, c *config, st *matchState) (quality, status int) {
	matchers := rt.matchers()
	for i := range matchers {
		m := &matchers[i]
		asked, takes := 0, false
		if m.check != nil {
			takes = m.check(r, c)
		} else {
			asked, takes = m.ask(r, st)
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
