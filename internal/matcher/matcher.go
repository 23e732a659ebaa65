package matcher

import (
	"cmp"
	"net/http"
	"net/netip"

	"github.com/muxwell/muxwell/internal/mediatype"
)

// A Matcher is a condition on a request in addition to its method, host and path. A
// route has any number of them, and matches the requests that satisfy all.
type Matcher struct {
	Text string // the option as a program writes it: Headers("X-Beta", "1")
	// One of these decides. Queries and Accept have no function, which would move the
	// State to the heap.
	queries []QueryPart
	Accept  []mediatype.Type
	check   func(*http.Request, []netip.Prefix) bool
	// Status is the status of the answer if a request fails only this matcher: 406,
	// 415, or 0 for the answer without the route.
	Status     int
	MediaTypes []string // of ContentType, as the program wrote them
	// Miss returns why the matcher does not match a request.
	Miss func(*http.Request, []netip.Prefix) string
	// Satisfy changes a sample of a request so that the matcher matches it, if
	// possible. way selects one of several variants. It is nil for a function, about
	// which nothing is known: two functions may have the same text.
	Satisfy func(r *http.Request, way int)
}

// A Set has the matchers of a route. A request must satisfy all of them. The zero Set
// matches every request.
type Set struct {
	Matchers []Matcher   // in the order given
	Queries  []QueryPart // of the matchers, for the values of their parameters
	Schemes  []string    // of the Schemes matcher, in lower case
}

// add adds a matcher.
func (s *Set) add(m Matcher) { s.Matchers = append(s.Matchers, m) }

// A State has what the search for a route knows about a request from the matchers that
// it tried. Many routes may have matchers for the same query or header, and a client
// chooses how long that is. So it is parsed at most once, whatever the number of
// routes.
//
// It is parsed after reading it directly has taken about as long. So a typical request,
// which is short and for which few such routes are tried, costs only the reading, and
// does not allocate. The state stays on the stack of the search, which passes it by
// value.
type State struct {
	// Missed is the status of the answer to a request that matches a route's method and
	// path but not its matchers: 404, 406 or 415; 0 if there is no such route.
	Missed uint32
	Near   uint32         // the number of that route
	read   uint32         // bytes of the query that were read, or other reading at the same cost
	parsed *parsedRequest // nil if nothing is parsed yet
}

// A parsedRequest has the parts of a request that were parsed, and nil for the others.
type parsedRequest struct {
	query  queryValues
	accept mediatype.Ranges
}

// maxRead is the number of bytes that are read before a request is parsed: those of the
// longest query once, of shorter ones more often.
const maxRead = MaxQuery

// Parsed returns the parsed parts of the request, or nil.
func (st *State) Parsed() *parsedRequest { return st.parsed }

// reads reports whether n bytes of the request should be read directly, and counts
// them. Otherwise they should be parsed.
func (st *State) reads(n int) bool {
	if st.parsed != nil || int(st.read)+n > maxRead {
		return false
	}
	st.read += uint32(n)
	return true
}

// keep returns the place for parsed parts.
func (st *State) keep() *parsedRequest {
	if st.parsed == nil {
		st.parsed = new(parsedRequest)
	}
	return st.parsed
}

// Matches reports whether the matcher matches a request of which nothing was read yet.
func (m *Matcher) Matches(r *http.Request, proxies []netip.Prefix) bool {
	if m.check != nil {
		return m.check(r, proxies)
	}
	_, takes := m.Ask(r, new(State))
	return takes
}

// Ask reports whether a matcher without a check matches a request. For Accept it also
// returns the quality: the client's preference for what the route has, from 1 to 1000.
func (m *Matcher) Ask(r *http.Request, st *State) (quality int, takes bool) {
	if m.queries != nil {
		return 0, st.MatchesQuery(m.queries, r.URL.RawQuery)
	}
	quality = st.acceptQuality(r.Header["Accept"], m.Accept)
	return quality, quality > 0
}

// Miss records another route that was missed. A status of the matcher's own wins over
// 404, since it tells the client what to change.
func (st *State) Miss(status int, route uint32) {
	if st.Missed == 0 || st.Missed == http.StatusNotFound {
		st.Missed, st.Near = uint32(status), route
	}
}

// MaxQuality is the highest quality. A route without Accept has it: only then is the
// order of such a route and others total.
const MaxQuality = 1000

// Quality is like Ask for a request of which nothing was read yet.
func (s *Set) Quality(r *http.Request, proxies []netip.Prefix) (quality, status int) {
	return s.Ask(r, proxies, new(State))
}

// Ask tries the matchers of s. It returns a status if they do not match the request.
// Otherwise it returns the quality of what the route has, or 0 if no matcher has a
// quality.
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
