package mux

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/pathvalue"
)

// With Router.VarsInRequest the values for handlers are in the request, where net/http
// has path values: the values of the variables, and with their names the entry. A request
// that has values of another router is left as it is. It is copied, and the context of the
// copy has the values, as without the option.

// A delivery is what is the same for all requests to an entry.
type delivery struct {
	shape pathvalue.Shape // its owner is the entry
	plain pathvalue.Shape // without an owner
	names []string        // none twice
	// places has the index in names of each variable of sources, or is nil if each
	// variable has its own name.
	places []int
}

// newDelivery returns the delivery of an entry whose sources are known.
func newDelivery(e *entry) *delivery {
	d := &delivery{}
	at := make(map[string]int)
	for _, t := range e.sources {
		for _, v := range t.vars {
			i, ok := at[v.name]
			if !ok {
				i = len(d.names)
				at[v.name] = i
				d.names = append(d.names, v.name)
			}
			d.places = append(d.places, i)
		}
	}
	if len(d.places) == len(d.names) {
		d.places = nil
	}
	d.shape, d.plain = pathvalue.NewOwned(d.names, e), pathvalue.NewShape(d.names)
	return d
}

// deliver returns the request for the handler if the values are to be in it.
func (s *search) deliver(p *plan) *http.Request {
	if s.delivered(p) {
		return s.req
	}
	req := s.withGiven(p)
	if req == s.req {
		return req
	}
	var names, vals []string
	for name, value := range Vars(req) {
		names, vals = append(names, name), append(vals, value)
	}
	pathvalue.Add(req, names, vals)
	return req
}

// delivered gives the request its values, and reports whether that is possible.
func (s *search) delivered(p *plan) bool {
	if s.leaf == nil || s.leaf.delivery == nil || carriesOthers(s.req, p.router) {
		return false
	}
	d := s.leaf.delivery
	var vals []string
	if len(d.names) > 0 {
		size := len(s.path.path)
		if s.leaf.elsewhere {
			size += len(s.host) + len(s.req.URL.RawQuery)
		}
		vals = pathvalue.New(s.req, d.shape, len(d.names), size)
		if !s.fill(vals, d.places) {
			return false
		}
	}
	return pathvalue.Set(s.req, d.shape, vals)
}

// fill sets vals to the values of the leaf's variables.
func (s *search) fill(vals []string, places []int) bool {
	to := vals
	if places != nil {
		to = make([]string, len(places))
	}
	next := 0
	for _, t := range s.leaf.sources {
		n := next + len(t.vars)
		if len(t.at) > 0 {
			for i, segment := range t.at { // t has matched the path
				to[next+i] = s.path.at(int(segment))
			}
		} else if !t.findIn(s.path.path, s.hostFor(t), s.req.URL.RawQuery, to[next:n]) {
			return false
		}
		next = n
	}
	for i, place := range places {
		vals[place] = to[i] // the last one of a name is used
	}
	return true
}

// carriesOthers reports whether a request has values that are not of a route of router.
// Values of that router are there if a handler passes its request to it again.
func carriesOthers(req *http.Request, router *Router) bool {
	switch owner := pathvalue.Owner(req).(type) {
	case nil:
		return pathvalue.Carries(req)
	case *entry:
		return owner.plan.top.router != router
	}
	return true
}

// carried returns the entry whose values a request has, or nil.
func carried(req *http.Request) *entry {
	e, _ := pathvalue.Owner(req).(*entry)
	return e
}

// disown makes the values of a request that has an entry's be only path values, since
// something else comes into effect.
func disown(req *http.Request) {
	e := carried(req)
	if e == nil {
		return
	}
	vals, _ := pathvalue.Values(req, e.delivery.shape)
	if !pathvalue.Set(req, e.delivery.plain, vals) {
		pathvalue.Clear(req)
	}
}

// carriedVars returns the variables that a request has with an entry.
func (e *entry) carriedVars(req *http.Request) map[string]string {
	vars := make(map[string]string, len(e.delivery.names))
	vals, _ := pathvalue.Values(req, e.delivery.shape)
	for i, name := range e.delivery.names {
		vars[name] = vals[i]
	}
	return vars
}
