package muxwell

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A ParamsFunc is a value handler: an [http.Handler] that is given the parameters
// by value.
//
// A [Mux] knows one that is registered as it is, by [Mux.Handle], [Mux.Add],
// [Mux.HandleParams] or [Tx.Add], and calls it as [Mux.HandleParams] describes. Its
// ServeHTTP is called everywhere else: by another mux, by a handler around it, by
// [Mux.Mount], and where it answers for the mux, as [NotFound] does.
type ParamsFunc func(http.ResponseWriter, *http.Request, Params)

// ServeHTTP calls f with the parameters that r.Pattern names, as a mux set it, and
// with their values in r.PathValue. It parses r.Pattern for each request, which is
// slow and allocates; a [Mux] that knows f does not need it. The constraints of the
// pattern need not be known.
//
// The Params have no parameters if r.Pattern is empty or is not a pattern of this
// package. Parameters of [Queries] are not in the pattern, and so not in the Params;
// r.PathValue has their values.
func (f ParamsFunc) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, err := pattern.Parse(r.Pattern, pattern.Rules{Unclean: true, Lenient: true})
	if err != nil {
		f(w, r, Params{})
		return
	}
	names := p.Names()
	vals := make([]string, len(names))
	for i, name := range names {
		vals[i] = r.PathValue(name)
	}
	f(w, r, newParams(r.Pattern, names, vals))
}

// ParamsOf returns Params with the given names and values, in this order, for the
// test of a value handler:
//
//	getUser(w, r, muxwell.ParamsOf("id", "42"))
//
// A value may be empty. ParamsOf panics if the last name has no value, and if a name
// is given twice, since no route has a name twice. Without arguments it returns the
// zero Params.
func ParamsOf(pairs ...string) Params {
	if len(pairs)%2 != 0 {
		panic(fmt.Sprintf("muxwell: ParamsOf: the name %q has no value; pass a value after each name", excerpt.Abridge(pairs[len(pairs)-1])))
	}
	var names, vals []string
	for i := 0; i < len(pairs); i += 2 {
		if slices.Contains(names, pairs[i]) {
			panic(fmt.Sprintf("muxwell: ParamsOf: the name %q is given twice; a route has a name once", excerpt.Abridge(pairs[i])))
		}
		names, vals = append(names, pairs[i]), append(vals, pairs[i+1])
	}
	return newParams("", names, vals)
}

// newParams returns Params that come from no route of a mux. text is the pattern, ""
// if there is none.
func newParams(text string, names, vals []string) Params {
	if len(names) == 0 {
		return Params{}
	}
	l, _ := params.NewLayout(&pattern.Pattern{Text: text}, &noMatchers) // the values are not in a path
	l.Names = params.NewNames(names)
	return Params{params.Encoded(&l, vals, false)}
}
