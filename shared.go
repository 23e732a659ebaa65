package muxwell

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/matcher"
)

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

// choose returns the record of that route of p which takes a request whose method
// is taken to be method; of those that name their methods only, if named is set.
// The rootRank decides first. Then the request's own method goes before GET for
// HEAD, and that before no method; then matchers beat none; then what the client
// wants most according to its Accept header wins, then the first one. It returns 0
// if there is none, and notes why in st.missed.
func (p *sharedPath) choose(r *http.Request, c *config, st *matcher.State, method string, named bool) (record uint32) {
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
func (p *sharedPath) best(from, to, fit int, r *http.Request, c *config, st *matcher.State, method string) (record uint32) {
	bestQuality := 0
	for i := from; i < to; i++ {
		rt := p.routes[i]
		if rt.fit(method) != fit {
			continue
		}
		if record != 0 && len(rt.matchers()) == 0 {
			break // a matcher beats none, whatever its quality
		}
		quality, status := rt.set().Ask(r, c.proxies, st)
		if status != 0 {
			st.Missed.Add(status)
		} else if quality > bestQuality {
			record, bestQuality = p.records[i], quality
		}
		if bestQuality == matcher.MaxQuality {
			break
		}
	}
	return record
}
