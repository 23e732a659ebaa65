package matcher

import (
	"cmp"
	"net/http"
	"net/netip"

	"github.com/muxwell/muxwell/internal/mediatype"
)

// A Matcher is a condition on a request besides its method, host and path. A
// route has any number of them, and takes the requests that meet all.
type Matcher struct {
	Text string // the option as it is written: Headers("X-Beta", "1")
	// One of these decides. Queries and Accept have no function, which would move the
	// State to the heap.
	queries []QueryPart
	Accept  []mediatype.Type
	check   func(*http.Request, []netip.Prefix) bool
	// Status is the answer to a request that misses nothing but this: 406, 415, or
	// 0 for what it would be without the route.
	Status int
	// Missed says why the matcher does not take a request.
	Miss func(*http.Request, []netip.Prefix) string
	// align changes a sample of a request so that the matcher takes it, if it can be:
	// in the way of that number, of which there may be several. It is nil for a
	// function, of which nobody knows: two of those may have the same text.
	Satisfy func(r *http.Request, way int)
}

// A Set is what a route asks of a request besides its method, host and path:
// all of its matchers must take the request. The zero Set takes every request.
type Set struct {
	Matchers []Matcher   // in the order given
	Queries  []QueryPart // of the matchers, for the values of their parameters
	Schemes  []string    // of the Schemes matcher, in lower case
}

// add adds a matcher.
func (s *Set) add(m Matcher) { s.Matchers = append(s.Matchers, m) }

// A State is what the search for a route knows of a request from the matchers
// that it asked. Many routes may have matchers for the same query or header, and a
// client chooses how long that is: it is parsed once, whatever the number of routes.
//
// It is parsed when reading it as it is has taken about as long. So the common request,
// which is short and for which few such routes are tried, costs what it costs to read
// it, and allocates nothing. The state stays on the stack of the search, which passes
// it along by value, and ends with it.
type State struct {
	Missed Missed
	read   uint32         // bytes of the query that were read, or what costs as much
	parsed *parsedRequest // nil if nothing is parsed yet
}

// A parsedRequest has those parts of a request that were parsed, and nil in place of
// the others.
type parsedRequest struct {
	query  queryValues
	accept mediatype.Ranges
}

// maxRead is how many bytes are read before a request is parsed: those of the longest
// query once, of shorter ones more often.
const maxRead = MaxQuery

// Parsed returns what was parsed of the request, or nil.
func (st *State) Parsed() *parsedRequest { return st.parsed }

// reads reports whether n bytes are to be read of the request as it is, and counts
// them. Else they are to be parsed.
func (st *State) reads(n int) bool {
	if st.parsed != nil || int(st.read)+n > maxRead {
		return false
	}
	st.read += uint32(n)
	return true
}

// keep returns where to keep what is parsed.
func (st *State) keep() *parsedRequest {
	if st.parsed == nil {
		st.parsed = new(parsedRequest)
	}
	return st.parsed
}

// Matches reports whether the matcher takes a request of which nothing was read yet.
func (m *Matcher) Matches(r *http.Request, proxies []netip.Prefix) bool {
	if m.check != nil {
		return m.check(r, proxies)
	}
	_, takes := m.Ask(r, new(State))
	return takes
}

// Ask reports whether a matcher without a check takes a request, and if it is of
// Accept with which quality: how much the client wants what the route has, from 1
// to 1000.
func (m *Matcher) Ask(r *http.Request, st *State) (quality int, takes bool) {
	if m.queries != nil {
		return 0, st.TakesQuery(m.queries, r.URL.RawQuery)
	}
	quality = st.acceptQuality(r.Header["Accept"], m.Accept)
	return quality, quality > 0
}

// A Missed is the status of the answer to a request that matches a route's method
// and path but not its matchers: 404, 406 or 415; 0 if there is no such route.
type Missed uint32

// Add notes another route that was missed. The client can fix what a status of
// the matcher's own says, so it wins over 404.
func (m *Missed) Add(status int) {
	if *m == 0 || *m == http.StatusNotFound {
		*m = Missed(status)
	}
}

// MaxQuality is the highest quality. A route without Accept has it: only so is the
// order of such a route and others a total one.
const MaxQuality = 1000

// Quality is ask for a request of which nothing was read yet.
func (s *Set) Quality(r *http.Request, proxies []netip.Prefix) (quality, status int) {
	return s.Ask(r, proxies, new(State))
}

// Ask asks the matchers of s. It returns a status if they do not take the
// request, else the quality of what the route has, or 0 if none of them asks.
func (s *Set) Ask(r *http.Request, proxies []netip.Prefix, st *State) (quality, status int) {
	for i := range s.Matchers {
		m := &s.Matchers[i]
		asked, takes := 0, false
		if m.check != nil {
			takes = m.check(r, proxies)
		} else {
			asked, takes = m.Ask(r, st)
		}
		switch {
		case !takes && m.Status == 0:
			return 0, http.StatusNotFound
		case !takes:
			status = cmp.Or(status, m.Status)
		case asked > 0 && (quality == 0 || asked < quality):
			quality = asked
		}
	}
	return cmp.Or(quality, MaxQuality), status
}
