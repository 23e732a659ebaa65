package conflict

import (
	"errors"
	"slices"

	"github.com/muxwell/muxwell"

	"github.com/muxwell/muxwell/vet/internal/registration"
	"github.com/muxwell/muxwell/vet/internal/scratch"
)

// An entry is a route in the outermost mux, below the mounts that lead to its own.
type entry struct {
	route  *registration.Route
	mounts []*registration.Mount // outermost first
}

// maxMounted limits the routes of a mux with mounts that are compared pair by pair, and maxNested
// the mounts in each other.
const (
	maxMounted = 500
	maxNested  = 5
)

// mounts reports conflicts between routes of muxes of which one is mounted in the other, or which
// are mounted in the same one. Routes of the same mux were compared before.
func (c *checker) mounts(byMux map[any][]*registration.Route) {
	done := make(map[any]bool)
	for _, m := range c.table.Mounts {
		k := m.Outer.Key()
		if m.Kind != registration.Muxwell || done[k] || slices.ContainsFunc(c.table.Mounts, func(o registration.Mount) bool { return o.Inner.Key() == k }) {
			continue
		}
		done[k] = true
		if all := c.entries(m.Outer, byMux, nil); len(all) <= maxMounted {
			c.mounted(c.table.Options(m.Outer), all)
		}
	}
}

// entries returns the routes of a mux and of those that are mounted in it.
func (c *checker) entries(r registration.Router, byMux map[any][]*registration.Route, mounts []*registration.Mount) (all []entry) {
	for _, rt := range byMux[r.Key()] {
		if rt.Kind == registration.Muxwell {
			all = append(all, entry{rt, mounts})
		}
	}
	for i := range c.table.Mounts {
		m := &c.table.Mounts[i]
		if m.Outer.Key() == r.Key() && m.Prefix != nil && len(mounts) < maxNested {
			all = append(all, c.entries(m.Inner, byMux, append(slices.Clip(mounts), m))...)
		}
	}
	return all
}

// mounted reports pairs of routes that conflict, or of which one never matches.
func (c *checker) mounted(o scratch.Options, all []entry) {
	o.Constraints = append(slices.Clip(o.Constraints), c.table.Constraints...)
	conflict := false
	for i, b := range all {
		for _, a := range all[:i] {
			if slices.Equal(a.mounts, b.mounts) || !together(a, b) {
				continue
			}
			m := o.New()
			if c.mount(m, o, a, 0) != nil {
				continue
			}
			err := c.mount(m, o, b, 1)
			ce, ok := errors.AsType[*muxwell.ConflictError](err)
			if !ok {
				continue
			}
			conflict = true
			c.reportPair(c.pair(o, a, b), "conflicts with", ce.Reason)
		}
	}
	if conflict {
		return
	}
	m := o.New()
	for i, e := range all {
		if c.mount(m, o, e, i) != nil {
			return
		}
	}
	for _, u := range m.Check().Unreachable {
		if u.By == nil || u.Reason == "" {
			continue
		}
		a, b := all[number(u.By)], all[number(u.Route)]
		if !slices.Equal(a.mounts, b.mounts) && together(a, b) {
			c.reportPair(c.pair(o, a, b), "is unreachable because of", "it matches all of its requests")
		}
	}
}

// mount adds a route to the outermost mux by mounting a mux that has only this route.
func (c *checker) mount(outer *muxwell.Mux, o scratch.Options, e entry, number int) error {
	options, ok := c.table.RouteOptions(e.route)
	if !ok {
		options = append(options, muxwell.MatchFunc(nothing))
	}
	options = append(options, muxwell.Meta("number", number))
	m := outer
	if len(e.mounts) > 0 {
		m = o.New()
	}
	if _, err := scratch.Add(m, *e.route.Prefix, e.route.Method, e.route.Text.Value, options...); err != nil {
		return err
	}
	for i := len(e.mounts) - 1; i >= 0; i-- {
		into := outer
		if i > 0 {
			into = o.New()
		}
		if err := scratch.Mount(into, *e.mounts[i].Prefix, m); err != nil {
			return err
		}
		m = into
	}
	return nil
}

// number returns the number that mount gave to a route.
func number(rt *muxwell.Route) int {
	n, _ := rt.Meta("number")
	return n.(int)
}

// together reports whether two routes, and all that leads to them, are surely registered in the
// same execution.
func together(a, b entry) bool {
	if !registration.Together(a.route, b.route) {
		return false
	}
	for _, pair := range [][2]entry{{a, b}, {b, a}} {
		for _, m := range pair[0].mounts {
			if !registration.Together(m.At, pair[0].route) || !registration.Together(m.At, pair[1].route) {
				return false
			}
		}
	}
	return true
}

// pair returns two routes with their patterns in the outermost mux.
func (c *checker) pair(o scratch.Options, a, b entry) pair {
	return pair{a.route, b.route, c.full(o, a), c.full(o, b)}
}

func (c *checker) full(o scratch.Options, e entry) string {
	m := o.New()
	if c.mount(m, o, e, 0) == nil {
		for rt := range m.Routes() {
			return rt.Pattern()
		}
	}
	return full(e.route)
}
