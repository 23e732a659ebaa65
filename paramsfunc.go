package muxwell

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A ParamsFunc is a value handler: an [http.Handler] that gets the parameters by value.
//
// If it is registered directly, with [Mux.Handle], [Mux.Add], [Mux.HandleParams] or
// [Tx.Add], the [Mux] calls it as [Mux.HandleParams] describes. Everywhere else its
// ServeHTTP is called: by another mux, by a handler that wraps it, by [Mux.Mount], and
// as a handler of the mux's own answers, such as [NotFound].
type ParamsFunc func(http.ResponseWriter, *http.Request, Params)

// ServeHTTP calls f with the parameters that r.Pattern names, as a mux set it, and
// their values in r.PathValue. It parses r.Pattern for each request, which is slow and
// allocates; if f is registered directly, a [Mux] does not need to. The constraints of
// the pattern need not be known.
//
// The Params have no parameters if r.Pattern is empty or is not a pattern of this
// package. Parameters of [Queries] are not in the pattern, and so not in the Params;
// r.PathValue returns their values.
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

// ParamsOf returns Params with the given names and values, in this order, for testing
// value handlers:
//
//	getUser(w, r, muxwell.ParamsOf("id", "42"))
//
// A value may be empty. ParamsOf panics if the last name has no value or if a name
// occurs twice, since the names of a route are unique. Without arguments it returns the
// zero Params.
func ParamsOf(pairs ...string) Params {
	if len(pairs)%2 != 0 {
		panic(fmt.Sprintf("muxwell: ParamsOf: the name %q has no value; pass a value after each name", excerpt.Abridge(pairs[len(pairs)-1])))
	}
	var names, vals []string
	for i := 0; i < len(pairs); i += 2 {
		if slices.Contains(names, pairs[i]) {
			panic(fmt.Sprintf("muxwell: ParamsOf: duplicate name %q; names must be unique", excerpt.Abridge(pairs[i])))
		}
		names, vals = append(names, pairs[i]), append(vals, pairs[i+1])
	}
	return newParams("", names, vals)
}

// newParams returns Params that do not come from a route of a mux. text is the pattern,
// or "" if there is none.
func newParams(text string, names, vals []string) Params {
	if len(names) == 0 {
		return Params{}
	}
	l, _ := params.NewLayout(&pattern.Pattern{Text: text}, &noMatchers) // the values are not in a path
	l.Names = params.NewNames(names)
	return Params{params.Encoded(&l, vals, false)}
}
