package migrate

import (
	"errors"
	"fmt"
	"go/token"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell"
)

// order registers the routes that are known in a mux for each router, in the order of the
// source. It reports what muxwell would refuse at start, and routes whose precedence is
// not their order.
func (m *migrator) order(from string, routes []route) {
	muxes := map[slot]*muxwell.Mux{}
	at := map[*muxwell.Route]int{}
	slices.SortStableFunc(routes, func(a, b route) int { return int(a.pos - b.pos) })
	for i, r := range routes {
		mux := muxes[r.slot]
		if mux == nil {
			mux = muxwell.New()
			muxes[r.slot] = mux
		}
		pattern := r.pattern
		if len(r.methods) > 0 {
			pattern = join(r.methods) + " " + pattern
		}
		var options []muxwell.RouteOption
		if !r.plain {
			options = append(options, muxwell.MatchFunc(func(*http.Request) bool { return false }))
		}
		pos := m.p.fset.PositionFor(r.pos, false)
		options = append(options, muxwell.Source(m.rel(pos.Filename), pos.Line))
		if r.name != "" {
			options = append(options, muxwell.Name(r.name))
		}
		rt, err := mux.Add(pattern, http.NotFoundHandler(), options...)
		if err == nil {
			at[rt] = i
			continue
		}
		var conflict *muxwell.ConflictError
		if errors.As(err, &conflict) {
			if other := find(mux, conflict.Other); other != nil && routes[at[other]].cond != r.cond {
				m.change(from, fmt.Sprintf("%s: %s is registered at %s too. If both are, muxwell panics.", m.at(r.pos), conflict.Pattern, conflict.OtherSource))
				continue
			}
			m.manual(from, r.pos, "%s is registered twice, at %s too, which muxwell refuses", conflict.Pattern, conflict.OtherSource)
			continue
		}
		var name *muxwell.NameError
		if errors.As(err, &name) {
			m.manual(from, r.pos, "the name %q is given twice, at %s too, and names of muxwell are unique", name.Name, name.OtherSource)
		}
		var fault *muxwell.PatternError
		if errors.As(err, &fault) {
			m.manual(from, r.pos, "pattern %q: %s", fault.Pattern, fault.Reason)
		}
	}
	if from != fromGorilla {
		return
	}
	for _, mux := range muxes {
		for _, o := range mux.Check().Overlaps {
			first, ok1 := at[o.First]
			second, ok2 := at[o.Second]
			if ok1 && ok2 && first > second {
				m.change(from, fmt.Sprintf("%s: %s wins over %s (%s), which is registered before it, for requests such as %s.",
					o.First.Source(), o.First.Pattern(), o.Second.Pattern(), o.Second.Source(), o.Path))
			}
		}
	}
}

// find returns the route with a pattern, or nil.
func find(mux *muxwell.Mux, pattern string) *muxwell.Route {
	for rt := range mux.Routes() {
		if rt.Pattern() == pattern {
			return rt
		}
	}
	return nil
}

// at returns the file and line of a position.
func (m *migrator) at(pos token.Pos) string {
	p := m.p.fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", m.rel(p.Filename), p.Line)
}

func join(methods []string) string {
	s := methods[0]
	for _, m := range methods[1:] {
		s += "," + m
	}
	return s
}
